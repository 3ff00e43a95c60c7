"""What is known of a language of a release: its lexicon, and whether that is fit to be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from curate.errors import CurateError, MissingExtraError
from curate.hub.card.shapes import LexiconFacts
from curate.lexicon import Lexicon, load_lexicon

__all__ = ["LanguageFacts", "language_facts", "language_records"]


@dataclass(frozen=True)
class LanguageFacts:
    """A language. What a release cannot say for certain is None, and printed as not stated.

    `lexemes`, `forms` and `lexicon_version` are those of the lexicon in the release. The rest is
    the status of that version: `coverage` (share, 0 to 1) and what it was measured on, `golden`
    sentences and how many of them passed (None: they were not run), `reviewers`, `go`.
    """

    tag: str
    name: str
    lexicon_version: str
    lexemes: int | None
    forms: int | None
    coverage: float | None = None
    coverage_sentences: int | None = None
    coverage_corpus: str = ""
    reviewers: tuple[str, ...] = ()
    go: bool | None = None
    golden: int | None = None
    golden_passed: int | None = None
    licence: str = ""


_KEPT = (
    "coverage", "coverage_sentences", "coverage_corpus", "go", "golden", "golden_passed", "licence",
)  # fmt: skip


def language_records(langs: Iterable[str], *, golden: bool = True) -> dict[str, dict[str, Any]]:
    """The status of languages as it is now, for ``manifest["languages"]``: by tag, plain values.

    A release that carries it has the same documents on every machine and with every later lexicon.
    With `golden`, golden sentences are run (a second or less a language); without, or where a
    segmenter is not installed, they are not, and `go` is None. A language without a lexicon has no
    record.
    """
    records = {}
    for lang in sorted(set(langs)):
        try:
            lexicon = load_lexicon(lang)
        except CurateError:
            continue
        record = _record(lexicon)
        passed = _golden_passed(lexicon) if golden else None
        record["golden_passed"] = passed
        record["go"] = None if passed is None else record["go"] and _enough(passed, lexicon)
        records[lang] = record
    return records


def language_facts(
    tag: str, manifest: Mapping[str, Any], counted: LexiconFacts | None
) -> LanguageFacts:
    """The facts of one language; `counted` is its part of the lexicon configuration.

    A manifest without a record of the language is asked to the installed lexicon instead, and only
    where that is still the version that the pairs were made with; golden sentences are not run.
    """
    version = str((manifest.get("lexicons") or {}).get(tag) or (counted.version if counted else ""))
    record = (manifest.get("languages") or {}).get(tag) or _installed(tag)
    # rows of people, or such that people judged, come without a lexicon: what was recorded of the
    # language at the build is told all the same
    recorded = tag in (manifest.get("languages") or {})
    known = record.get("version") == version or (recorded and not version)
    return LanguageFacts(
        tag=tag,
        name=str(record.get("name") or tag),
        lexicon_version=version,
        lexemes=counted.lexemes if counted else None,
        forms=counted.rows if counted else None,
        reviewers=tuple(map(str, record.get("reviewers") or ())) if known else (),
        **({key: record[key] for key in _KEPT if key in record} if known else {}),
    )


def _installed(tag: str) -> dict[str, Any]:
    try:
        return _record(load_lexicon(tag))
    except CurateError:
        return {}


def _record(lexicon: Lexicon) -> dict[str, Any]:
    """What the files of a language say of it."""
    coverage, review = lexicon.config.coverage, lexicon.config.review
    reviewers = review.get("reviewers")
    return {
        "name": lexicon.config.name,
        "version": lexicon.version,
        "coverage": float(str(coverage["share"])) if coverage.get("sentences") else None,
        "coverage_sentences": int(str(coverage.get("sentences") or 0)) or None,
        "coverage_corpus": str(coverage.get("corpus") or ""),
        "reviewers": [str(one) for one in reviewers] if isinstance(reviewers, list) else [],
        "go": bool(review.get("go")),
        "golden": len(lexicon.golden),
        "golden_passed": None,
        "licence": str(review.get("licence") or ""),
    }


def _golden_passed(lexicon: Lexicon) -> int | None:
    from curate.swap.golden import golden_failures

    try:
        return len(lexicon.golden) - sum(1 for _ in golden_failures(lexicon))
    except MissingExtraError:
        return None


def _enough(passed: int, lexicon: Lexicon) -> bool:
    from curate.swap.status import GOLDEN_SHARE_TO_GO

    return bool(lexicon.golden) and passed / len(lexicon.golden) >= GOLDEN_SHARE_TO_GO

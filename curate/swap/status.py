"""A language's status is computed from its files, not claimed."""

from __future__ import annotations

from typing import Any

from curate.errors import CurateError, MissingExtraError
from curate.lexicon import Lexicon, available_languages, load_lexicon
from curate.swap.golden import golden_failures

__all__ = ["language_status"]

GOLDEN_SHARE_TO_GO = 0.95


def language_status() -> list[dict[str, Any]]:
    """One record a language; a broken lexicon has its first problem under ``error``."""
    return [_status(tag) for tag in available_languages()]


def _status(tag: str) -> dict[str, Any]:
    try:
        lexicon = load_lexicon(tag)
    except CurateError as error:
        return {"tag": tag, "error": str(error)}
    golden = len(lexicon.golden)
    passed, missing = _golden(lexicon)
    share = passed / golden if golden and passed is not None else 0.0
    return {
        "tag": tag,
        "name": lexicon.config.name,
        "lexemes": len({row.pair for row in lexicon.pairs}),
        "rows": len(lexicon.pairs),
        "agreement_rows": len(lexicon.agreement),
        "names": len(lexicon.names),
        "golden": golden,
        "golden_passed": passed,
        "coverage": lexicon.config.coverage.get("share") or None,
        "gendered": lexicon.config.gendered,
        "rules": sum(len(rules) for rules in lexicon.grammar.rules.values()),
        "go": bool(lexicon.config.review.get("go")) and share >= GOLDEN_SHARE_TO_GO,
        "version": lexicon.version,
        "missing": missing,
        "error": "",
    }


def _golden(lexicon: Lexicon) -> tuple[int | None, str]:
    """Golden sentences passed; None and the reason where the segmenter is not installed."""
    try:
        return len(lexicon.golden) - sum(1 for _ in golden_failures(lexicon)), ""
    except MissingExtraError as error:
        return None, error.hint

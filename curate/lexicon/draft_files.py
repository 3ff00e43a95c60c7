"""Write a draft as the folder of a language that loads and says that nobody has read it yet."""

from __future__ import annotations

import json
from pathlib import Path

import langcodes

from curate.errors import InputError
from curate.language.scripts import RIGHT_TO_LEFT
from curate.lexicon.draft import UNREVIEWED, Draft, relations_of
from curate.lexicon.load import PAIR_COLUMNS

__all__ = ["write_draft"]

_GRAMMAR = """\
# Drafted; nothing below has been reviewed. The pattern language: lexicons/README.md.
{relations}{agree}"""
_AGREE = """
[[agree]]
name = "noun-phrase"
pattern = "=DET? =ADJ* @NOUN =ADJ*"

[[suspect]]
pattern = "@ADJ"
"""


def write_draft(folder: Path, draft: Draft, *, sources: list[str]) -> dict[str, int]:
    """Write the files of a new language into `folder`, whose name is its tag; rows by file.

    Raises InputError where the folder holds anything already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError("the folder is not empty", where=folder, hint="choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    pairs = _pairs(draft)
    agreement = [
        ("\t".join((twin.upos, twin.masculine, twin.feminine, twin.feats))) for twin in draft.twins
    ]
    work = [
        f"{priority:.2f}\t{frequency}\t{doubt:.2f}\t{pair}\t{what}"
        for priority, frequency, doubt, pair, what in draft.worklist()
    ]
    files = {
        "language.toml": _language(folder.name, gendered=bool(draft.twins)),
        "pairs.tsv": _table(PAIR_COLUMNS, pairs),
        "agreement.tsv": _table(("upos", "masculine", "feminine", "feats"), agreement),
        "agreement.toml": _GRAMMAR.format(
            relations=relations_of(draft) if draft.relations else "",
            agree=_AGREE if draft.twins else "",
        ),
        "names.tsv": _table(("name", "gender", "share", "source"), []),
        "context.tsv": _table(("form", "gender", "note"), []),
        "golden.tsv": _table(("sentence", "direction", "expected", "note"), []),
        "SOURCES.md": "# draft\nDrafted by `curate lexicon new` from: "
        + "; ".join(sources)
        + ". Name their licences here before you share anything.\n",
        "worklist.tsv": _table(("priority", "frequency", "doubt", "pair", "what"), work),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {"pairs.tsv": len(pairs), "agreement.tsv": len(agreement), "worklist.tsv": len(work)}


def _pairs(draft: Draft) -> list[str]:
    rows: dict[tuple[str, ...], str] = {}
    sides: dict[str, set[str]] = {"masculine": set(), "feminine": set()}
    for candidate in draft.candidates:
        sides["masculine"].add(candidate.masculine.lower())
        sides["feminine"].add(candidate.feminine.lower())
    either = sides["masculine"] & sides["feminine"]
    for candidate in draft.candidates:
        forms = (candidate.masculine, candidate.feminine)
        note = UNREVIEWED + (f"; others: {candidate.others}" if candidate.others else "")
        if forms[0] == forms[1]:
            flags = "epicene"
        else:
            flags = "ambiguous" if either & {form.lower() for form in forms} else ""
        cells = (
            candidate.pair, *forms, candidate.upos, candidate.feats, "", "", candidate.kind, flags,
            "draft", "", note,
        )  # fmt: skip
        rows.setdefault((candidate.pair, *forms, candidate.upos, candidate.feats), "\t".join(cells))
    known = {(c.masculine.lower(), c.feminine.lower()) for c in draft.candidates}
    new = [noun for noun in draft.nouns if (noun.masculine, noun.feminine) not in known]
    for number, noun in enumerate(new, start=1):
        cells = (
            f"treebank-{number}", noun.masculine, noun.feminine, noun.upos, noun.feats, "", "",
            "role", "ambiguous", "draft", "", f"{UNREVIEWED}; twin forms in the treebank",
        )  # fmt: skip
        rows.setdefault((noun.masculine, noun.feminine), "\t".join(cells))
    return list(rows.values())


def _table(header: tuple[str, ...], rows: list[str]) -> str:
    return "\n".join(["\t".join(header), *rows]) + "\n"


def _language(tag: str, *, gendered: bool) -> str:
    language = langcodes.Language.get(tag).maximize()
    values = {
        "name": langcodes.Language.get(tag).display_name("en") if _has_names() else tag,
        "endonym": langcodes.Language.get(tag).autonym() if _has_names() else tag,
        "tag": tag,
        "script": language.script or "Latn",
        "direction": "rtl" if language.script in RIGHT_TO_LEFT else "ltr",
        "segmentation": "spaces",
    }
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join(
        [
            *lines,
            f"gendered = {str(gendered).lower()}",
            'order = { adjective = "", verb = "" }',
            "\n[parsers]\n",
            '[coverage]\nshare = 0.0\nsentences = 0\ncorpus = ""\n',
            '[review]\nlicence = ""\nreviewers = []\ngo = false\nnote = "Drafted, not reviewed."\n',
        ]
    )


def _has_names() -> bool:
    """langcodes knows the names of languages only with its data package."""
    import importlib.util

    return importlib.util.find_spec("language_data") is not None

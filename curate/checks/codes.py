"""The codes of the checks: what each means, how grave it is, an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from curate.errors import UsageError

__all__ = ["CODES", "Code", "Finding", "Level", "finding", "is_finding", "known_codes"]

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Code:
    """One code. `level`: ``error`` (the pair is broken), ``warning`` (a person should look) or
    ``note`` (a fact that is no fault); `check` is the check that gives it.
    """

    code: str
    check: str
    level: Level
    meaning: str
    example: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check says of one row; `evidence` quotes the words it rests on."""

    code: str
    evidence: str

    @property
    def check(self) -> str:
        return CODES[self.code].check

    @property
    def level(self) -> Level:
        return CODES[self.code].level


_TABLE: tuple[Code, ...] = (
    Code(
        "bad-row", "text", "error", "the row breaks its table", "three cells under a header of two"
    ),
    Code("bad-text", "text", "error", "control characters, U+FFFD, or over 1 MB", "The king\\x07"),
    Code("empty-side", "text", "error", "a side holds nothing but white space", "The king | "),
    Code("identical-sides", "text", "error", "both sides are the same text", "A king | A king"),
    Code("not-nfc", "text", "note", "a side is not in NFC; it is read as if it were", "e + U+0301"),
    Code(
        "duplicate",
        "duplicates",
        "error",
        "the same two texts stand in an earlier row",
        "row 7 repeats row 3, perhaps with its sides exchanged",
    ),
    Code(
        "not-minimal",
        "minimality",
        "error",
        "more changes than one word, and they are no licensed co-changes",
        "The king sleeps | The queen works",
    ),
    Code(
        "changed-punctuation",
        "minimality",
        "error",
        "punctuation differs",
        "A king. | A queen!",
    ),
    Code(
        "changed-whitespace",
        "minimality",
        "error",
        "white space differs",
        "A  king | A queen",
    ),
    Code(
        "changed-case",
        "minimality",
        "error",
        "letter case differs",
        "The king | the queen",
    ),
    Code(
        "changed-features",
        "minimality",
        "error",
        "the two gender words differ in more than gender (number, case …)",
        "the king | the queens",
    ),
    Code(
        "unknown-contrast",
        "minimality",
        "note",
        "the one word that differs is no gender word of the lexicon",
        "a black cat | a white cat",
    ),
    Code(
        "not-counterparts",
        "minimality",
        "note",
        "a masculine and a feminine word, but of different entries",
        "the king | the actress",
    ),
    Code(
        "agreement-only",
        "minimality",
        "note",
        "only agreeing words carry the contrast",
        "Estoy cansado | Estoy cansada",
    ),
    Code(
        "double-switch",
        "gender",
        "error",
        "words change in both directions at once",
        "He met the queen | She met the king",
    ),
    Code(
        "wrong-side",
        "gender",
        "error",
        "the column `masculine` holds the feminine side",
        "masculine: the queen",
    ),
    Code(
        "mixed-gender",
        "gender",
        "error",
        "a word of one gender stays for a person whose other words change, so one side mixes both",
        "He lost his key | She lost his key",
    ),
    Code(
        "other-person",
        "gender",
        "note",
        "a gender word of somebody else stays on both sides",
        "He met his mother | She met her mother",
    ),
    Code(
        "agreement",
        "agreement",
        "error",
        "a word that agrees with the changed word stays as it was",
        "el rey alto | la reina alto",
    ),
    Code(
        "phonetic",
        "agreement",
        "error",
        "a form does not fit the sound of the word after it",
        "a king | a empress",
    ),
    Code(
        "gender-context",
        "context",
        "warning",
        "a word on both sides fits one gender only",
        "The king is pregnant | The queen is pregnant",
    ),
    Code(
        "gendered-name",
        "context",
        "note",
        "a given name of one gender stands in the pair",
        "Maria met the king | Maria met the queen",
    ),
    Code(
        "same-as-source",
        "translation",
        "error",
        "a side of a translation is its source",
        "en: The king sleeps. | de: the king sleeps",
    ),
    Code(
        "other-language",
        "translation",
        "error",
        "a side of a translation is in another language",
        "de: Le roi dort dans son lit.",
    ),
    Code(
        "wrong-script",
        "translation",
        "error",
        "a side of a translation is mainly in a script that its language is not written in",
        "ru: Korol spit.",
    ),
    Code(
        "markup",
        "translation",
        "error",
        "a side of a translation holds markup: a tag, an entity, a link, a placeholder",
        "Der <b>König</b> schläft &amp; isst",
    ),
    Code(
        "formula",
        "translation",
        "error",
        "a side of a translation begins as what a spreadsheet would run",
        "=1+1",
    ),
    Code(
        "placeholder",
        "translation",
        "error",
        "a side of a translation is no text: a mark to come back to, signs or digits only",
        "TODO",
    ),
    Code(
        "name-missing",
        "translation",
        "warning",
        "a side of a translation has none of the names to use",
        "names: Emilia, Maximilian | Die Köchin schläft.",
    ),
    Code(
        "length-ratio",
        "translation",
        "warning",
        "a side of a translation is far shorter or longer than its source, or than the other side",
        "The old king sleeps in his bed all day. | Er ruht.",
    ),
    Code(
        "fort2024",
        "fort2024",
        "error",
        "not minimal by the rule of Fort et al. 2024 (only with --rule fort2024)",
        "Asians cannot … | White people cannot …",
    ),
)

CODES: dict[str, Code] = {code.code: code for code in _TABLE}


def finding(code: str, evidence: str) -> Finding:
    """A finding whose evidence fits on one line of at most 200 characters."""
    line = " ".join(
        "".join(
            c if c.isprintable() or c.isspace() else f"\\x{ord(c):02x}" for c in evidence
        ).split()
    )
    return Finding(code, line if len(line) <= 200 else line[:199] + "…")


def is_finding(code: str) -> bool:
    """Whether the code makes the command exit with 1 (errors and warnings do, notes do not)."""
    return CODES[code].level != "note"


def known_codes(wanted: list[str]) -> frozenset[str]:
    """`wanted` as a set; raises UsageError for a code that no check gives."""
    unknown = sorted(set(wanted) - set(CODES))
    if unknown:
        raise UsageError(f"no check has the code {unknown[0]!r}", hint=f"codes: {', '.join(CODES)}")
    return frozenset(wanted)

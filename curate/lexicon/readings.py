"""Readings that the rows of a lexicon, its open classes and its compounds give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from curate.language import Features
from curate.lexicon.model import PairRow, Paradigm, Reading

__all__ = ["NO_FORMS", "OpenClasses", "agreeing_words", "compounded", "open_words"]

NO_FORMS: Mapping[str, str] = {}
"""What a gender word has for agreeing forms."""


def agreeing_words(
    upos: str, forms: Mapping[str, str], feats: Features, genders: Iterable[str] | None = None
) -> list[Reading]:
    """One reading per gender; a single reading without gender where all forms are the same."""
    if len(set(forms.values())) == 1:
        form = next(iter(forms.values()))
        return [Reading(upos=upos, gender="", feats=feats, form=form, forms=forms)]
    return [
        Reading(upos=upos, gender=gender, feats=feats, form=forms[gender], forms=forms)
        for gender in (forms if genders is None else genders)
    ]


class _Suffixed(NamedTuple):
    """A suffix of a paradigm; `shown`: the genders that it shows, "" where all look the same."""

    paradigm: Paradigm
    length: int
    shown: tuple[str, ...]


class OpenClasses:
    """Reads forms as words of open classes: the paradigms are filed by how a form ends."""

    def __init__(self, paradigms: Sequence[Paradigm]) -> None:
        self._paradigms = paradigms
        # what the longest suffix that fits a form says of all others; filled when it is met
        self._filed: dict[str, list[_Suffixed] | None] = {
            suffix: None for paradigm in paradigms for suffix in paradigm.endings
        }
        self._lengths = sorted(set(map(len, self._filed)), reverse=True)

    def read(self, form: str) -> list[Reading]:
        """The readings of a form (lower-cased), in the order of the file."""
        readings: list[Reading] = []
        fits: dict[tuple[int, str], bool] = {}
        for paradigm, length, shown in self._suffixed(form):
            if form in paradigm.exceptions:
                continue
            stem = form[: len(form) - length]
            # many paradigms share the expression of their stems
            key = length, paradigm.stem.pattern
            if key not in fits:
                fits[key] = paradigm.stem.fullmatch(stem) is not None
            if fits[key]:
                upos = paradigm.upos
                forms = {tag: stem + ending for tag, ending in paradigm.suffixes.items()}
                readings += [
                    Reading(upos, gender, feats, form, forms)
                    for feats in paradigm.feats
                    for gender in shown
                ]
        return readings

    def _suffixed(self, form: str) -> list[_Suffixed]:
        """The suffixes that fit a form, with their paradigms."""
        for length in self._lengths:
            ending = form[len(form) - length :] if length <= len(form) else form
            if ending in self._filed:
                return self._filed[ending] or self._file(ending)
        return []

    def _file(self, ending: str) -> list[_Suffixed]:
        filed = self._filed[ending] = [
            _Suffixed(paradigm, len(suffix), _shown(paradigm, suffix))
            for paradigm in self._paradigms
            for suffix in paradigm.endings
            if ending.endswith(suffix)
        ]
        return filed


def _shown(paradigm: Paradigm, suffix: str) -> tuple[str, ...]:
    if len(paradigm.endings) == 1:
        return ("",)
    return tuple(tag for tag, own in paradigm.suffixes.items() if own == suffix)


def open_words(paradigm: Paradigm, written: str) -> list[Reading]:
    """The gender-word readings that a paradigm with a kind gives a written token."""
    readings = []
    for tag, gender in (("Masc", "masculine"), ("Fem", "feminine")):
        suffix = paradigm.suffixes[tag]
        stem = written[: len(written) - len(suffix)]
        if f"opaque-{gender[0]}" in paradigm.flags or not written.endswith(suffix):
            continue
        if not paradigm.stem.fullmatch(stem):
            continue
        row = PairRow(
            pair=f"-{paradigm.suffixes['Masc']}/-{paradigm.suffixes['Fem']}",
            masculine=stem + paradigm.suffixes["Masc"],
            feminine=stem + paradigm.suffixes["Fem"],
            upos=paradigm.upos, feats="", gender_m="", gender_f="", kind=paradigm.kind,
            flags=paradigm.flags, source="", votes="", note="", line=0,
        )  # fmt: skip
        readings += [
            Reading(row.upos, tag, feats, written, NO_FORMS, gender, row)
            for feats in paradigm.feats
        ]
    return readings


def compounded(reading: Reading, first: str) -> Reading:
    """A listed word's reading with `first` before its forms, in the letter case of a compound."""
    row = reading.row
    assert row is not None

    def joined(form: str) -> str:
        if not form:
            return ""
        return first + (form if first.endswith("-") else form[:1].lower() + form[1:])

    longer = row._replace(masculine=joined(row.masculine), feminine=joined(row.feminine))
    return reading._replace(form=joined(reading.form), row=longer)

"""Readings that the rows of a lexicon, its open classes and its compounds give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curate.language import Features
from curate.lexicon.model import PairRow, Paradigm, Reading

__all__ = ["NO_FORMS", "agreeing_words", "compounded", "open_words"]

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

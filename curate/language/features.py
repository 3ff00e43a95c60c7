"""Bundles of Universal Dependencies features."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping

__all__ = [
    "UD_FEATURES",
    "Features",
    "compatible",
    "expand_features",
    "parse_features",
    "unknown_features",
]

Features = Mapping[str, str]

UD_FEATURES: Mapping[str, frozenset[str]] = {
    name: frozenset(values.split())
    for name, values in {
        "Abbr": "Yes",
        "Animacy": "Anim Hum Inan Nhum",
        "Aspect": "Hab Imp Iter Perf Prog Prosp",
        "Case": "Abe Abl Abs Acc Add Ade All Ben Cau Cmp Cns Com Dat Del Dis Ela Equ Erg Ess Gen "
        "Ill Ine Ins Lat Loc Nom Par Per Sbe Sbl Spl Sub Sup Tem Ter Tra Voc",
        "Clusivity": "Ex In",
        "Definite": "Com Cons Def Ind Spec",
        "Degree": "Abs Aug Cmp Dim Equ Pos Sup",
        "Deixis": "Abv Bel Even Med Nvis Prox Remt",
        "Evident": "Fh Nfh",
        "Foreign": "Yes",
        "Gender": "Com Fem Masc Neut",
        "Mood": "Adm Cnd Des Imp Ind Int Irr Jus Nec Opt Pot Prp Qot Sub",
        "NumType": "Card Dist Frac Mult Ord Range Sets",
        "Number": "Coll Count Dual Grpa Grpl Inv Pauc Plur Ptan Sing Tri",
        "Person": "0 1 2 3 4",
        "Polarity": "Neg Pos",
        "Polite": "Elev Form Humb Infm",
        "Poss": "Yes",
        "PronType": "Art Dem Emp Exc Ind Int Neg Prs Rcp Rel Tot",
        "Reflex": "Yes",
        "Tense": "Fut Imp Past Pqp Pres",
        "Typo": "Yes",
        "VerbForm": "Conv Fin Gdv Ger Inf Part Sup Vnoun",
        "Voice": "Act Antip Bfoc Cau Dir Inv Lfoc Mid Pass Rcp",
    }.items()
}
"""The universal features of UD v2 with their values; layers (``Number[psor]``) have the same."""


def parse_features(text: str) -> dict[str, tuple[str, ...]]:
    """``Case=Nom,Acc|Number=Sing`` as ``{"Case": ("Nom", "Acc"), "Number": ("Sing",)}``.

    Raises ValueError for a part without ``=``, an empty value or a repeated name.
    """
    bundle: dict[str, tuple[str, ...]] = {}
    if text in {"", "_"}:
        return bundle
    for part in text.split("|"):
        name, equals, values = part.partition("=")
        if not equals or not name or not all(values.split(",")):
            raise ValueError(f"{part!r} is not a feature (Name=Value)")
        if name in bundle:
            raise ValueError(f"feature {name} is given twice")
        bundle[name] = tuple(values.split(","))
    return bundle


def unknown_features(text: str, own: Collection[str]) -> list[str]:
    """The features of a bundle that neither UD nor `own` (names) has, as ``Name=Value``."""
    return [
        f"{name}={value}"
        for name, values in parse_features(text).items()
        if name not in own
        for value in values
        if value not in UD_FEATURES.get(name.partition("[")[0], ())
    ]


def expand_features(text: str) -> list[dict[str, str]]:
    """Every single-valued bundle that a bundle with several values stands for."""
    bundle = parse_features(text)
    return [
        dict(zip(bundle, values, strict=True)) for values in itertools.product(*bundle.values())
    ]


def compatible(first: Features, second: Features) -> bool:
    """Whether the two bundles agree in every feature that both have."""
    if len(first) > len(second):
        first, second = second, first
    return all(second.get(name, value) == value for name, value in first.items())

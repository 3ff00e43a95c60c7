"""Bundles of Universal Dependencies features."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

__all__ = ["Features", "compatible", "expand_features", "parse_features"]

Features = Mapping[str, str]


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

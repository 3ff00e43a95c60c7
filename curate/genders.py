"""The two sides of a pair."""

from __future__ import annotations

__all__ = ["GENDERS", "other_gender"]

GENDERS = ("masculine", "feminine")


def other_gender(gender: str) -> str:
    return "feminine" if gender == "masculine" else "masculine"

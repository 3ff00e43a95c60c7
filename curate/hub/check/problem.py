"""What can be wrong with a release: the codes, and how a finding is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["CODES", "Problem", "problem", "shown_rows"]

_SHOWN_ROWS = 5

CODES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "path-leaves-folder": ("error", "the manifest names a file outside the release"),
        "link": ("error", "a link where a file or folder should be"),
        "missing-file": ("error", "the manifest lists it, but it is not here"),
        "unlisted-file": ("error", "the manifest does not list it"),
        "hash-mismatch": ("error", "not the bytes that the manifest lists: changed by hand"),
        "file-too-large": ("error", "over the limits of the Hub"),
        "too-many-files": ("error", "over the limits of the Hub"),
        "wrong-manifest": ("error", "the manifest contradicts itself"),
        "not-parquet": ("error", "no parquet file, or a damaged one"),
        "wrong-columns": ("error", "other columns than those of its kind, or of the manifest"),
        "row-count": ("error", "other rows than the manifest says"),
        "no-rows": ("error", "a configuration without rows, which `datasets` cannot open"),
        "no-page-index": ("error", "a reader cannot tell where its pages are"),
        "pair-id": ("error", "the id is not that of the texts"),
        "duplicate-id": ("error", "a row of the same id stands twice"),
        "wrong-config": ("error", "a row of another language or method"),
        "unbalanced-fold": ("error", "a fold with more pairs of one side than of the other"),
        "not-finite": ("error", "a number that is infinite or none"),
        "card": ("error", "the card's metadata do not fit the release"),
        "licence-forbids": ("error", "a source may not be passed on, changed, or mixed like this"),
        "licence-unknown": ("warning", "nobody said under which licence a source stands"),
        "stale-document": ("error", "not what the data and the manifest give"),
        "other-version": ("note", "another version of curate wrote the documents"),
    }
)
"""Level and meaning of every code that is about the release itself; those of its pairs are in
`curate.checks.CODES`. An ``error`` forbids publishing, a ``note`` is a fact that is no fault."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `level` is ``error`` (the release must not be published), ``warning`` or
    ``note``; `where` is a file, relative to the release."""

    where: str
    code: str
    level: str
    message: str


def problem(where: str, code: str, message: str = "") -> Problem:
    """A finding of a code of the release, with its meaning where nothing more is to be said."""
    level, meaning = CODES[code]
    return Problem(where, code, level, message or meaning)


def shown_rows(numbers: Iterable[int], count: int) -> str:
    """``2 rows (3, 17)``: how many there are, and the first of them."""
    first = [str(number) for number, _ in zip(numbers, range(_SHOWN_ROWS), strict=False)]
    more = ", …" if count > len(first) else ""
    return f"{count:,} row{'' if count == 1 else 's'} ({', '.join(first)}{more})"

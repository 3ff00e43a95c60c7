"""Sentiment lexica of any scale, read as views of words.

Our own format is a table (TSV or CSV) with a header, in one of two forms:

- ``word``, ``value``, ``scale``: one scale for the whole file, the same in every row. ``-1..1`` is
  a continuous scale from its negative to its positive end; ``negative<neutral<positive`` are
  categories from the most negative to the most positive, with equal distances between them.
- ``word``, ``negative``, ``neutral``, ``positive``: weights of the sentiments, a merged lexicon.

A file of another layout is described by an adapter beside it, a TOML file (see
`curate.politicians.study.lexicon_adapters`).

A word that stands several times has the mean of its values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from curate.errors import InputError
from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.lexicon_adapters import Entry, adapted
from curate.sources.decoding import lines_of, read_unicode
from curate.sources.delimited import Delimited, guarded, parse_delimited
from curate.sources.files import plain_suffix

__all__ = ["Scale", "View", "make_view", "parse_scale", "read_view"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scale:
    """`low` to `high`, or ordered `categories`; or the three weights of a merged lexicon."""

    kind: Literal["continuous", "categories", "merged"]
    low: float = -1.0
    high: float = 1.0
    categories: tuple[str, ...] = ()

    @property
    def polarities(self) -> Floats:
        """Where the categories stand between -1 (negative) and 1."""
        places: Floats = np.linspace(-1.0, 1.0, len(self.categories), dtype=np.float64)
        return places


@dataclass(frozen=True)
class View:
    """What one lexicon says: `values` is (words, 1) in [-1, 1] for a continuous scale,
    (words, categories) shares for categories, (words, 3) shares for a merged lexicon.
    """

    name: str
    scale: Scale
    words: tuple[str, ...]
    values: Floats

    @property
    def polarity(self) -> Floats:
        """(words,) the lexicon's own word on each, from -1 to 1."""
        if self.scale.kind == "continuous":
            return self.values[:, 0]
        if self.scale.kind == "merged":
            return self.values[:, 2] - self.values[:, 0]
        polarity: Floats = self.values @ self.scale.polarities
        return polarity

    def without(self, words: Iterable[str]) -> View:
        """The view without some words."""
        away = set(words)
        kept = np.array([word not in away for word in self.words], dtype=np.bool_)
        held = tuple(word for word, keep in zip(self.words, kept, strict=True) if keep)
        return View(self.name, self.scale, held, self.values[kept])


def parse_scale(text: str) -> Scale:
    """``-1..1`` or ``negative<neutral<positive``; ValueError for anything else."""
    if ".." in text:
        low, high = (float(end) for end in text.split("..", 1))
        if not low < high:
            raise ValueError(f"the scale {text!r} has no width")
        return Scale("continuous", low, high)
    categories = tuple(part.strip() for part in text.split("<"))
    if len(categories) < 2 or len(set(categories)) < len(categories) or not all(categories):
        raise ValueError(f"{text!r} is no scale: write LOW..HIGH or CATEGORY<CATEGORY")
    return Scale("categories", categories=categories)


def read_view(path: Path) -> View:
    """Read a lexicon in our format, or by an adapter (``.toml``); InputError with file and line."""
    if plain_suffix(path) == ".toml":
        found = adapted(path)
        return make_view(found.name, _scale_of(found.scale, str(path)), found.entries)
    table = parse_delimited(
        path, list(lines_of(read_unicode(path))), "," if plain_suffix(path) == ".csv" else "\t"
    )
    if {"word", *SENTIMENTS} <= set(table.header):
        return _merged(path, table)
    missing = {"word", "value", "scale"} - set(table.header)
    if missing:
        raise InputError(
            f"no column {', '.join(sorted(map(repr, missing)))}",
            where=f"{path}:1",
            hint="a lexicon has word, value, scale, or needs an adapter (a .toml file)",
        )
    word, value, scale = (table.header.index(name) for name in ("word", "value", "scale"))
    scales = {row[scale] for row in table.rows if len(row) > scale}
    if len(scales) != 1:
        raise InputError(f"{len(scales)} scales in one lexicon", where=path, hint="one a file")
    entries = [
        Entry(row[word], row[value], f"{path}:{line}")
        for row, line in zip(table.rows, table.lines, strict=True)
        if len(row) == len(table.header)
    ]
    return make_view(path.stem, _scale_of(scales.pop(), str(path)), entries)


def make_view(name: str, scale: Scale, entries: Iterable[Entry]) -> View:
    """The view of a lexicon's entries; InputError for a value that is not on the scale."""
    sums: dict[str, Floats] = {}
    counts: dict[str, int] = {}
    for entry in entries:
        value = _placed(entry, scale)
        if entry.word in sums:
            sums[entry.word] = sums[entry.word] + value
        else:
            sums[entry.word] = value
        counts[entry.word] = counts.get(entry.word, 0) + 1
    if not sums:
        raise InputError("the lexicon holds no word", where=name)
    words = tuple(sorted(sums))
    return View(name, scale, words, np.stack([sums[word] / counts[word] for word in words]))


def _scale_of(text: str, where: str) -> Scale:
    try:
        return parse_scale(text)
    except ValueError as error:
        raise InputError(str(error), where=where) from error


def _placed(entry: Entry, scale: Scale) -> Floats:
    if scale.kind == "categories":
        if entry.value not in scale.categories:
            raise InputError(
                f"{entry.value!r} is none of {', '.join(scale.categories)}", where=entry.where
            )
        return np.array([float(own == entry.value) for own in scale.categories])
    try:
        value = float(entry.value)
    except ValueError as error:
        raise InputError(f"{entry.value!r} is no number", where=entry.where) from error
    if not scale.low <= value <= scale.high:
        raise InputError(
            f"{value:g} is outside the scale {scale.low:g}..{scale.high:g}", where=entry.where
        )
    return np.array([2 * (value - scale.low) / (scale.high - scale.low) - 1])


def _merged(path: Path, table: Delimited) -> View:
    word = table.header.index("word")
    places = [table.header.index(name) for name in SENTIMENTS]
    held: dict[str, list[Floats]] = {}
    for row, line in zip(table.rows, table.lines, strict=True):
        try:
            weights = np.array([float(row[place]) for place in places])
        except (ValueError, IndexError) as error:
            raise InputError("a weight is no number", where=f"{path}:{line}") from error
        if not (weights >= 0).all() or not weights.sum() > 0 or not np.isfinite(weights).all():
            raise InputError("weights of a word are not positive", where=f"{path}:{line}")
        held.setdefault(_unguarded(row[word]), []).append(weights / weights.sum())
    words = tuple(sorted(held))
    values = np.stack([np.mean(held[own], axis=0) for own in words])
    return View(path.stem, Scale("merged"), words, values)


def _unguarded(word: str) -> str:
    """A word as it was, before it was kept from being taken for a formula."""
    return word[1:] if word[:1] == "'" and guarded(word[1:]) == word else word

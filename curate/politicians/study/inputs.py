"""What a study reads beside the words: sentiment lexica and supersenses, by language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.politicians.study.lexica import View, read_view
from curate.politicians.study.sentivae import Merged, Training, merge_lexica
from curate.sources.delimited import read_delimited

__all__ = [
    "by_language",
    "expected_sentiment",
    "merged_by_language",
    "read_supersenses",
    "read_views",
]

_LANG = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")


def by_language(given: Sequence[str]) -> dict[str, list[Path]]:
    """``LANG=FILE`` options as files by language; UsageError for anything else, or a file twice."""
    found: dict[str, list[Path]] = {}
    for text in given:
        lang, _, file = text.partition("=")
        if not (_LANG.fullmatch(lang) and file):
            raise UsageError(f"{text!r} names no language and file", hint="write it as en=FILE")
        files = found.setdefault(lang, [])
        if Path(file).resolve() in {path.resolve() for path in files}:
            raise UsageError("this file is given twice", where=Path(file))
        files.append(Path(file))
    return found


def read_views(files: Sequence[Path]) -> list[View]:
    """The lexica of one language, in the order given."""
    return [read_view(path) for path in files]


def expected_sentiment(
    views: Sequence[View], *, seed: int = 0
) -> tuple[dict[str, list[float]], Merged]:
    """The expected sentiment of each word of the merged lexicon, and that lexicon."""
    merged = merge_lexica(views, training=Training(seed=seed))
    means = merged.mean.tolist()
    return dict(zip(merged.words, means, strict=True)), merged


def merged_by_language(
    views: Mapping[str, Sequence[View]], *, seed: int = 0
) -> tuple[dict[str, dict[str, list[float]]], dict[str, dict[str, Any]]]:
    """Each language's expected sentiment of words, and what its merged lexicon holds."""
    lexica, about = {}, {}
    for lang, own in views.items():
        lexica[lang], merged = expected_sentiment(own, seed=seed)
        about[lang] = {
            "words": len(merged.words),
            "lexica": {view.name: len(view.words) for view in own},
        }
    return lexica, about


def read_supersenses(files: Sequence[Path]) -> dict[str, dict[str, float]]:
    """Words' weights by supersense, of tables with columns word, supersense and perhaps weight.

    Where no weight is given, a word's supersenses share a weight of one.
    """
    held: dict[str, dict[str, float]] = {}
    for path in files:
        table = read_delimited(path, wanted=("word", "supersense"))
        word, sense = table.header.index("word"), table.header.index("supersense")
        weight = table.header.index("weight") if "weight" in table.header else None
        for row, line in zip(table.rows, table.lines, strict=True):
            try:
                own = 1.0 if weight is None else float(row[weight])
                held.setdefault(row[word], {})[row[sense]] = own
            except (ValueError, IndexError) as error:
                raise InputError("a row that cannot be read", where=f"{path}:{line}") from error
    return {word: _shared(weights) for word, weights in held.items()}


def _shared(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items() if total > 0}

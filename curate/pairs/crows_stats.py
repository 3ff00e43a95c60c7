"""Counts of pairs of the CrowS-Pairs family: Table 1 of Steinborn et al. (2022), and by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from curate.language import normalize
from curate.lexicon import available_languages, load_lexicon

__all__ = ["crows_stats", "word_counter"]

_SPACES = "spaces"


def word_counter(lang: str) -> Callable[[str], int]:
    """How many words a text has: between spaces, or by the segmenter that the language names.

    A segmenter's marks are no words. Languages without a lexicon are read as written with spaces.
    """
    if lang not in available_languages():
        return _between_spaces
    lexicon = load_lexicon(lang)
    if lexicon.config.segmentation == _SPACES:
        return _between_spaces
    tokenizer = lexicon.tokenizer

    def count(text: str) -> int:
        tokens = tokenizer(normalize(text))
        return sum(any(char.isalnum() for char in token.text) for token in tokens)

    return count


def _between_spaces(text: str) -> int:
    return len(text.split())


def crows_stats(table: pa.Table) -> list[dict[str, Any]]:
    """One record a language of a table of `schema.CROWS`, in order of tags.

    ``pairs``, ``words`` (of both sides together), ``words_per_sentence``, ``gendered`` (pairs whose
    masculine side is known), ``bias_type`` and ``stereo_antistereo`` (pairs by value, most first).
    """
    by_lang: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        by_lang.setdefault(row["lang"], []).append(row)
    return [_record(lang, rows) for lang, rows in sorted(by_lang.items())]


def _record(lang: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    count = word_counter(lang)
    words = sum(count(row[side]) for row in rows for side in ("sent_more", "sent_less"))
    return {
        "lang": lang,
        "pairs": len(rows),
        "words": words,
        "words_per_sentence": words / (2 * len(rows)),
        "gendered": sum(row["masculine"] is not None for row in rows),
        "bias_type": _by_value(rows, "bias_type"),
        "stereo_antistereo": _by_value(rows, "stereo_antistereo"),
    }


def _by_value(rows: list[dict[str, Any]], column: str) -> dict[str, int]:
    return dict(Counter(str(row[column]) for row in rows).most_common())

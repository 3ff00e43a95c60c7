"""Where text comes from: corpora as Arrow batches of sentences, tables of pairs."""

from __future__ import annotations

from curate.sources.corpora import CORPUS, READING, Corpus, OnError, admit, drops_table, read_corpus
from curate.sources.parts import changed_parts
from curate.sources.tables import PAIR_TABLE, read_pairs

__all__ = [
    "CORPUS",
    "PAIR_TABLE",
    "READING",
    "Corpus",
    "OnError",
    "admit",
    "changed_parts",
    "drops_table",
    "read_corpus",
    "read_pairs",
]

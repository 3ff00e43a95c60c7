"""The part of cleaning that sees a sentence by itself: its language, its MinHash signature."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.cleaning.gender_words import GenderWords
from curate.cleaning.languages import LanguageFilter
from curate.engine import Stage
from curate.lexicon import load_lexicon
from curate.sources import CORPUS, admit, drops_table
from curate.sources.near_duplicates import NearDuplicates

__all__ = ["CLEAN", "CLEAN_PARTS", "CleanConfig", "clean_sentences", "read_signatures"]

CLEAN_PARTS = pa.schema(
    [
        *schema.SENTENCES,
        pa.field("row", pa.int64(), nullable=False),
        pa.field("signature", pa.binary(), nullable=False),
    ]
)
"""Sentences in their language: `schema.SENTENCES`, the corpus row, and what the index of
near-duplicates asks of the text (empty where near-duplicates are left alone)."""


class CleanConfig(BaseModel):
    """What cleaning depends on.

    `near` is the Jaccard similarity from which on a sentence repeats another (None: only the same
    sentence does), `seed` that of its hashes; sentences with different gender words of the lexicon
    `lexicon_version` (empty: there is none) are kept apart. `identifier` is the package that tells
    languages (empty: they are not told), `least_confidence` how sure it must be of another one.
    """

    model_config = ConfigDict(frozen=True)

    lang: str
    near: float | None = Field(default=0.8, ge=0.5, le=1.0)
    seed: int = 0
    lexicon_version: str = ""
    identifier: str = ""
    least_confidence: float = Field(default=0.9, ge=0.5, le=1.0)


def clean_sentences(table: pa.Table, config: CleanConfig) -> dict[str, pa.Table]:
    """The stage: every sentence of `CORPUS` becomes a row of ``sentences`` or of ``drops``."""
    sentences, read = admit(table)
    drops = [read]
    if config.identifier:
        texts = sentences.column("text").to_pylist()
        taken_for = _languages(config.lang, config.least_confidence).judge(texts)
        foreign = pa.array([said is not None for said in taken_for], pa.bool_())
        other = sentences.filter(foreign)
        details = [said for said in taken_for if said is not None]
        drops.append(
            drops_table(
                other.column("sent_id"), other.column("row"), "clean", "wrong-language", details
            )
        )
        sentences = sentences.filter(pc.invert(foreign))
    signatures = pa.array(_signatures(sentences.column("text").to_pylist(), config), pa.binary())
    return {
        "sentences": sentences.append_column(CLEAN_PARTS.field("signature"), signatures),
        "drops": pa.concat_tables(drops).sort_by("row"),
    }


CLEAN = Stage(
    name="clean",
    version="1",
    function=clean_sentences,
    reads=tuple(CORPUS.names),
    writes={"sentences": CLEAN_PARTS, "drops": schema.DROPS},
)


def read_signatures(column: pa.ChunkedArray) -> NDArray[np.uint64]:
    """The signatures of a column as `NearDuplicates` takes them, (n, bands + 1)."""
    whole = b"".join(column.to_pylist())
    return np.frombuffer(whole, dtype="<u8").reshape(len(column), -1) if len(column) else _NONE


_NONE = np.zeros((0, 0), dtype=np.uint64)


def _signatures(texts: list[str], config: CleanConfig) -> list[bytes]:
    if config.near is None:
        return [b""] * len(texts)
    apart = None
    if config.lexicon_version:
        apart = _gender_words(config.lang, config.lexicon_version).of(texts)
    keys = _near(config.near, config.seed).signatures(texts, apart)
    return [row.tobytes() for row in keys.astype("<u8")]


@lru_cache(maxsize=4)
def _near(threshold: float, seed: int) -> NearDuplicates:
    return NearDuplicates(threshold, seed)


@lru_cache(maxsize=4)
def _gender_words(lang: str, version: str) -> GenderWords:
    return GenderWords(load_lexicon(lang))


@lru_cache(maxsize=4)
def _languages(lang: str, least: float) -> LanguageFilter:
    return LanguageFilter(lang, least=least)

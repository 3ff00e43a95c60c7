"""Lexicon-based sentence generation: swap a sentence's one gender word (Yu et al. 2024, §3.3)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from curate import schema
from curate.engine import Stage
from curate.lexicon import load_lexicon
from curate.pairs.means import RULES, Means, load_means, make_swapper
from curate.pairs.run import PAIR_PARTS, Method
from curate.pairs.screen import Refused, refusals, screen
from curate.sources import CORPUS
from curate.swap import Edit, Swapper, SwapResult

__all__ = ["LSG", "LsgConfig", "lsg_method", "make_pairs"]


class LsgConfig(BaseModel):
    """What LSG depends on; `lexicon_version` is the content hash of the lexicon's files, `means`
    what helps where its rules leave something open."""

    model_config = ConfigDict(frozen=True)

    lang: str
    lexicon_version: str
    means: Means = RULES


def lsg_method(lang: str, means: Means = RULES) -> Method:
    """LSG in one language, with the lexicon as it is now.

    Raises UsageError for a language without a lexicon, LexiconError for a broken one.
    """
    lexicon = load_lexicon(lang)
    load_means(lexicon, means)  # what was asked for by name is missed here, not by a worker
    config = LsgConfig(lang=lang, lexicon_version=lexicon.version, means=means)
    return Method(name="lsg", stage=LSG, config=config)


def make_pairs(table: pa.Table, config: LsgConfig) -> dict[str, pa.Table]:
    """The stage: every sentence of `CORPUS` becomes a row of ``pairs`` or of ``drops``.

    A sentence is kept if it holds exactly one gender word (words that only agree with it do not
    count) and the swap is sure of its counterpart, agreement included.
    """
    swapper = _swapper(config)
    candidates, drops = screen(table, swapper.scan, stage="lsg")
    results = [swapper.swap(text, mentions="one") for text in candidates.column("text").to_pylist()]
    refused = [
        None if result.refused is None else Refused(result.refused, result.detail)
        for result in results
    ]
    drops.append(refusals(candidates, refused, stage="lsg"))
    kept = candidates.filter(pa.array([one is None for one in refused], pa.bool_()))
    kept = kept.combine_chunks()
    return {
        "pairs": _pairs(kept, [result for result in results if result.refused is None], config),
        "drops": pa.concat_tables(drops).sort_by("row"),
    }


LSG = Stage(
    name="lsg",
    version="1",
    function=make_pairs,
    reads=tuple(CORPUS.names),
    writes={"pairs": PAIR_PARTS, "drops": schema.DROPS},
)


@lru_cache(maxsize=4)
def _swapper(config: LsgConfig) -> Swapper:
    return make_swapper(load_lexicon(config.lang), config.means)


_EDITS = PAIR_PARTS.field("edits_m").type


class _Side(NamedTuple):
    """One side of a pair; `word` is its gender word."""

    text: str
    edits: tuple[Edit, ...]
    word: str


def _pairs(sentences: pa.Table, results: Sequence[SwapResult], config: LsgConfig) -> pa.Table:
    """The rows of ``pairs``, column by column: a dictionary a row takes longer than the swap."""
    originals = [str(result.source) for result in results]
    masculine, feminine = [], []
    for result, original in zip(results, originals, strict=True):
        own = _side(result.text, result.edits)
        other = _side(str(result.counterpart), result.target_edits)
        masculine.append(own if original == "masculine" else other)
        feminine.append(other if original == "masculine" else own)
    columns = {
        "pair_id": [
            schema.pair_id(config.lang, "lsg", m.text, f.text)
            for m, f in zip(masculine, feminine, strict=True)
        ],
        "masculine": [side.text for side in masculine],
        "feminine": [side.text for side in feminine],
        "original": originals,
        "entries": [
            sorted({edit.entry for edit in result.edits if edit.entry}) for result in results
        ],
        "edits_m": _edits(masculine),
        "edits_f": _edits(feminine),
        "fill": pa.nulls(len(results), PAIR_PARTS.field("fill").type),
        "side": originals,
        "word_m": [side.word for side in masculine],
        "word_f": [side.word for side in feminine],
    }
    same = {"lang": config.lang, "method": "lsg", "lexicon_version": config.lexicon_version}
    columns |= {name: pa.repeat(value, len(results)) for name, value in same.items()}
    columns |= {name: sentences.column(name) for name in PAIR_PARTS.names if name not in columns}
    return pa.table([columns[name] for name in PAIR_PARTS.names], schema=PAIR_PARTS)


def _side(text: str, edits: tuple[Edit, ...]) -> _Side:
    for edit in edits:
        if edit.rule.startswith("pair"):
            return _Side(text, edits, text[edit.start : edit.end])
    return _Side(text, edits, "")


def _edits(sides: Sequence[_Side]) -> pa.ListArray:
    """One list of edits a side."""
    edits = [edit for side in sides for edit in side.edits]
    ends = itertools.accumulate((len(side.edits) for side in sides), initial=0)
    fields = [
        pa.array([edit.start for edit in edits], pa.int32()),
        pa.array([edit.end for edit in edits], pa.int32()),
        pa.array([edit.rule for edit in edits], pa.string()),
    ]
    values = pa.StructArray.from_arrays(fields, fields=list(_EDITS.value_type))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values, type=_EDITS)

"""Lexicon-based sentence generation: swap a sentence's one gender word (Yu et al. 2024, §3.3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

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
    made: list[dict[str, Any]] = []
    refused: list[Refused | None] = []
    for sentence in candidates.to_pylist():
        result = swapper.swap(sentence["text"], mentions="one")
        if result.refused is None:
            refused.append(None)
            made.append(_pair(sentence, result, config))
        else:
            refused.append(Refused(result.refused, result.detail))
    drops.append(refusals(candidates, refused, stage="lsg"))
    return {
        "pairs": pa.Table.from_pylist(made, schema=PAIR_PARTS),
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


def _pair(sentence: dict[str, Any], result: SwapResult, config: LsgConfig) -> dict[str, Any]:
    original = str(result.source)
    own, other = (
        _side(result.text, result.edits),
        _side(str(result.counterpart), result.target_edits),
    )
    m, f = (own, other) if original == "masculine" else (other, own)
    return {
        "pair_id": schema.pair_id(config.lang, "lsg", m["text"], f["text"]),
        "lang": config.lang,
        "masculine": m["text"],
        "feminine": f["text"],
        "original": original,
        "method": "lsg",
        "entries": sorted({edit.entry for edit in result.edits if edit.entry}),
        "edits_m": m["edits"],
        "edits_f": f["edits"],
        "fill": None,
        "sent_id": sentence["sent_id"],
        "source": sentence["source"],
        "licence": sentence["licence"],
        "lexicon_version": config.lexicon_version,
        "row": sentence["row"],
        "side": original,
        "word_m": m["word"],
        "word_f": f["word"],
    }


def _side(text: str, edits: tuple[Edit, ...]) -> dict[str, Any]:
    words = [text[edit.start : edit.end] for edit in edits if edit.rule.startswith("pair")]
    return {
        "text": text,
        "edits": [{"start": e.start, "end": e.end, "rule": e.rule} for e in edits],
        "word": words[0] if words else "",
    }

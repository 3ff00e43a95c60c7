"""Model-based sentence generation: let a masked LM choose the gender words (Yu et al. 2024, §3.4).

A sentence with exactly one gender word has it masked. Among the model's k best predictions those
with probability ≥ the threshold that are lexicon words fitting the place (UPOS, features) are kept;
the best masculine and the best feminine one make the pair, and what agrees with them follows. Where
only one gender is predicted, the other side is that word's counterpart in the lexicon; where none
is, the sentence is dropped as ``msg-none``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, get_args

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.engine import Stage
from curate.errors import UsageError
from curate.lexicon import load_lexicon
from curate.pairs.msg_generate import Generator, Outcome, Settings
from curate.pairs.msg_stats import PREDICTIONS, summarise
from curate.pairs.run import PAIR_PARTS, Method
from curate.pairs.screen import Refused, refusals, screen
from curate.sources import CORPUS

__all__ = ["MOST_PIECES", "MSG", "MsgConfig", "make_pairs", "msg_method"]

Context = Literal["original", "matched"]


MOST_PIECES = 2
"""Words of more vocabulary entries hardly ever reach the threshold; each length costs a reading."""


class MsgConfig(BaseModel):
    """What MSG depends on. `where` only says how to find the model; its revision is what counts."""

    model_config = ConfigDict(frozen=True)

    lang: str
    lexicon_version: str
    model: str
    revision: str
    where: str = Field(exclude=True)
    device: str = Field(default="auto", exclude=True)
    precision: str = "fp32"
    k: int = 10
    threshold: float = 0.01
    context: Context = "original"
    most_pieces: int = MOST_PIECES


def msg_method(
    lang: str,
    *,
    model: str = "mini",
    k: int = 10,
    threshold: float = 0.01,
    context: Context = "original",
    most_pieces: int = MOST_PIECES,
    precision: str = "fp32",
    device: str = "auto",
) -> Method:
    """MSG in one language with one masked LM; the defaults are the paper's.

    `context`: ``original`` reads the mask in the sentence as it is; ``matched`` sets what agrees
    with the word to each gender first and reads either gender's words in its own sentence.
    `most_pieces`: lexicon words of more vocabulary entries are no candidates. Raises UsageError for
    an unknown language or setting, InputError for a missing model, LexiconError for a broken
    lexicon.
    """
    from curate.models.sources import find_model

    if context not in get_args(Context):
        raise UsageError(
            f"unknown context {context!r}", hint=f"one of: {', '.join(get_args(Context))}"
        )
    if k < 1 or not 0 < threshold < 1:
        raise UsageError(f"k = {k} and threshold = {threshold} make no sense")
    version = load_lexicon(lang).version
    found = find_model(model)
    config = MsgConfig(
        lang=lang,
        lexicon_version=version,
        model=found.name,
        revision=found.revision,
        where=model,
        device=device,
        precision=precision,
        k=k,
        threshold=threshold,
        context=context,
        most_pieces=most_pieces,
    )
    described = {
        "model": found.name,
        "revision": found.revision,
        "k": k,
        "threshold": threshold,
        "context": context,
    }
    return Method(
        name="msg",
        stage=MSG,
        config=config,
        summarise=lambda parts, common: described | summarise(parts, common),
    )


def make_pairs(table: pa.Table, config: MsgConfig) -> dict[str, pa.Table]:
    """The stage: every sentence of `CORPUS` becomes a row of ``pairs`` or of ``drops``.

    ``predictions`` has a row for every sentence whose mask was read (see `PREDICTIONS`).
    """
    generator = _generator(config)
    candidates, drops = screen(table, generator.scan, stage="msg")
    outcomes = generator.generate(candidates.column("text").to_pylist())
    rows = candidates.to_pylist()
    refused = [Refused(o.refused, o.detail) if o.refused is not None else None for o in outcomes]
    drops.append(refusals(candidates, refused, stage="msg"))
    made = [
        _pair(row, outcome, config)
        for row, outcome in zip(rows, outcomes, strict=True)
        if outcome.refused is None
    ]
    predictions = [
        {"kind": outcome.kind, "ranks": outcome.ranks, "predicted": outcome.predicted}
        for outcome in outcomes
        if outcome.kind
    ]
    return {
        "pairs": pa.Table.from_pylist(made, schema=PAIR_PARTS),
        "drops": pa.concat_tables(drops).sort_by("row"),
        "predictions": pa.Table.from_pylist(predictions, schema=PREDICTIONS),
    }


MSG = Stage(
    name="msg",
    version="1",
    function=make_pairs,
    reads=tuple(CORPUS.names),
    writes={"pairs": PAIR_PARTS, "drops": schema.DROPS, "predictions": PREDICTIONS},
    model=True,
)


@lru_cache(maxsize=2)
def _generator(config: MsgConfig) -> Generator:
    import multiprocessing

    import torch

    from curate.models.masked import load_model

    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)  # one of several workers
    engine = load_model(config.where, precision=config.precision, device=config.device)
    if engine.revision != config.revision:
        raise UsageError(f"the model {config.model!r} changed while it was in use")
    settings = Settings(
        k=config.k,
        threshold=config.threshold,
        matched=config.context == "matched",
        most_pieces=config.most_pieces,
    )
    return Generator(load_lexicon(config.lang), engine, settings)


def _pair(sentence: dict[str, Any], outcome: Outcome, config: MsgConfig) -> dict[str, Any]:
    assert outcome.sides is not None
    m, f = outcome.sides
    p_m, p_f = outcome.probabilities
    return {
        "pair_id": schema.pair_id(config.lang, "msg", m.text, f.text),
        "lang": config.lang,
        "masculine": m.text,
        "feminine": f.text,
        "original": outcome.original,
        "method": "msg",
        "entries": sorted({m.entry, f.entry}),
        "edits_m": outcome.spans[0],
        "edits_f": outcome.spans[1],
        "fill": {
            "model": config.model,
            "revision": config.revision,
            "k": config.k,
            "threshold": config.threshold,
            "context": config.context,
            "word_m": m.word,
            "p_m": p_m,
            "word_f": f.word,
            "p_f": p_f,
            "kind": outcome.kind,
        },
        "sent_id": sentence["sent_id"],
        "source": sentence["source"],
        "licence": sentence["licence"],
        "lexicon_version": config.lexicon_version,
        "row": sentence["row"],
        "side": None if outcome.kind == "both" else outcome.kind,
        "word_m": m.word,
        "word_f": f.word,
    }

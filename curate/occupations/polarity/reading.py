"""Reading a table's vectors from a model in parts, so that a run that was cut off goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.engine import Stage, run_local
from curate.models.batching import distinct
from curate.models.hidden_states import HiddenModel, WordInText, WordVectors, load_hidden
from curate.occupations.polarity.vectors import TableVectors, arrange, check_rows

__all__ = ["Reading", "forget_parts", "load_reader", "read_vectors"]

_UNFINISHED = "unfinished-vectors"
_ROWS = 520  # a part: some ten sentences of a whole table

_VECTORS = pa.schema(
    [
        pa.field("vector", pa.list_(pa.float64()), nullable=False),
        pa.field("refused", pa.string()),
        pa.field("tokens", pa.int64(), nullable=False),
    ]
)


class Reading(BaseModel):
    """A model and what is read from it (see `HiddenModel.words`); `layer` from 0.

    No vector depends on device or `budget` but for rounding.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    revision: str = ""
    layer: int = -1
    pool: str = "mean"
    at: str = "word"
    device: str = Field(default="auto", exclude=True)
    budget: int = Field(default=0, exclude=True)


@lru_cache(maxsize=1)
def load_reader(model: str, device: str, budget: int) -> HiddenModel:
    """The model, loaded once a process."""
    return load_hidden(model, device=device, budget=budget)


def read_vectors(
    table: pa.Table,
    reading: Reading,
    out: Path,
    *,
    restart: bool = False,
    on_words: Callable[[int, int], None] | None = None,
) -> TableVectors:
    """The vectors of a long table; `out` keeps the finished parts of it until `forget_parts`.

    `reading.revision` must be that of the model. `on_words` is told how many words of how many are
    read: each once, however many rows have it. Raises UsageError where an unfinished run with
    other settings lies there, unless `restart`.
    """
    rows = check_rows(table)
    firsts, inverse = distinct([(row["text"], row["start"], row["end"]) for row in rows])
    places = table.select(["text", "start", "end"]).take(firsts)
    slices = (places.slice(start, _ROWS) for start in range(0, places.num_rows, _ROWS))
    parts = run_local(
        slices, READ, reading, out / _UNFINISHED,
        source=schema.table_hash(places), restart=restart,
        on_progress=(lambda done: on_words(done, len(firsts))) if on_words else None,
    )  # fmt: skip
    found = pa.concat_tables(parts.read("vectors"))
    count = found.num_rows
    vectors = found.column("vector").combine_chunks().flatten().to_numpy()
    refused = found.column("refused").to_pylist()
    read = WordVectors(
        vectors.reshape(count, -1)[inverse],
        [refused[place] for place in inverse],
        found.column("tokens").to_numpy().astype(np.int64)[inverse],
        count,
    )
    return arrange(rows, read)


def forget_parts(out: Path) -> None:
    """Remove what `read_vectors` kept."""
    shutil.rmtree(out / _UNFINISHED, ignore_errors=True)


def read_stage(table: pa.Table, config: Any) -> dict[str, pa.Table]:
    """The stage: the vector of the word in every row."""
    model = load_reader(config.model, config.device, config.budget)
    columns = (table.column(name).to_pylist() for name in ("text", "start", "end"))
    words = [WordInText(*row) for row in zip(*columns, strict=True)]
    found = model.words(words, layer=config.layer, pool=config.pool, at=config.at)
    size = found.vectors.shape[1]
    offsets = pa.array(np.arange(len(words) + 1) * size, pa.int32())
    vectors = pa.ListArray.from_arrays(offsets, pa.array(found.vectors.reshape(-1)))
    columns_found = [vectors, pa.array(found.refused, pa.string()), pa.array(found.tokens)]
    return {"vectors": pa.table(columns_found, schema=_VECTORS)}


READ = Stage(
    name="polarity-vectors",
    version="1",
    function=read_stage,
    reads=("text", "start", "end"),
    writes={"vectors": _VECTORS},
)

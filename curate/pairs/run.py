"""From a corpus to a run folder: a method's stage, then duplicates, balance, counts, hashes.

A finished folder holds ``pairs.parquet`` (the balanced data set: every pair is in a fold),
``aside.parquet`` (pairs that the balance left out), ``drops.parquet`` (every other row of the
corpus, and those pairs again, with the reason), ``stats.json`` and ``manifest.json``; ``parts/``
is there while a run is unfinished.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import __version__, schema
from curate.engine import LOCAL, Config, Engine, Parts, Stage, config_hash
from curate.pairs.assemble import OUTPUTS, Assembly, assemble
from curate.pairs.filling import Running, fill_folder
from curate.pairs.folder import Manifest
from curate.sources import Corpus

__all__ = ["PAIR_PARTS", "Method", "run_pairs"]

PAIR_PARTS = pa.schema(
    [
        *(field for field in schema.PAIRS if field.name != "folds"),
        pa.field("row", pa.int64(), nullable=False),
        pa.field("side", pa.string()),
        pa.field("word_m", pa.string(), nullable=False),
        pa.field("word_f", pa.string(), nullable=False),
    ]
)
"""What a method's stage writes as ``pairs``: `schema.PAIRS` before the folds; the corpus row; the
`side` on which the pair is balanced (null: none); the gender word of either side."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to make pairs: its stage (which writes ``pairs`` and ``drops``) and the stage's config.

    `summarise` makes the method's own counts from the finished parts and what is common to all;
    they go into ``stats.json``, over the common ones.
    """

    name: str
    stage: Stage
    config: Config
    summarise: Callable[[Parts, dict[str, Any]], dict[str, Any]] | None = None


def run_pairs(
    method: Method, corpus: Corpus, out: Path, *,
    folds: int, seed: int = 0, near: float | None = None, engine: Engine = LOCAL,
    batch_rows: int = 0, restart: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Make the pairs of a corpus under `out`, or go on where a run was cut off; its stats.

    The largest side is truncated in `folds` seeded ways (0: no balance, every pair is kept). Pairs
    that are as similar as `near` to an earlier one with the same gender words are dropped. A
    finished run with the same settings, lexicon and corpus is left as it is. Engine, workers, batch
    size and interruptions change no byte of what is written. `out` may lie in a store.

    Raises UsageError where `out` holds a run of something else (unless `restart`), InputError for
    a corpus that cannot be read.
    """
    manifest = _manifest(method, corpus, seed, folds, near)

    def finish(parts: Parts) -> tuple[dict[str, Any], dict[str, int]]:
        assembly = assemble(parts, out, folds=folds, seed=seed, stage=method.name, near=near)
        return _stats(method, corpus, parts, assembly, manifest), assembly.rows

    return fill_folder(
        out, corpus, method.stage, method.config, manifest=manifest, outputs=OUTPUTS, finish=finish,
        how=Running(
            engine=engine, batch_rows=batch_rows, restart=restart, on_progress=on_progress
        ),
    )  # fmt: skip


def _manifest(
    method: Method, corpus: Corpus, seed: int, folds: int, near: float | None
) -> Manifest:
    return Manifest(
        method=method.name,
        lang=corpus.lang,
        curate=__version__,
        stage=f"{method.stage.name} {method.stage.version}",
        config=method.config.model_dump(mode="json"),
        config_hash=config_hash(method.stage, method.config),
        input=corpus.settings(),
        seed=seed,
        folds=folds,
        near=near,
    )


def _stats(
    method: Method, corpus: Corpus, parts: Parts, assembly: Assembly, manifest: Manifest
) -> dict[str, Any]:
    common = {
        "method": method.name,
        "lang": corpus.lang,
        "corpus": corpus.name,
        "n_rows": parts.rows,
        "seed": manifest.seed,
        "folds": manifest.folds,
        **assembly.counts(),
    }
    return common | (method.summarise(parts, common) if method.summarise else {})

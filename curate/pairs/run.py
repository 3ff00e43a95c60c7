"""From a corpus to a run folder: a method's stage, then duplicates, balance, counts, hashes.

A finished folder holds ``pairs.parquet`` (the balanced data set: every pair is in a fold),
``aside.parquet`` (pairs that the balance left out), ``drops.parquet`` (every other row of the
corpus, and those pairs again, with the reason), ``stats.json`` and ``manifest.json``; ``parts/``
is there while a run is unfinished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import __version__, schema
from curate.engine import (
    LOCAL,
    Config,
    Engine,
    Parts,
    Stage,
    config_hash,
    is_remote,
    make_folder,
    remove_folder,
    run,
    write_json,
)
from curate.errors import InputError, UnreadableError
from curate.pairs.assemble import OUTPUTS, Assembly, assemble
from curate.pairs.folder import Manifest, file_entries, read_manifest
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
    folds: int, seed: int = 0, engine: Engine = LOCAL, batch_rows: int = 8192,
    near: float | None = None, restart: bool = False,
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
    make_folder(out)
    if restart:
        _clear(out)
    elif stats := read_manifest(out, manifest):
        return stats
    try:
        parts = run(
            _Reading(corpus, batch_rows), method.stage, method.config, out,
            engine=engine, source=manifest.source(), on_progress=on_progress,
        )  # fmt: skip
    except UnreadableError:
        _discard(out)
        raise
    assembly = assemble(parts, out, folds=folds, seed=seed, stage=method.name, near=near)
    stats = _stats(method, corpus, parts, assembly, manifest)
    write_json(out / "stats.json", stats)
    files = file_entries(out, [*OUTPUTS, "stats.json"], assembly.rows)
    write_json(out / "manifest.json", manifest.finished(files, rows=parts.rows))
    parts.remove()
    return stats


class _Reading:
    """The batches of a corpus; that it is the corpus which cannot be read is told apart."""

    def __init__(self, corpus: Corpus, rows: int) -> None:
        self._corpus, self._rows = corpus, rows

    def __iter__(self) -> Iterator[pa.Table]:
        try:
            yield from self._corpus.batches(self._rows)
        except InputError as error:
            raise UnreadableError(error.message, where=error.where, hint=error.hint) from error


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


def _clear(out: Path) -> None:
    for name in (*OUTPUTS, "stats.json", "manifest.json"):
        (out / name).unlink(missing_ok=True)
    remove_folder(out / "parts")


def _discard(out: Path) -> None:
    """Leave nothing of a run whose corpus cannot be read: mended, it is another corpus."""
    remove_folder(out / "parts")
    if not is_remote(out) and not any(out.iterdir()):
        out.rmdir()

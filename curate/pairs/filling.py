"""What every run over a corpus does around its own work: go on, read, run, write, clear away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.engine import (
    LOCAL,
    Config,
    Engine,
    Parts,
    Stage,
    alone,
    is_remote,
    make_folder,
    not_written,
    remove_folder,
    run,
    settled,
    usual_rows,
    write_json,
)
from curate.errors import InputError, UnreadableError
from curate.pairs.folder import (
    MANIFEST,
    STATS,
    Manifest,
    file_entries,
    read_manifest,
    refuse_another,
)
from curate.sources import Corpus

__all__ = ["Finish", "Running", "fill_folder"]

Finish = Callable[[Parts], tuple[dict[str, Any], dict[str, int]]]
"""Writes the tables of a run from its finished parts; its stats, and the rows of every table."""


@dataclass(frozen=True, kw_only=True)
class Running:
    """How a run is computed; nothing of it changes a byte of what is written.

    `batch_rows` 0: as many as suit the engine.
    """

    engine: Engine = LOCAL
    batch_rows: int = 0
    restart: bool = False
    on_progress: Callable[[int], None] | None = None


def fill_folder(
    out: Path, corpus: Corpus, stage: Stage, config: Config, *,
    manifest: Manifest, outputs: Sequence[str], finish: Finish, how: Running,
) -> dict[str, Any]:  # fmt: skip
    """Run a stage over a corpus into `out`, or go on where a run was cut off; its stats.

    A finished run with an equal manifest is left as it is. The manifest is written last. Raises
    UsageError where `out` holds a run of something else (unless ``how.restart``) or another process
    is at work there, InputError for a corpus that cannot be read, of which nothing is left.
    """
    try:
        make_folder(out)
        with alone(out):
            return _filled(
                out, corpus, stage, config,
                manifest=manifest, outputs=outputs, finish=finish, how=how,
            )  # fmt: skip
    except OSError as error:
        raise not_written(error, out) from error


def _filled(
    out: Path, corpus: Corpus, stage: Stage, config: Config, *,
    manifest: Manifest, outputs: Sequence[str], finish: Finish, how: Running,
) -> dict[str, Any]:  # fmt: skip
    if how.restart:
        _empty(out, [*outputs, STATS, MANIFEST])
    elif stats := read_manifest(out, manifest):
        remove_folder(out / "parts")  # there if it was killed in its last moment
        return stats
    refuse_another(out / "parts" / "run.json", manifest)
    try:
        parts = run(
            _Reading(corpus, how.batch_rows or usual_rows(how.engine, stage)), stage, config, out,
            engine=how.engine, source=manifest.source(), on_progress=how.on_progress,
        )  # fmt: skip
    except UnreadableError:
        _discard(out)
        raise
    stats, rows = finish(parts)
    write_json(out / STATS, stats)
    files = file_entries(out, [*outputs, STATS], rows)
    write_json(out / MANIFEST, manifest.finished(files, rows=parts.rows))
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


def _empty(out: Path, names: Sequence[str]) -> None:
    """Throw away what a run has written, finished or not."""
    with settled(out):
        for name in names:
            (out / name).unlink(missing_ok=True)
    remove_folder(out / "parts")


def _discard(out: Path) -> None:
    """Leave nothing of a run whose corpus cannot be read: mended, it is another corpus."""
    remove_folder(out / "parts")
    if not is_remote(out) and not any(out.iterdir()):
        out.rmdir()

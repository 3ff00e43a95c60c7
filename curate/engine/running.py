"""Run a stage over batches, wherever: streamed, in parts, resumable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa

from curate.engine.local import made_here
from curate.engine.parts import Parts, gaps
from curate.engine.stage import Config, Stage
from curate.engine.storage import not_written, remove_remains

__all__ = ["LOCAL", "Engine", "run", "run_local", "usual_rows"]


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Where a run is computed: processes of this machine, or Ray (which may be many machines).

    `address` is that of a Ray cluster; without it Ray is started here, for this run. No more
    `workers` are at work than there is room for; 0, of a cluster: as many as there is room for.
    """

    name: Literal["local", "ray"] = "local"
    workers: int = 1
    address: str = ""


LOCAL = Engine()


def usual_rows(engine: Engine, stage: Stage) -> int:
    """Rows a batch that suit where a stage runs: handing a table over costs Ray some 20 ms."""
    return 65_536 if engine.name == "ray" and not stage.model else 8_192


def run(
    batches: Iterable[pa.Table], stage: Stage, config: Config, out: Path, *,
    engine: Engine = LOCAL, source: str = "", restart: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Parts:  # fmt: skip
    """Run `stage` over `batches`; its outputs lie in parts under ``out/parts/``.

    `batches` must give the same rows every time; `source` is a fingerprint of them. Where a run
    with the same stage, config and source was cut off, its finished parts are kept and their rows
    only read past, however the rows are cut now. `on_progress` is told the input rows that are
    finished. The outputs of all parts, one after another, are the same whatever the batches, the
    engine, the workers and the interruptions. For Ray `batches` is sent to another process.

    Raises UsageError where an unfinished run of something else lies in `out` (unless `restart`),
    CurateError where the disk is full: what is finished is kept.
    """
    parts = Parts(out / "parts", stage=stage, config=config, source=source)
    report = on_progress or (lambda rows: None)
    try:
        parts.open(restart=restart)
        for folder in (out, parts.folder):
            remove_remains(folder)
        report(parts.rows)
        if engine.name == "ray":
            from curate.engine.cluster import made_by_ray

            made = made_by_ray(batches, parts, engine)
        else:
            made = made_here(gaps(batches, list(parts.done)), parts, workers=engine.workers)
        rows = parts.rows
        for part in made:
            parts.add(part)
            rows += part.rows
            report(rows)
    except OSError as error:
        raise not_written(error, out) from error
    parts.close()
    return parts


def run_local(
    batches: Iterable[pa.Table], stage: Stage, config: Config, out: Path, *,
    workers: int = 1, source: str = "", restart: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Parts:  # fmt: skip
    """`run` on this machine."""
    return run(
        batches, stage, config, out, engine=Engine(workers=workers), source=source,
        restart=restart, on_progress=on_progress,
    )  # fmt: skip

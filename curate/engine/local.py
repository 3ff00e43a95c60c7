"""Run a stage on this machine: streamed, in parts, resumable, on one process or several."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

import pyarrow as pa

from curate.engine.progress import Part, Parts
from curate.engine.stage import Config, Stage, config_hash, run_stage
from curate.errors import CurateError

__all__ = ["available_workers", "run_local"]

_Result = tuple[int, int, dict[str, int]]


def available_workers() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_local(
    batches: Iterable[pa.Table], stage: Stage, config: Config, out: Path, *,
    workers: int = 1, source: str = "", restart: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Parts:  # fmt: skip
    """Run `stage` over `batches`; its outputs lie in numbered parts under ``out/parts/``.

    `batches` must give the same rows every time; `source` is a fingerprint of them. Where a run
    with the same stage, config and source was cut off, its finished parts are kept and their rows
    only read past, however the rows are cut now. At most two tables a worker are held at a time.
    `on_progress` is told the input rows that are finished. The outputs of all parts, one after
    another, are the same whatever the batches, the workers and the interruptions.

    Raises UsageError where an unfinished run of something else lies in `out` (unless `restart`).
    """
    parts = Parts(out / "parts", stage=stage, config=config_hash(stage, config), source=source)
    parts.open(restart=restart)
    report = on_progress or (lambda rows: None)
    report(parts.rows)
    tables = enumerate(_after(batches, parts.rows), start=len(parts.done))
    for number, rows, written in _results(tables, stage, config, parts, workers):
        parts.finish(Part(number, rows, written))
        report(parts.rows)
    return parts


def _after(batches: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The batches without their first `rows` rows."""
    for batch in batches:
        if rows >= batch.num_rows:
            rows -= batch.num_rows
            continue
        yield batch.slice(rows)
        rows = 0


def _results(
    tables: Iterator[tuple[int, pa.Table]], stage: Stage, config: Config, parts: Parts, workers: int
) -> Iterator[_Result]:
    first = list(itertools.islice(tables, 2))
    if workers <= 1 or len(first) < 2:
        for number, table in itertools.chain(first, tables):
            yield _work(stage, config, parts, number, table)
        return
    yield from _pooled(itertools.chain(first, tables), stage, config, parts, workers)


def _pooled(
    tables: Iterator[tuple[int, pa.Table]], stage: Stage, config: Config, parts: Parts, workers: int
) -> Iterator[_Result]:
    pool = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
    )
    waiting: deque[Future[_Result]] = deque()
    try:
        for number, table in tables:
            waiting.append(pool.submit(_work, stage, config, parts, number, table))
            if len(waiting) >= 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise CurateError(
            "a worker process was killed (out of memory?)",
            hint="the finished parts are kept: run the same command again, with fewer --workers",
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _work(stage: Stage, config: Config, parts: Parts, number: int, table: pa.Table) -> _Result:
    written = parts.write(number, run_stage(stage, table, config))
    _keep_what_is_loaded()
    return number, table.num_rows, written


@cache
def _keep_what_is_loaded() -> None:
    """Once a process: its first part has loaded what stays, which need not be collected again.

    What follows are short-lived rows, so that looking for cycles more seldom costs no memory.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _end_with_parent() -> None:
    """In a worker: leave interrupts to the parent, and end when it is gone, even if killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

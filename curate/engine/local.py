"""The parts of a run made on this machine, in one process or several."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache

import pyarrow as pa

from curate.engine.parts import Part, Parts
from curate.errors import CurateError

__all__ = ["available_workers", "keep_what_is_loaded", "made_here"]

_Table = tuple[int, pa.Table]
_TRIES = 3


def available_workers() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def made_here(tables: Iterator[_Table], parts: Parts, *, workers: int) -> Iterator[Part]:
    """The part of every table, in order; at most two tables a worker are held at a time."""
    first = list(itertools.islice(tables, 2))
    if workers <= 1 or len(first) < 2:
        for start, table in itertools.chain(first, tables):
            yield _make(parts, start, table)
        return
    yield from _Pool(parts, workers).made(itertools.chain(first, tables))


class _Pool:
    """Worker processes; where one is killed all begin anew with what was in hand."""

    def __init__(self, parts: Parts, workers: int) -> None:
        self._parts = parts
        self._workers = workers
        self._pool = self._started()
        self._waiting: deque[tuple[_Table, Future[Part]]] = deque()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, multiprocessing.get_context("spawn"), initializer=_end_with_parent
        )

    def made(self, tables: Iterator[_Table]) -> Iterator[Part]:
        try:
            for table in tables:
                self._submit(table)
                if len(self._waiting) >= 2 * self._workers:
                    yield self._first()
            while self._waiting:
                yield self._first()
        except (KeyboardInterrupt, GeneratorExit):
            self._leave()
            raise
        finally:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _leave(self) -> None:
        """End the workers in the middle of their parts: who interrupts does not want to wait."""
        for process in list((self._pool._processes or {}).values()):
            process.terminate()

    def _submit(self, table: _Table) -> None:
        try:
            with _interrupts_held():
                future = self._pool.submit(_make, self._parts, *table)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        self._waiting.append((table, future))

    def _first(self) -> Part:
        """The part that was asked for first; the pool is made anew as often as that may help."""
        for _ in range(_TRIES):
            try:
                part = self._waiting[0][1].result()
            except BrokenProcessPool as error:
                broken = error
                self._begin_anew()
            else:
                self._waiting.popleft()
                return part
        start = self._waiting[0][0][0]
        raise CurateError(
            f"a worker process was killed {_TRIES} times near row {start} (out of memory?)",
            hint="the finished parts are kept: run the same command again, with fewer --workers "
            "or smaller --batch-rows",
        ) from broken

    def _begin_anew(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._started()
        tables = [table for table, _ in self._waiting]
        self._waiting.clear()
        for table in tables:
            self._submit(table)


def _make(parts: Parts, start: int, table: pa.Table) -> Part:
    part = parts.make(start, table)
    keep_what_is_loaded()
    return part


@cache
def keep_what_is_loaded() -> None:
    """Once a process: its first part has loaded what stays, which need not be collected again.

    What follows are short-lived rows, so that looking for cycles more seldom costs no memory.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Within it an interrupt waits; a process started here never sees one, not even at its start.

    Otherwise Ctrl-C would make each that is still importing print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """In a worker: leave interrupts to the parent, and end when it is gone, even if killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

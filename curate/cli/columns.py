"""What several commands share: the option --columns, and a bar that counts rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from curate.errors import UsageError

__all__ = ["row_progress", "split_columns"]


def split_columns(columns: str) -> tuple[str, str] | None:
    """``A,B`` as a pair; None for an empty option; UsageError for anything else."""
    if not columns:
        return None
    names = [name.strip() for name in columns.split(",")]
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise UsageError(f"--columns wants two names, not {columns!r}", hint="--columns A,B")
    return names[0], names[1]


@contextmanager
def row_progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, on a terminal only; call it with the number of rows done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)

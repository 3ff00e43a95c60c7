"""What several commands share: the option --columns, and a bar that counts rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from curate.errors import UsageError

__all__ = ["pair_rows", "row_progress", "split_columns", "step_progress"]


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
    with step_progress() as tell:
        yield lambda done: tell(what, done, total)


@contextmanager
def step_progress() -> Iterator[Callable[[str, float, int], None]]:
    """A bar with rate and remaining time on stderr, on a terminal only.

    Call it with what is being done, the number of rows done, and of how many; another `what`
    begins another bar.
    """
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )  # fmt: skip

    rate = TextColumn("{task.fields[rate]}")
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def tell(what: str, done: float, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total, completed=round(done), rate="")
            task = next(task for task in bar.tasks if task.id == tasks[what])
            speed = f"{task.speed:,.1f}/s" if task.speed else ""
            bar.update(tasks[what], completed=round(done), total=total, rate=speed)

        yield tell


def pair_rows(release: Path) -> int:
    """How many pairs a release holds. Raises InputError where the folder is none."""
    from curate.hub.check.pairs import pair_configs
    from curate.hub.manifest import read_release_manifest

    manifest = read_release_manifest(release)
    return sum(manifest["configs"][config]["rows"] for config in pair_configs(manifest))

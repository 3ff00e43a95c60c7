"""The place of a release: what may give way to it, and how it gets there whole."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curate.errors import UsageError
from curate.hub.manifest import release_identity

__all__ = ["must_give_way", "placing"]


def must_give_way(out: Path, identity: tuple[str, str], *, replace: bool) -> None:
    """Raise UsageError where `out` holds something that a release must not put away.

    One of the same name and version (`identity`) may be built anew; another one with `replace`.
    """
    _clear_leftovers(out)
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    there = release_identity(out) if out.is_dir() else None
    if there is None:
        raise UsageError("this exists and is no release", where=out, hint="name another --out")
    if there != identity and not replace:
        raise UsageError(
            f"the release {' '.join(there)} lies here, and this is {' '.join(identity)}",
            where=out,
            hint="name another --out, or put it away with --replace",
        )


@contextmanager
def placing(out: Path) -> Iterator[Path]:
    """A folder beside `out` that becomes it at the end, or nothing at all on an error."""
    out.parent.mkdir(parents=True, exist_ok=True)
    building = out.with_name(f".{out.name}.{os.getpid()}.building")
    shutil.rmtree(building, ignore_errors=True)
    try:
        yield building
        _put_in_place(building, out)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _put_in_place(building: Path, out: Path) -> None:
    """Rename the finished folder to `out`; an older release gives way only then."""
    old = out.with_name(f".{out.name}.{os.getpid()}.old")
    if out.exists():
        out.rename(old)
    try:
        building.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _clear_leftovers(out: Path) -> None:
    """Throw away what a build that was killed left beside `out`; a release is put back.

    Between two renames the older release has another name: a kill there must not cost it.
    """
    name = re.compile(rf"\.{re.escape(out.name)}\.(\d+)\.(old|building)")
    for path in sorted(out.parent.iterdir()) if out.parent.is_dir() else ():
        match = name.fullmatch(path.name)
        if match is None or _is_alive(int(match[1])):
            continue
        if match[2] == "old" and not out.exists():
            path.rename(out)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True

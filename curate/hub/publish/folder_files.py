"""The files of a folder that keeps versions: linked, copied, compared and removed."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.sources.files import sha256_file

__all__ = ["is_data", "link_same", "put_file", "remove_empty", "whole_file"]


def is_data(name: str) -> bool:
    """Whether this is a file of data, which nobody changes in place."""
    return name.startswith("data/")


def whole_file(path: Path, fact: Mapping[str, Any] | None) -> Path:
    """`path`; InputError where it is not the file that its version's manifest lists."""
    if not path.is_file() or (fact is not None and sha256_file(path) != fact["sha256"]):
        raise InputError(
            "this file of a published version is gone, or was changed by hand", where=path,
            hint="put it back: a version is kept for ever",
        )  # fmt: skip
    return path


def link_same(earlier: Path, new: Path, same_as: Path) -> bool:
    """Make `new` a link to a file of an earlier version, if that still is `same_as`."""
    if not earlier.is_file() or not filecmp.cmp(earlier, same_as, shallow=False):
        return False
    try:
        os.link(earlier, new)
    except OSError:  # a file system without links
        return False
    return True


def put_file(source: Path, target: Path, *, link: bool) -> None:
    """Copy a file, or make it a link where one is wanted and can be."""
    if link:
        try:
            os.link(source, target)
            return
        except OSError:  # another file system, or one without links
            pass
    shutil.copyfile(source, target)


def remove_empty(folder: Path, *, below: Path) -> None:
    """Remove a folder if it is empty, and those around it up to `below`."""
    while folder != below and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent

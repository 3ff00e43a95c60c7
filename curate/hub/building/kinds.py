"""Which folders a release can be made of, told by a file in them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError, UsageError
from curate.hub.building.occupations import OCCUPATIONS_FILE, read_occupations
from curate.hub.building.part import Part
from curate.hub.building.people import NAMES_FILE, PEOPLE_FILE, read_names, read_people
from curate.hub.building.runs import PAIRS_FILE, read_run
from curate.hub.building.translations import (
    CAMPAIGN_FILE,
    CROWS_FILE,
    read_campaign,
    read_crows_folder,
)

__all__ = ["FOLDERS", "FolderKind", "read_parts"]


@dataclass(frozen=True, slots=True)
class FolderKind:
    """A kind of folder: the file that tells it, the command that makes it, and its reader."""

    file: str
    made_by: str
    read: Callable[[Path], Iterator[Part]]


FOLDERS: tuple[FolderKind, ...] = (
    FolderKind(PAIRS_FILE, "curate pairs", read_run),
    FolderKind(CAMPAIGN_FILE, "curate translate", read_campaign),
    FolderKind(CROWS_FILE, "curate crows", read_crows_folder),
    FolderKind(OCCUPATIONS_FILE, "curate occupations build", read_occupations),
    FolderKind(PEOPLE_FILE, "curate politicians fetch", read_people),
    FolderKind(NAMES_FILE, "curate politicians names", read_names),
)
"""A new kind is a row here and one in `curate.hub.layout.KINDS`. A folder may be of several."""


def read_parts(folders: Iterable[Path]) -> list[Part]:
    """The configurations that these folders make, in order of their names.

    Raises InputError for a folder of no kind, or an unsound one; UsageError for no folder, or two
    that make the same configuration.
    """
    parts = [part for folder in folders for part in _read(Path(folder))]
    if not parts:
        raise UsageError("a release needs a run folder", hint="curate pairs lsg … --out DIR")
    parts.sort(key=lambda part: part.config)
    for first, second in itertools.pairwise(parts):
        if first.config == second.config:
            raise UsageError(
                f"two folders make {first.config}: {first.folder} and {second.folder}",
                hint="a release holds one run a language and method",
            )
    return parts


def _read(folder: Path) -> Iterator[Part]:
    kinds = [kind for kind in FOLDERS if (folder / kind.file).is_file()]
    if not kinds:
        raise InputError(
            "no pairs.parquet here, nor anything else that a release holds",
            where=folder,
            hint="name a folder of " + ", ".join(kind.made_by for kind in FOLDERS),
        )
    for kind in kinds:
        yield from kind.read(folder)

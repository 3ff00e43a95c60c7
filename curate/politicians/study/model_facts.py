"""What a model is: its architecture and its size, as data (models.tsv beside this file)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError
from curate.politicians.study.reading import Group
from curate.sources.delimited import read_delimited

__all__ = ["ModelFacts"]

_FILE = Path(__file__).with_name("models.tsv")
_COLUMNS = ("model", "architecture", "size")


@dataclass(frozen=True)
class ModelFacts:
    """Architecture and size by model; a model that is not known is an architecture of its own."""

    by_model: Mapping[str, tuple[str, str]]

    @classmethod
    def known(cls, own: Path | None = None) -> ModelFacts:
        """Those of the package, and those of a TSV or CSV file (model, architecture, size).

        InputError, with its line, for a row of the file that lacks one of the three.
        """
        lines = _FILE.read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
        if own is not None:
            rows += _own(own)
        return cls({model: (architecture, size) for model, architecture, size in rows})

    def factors(self, groups: Sequence[Group]) -> dict[str, list[str]]:
        """The levels of every observation, by factor."""
        held = [self.by_model.get(_name(group.model), (group.model, "unknown")) for group in groups]
        return {
            "architecture": [architecture for architecture, _ in held],
            "size": [size for _, size in held],
            "language": [group.lang for group in groups],
        }


def _own(path: Path) -> list[list[str]]:
    table = read_delimited(path, wanted=_COLUMNS)
    places = [table.header.index(name) for name in _COLUMNS]
    rows = []
    for row, line in zip(table.rows, table.lines, strict=True):
        own = [row[place].strip() for place in places if place < len(row)]
        if len(own) < len(places) or not all(own):
            raise InputError(
                "a row without a model, its architecture or its size", where=f"{path}:{line}"
            )
        rows.append(own)
    return rows


def _name(model: str) -> str:
    """A model's name without its revision."""
    return model.split("@", 1)[0]

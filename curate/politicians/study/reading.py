"""Read tables of words beside names, one language, part of speech and set of models at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from curate.errors import InputError
from curate.politicians.study.counts import WordUse
from curate.politicians.study.word_rows import WordRows

__all__ = ["Group", "LeftOut", "Weigh", "WordTable"]

Weigh = Literal["people", "probability"]

_READ = ("qid", "gender", "lemma", "probability")
_BATCH = 1 << 17


@dataclass(frozen=True, order=True, slots=True)
class Group:
    """What is studied apart: words of one part of speech in one language by one model."""

    lang: str
    upos: str
    model: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many people no count holds: of unknown gender, and not in the table of people."""

    unknown: int
    absent: int


class WordTable:
    """Tables of `schema.POLITICIAN_WORDS`, read as often as a part of them is asked for.

    `genders` gives the gender of every person by qid, where another table knows them; people it
    does not hold are left out. People of unknown gender are left out of every count.
    """

    def __init__(self, files: Sequence[Path], *, genders: Mapping[str, str] | None = None) -> None:
        layout = ds.ParquetFileFormat(
            read_options={"dictionary_columns": {"qid", "gender", "lemma"}}
        )
        self._data = ds.dataset([str(path) for path in files], format=layout)
        self._genders = genders

    def groups(self) -> list[Group]:
        """The parts there are, sorted. InputError where one model's name has two revisions.

        Two models of one name cannot be told apart in what is written, and one model's words would
        be those of both.
        """
        names = ["lang", "upos", "model", "revision"]
        found: set[Group] = set()
        revisions: dict[str, str] = {}
        for batch in self._data.scanner(columns=names, batch_size=_BATCH).to_batches():
            part = pa.Table.from_batches([batch]).group_by(names).aggregate([])
            for row in part.to_pylist():
                own = row.pop("revision")
                known = revisions.setdefault(row["model"], own)
                if known != own:
                    both = " and ".join(sorted([known, own]))
                    raise InputError(
                        f"two revisions of one model: {both}",
                        where=row["model"],
                        hint="study them apart, or give their folders different names",
                    )
                found.add(Group(**row))
        return sorted(found)

    def genders(self) -> set[str]:
        """The genders that the tables name, or the other table where there is one."""
        if self._genders is not None:
            return set(self._genders.values())
        found: set[str] = set()
        for batch in self._data.scanner(columns=["gender"], batch_size=_BATCH).to_batches():
            found.update(batch.column("gender").unique().to_pylist())
        return found

    def use(
        self,
        groups: Sequence[Group],
        *,
        top: int | None = None,
        weigh: Weigh = "people",
    ) -> tuple[WordUse, LeftOut]:
        """The words of some groups together, and how many people were left out.

        `top` keeps the first so many words a person and group. `weigh`: a word counts once a person
        and model, or as much as its probabilities.
        """
        read = WordRows(self._genders)
        for group in groups:
            wanted = (
                (pc.field("lang") == group.lang)
                & (pc.field("upos") == group.upos)
                & (pc.field("model") == group.model)
            )
            if top is not None:
                wanted &= pc.field("rank") <= top
            scanner = self._data.scanner(columns=list(_READ), filter=wanted, batch_size=_BATCH)
            read.begin()
            for batch in scanner.to_batches():
                read.add(batch, once=weigh == "people")
            read.end(once=weigh == "people")
        return read.result(), LeftOut(len(read.unknown), len(read.absent))

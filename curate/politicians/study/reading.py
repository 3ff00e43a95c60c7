"""Read tables of words beside names, one language, part of speech and set of models at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from curate import schema
from curate.errors import InputError
from curate.politicians.study.counts import WordUse, assemble
from curate.sources.tables import read_parquet_schema

__all__ = ["WORDS_FILE", "Group", "Weigh", "WordTable", "word_files"]

WORDS_FILE = "words.parquet"
Weigh = Literal["people", "probability"]

_LEFT_OUT = frozenset({"unknown", "animal"})
_READ = ("qid", "gender", "lemma", "probability")
_BATCH = 1 << 17


@dataclass(frozen=True, order=True, slots=True)
class Group:
    """What is studied apart: words of one part of speech in one language by one model."""

    lang: str
    upos: str
    model: str


def word_files(paths: Iterable[Path]) -> list[Path]:
    """The tables that `paths` name: files, or folders that hold ``words.parquet``; each once."""
    found = []
    for path in paths:
        inner = sorted(path.rglob(WORDS_FILE)) if path.is_dir() else [path]
        if not inner:
            raise InputError(
                f"no {WORDS_FILE} in this folder", where=path, hint="name what words were written"
            )
        found += inner
    found = list({path.resolve(): path for path in reversed(found)}.values())[::-1]
    for path in found:
        missing = set(schema.POLITICIAN_WORDS.names) - set(read_parquet_schema(path).names)
        if missing:
            raise InputError(f"no column {', '.join(sorted(map(repr, missing)))}", where=path)
    return found


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

    def use(
        self,
        groups: Sequence[Group],
        *,
        top: int | None = None,
        weigh: Weigh = "people",
    ) -> tuple[WordUse, int]:
        """The words of some groups together, and how many people of unknown gender were left out.

        `top` keeps the first so many words a person and group. `weigh`: a word counts once a person
        and model, or as much as its probabilities.
        """
        read = _Rows(self._genders)
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
        return read.result(), len(read.unknown)


class _Rows:
    """Rows as codes of people and words, in the order in which both first came."""

    def __init__(self, genders: Mapping[str, str] | None) -> None:
        self._given = genders
        self._people: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._gender: list[str] = []
        self._parts: list[tuple[Any, Any, Any]] = []
        self._held: list[tuple[Any, Any, Any]] = []
        self.unknown: set[str] = set()

    def begin(self) -> None:
        self._held = []

    def add(self, batch: pa.RecordBatch, *, once: bool) -> None:
        """Keep a batch's rows; their weights only unless `once`."""
        if not batch.num_rows:
            return
        person = self._person_codes(batch)
        words, lemma = _codes(batch.column("lemma"))
        codes = [self._words.setdefault(word, len(self._words)) for word in words]
        word = np.asarray(codes, dtype=np.int32)[lemma]
        known = person >= 0
        weight = np.zeros(0, dtype=np.float32)
        if not once:
            weight = batch.column("probability").to_numpy(zero_copy_only=False)[known]
        self._held.append((person[known], word[known], weight.astype(np.float32)))

    def end(self, *, once: bool) -> None:
        """Close a group; `once`: rows of one person and word count 1 together."""
        if not self._held:
            return
        person, word, weight = (np.concatenate(part) for part in zip(*self._held, strict=True))
        self._held = []
        if once:
            size = max(len(self._words), 1)
            both = person.astype(np.int64)
            both *= size
            both += word
            del person, word  # a table of the paper's size has 25 million rows
            both.sort()
            both = both[np.concatenate([[True], both[1:] != both[:-1]])] if len(both) else both
            person, word = (both // size).astype(np.int32), (both % size).astype(np.int32)
            weight = np.ones(len(both), dtype=np.float32)
        self._parts.append((person, word, weight))

    def result(self) -> WordUse:
        if not self._people:
            hint = "is the table of people one of this language?" if self._given is not None else ""
            raise InputError("no words beside anyone of known gender here", hint=hint)
        person, word, weight = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        # people and words in an order of their own, whatever came first in the files
        people = sorted(self._people, key=lambda qid: (len(qid), qid))
        words = sorted(self._words)
        place = _places([self._people[qid] for qid in people])
        word_place = _places([self._words[word] for word in words])
        own = [self._gender[self._people[qid]] for qid in people]
        genders, gender_of = np.unique(np.asarray(own), return_inverse=True)
        return assemble(
            tuple(people), tuple(genders), tuple(words), gender_of=gender_of.astype(np.int64),
            person=place[person], word=word_place[word], weights=weight,
        )  # fmt: skip

    def _person_codes(self, batch: pa.RecordBatch) -> Any:
        qids, at = _codes(batch.column("qid"))
        names, gender = _codes(batch.column("gender"))
        own = np.empty(len(qids), dtype=np.int64)
        own[at] = gender
        codes = [self._code(qid, names[own[place]]) for place, qid in enumerate(qids)]
        return np.asarray(codes, dtype=np.int32)[at]

    def _code(self, qid: str, gender: str) -> int:
        if self._given is not None:
            gender = self._given.get(qid, "unknown")
        if gender in _LEFT_OUT:
            self.unknown.add(qid)
            return -1
        code = self._people.setdefault(qid, len(self._people))
        if code == len(self._gender):
            self._gender.append(gender)
        elif self._gender[code] != gender:
            raise InputError(
                f"one person has two genders, {self._gender[code]} and {gender}", where=qid
            )
        return code


def _codes(column: pa.Array) -> tuple[list[str], Any]:
    """The different values of a column, and where each row's stands among them."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    indices = column.indices.to_numpy(zero_copy_only=False)
    # a file's dictionary may hold many values that this batch has not
    used, at = np.unique(indices, return_inverse=True)
    return column.dictionary.take(pa.array(used)).to_pylist(), at


def _places(codes: Sequence[int]) -> Any:
    places = np.empty(len(codes), dtype=np.int32)
    places[np.asarray(codes, dtype=np.int64)] = np.arange(len(codes), dtype=np.int32)
    return places

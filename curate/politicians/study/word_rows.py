"""Rows of a table of words as codes of people and words, batch after batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from curate.errors import InputError
from curate.politicians.study.counts import WordUse, assemble

__all__ = ["WordRows"]

_LEFT_OUT = frozenset({"unknown", "animal"})


class WordRows:
    """Rows as codes of people and words, in the order in which both first came.

    `unknown` are the people of unknown gender, `absent` those that `genders` does not hold.
    """

    def __init__(self, genders: Mapping[str, str] | None) -> None:
        self._given = genders
        self._people: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._gender: list[str] = []
        self._parts: list[tuple[Any, Any, Any]] = []
        self._held: list[tuple[Any, Any, Any]] = []
        self.unknown: set[str] = set()
        self.absent: set[str] = set()

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
            if qid not in self._given:
                self.absent.add(qid)
                return -1
            gender = self._given[qid]
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

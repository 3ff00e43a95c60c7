"""The vectors of he, she and every occupation in every sentence of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.errors import InputError
from curate.models.hidden_states import HiddenModel, WordInText, WordVectors

__all__ = ["PRONOUNS", "READS", "STAGE", "Subject", "TableVectors", "arrange", "table_vectors"]

STAGE = "polarity"
PRONOUNS = ("he", "she")
READS = (
    "sent_id", "row", "lang", "kind", "occupation", "form", "column", "start", "end", "text",
    "status", "share_women",
)  # fmt: skip

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Subject:
    """A column of the table: an occupation in one of its forms."""

    column: str
    occupation: str
    form: str
    status: str
    share_women: float | None


@dataclass(frozen=True)
class TableVectors:
    """Vectors by sentence: `he` and `she` [n, size], `words` [subjects, n, size].

    A row of NaN in `words` is a word that the table or the model does not have. `sentences` are
    (sent_id, row); `tokens` [subjects, n] counts the tokens of a word; `drops` are rows of
    `schema.DROPS`. All sentences here have both he and she.
    """

    lang: str
    sentences: list[tuple[str, int]]
    subjects: list[Subject]
    he: Floats
    she: Floats
    words: Floats
    tokens: NDArray[np.int64]
    drops: list[dict[str, Any]]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """[subjects, n]: where there is no vector."""
        return np.asarray(np.isnan(self.words).any(axis=2))

    def exchanged(self) -> TableVectors:
        """The same with he and she in each other's place."""
        return TableVectors(
            self.lang, self.sentences, self.subjects, self.she, self.he, self.words, self.tokens,
            self.drops,
        )  # fmt: skip


def table_vectors(
    table: pa.Table,
    model: HiddenModel,
    *,
    layer: int = -1,
    pool: str = "mean",
    at: str = "word",
    on_done: Callable[[int], None] | None = None,
) -> TableVectors:
    """Read the vectors of a long table (`schema.OCCUPATIONS`) from a model.

    See `HiddenModel.words` for the options. Raises InputError for a table of several languages, or
    without he, she or occupations.
    """
    rows = check_rows(table)
    words = [WordInText(row["text"], row["start"], row["end"]) for row in rows]
    return arrange(rows, model.words(words, layer=layer, pool=pool, at=at, on_done=on_done))


def check_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The rows of a long table that has he, she and occupations, in one language."""
    missing = [name for name in READS if name not in table.schema.names]
    if missing:
        raise InputError(
            f"no table of occupations: it has no column {missing[0]!r}",
            hint="curate occupations build writes one",
        )
    rows: list[dict[str, Any]] = table.select(list(READS)).to_pylist()
    langs = sorted({row["lang"] for row in rows})
    if len(langs) > 1:
        raise InputError(f"sentences in several languages: {', '.join(langs)}")
    pronouns = {row["occupation"] for row in rows if row["kind"] == "pronoun"}
    for name in PRONOUNS:
        if name not in pronouns:
            raise InputError(
                f"the table has no sentence about {name!r}: without he and she there is no "
                "direction of gender",
                hint="curate occupations build writes both",
            )
    if not any(row["kind"] == "occupation" for row in rows):
        raise InputError("the table has no sentence about an occupation")
    return rows


def arrange(rows: Sequence[Mapping[str, Any]], found: WordVectors) -> TableVectors:
    """Vectors in the order of a table's `rows`, put in their places by sentence and subject.

    A sentence whose he or she has no vector is left out whole. Raises InputError where fewer than
    two sentences remain: no direction could be told without the sentence itself.
    """
    pronouns: dict[str, dict[str, int]] = {name: {} for name in PRONOUNS}
    subjects: dict[str, Subject] = {}
    drops: list[dict[str, Any]] = []
    for index, row in enumerate(rows):
        pronoun = row["kind"] == "pronoun"
        if not pronoun:
            subjects.setdefault(row["column"], _subject(row))
        if found.refused[index]:
            drops.append(_drop(row, str(found.refused[index])))
        elif pronoun:
            pronouns[row["occupation"]][row["sent_id"]] = index
    numbers = {row["sent_id"]: row["row"] for row in rows}
    he, she = (pronouns[name] for name in PRONOUNS)
    kept = [sent_id for sent_id in numbers if sent_id in he and sent_id in she]
    if len(kept) < 2:
        raise InputError(
            f"he and she have vectors in {len(kept)} sentence{'s' if len(kept) != 1 else ''} only; "
            "at least two are needed",
            hint=f"refused: {', '.join(sorted({d['code'] for d in drops}))}" if drops else "",
        )
    places = {sent_id: at for at, sent_id in enumerate(kept)}
    order = {column: at for at, column in enumerate(subjects)}
    words = np.full((len(subjects), len(kept), found.vectors.shape[1]), np.nan)
    tokens = np.zeros((len(subjects), len(kept)), dtype=np.int64)
    for index, row in enumerate(rows):
        if row["kind"] == "pronoun" or found.refused[index]:
            continue
        if row["sent_id"] not in places:
            drops.append(_drop(row, "no-pronoun"))
            continue
        at = (order[row["column"]], places[row["sent_id"]])
        words[at], tokens[at] = found.vectors[index], found.tokens[index]
    return TableVectors(
        lang=rows[0]["lang"], sentences=[(s, numbers[s]) for s in kept],
        subjects=list(subjects.values()), he=found.vectors[[he[s] for s in kept]],
        she=found.vectors[[she[s] for s in kept]], words=words, tokens=tokens, drops=drops,
    )  # fmt: skip


def _subject(row: Mapping[str, Any]) -> Subject:
    return Subject(row["column"], row["occupation"], row["form"], row["status"], row["share_women"])


def _drop(row: Mapping[str, Any], code: str) -> dict[str, Any]:
    word = row["text"][row["start"] : row["end"]]
    return {
        "sent_id": row["sent_id"], "row": row["row"], "stage": STAGE, "code": code,
        "detail": f"{row['column']}: {word}",
    }  # fmt: skip

"""From a set of sentence pairs to sentences about he, she and people of many occupations.

Katsarou et al. (2022), section 3.1.1, after Lu et al. (2020): sentences about a man or a woman who
alone shows gender, told again with the subject exchanged. What cannot be told rightly is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from curate import schema
from curate.language import normalize
from curate.lexicon import Lexicon
from curate.lexicon.occupations import Occupation, OccupationForm, Occupations
from curate.occupations.counts import Sentence, count_rules
from curate.occupations.nouns import Told, Writer
from curate.occupations.subjects import Dropped, Sides, both_sides, find_subject
from curate.swap.swapper import Swapper

__all__ = ["STAGE", "Built", "Sentence", "build_table", "sentences_of"]

STAGE = "occupations"
PRONOUNS = {"he": "masculine", "she": "feminine"}


@dataclass(frozen=True)
class Built:
    """The long table (`schema.OCCUPATIONS`), the wide one, `schema.DROPS`, and the counts."""

    long: pa.Table
    wide: pa.Table
    drops: pa.Table
    counts: dict[str, Any]


def sentences_of(table: pa.Table, column: str) -> list[Sentence]:
    """The sentences of an STS table (`sources.sts.STS`), by row: `column` or, for ``both``, two."""
    columns = ("sentence1", "sentence2") if column == "both" else (column,)
    cells = [table.column(name).to_pylist() for name in columns]
    rows = table.column("row").to_pylist()
    return [Sentence(row, text) for row, *texts in zip(rows, *cells, strict=True) for text in texts]


def build_table(
    sentences: Sequence[Sentence],
    lexicon: Lexicon,
    occupations: Occupations,
    swapper: Swapper,
    *,
    article: str = "indefinite",
    keep: Sequence[str] = (),
    allow: Sequence[str] = (),
    source: str = "",
    licence: str = "unstated",
) -> Built:
    """Tell every fitting sentence of he, she and each occupation.

    `keep` names the occupations wanted, all where it is empty; `article` is ``indefinite`` or
    ``definite``; `allow` are codes of the language's own rules that leave nothing out. The first
    of several sentences that are told alike is kept. The same input gives the same tables, byte
    for byte.
    """
    rows = [row for row in occupations.rows if not keep or row.key in keep]
    builder = _Builder(lexicon, occupations, rows, swapper, article, allow, source, licence)
    for sentence in sentences:
        builder.add(sentence)
    counts = count_rules(sentences, lexicon, occupations.rules, builder.kept, builder.reasons)
    counts["ours"]["cells"] = len(builder.long)
    counts["ours"]["cells_dropped"] = dict(sorted(Counter(builder.cell_drops).items()))
    return Built(
        pa.Table.from_pylist(builder.long, schema=schema.OCCUPATIONS),
        pa.Table.from_pylist(builder.wide, schema=schema.occupations_wide(builder.columns)),
        pa.Table.from_pylist(builder.drops, schema=schema.DROPS),
        counts,
    )


@dataclass
class _Builder:
    """Collects the rows of the tables, in the order of the sentences."""

    lexicon: Lexicon
    occupations: Occupations
    rows: Sequence[Occupation]
    swapper: Swapper
    article: str
    allow: Sequence[str]
    source: str
    licence: str
    long: list[dict[str, Any]] = field(default_factory=list)
    wide: list[dict[str, Any]] = field(default_factory=list)
    drops: list[dict[str, Any]] = field(default_factory=list)
    cell_drops: list[str] = field(default_factory=list)
    # by place among the sentences: those kept, and why the others that begin so are not
    kept: set[int] = field(default_factory=set)
    reasons: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._writer = Writer(self.lexicon, self.occupations, article=self.article)
        self._texts: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._at = -1

    @property
    def columns(self) -> list[str]:
        """The columns of the wide table behind those that say where a sentence is from."""
        return [*PRONOUNS, *(_column(row, form) for row in self.rows for form in row.forms)]

    def add(self, sentence: Sentence) -> None:
        """Tell one sentence, or note why it is left out; what is about nobody we look for is not
        ours."""
        self._at += 1
        sentence = Sentence(sentence.row, normalize(sentence.text))
        try:
            self._tell(sentence)
        except Dropped as dropped:
            self._drop(sentence, dropped)
            self.reasons[self._at] = dropped.code

    def _tell(self, sentence: Sentence) -> None:
        text = sentence.text
        subject = find_subject(text, self.occupations.rules)
        if subject is None:
            return
        if text in self._texts:
            raise Dropped("duplicate", f"as row {self._texts[text]}")
        self._texts[text] = sentence.row
        rules = self.occupations.rules
        sides = both_sides(text, subject, self.swapper, rules, allow=self.allow)
        he = self._writer.pronoun("masculine", sides)
        if he.text in self._told:
            raise Dropped("duplicate-but-for-gender", f"as row {self._told[he.text]}")
        self._told[he.text] = sentence.row
        self.kept.add(self._at)
        self._add_rows(sentence, sides)

    def _add_rows(self, sentence: Sentence, sides: Sides) -> None:
        """The long rows and the wide row of a sentence."""
        shared = {
            "sent_id": schema.sentence_id(self.lexicon.lang, sentence.text),
            "row": sentence.row,
            "lang": self.lexicon.lang,
            "original": sides.original,
            "source_text": sentence.text,
        }
        wide = dict(shared)
        for name, gender in PRONOUNS.items():
            told = self._writer.pronoun(gender, sides)
            wide[name] = told.text
            self.long.append(shared | self._cell("pronoun", name, gender, name, told))
        for row in self.rows:
            for form in row.forms:
                column = _column(row, form)
                try:
                    told = self._writer.occupation(form, sides)
                except Dropped as dropped:
                    self.cell_drops.append(dropped.code)
                    self._drop(sentence, dropped, column)
                    continue
                wide[column] = told.text
                cell = self._cell("occupation", row.key, form.form, column, told)
                cell |= {"gender": form.gender, "isco": row.isco, "status": row.status}
                self.long.append(shared | cell | {"share_women": row.share_women})
        self.wide.append(wide)

    def _cell(self, kind: str, key: str, form: str, column: str, told: Told) -> dict[str, Any]:
        """What a row of the long table holds beside its sentence and its occupation."""
        return {
            "kind": kind, "occupation": key, "form": form, "column": column, "gender": "",
            "subject": told.subject, "start": told.start, "end": told.end, "text": told.text,
            "isco": "", "status": "", "source": self.source, "licence": self.licence,
            "lexicon_version": self.lexicon.version,
            "occupations_version": self.occupations.version,
        }  # fmt: skip

    def _drop(self, sentence: Sentence, dropped: Dropped, column: str = "") -> None:
        detail = f"{column}: {dropped.detail}" if column else dropped.detail
        self.drops.append(
            {
                "sent_id": schema.sentence_id(self.lexicon.lang, sentence.text),
                "row": sentence.row, "stage": f"{STAGE}-form" if column else STAGE,
                "code": dropped.code, "detail": detail,
            }
        )  # fmt: skip


def _column(row: Occupation, form: OccupationForm) -> str:
    """``nurse`` where one form is for all, else ``nurse.feminine``."""
    return row.key if form.form == "common" else f"{row.key}.{form.form}"

"""The lexemes that reviewers vote on, and their votes in filled-in CSV files.

What a vote is, and what a majority does, is in `curate.lexicon.votes`.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError
from curate.lexicon.model import Lexicon, PairRow
from curate.lexicon.votes import ReviewResult, Vote, Wish, record_votes, verdict
from curate.sources.delimited import guarded, read_delimited

__all__ = ["REVIEW_COLUMNS", "Lexeme", "import_review", "lexemes", "review_table"]

REVIEW_COLUMNS = (
    "pair", "masculine", "feminine", "kind", "flags", "note", "votes",
    "natural", "neutral", "better_masculine", "better_feminine", "comment",
)  # fmt: skip
_YES, _NO = frozenset({"yes", "y", "1", "true", "x"}), frozenset({"no", "n", "0", "false"})
_SHOWN_FORMS = 6


@dataclass(frozen=True, slots=True)
class Lexeme:
    """What is voted on: the rows of pairs.tsv that share `pair`; the first says kind and note."""

    pair: str
    rows: tuple[PairRow, ...]

    @property
    def first(self) -> PairRow:
        return self.rows[0]

    def forms(self, gender: str) -> list[str]:
        """The forms of one gender, each once, in the order of the file."""
        return list(dict.fromkeys(row.form(gender) for row in self.rows))


def lexemes(lexicon: Lexicon) -> list[Lexeme]:
    """All lexemes by name, those that are voted out among them."""
    rows: dict[str, list[PairRow]] = defaultdict(list)
    for row in sorted((*lexicon.pairs, *lexicon.voted_out), key=lambda row: row.line):
        rows[row.pair].append(row)
    return [Lexeme(pair, tuple(own)) for pair, own in sorted(rows.items())]


def review_table(lexicon: Lexicon) -> str:
    """CSV with a row a lexeme and empty cells for a reviewer: natural? neutral? a better form?"""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(REVIEW_COLUMNS)
    for one in lexemes(lexicon):
        sides = [
            ", ".join(one.forms(gender)[:_SHOWN_FORMS]) for gender in ("masculine", "feminine")
        ]
        row = one.first
        cells = [one.pair, *sides, row.kind, ",".join(sorted(row.flags)), row.note, row.votes]
        writer.writerow([guarded(cell) for cell in cells] + [""] * 5)
    return sink.getvalue()


def import_review(
    folder: Path, lexicon: Lexicon, files: Sequence[tuple[str, Path]]
) -> ReviewResult:
    """Take over the votes of (reviewer, file) into votes.tsv and pairs.tsv of a language's folder.

    A row without an answer is no vote. Raises InputError with ``file:line`` for an answer that is
    neither yes nor no, or a pair that the lexicon does not have; then nothing is written.
    """
    known = {row.pair for row in (*lexicon.pairs, *lexicon.voted_out)}
    wishes: list[Wish] = []
    votes = [
        vote for reviewer, path in files for vote in _file_votes(path, known, reviewer, wishes)
    ]
    return record_votes(folder, votes, wishes=wishes)


def _file_votes(path: Path, known: set[str], reviewer: str, wishes: list[Wish]) -> Iterator[Vote]:
    table = read_delimited(path, wanted=("pair", "natural", "neutral"))
    for cells, line in zip(table.rows, table.lines, strict=True):
        row = dict(zip(table.header, cells, strict=False))
        where = f"{path}:{line}"
        pair = row.get("pair", "").strip().removeprefix("'")
        if pair not in known:
            raise InputError(
                f"no pair {pair!r} in the lexicon", where=where, hint="keep column pair"
            )
        natural, neutral = (
            _answer(row.get(name, ""), name, where) for name in ("natural", "neutral")
        )
        extra = [row.get(name, "").strip() for name in REVIEW_COLUMNS[-3:]]
        if any(extra):
            wishes.append((pair, reviewer, extra[0], extra[1], extra[2]))
        vote, reason = verdict(natural=natural, neutral=neutral)
        if vote:
            yield Vote(pair, reviewer, vote, reason)


def _answer(cell: str, column: str, where: str) -> bool | None:
    word = cell.strip().lower()
    if not word:
        return None
    if word in _YES | _NO:
        return word in _YES
    raise InputError(f"{column} is {cell!r}", where=where, hint="yes, no, or empty")

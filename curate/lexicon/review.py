"""Reviewers' votes on the pairs of a lexicon, and the majority rule (Yu et al. 2024, §3.1).

A lexeme that a majority of its reviewers calls unnatural or neutral stays in pairs.tsv with its
votes but is no longer used; a tie keeps it. The votes themselves stand in votes.tsv, one row a
reviewer and lexeme, so that the same file read twice changes nothing.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curate.errors import InputError
from curate.lexicon.load import PAIR_COLUMNS
from curate.lexicon.model import Lexicon, PairRow, voted_out
from curate.sources.delimited import guarded, read_delimited

__all__ = ["REVIEW_COLUMNS", "ReviewResult", "import_review", "review_table"]

REVIEW_COLUMNS = (
    "pair", "masculine", "feminine", "kind", "flags", "note", "votes",
    "natural", "neutral", "better_masculine", "better_feminine", "comment",
)  # fmt: skip
VOTE_COLUMNS = ("pair", "reviewer", "vote", "reason")
_YES, _NO = frozenset({"yes", "y", "1", "true", "x"}), frozenset({"no", "n", "0", "false"})
_SHOWN_FORMS = 6


@dataclass(slots=True)
class ReviewResult:
    """What an import found: `votes` read, lexemes `dropped` and `tied` now, and `wishes`.

    `wishes`: (pair, reviewer, better masculine, better feminine, comment), for the curator.
    """

    votes: int = 0
    dropped: list[str] = field(default_factory=list)
    tied: list[str] = field(default_factory=list)
    wishes: list[tuple[str, str, str, str, str]] = field(default_factory=list)


def review_table(lexicon: Lexicon) -> str:
    """CSV with a row a lexeme and empty cells for a reviewer: natural? neutral? a better form?"""
    forms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    firsts: dict[str, PairRow] = {}
    for row in (*lexicon.pairs, *lexicon.voted_out):
        forms[row.pair].append((row.masculine, row.feminine))
        firsts.setdefault(row.pair, row)
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(REVIEW_COLUMNS)
    for pair, row in sorted(firsts.items()):
        sides = [
            ", ".join(list(dict.fromkeys(side))[:_SHOWN_FORMS])
            for side in zip(*forms[pair], strict=True)
        ]
        cells = [pair, *sides, row.kind, ",".join(sorted(row.flags)), row.note, row.votes]
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
    result = ReviewResult()
    votes = _stored(folder / "votes.tsv")
    for reviewer, path in files:
        for pair, vote, reason in _votes(path, known, reviewer, result):
            votes[pair, reviewer] = (vote, reason)
            result.votes += 1
    counts = _counts(votes)
    for pair, written in sorted(counts.items()):
        good, bad = map(int, written.split(":"))
        if voted_out(written):
            result.dropped.append(pair)
        elif good == bad:
            result.tied.append(pair)
    _write(folder / "votes.tsv", _vote_lines(votes))
    _write(folder / "pairs.tsv", _with_counts(folder / "pairs.tsv", counts))
    return result


def _votes(
    path: Path, known: set[str], reviewer: str, result: ReviewResult
) -> Iterable[tuple[str, str, str]]:
    table = read_delimited(path, wanted=("pair", "natural", "neutral"))
    for cells, line in zip(table.rows, table.lines, strict=True):
        row = dict(zip(table.header, cells, strict=False))
        where = f"{path}:{line}"
        pair = row.get("pair", "").strip().removeprefix("'")
        if pair not in known:
            raise InputError(
                f"no pair {pair!r} in the lexicon", where=where, hint="keep column pair"
            )
        answers = {name: _answer(row.get(name, ""), name, where) for name in ("natural", "neutral")}
        extra = [row.get(name, "").strip() for name in REVIEW_COLUMNS[-3:]]
        if any(extra):
            result.wishes.append((pair, reviewer, extra[0], extra[1], extra[2]))
        if answers["natural"] is False:
            yield pair, "drop", "unnatural"
        elif answers["neutral"] is True:
            yield pair, "drop", "neutral"
        elif answers["natural"] is True or answers["neutral"] is False:
            yield pair, "keep", ""


def _answer(cell: str, column: str, where: str) -> bool | None:
    word = cell.strip().lower()
    if not word:
        return None
    if word in _YES | _NO:
        return word in _YES
    raise InputError(f"{column} is {cell!r}", where=where, hint="yes, no, or empty")


def _stored(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    if not path.is_file():
        return {}
    table = read_delimited(path, wanted=VOTE_COLUMNS)
    return {(row[0], row[1]): (row[2], row[3]) for row in table.rows}


def _counts(votes: dict[tuple[str, str], tuple[str, str]]) -> dict[str, str]:
    """``for:against`` by pair."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (pair, _), (vote, _) in votes.items():
        found[pair][vote] += 1
    return {pair: f"{count['keep']}:{count['drop']}" for pair, count in found.items()}


def _vote_lines(votes: dict[tuple[str, str], tuple[str, str]]) -> list[str]:
    rows = [(*key, *value) for key, value in sorted(votes.items())]
    return ["\t".join(row) for row in (VOTE_COLUMNS, *rows)]


def _with_counts(path: Path, counts: dict[str, str]) -> list[str]:
    """The lines of pairs.tsv with the votes column filled for reviewed pairs, else as they were."""
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    header = next(line for line in lines if line and not line.startswith("#")).split("\t")
    place = {name: header.index(name) for name in PAIR_COLUMNS}
    written = []
    for line in lines:
        cells = line.split("\t")
        count = counts.get(cells[0]) if line and not line.startswith("#") else None
        if count is not None and cells != header:
            cells += [""] * (len(header) - len(cells))
            cells[place["votes"]] = count
        written.append("\t".join(cells))
    return written


def _write(path: Path, lines: list[str]) -> None:
    from curate.engine.files import replacing

    with replacing(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")

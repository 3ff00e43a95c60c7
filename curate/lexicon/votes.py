"""The votes on a lexicon, and the majority rule (Yu et al. 2024, §3.1).

A lexeme that a majority of its reviewers calls unnatural or neutral stays in pairs.tsv with its
votes but is no longer used; a tie keeps it. The votes themselves stand in votes.tsv, one row a
reviewer and lexeme, so that the same answers taken over twice change nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curate.lexicon.load import PAIR_COLUMNS
from curate.lexicon.model import voted_out
from curate.sources.delimited import read_delimited

__all__ = ["ReviewResult", "Vote", "Wish", "record_votes", "verdict"]

VOTE_COLUMNS = ("pair", "reviewer", "vote", "reason")

Wish = tuple[str, str, str, str, str]
"""Pair, reviewer, better masculine, better feminine, comment: for the curator to judge."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A reviewer's vote on a lexeme: `vote` is keep, drop, or empty where he takes it back."""

    pair: str
    reviewer: str
    vote: str
    reason: str = ""


@dataclass(slots=True)
class ReviewResult:
    """What an import found: `votes` read, lexemes `dropped` and `tied` now, and `wishes`."""

    votes: int = 0
    dropped: list[str] = field(default_factory=list)
    tied: list[str] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)


def verdict(*, natural: bool | None, neutral: bool | None) -> tuple[str, str]:
    """The vote (keep, drop, or none) that follows from the two answers, and its reason.

    `natural`: said of people by a native speaker; `neutral`: one word says nothing of gender;
    None where the reviewer did not answer or is not sure.
    """
    if natural is False:
        return "drop", "unnatural"
    if neutral is True:
        return "drop", "neutral"
    return ("keep", "") if natural is True or neutral is False else ("", "")


def record_votes(
    folder: Path, votes: Iterable[Vote], *, wishes: Sequence[Wish] = ()
) -> ReviewResult:
    """Put votes into votes.tsv, the later of a reviewer in place of the earlier, and count anew.

    pairs.tsv gets the counts, which put a lexeme out of use or back into it. A file whose
    contents stay what they are is not written.
    """
    result = ReviewResult(wishes=list(wishes))
    stored = _stored(folder / "votes.tsv")
    touched = {pair for pair, _ in stored}
    for one in votes:
        stored.pop((one.pair, one.reviewer), None)
        if one.vote:
            stored[one.pair, one.reviewer] = (one.vote, one.reason)
            result.votes += 1
    counts = dict.fromkeys(touched, "") | _counts(stored)
    for pair, written in sorted(counts.items()):
        if voted_out(written):
            result.dropped.append(pair)
        elif written and len(set(written.split(":"))) == 1:
            result.tied.append(pair)
    # The counts first: what was taken back is known by the votes that are still in the file.
    _write(folder / "pairs.tsv", _with_counts(folder / "pairs.tsv", counts))
    if stored:
        _write(folder / "votes.tsv", _vote_lines(stored))
    else:
        (folder / "votes.tsv").unlink(missing_ok=True)  # a table without rows is no table
    return result


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
    from curate.engine import replacing

    text = ("\n".join(lines) + "\n").encode()
    if path.is_file() and path.read_bytes() == text:
        return
    with replacing(path) as temporary:
        temporary.write_bytes(text)

"""How far the reviewers of a lexicon agree on its pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from pathlib import Path

from curate.annotation.reliability.agreement import FieldAgreement, field_agreement
from curate.annotation.reliability.alpha import SAMPLES
from curate.errors import InputError

__all__ = ["read_votes", "votes_reliability"]


def read_votes(path: Path) -> list[tuple[str, str, str]]:
    """(pair, reviewer, vote) of a votes.tsv; InputError where it is none."""
    from curate.sources.delimited import read_delimited

    wanted = ("pair", "reviewer", "vote")
    table = read_delimited(path, wanted=wanted)
    places = [table.header.index(name) for name in wanted]
    votes = []
    for cells, line in zip(table.rows, table.lines, strict=True):
        if len(cells) <= max(places):
            raise InputError("fewer cells than columns", where=f"{path}:{line}")
        pair, reviewer, vote = (cells[at] for at in places)
        votes.append((pair, reviewer, vote))
    return votes


def votes_reliability(
    rows: Iterable[tuple[str, str, str]], *, lang: str = "", samples: int = SAMPLES, seed: int = 0
) -> list[FieldAgreement]:
    """Agreement of a lexicon's reviewers, from (pair, reviewer, vote): of all, then of every two.

    A reviewer's last vote on a pair counts, an empty one does not.
    """
    votes: dict[str, dict[str, Hashable]] = defaultdict(dict)
    for pair, reviewer, vote in rows:
        if vote:
            votes[pair][reviewer] = vote
    units = {pair: votes[pair] for pair in sorted(votes) if len(votes[pair]) > 1}
    return list(field_agreement((lang, "lexicon", "vote"), units, samples=samples, seed=seed))

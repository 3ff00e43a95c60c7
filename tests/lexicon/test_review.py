"""Reviewers' votes: out, in, majority, ties, repeats, bad rows."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from curate.errors import InputError
from curate.lexicon.review import REVIEW_COLUMNS, import_review, review_table
from curate.lexicon.votes import Vote, record_votes
from tests.conftest import load, write_lexicon

PAIRS = [
    {"pair": "king", "masculine": "rey", "feminine": "reina", "feats": "Number=Sing"},
    {"pair": "king", "masculine": "reyes", "feminine": "reinas", "feats": "Number=Plur"},
    {"pair": "boss", "masculine": "jefe", "feminine": "jefa", "note": "=1+1"},
    {"pair": "bank", "masculine": "banco", "feminine": "banca"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_lexicon(tmp_path / "es", PAIRS, "DET el la Number=Sing", "")


def answers(path: Path, **by_pair: tuple[str, str]) -> Path:
    lines = ["pair,natural,neutral,comment"]
    lines += [f"{pair},{natural},{neutral}," for pair, (natural, neutral) in by_pair.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_row_a_lexeme(folder: Path) -> None:
    rows = list(csv.DictReader(review_table(load(folder)).splitlines()))
    assert tuple(rows[0]) == REVIEW_COLUMNS
    assert [row["pair"] for row in rows] == ["bank", "boss", "king"]
    assert rows[2]["masculine"] == "rey, reyes"
    assert rows[1]["note"] == "'=1+1"
    assert {row["natural"] for row in rows} == {""}


def test_majority_and_ties(folder: Path, tmp_path: Path) -> None:
    files = [
        ("r1", answers(tmp_path / "1.csv", bank=("no", ""), boss=("yes", "no"), king=("yes", ""))),
        ("r2", answers(tmp_path / "2.csv", bank=("", "yes"), boss=("no", ""), king=("", ""))),
        ("r3", answers(tmp_path / "3.csv", bank=("yes", "no"))),
    ]
    result = import_review(folder, load(folder), files)
    assert (result.votes, result.dropped, result.tied) == (6, ["bank"], ["boss"])
    lexicon = load(folder)
    assert {row.pair for row in lexicon.pairs} == {"king", "boss"}
    assert [row.votes for row in lexicon.voted_out] == ["1:2"]
    assert {row.votes for row in lexicon.pairs if row.pair == "king"} == {"1:0"}
    before = (folder / "pairs.tsv").read_bytes(), (folder / "votes.tsv").read_bytes()
    assert import_review(folder, lexicon, files).dropped == ["bank"]
    assert before == ((folder / "pairs.tsv").read_bytes(), (folder / "votes.tsv").read_bytes())
    import_review(folder, load(folder), [("r2", answers(tmp_path / "4.csv", bank=("yes", "")))])
    assert not load(folder).voted_out


@pytest.mark.parametrize(
    ("row", "message"),
    [("king,perhaps,,", "natural is 'perhaps'"), ("duke,yes,,", "no pair 'duke'")],
)
def test_bad_rows_write_nothing(folder: Path, tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"pair,natural,neutral,comment\nboss,no,,\n{row}\n", encoding="utf-8")
    before = (folder / "pairs.tsv").read_bytes()
    with pytest.raises(InputError, match=message) as error:
        import_review(folder, load(folder), [("r1", path)])
    assert error.value.where.endswith("bad.csv:3")
    assert (folder / "pairs.tsv").read_bytes() == before
    assert not (folder / "votes.tsv").exists()


def test_a_vote_taken_back_leaves_no_trace(folder: Path) -> None:
    clean = (folder / "pairs.tsv").read_bytes()
    votes = [Vote("bank", "r1", "drop", "neutral"), Vote("bank", "r2", "keep")]
    assert record_votes(folder, votes).tied == ["bank"]
    result = record_votes(folder, [Vote("bank", "r2", "")])
    assert (result.votes, result.dropped) == (0, ["bank"])
    record_votes(folder, [Vote("bank", "r1", "")])
    assert (folder / "pairs.tsv").read_bytes() == clean
    assert not (folder / "votes.tsv").exists()
    assert record_votes(folder, [Vote("boss", "r1", "keep")]).votes == 1  # and it goes on


def test_a_table_nobody_filled_in_changes_nothing(folder: Path, tmp_path: Path) -> None:
    empty = answers(tmp_path / "1.csv", bank=("", ""), boss=("", ""))
    for _ in range(2):
        assert import_review(folder, load(folder), [("r1", empty)]).votes == 0
    assert not (folder / "votes.tsv").exists()


def test_files_that_stay_what_they_are_are_not_written(folder: Path) -> None:
    votes = [Vote("bank", "r1", "drop", "neutral")]
    record_votes(folder, votes)
    paths = [folder / "pairs.tsv", folder / "votes.tsv"]
    before = [path.stat().st_ino for path in paths]
    record_votes(folder, votes)
    assert [path.stat().st_ino for path in paths] == before

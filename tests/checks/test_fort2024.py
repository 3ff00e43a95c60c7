"""The compatibility rule of Fort et al. 2024."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from curate.checks import check_rule_fort2024, fort2024, read_equivalents
from curate.errors import InputError, UsageError
from curate.sources import read_pairs

EQUIVALENTS = [("her", "his"), ("his", "him"), ("she", "he")]


@pytest.mark.parametrize(
    ("a", "b", "flagged"),
    [
        ("The man ran.", "The woman ran.", False),
        ("The man ran", "the MAN, ran!", False),
        ("Asians cook", "White people cook", True),
        ("He saw her man", "She saw him woman", False),  # the list makes he/she and her/him equal
        ("The king met the queen", "The queen met the king", False),  # place does not count
        ("A man, a man, a man", "A woman a woman a woman", False),  # repetition does not count
        ("", "three new words", True),
        ("", "two words", False),
    ],
)
def test_the_rule(a: str, b: str, flagged: bool) -> None:
    assert bool(fort2024(a, b, EQUIVALENTS)) is flagged


def test_equivalents_are_applied_in_order_and_padded() -> None:
    """her -> his -> him; a word that only contains one of them stays."""
    assert fort2024("her there x y", "him there x y", EQUIVALENTS) == []
    found = fort2024("one two hers", "three four his", EQUIVALENTS)
    assert found[0].evidence == "hers one two | four him three"


def test_the_published_list_exactly(shared_data: Path) -> None:
    folder = shared_data / "crows_pairs"
    path = folder / "crows_pairs_revised_en_1677.tsv"
    table = read_pairs(path, columns=("sent_more_en_US", "sent_less_en_US"), lang="en")
    equivalents = read_equivalents(folder / "equivalents_en_US.txt")
    verdicts = check_rule_fort2024(table, equivalents=equivalents)
    with path.open(encoding="utf-8", newline="") as file:
        ids = [row["id"] for row in csv.DictReader(file, delimiter="\t")]
    with (folder / "nonminimal_en_275_original.tsv").open(encoding="utf-8", newline="") as file:
        published = [row["id"] for row in csv.DictReader(file, delimiter="\t")]
    assert table.num_rows == 1677
    assert [ids[row] for row in verdicts.column("row").to_pylist()] == published
    assert len(published) == 275


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"her,his\nshe\n", ":2", "two words"),
        (b"her,his\n,he\n", ":2", "two words"),
        (b"her,his\n\nh\xe9,he\n", ":3", "UTF-8"),
        (b"\n", "", "empty"),
    ],
)
def test_a_bad_list_is_refused(tmp_path: Path, content: bytes, line: str, message: str) -> None:
    path = tmp_path / "equivalents.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_equivalents(path)
    assert caught.value.where == f"{path}{line}"


def test_a_missing_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_equivalents(tmp_path / "none.txt")


def test_the_rule_needs_a_list(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a,b\nx,y\n")
    with pytest.raises(UsageError):
        check_rule_fort2024(read_pairs(path, columns=("a", "b")), equivalents=[])

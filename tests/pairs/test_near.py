"""Near-duplicate pairs: the first stays, the others are dropped with the pair they repeat."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.engine import Engine
from curate.errors import UsageError
from curate.pairs.lsg import lsg_method
from curate.pairs.rebalance import rebalance
from curate.pairs.run import run_pairs
from curate.sources import Corpus

LINES = [
    "The waiter brought the soup to our table.",
    "The waiter brought the soup to our table!",
    "The waitress brought the soup to our table.",
    "the waitress brought the soup, to our table",
    "The actor brought the soup to our table.",
    "An actress sang for us.",
    "The waiter brought the bread to their room.",
    "The waiter brought  the soup to our table",
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def _drops(out: Path) -> dict[int, tuple[str, str]]:
    rows = pq.read_table(out / "drops.parquet").to_pylist()
    return {row["row"]: (row["code"], row["detail"]) for row in rows}


@pytest.mark.parametrize("options", [{}, {"batch_rows": 1}, {"engine": Engine(workers=2)}])
def test_the_first_of_near_duplicates_stays(
    corpus: Path, tmp_path: Path, options: dict[str, object]
) -> None:
    out = tmp_path / "near"
    stats = run_pairs(
        lsg_method("en"), Corpus(corpus, lang="en"), out,
        folds=0, near=0.8, **({"batch_rows": 3} | options),
    )  # fmt: skip
    pairs = pq.read_table(out / "pairs.parquet").to_pylist()
    kept = {pair["masculine"]: pair["pair_id"] for pair in pairs}
    assert list(kept) == [LINES[0], LINES[4], "An actor sang for us.", LINES[6]]
    first = kept[LINES[0]]
    assert _drops(out) == {
        1: ("near-duplicate", f"{first} 1.000"),
        2: ("duplicate", first),
        3: ("near-duplicate", f"{first} 1.000"),
        7: ("near-duplicate", f"{first} 1.000"),
    }
    assert stats["n_pairs"] == 4
    assert stats["n_sentences"] == stats["n_single"] == len(LINES)
    assert stats["drops"] == {"duplicate": 1, "near-duplicate": 3}


def test_nothing_is_near_unless_asked(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run_pairs(lsg_method("en"), Corpus(corpus, lang="en"), out, folds=0)
    assert {code for code, _ in _drops(out).values()} == {"duplicate"}
    with pytest.raises(UsageError, match=r"near \(None, now 0.8\)|near"):
        run_pairs(lsg_method("en"), Corpus(corpus, lang="en"), out, folds=0, near=0.8)


def test_a_balance_anew_leaves_them_out(corpus: Path, tmp_path: Path) -> None:
    whole, again = tmp_path / "whole", tmp_path / "again"
    for out, folds in ((whole, 3), (again, 1)):
        run_pairs(lsg_method("en"), Corpus(corpus, lang="en"), out, folds=folds, near=0.8)
    rebalance(again, folds=3)
    for name in ("pairs.parquet", "drops.parquet", "manifest.json"):
        assert (again / name).read_bytes() == (whole / name).read_bytes()

"""Groups of pairs: by language and method, by columns that are there, by columns that are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.errors import InputError
from curate.scoring import Dataset, find_metrics, score_pairs
from curate.scoring.summary import find_groups, summarise
from curate.sources import read_pairs
from tests.scoring.test_scores import Score, Toy, pair, table

Summary = dict[tuple[str, str], dict[str, Any]]

# AUL prefers the first side of the pairs 0, 1 and 4; 2 is a tie, 3 is too long, 5 the second side
SIDES = [(-1.0, -2.0), (-1.0, -3.0), (-2.0, -2.0), (None, -1.0), (-1.0, -1.5), (-4.0, -1.0)]
TEXTS = [(f"m{at}", f"f{at}") for at in range(len(SIDES))]


def toy() -> Toy:
    known = {}
    for pair_texts, values in zip(TEXTS, SIDES, strict=True):
        for text, value in zip(pair_texts, values, strict=True):
            refused = None if value is not None else "too-long"
            known[text] = Score(value, value, 3, refused)
    return Toy(known)


def csv(path: Path, **columns: list[str]) -> Path:
    lines = [",".join(["a", "b", *columns])]
    for at, (a, b) in enumerate(TEXTS):
        lines.append(",".join([a, b, *(cells[at] for cells in columns.values())]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def summary(pairs: pa.Table, *, by: tuple[str, ...] = (), metric: str = "aul") -> Summary:
    run = score_pairs(
        pairs, scorer=toy(), metrics=find_metrics([metric]), dataset=Dataset("toy", "1"), by=by
    )
    found = {(record["lang"], record["group"]): record for record in run.summary}
    assert len(found) == len(run.summary)
    return found


def read(path: Path, *keep: str, lang: str | None = "en") -> pa.Table:
    grouped = ("bias_type", "stereo_antistereo")
    return read_pairs(path, columns=("a", "b"), lang=lang, keep=["lang", *grouped, *keep])


def counts(record: dict[str, Any]) -> tuple[Any, ...]:
    return record["value"], record["n"], record["n_tied"], record["dropped"]


def test_known_columns_are_found_without_asking(tmp_path: Path) -> None:
    path = csv(
        tmp_path / "crows.csv",
        bias_type=["age", "gender", "gender", "gender", "age", "age"],
        stereo_antistereo=["stereo"] * 3 + ["antistereo"] * 3,
        annotator=["x"] * 6,
    )
    found = summary(read(path))
    assert [group for _, group in found] == [
        "all", "bias_type=age", "bias_type=gender", "stereo_antistereo=antistereo",
        "stereo_antistereo=stereo",
    ]  # fmt: skip
    assert counts(found["en", "all"]) == (60.0, 5, 1, {"too-long": 1})
    assert counts(found["en", "bias_type=age"]) == (pytest.approx(200 / 3), 3, 0, {})
    assert counts(found["en", "bias_type=gender"]) == (50.0, 2, 1, {"too-long": 1})
    assert counts(found["en", "stereo_antistereo=stereo"]) == (pytest.approx(200 / 3), 3, 1, {})
    anti = found["en", "stereo_antistereo=antistereo"]
    assert counts(anti) == (50.0, 2, 0, {"too-long": 1})


def test_a_named_column_is_added_once(tmp_path: Path) -> None:
    path = csv(
        tmp_path / "mine.csv", topic=["x", "x", "y", "y", "y", "x"], bias_type=["gender"] * 6
    )
    found = summary(read(path, "topic"), by=("topic", "bias_type", "topic"))
    assert [group for _, group in found] == ["all", "bias_type=gender", "topic=x", "topic=y"]
    assert counts(found["en", "topic=x"]) == (pytest.approx(200 / 3), 3, 0, {})
    assert counts(found["en", "topic=y"]) == (50.0, 2, 1, {"too-long": 1})


def test_a_missing_column_is_an_error(tmp_path: Path) -> None:
    pairs = read(csv(tmp_path / "mine.csv"))
    with pytest.raises(InputError, match=r"no column 'topic' to group by"):
        summary(pairs, by=("topic",))


def test_an_empty_cell_is_a_group_of_its_own(tmp_path: Path) -> None:
    path = csv(tmp_path / "mine.csv", topic=["x", "", "", "x", "x", "x"])
    found = summary(read(path, "topic"), by=("topic",))
    assert counts(found["en", "topic="]) == (50.0, 2, 1, {})
    assert [group for _, group in found] == ["all", "topic=", "topic=x"]


def test_a_null_is_an_empty_cell() -> None:
    table = pa.table({"lang": ["en"] * 3, "topic": ["x", None, ""]})
    groups = [(group.name, group.rows.tolist()) for group in find_groups(table, ["topic"])]
    assert groups == [("all", [0, 1, 2]), ("topic=", [1, 2]), ("topic=x", [0])]


def test_languages_of_single_rows(tmp_path: Path) -> None:
    path = csv(
        tmp_path / "mine.csv", lang=["de", "fr", "fr", "fr", "de", "fr"], bias_type=["gender"] * 6
    )
    found = summary(read(path, lang=None))
    assert list(found) == [
        ("de", "all"), ("fr", "all"), ("de", "bias_type=gender"), ("fr", "bias_type=gender"),
    ]  # fmt: skip
    assert counts(found["de", "all"]) == (100.0, 2, 0, {})
    assert counts(found["fr", "all"]) == (pytest.approx(100 / 3), 3, 1, {"too-long": 1})
    # the option picks
    assert set(summary(read(path, lang="de"))) == {("de", "all"), ("de", "bias_type=gender")}
    with pytest.raises(InputError, match="no pairs in 'en'"):
        read(path)


def test_one_pair_and_none(tmp_path: Path) -> None:
    path = csv(tmp_path / "mine.csv", topic=["one", "x", "x", "none", "x", "x"])
    found = summary(read(path, "topic"), by=("topic",))
    one, none = found["en", "topic=one"], found["en", "topic=none"]
    assert counts(one) == (100.0, 1, 0, {})
    # Clopper and Pearson for one of one: a bootstrap would have no width
    assert (one["ci_low"], one["ci_high"]) == (pytest.approx(2.5), 100.0)
    assert one["differences"] == [1.0] * 101
    assert counts(none) == (None, 0, 0, {"too-long": 1})
    assert none["n_dropped"] == 1
    for name in ("ci_low", "ci_high", "std_error", "fold_mean", "fold_std", "differences"):
        assert none[name] is None, name


def test_a_group_of_a_mean_and_of_a_rate_without_values(tmp_path: Path) -> None:
    """The other ways in which pairs add up."""
    from curate.scoring.collected import Collected
    from curate.scoring.metric import Options

    metrics = find_metrics(["sjsd", "acc", "mbe"])
    pairs = read(csv(tmp_path / "mine.csv", topic=["none", *"xxxxx"]), "topic")
    values = np.full((6, 3), 0.5)
    values[0] = np.nan
    tokens = np.full((6, 3), 4, dtype=np.int32)
    reason = np.full((6, 3), None, dtype=object)
    reason[0] = "no-shared-tokens"
    held = Collected(metrics, values, values / 2, tokens, tokens, reason)
    found = summarise(
        pairs, held, groups=find_groups(pairs, ["topic"]), sides=("a", "b"), options=Options(),
        common={}, precision=lambda metric: {}, seed=0, resamples=100,
    )  # fmt: skip
    none = [record for record in found if record["group"] == "topic=none"]
    assert [record["metric"] for record in none] == ["sjsd", "acc", "mbe"]
    for record in none:
        assert counts(record) == (None, 0, 0, {"no-shared-tokens": 1})
    rest = {r["metric"]: r for r in found if r["group"] == "topic=x"}
    assert (rest["sjsd"]["value"], rest["acc"]["value"]) == (0.25, 37.5)


def test_numbers_in_a_column_of_a_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    columns = {"a": [a for a, _ in TEXTS], "b": [b for _, b in TEXTS]}
    columns |= {"wave": pa.array([1, 2, 2, 10, 1, None], pa.int32()), "ok": [True] * 6}
    pq.write_table(pa.table(columns), path)
    found = summary(read(path, "wave", "ok"), by=("wave", "ok"))
    assert [group for _, group in found] == [
        "all", "wave=", "wave=1", "wave=10", "wave=2", "ok=True",
    ]  # fmt: skip
    assert counts(found["en", "wave=1"]) == (100.0, 2, 0, {})
    assert counts(found["en", "wave=10"]) == (None, 0, 0, {"too-long": 1})


def ours(tmp_path: Path, **columns: list[Any]) -> pa.Table:
    rows = [
        pair(m, f, **{name: cells[at] for name, cells in columns.items()})
        for at, (m, f) in enumerate(TEXTS)
    ]
    return table(rows, tmp_path)


def test_our_pairs_by_method_and_original(tmp_path: Path) -> None:
    pairs = ours(
        tmp_path, method=["lsg", "lsg", "msg", "msg", "msg", "lsg"],
        original=["masculine", "feminine", "feminine", "masculine", "masculine", "masculine"],
    )  # fmt: skip
    found = summary(pairs, by=("original",))
    assert [group for _, group in found] == [
        "lsg", "msg", "original=feminine", "original=masculine",
    ]  # fmt: skip
    assert counts(found["en", "lsg"]) == (pytest.approx(200 / 3), 3, 0, {})
    assert counts(found["en", "original=feminine"]) == (50.0, 2, 1, {})
    man = found["en", "original=masculine"]
    assert counts(man) == (pytest.approx(200 / 3), 3, 0, {"too-long": 1})


def test_folds_within_groups(tmp_path: Path) -> None:
    """A group's value is the mean over its folds; a pair in no fold is in no group."""
    pairs = ours(
        tmp_path, folds=[[0, 1], [0], [1], [0], [], [1]],
        original=["masculine", "feminine", "masculine", "feminine", "masculine", "masculine"],
    )  # fmt: skip
    found = summary(pairs, by=("original",))
    whole, man = found["en", "lsg"], found["en", "original=masculine"]
    # fold 0: pairs 0, 1 (3 has no value), both won; fold 1: pairs 0 (won), 2 (tied), 5 (lost)
    assert whole["fold_values"] == [100.0, pytest.approx(100 / 3)]
    assert (whole["n"], whole["n_dropped"], whole["value"]) == (4, 1, pytest.approx(200 / 3))
    assert whole["fold_std"] == pytest.approx(((200 / 3) ** 2 / 2) ** 0.5)
    assert man["fold_values"] == [100.0, pytest.approx(100 / 3)]
    assert (man["n"], man["n_dropped"]) == (3, 0)
    woman = found["en", "original=feminine"]
    assert (woman["value"], woman["n"], woman["n_dropped"]) == (100.0, 1, 1)


def test_our_own_files_hold_no_other_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'topic'"):
        summary(ours(tmp_path), by=("topic",))

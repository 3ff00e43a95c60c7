"""`curate compare` and `curate sample-size --scores` on folders written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate import schema
from curate.cli import compare as compare_command
from curate.cli import sample_size as size_command
from curate.errors import CurateError, InputError, UsageError
from curate.scoring.scored_folder import read_scored


def run(command: Callable[..., None], *arguments: object) -> Any:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": "150"})


def compare(*arguments: object) -> Any:
    return run(compare_command.compare, *arguments)


Values = list[tuple[float | None, float | None]]


def folder(
    place: Path,
    values: dict[str, Values],
    *,
    model: str | None = None,
    version: str = "1",
    about: dict[str, dict[str, Any]] | None = None,
) -> Path:
    """A folder of scores: `values` by metric; `about` has more of a metric's record."""
    name = model or place.name
    place.mkdir()
    rows = [
        {"pair_id": f"p{row}", "row": row, "metric": metric, "model": name, "revision": "r",
         "value_a": a, "value_b": b}
        for metric, pairs in values.items() for row, (a, b) in enumerate(pairs)
    ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.SCORES), place / "scores.parquet")
    summary = [
        {"metric": metric, "model": name, "revision": "r", "dataset": "toy", "version": version}
        | (about or {}).get(metric, {})
        for metric in [*values, *(set(about or {}) - set(values))]
    ]
    (place / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    return place


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """On ten pairs, a prefers all first sides, b none of the first six, c like b."""
    win, lose = (1.0, 0.0), (0.0, 1.0)
    return [
        folder(tmp_path / "a", {"cps": [win] * 10, "sjsd": [(0.5, 0.25)] * 10}),
        folder(tmp_path / "b", {"cps": [lose] * 6 + [win] * 4, "sjsd": [(0.25, 0.25)] * 10}),
        folder(tmp_path / "c", {"cps": [lose] * 6 + [win] * 4, "sjsd": [(0.25, 0.25)] * 10}),
    ]


def test_every_two_models_on_every_metric(three: list[Path], tmp_path: Path) -> None:
    """p of the shares 2 / 2^6, of the means 2 / 2^10; six tests, b against c twice 1."""
    result = compare(*three, "--json", "--out", tmp_path / "new" / "tests.json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert json.loads((tmp_path / "new" / "tests.json").read_text()) == content
    tests = {(t["metric"], t["first"], t["second"]): t for t in content["tests"]}
    assert len(tests) == 6
    share = tests["cps", "a", "b"]
    assert (share["p"], share["n"], share["only_first"]) == (pytest.approx(2 / 64), 10, 6)
    assert (share["difference"], share["value_second"]) == (pytest.approx(60), pytest.approx(40))
    assert (share["seed"], share["draws"]) == (0, 9999)
    mean = tests["sjsd", "a", "c"]
    assert (mean["p"], mean["difference"]) == (pytest.approx(2 / 1024), pytest.approx(0.25))
    assert mean["p_holm"] == pytest.approx(6 * 2 / 1024)
    assert share["p_holm"] == pytest.approx(4 * 2 / 64)
    assert tests["cps", "b", "c"]["p_holm"] == 1.0


def test_the_family_is_what_was_asked_for(three: list[Path]) -> None:
    result = compare(*three[:2], "--metric", "cps", "--json")
    (test,) = json.loads(result.stdout)["tests"]
    assert test["p_holm"] == test["p"]


def test_the_table_says_it_all(three: list[Path]) -> None:
    result = compare(*three[:2])
    assert result.exit_code == 0, result.output
    for words in ("cps", "sjsd", "100.00", "+60.00", "0.0312", "p (Holm)", "95 % interval"):
        assert words in result.stdout, words


def test_the_preferred_value_of_a_record_counts(tmp_path: Path) -> None:
    about = {"bsjsd": {"kind": "share", "preferred": "lower"}, "new": {"preferred": "lower"}}
    values: dict[str, Values] = {"bsjsd": [(0.1, 0.2)] * 3, "new": [(0.1, 0.2)] * 3}
    one = folder(tmp_path / "one", values, about=about)
    other = folder(tmp_path / "other", values, about=about)
    tests = json.loads(compare(one, other, "--json").stdout)["tests"]
    assert [test["value_first"] for test in tests] == [100.0, 100.0]
    old = read_scored(folder(tmp_path / "old", values))
    assert (old.kind("bsjsd").preferred, old.kind("new").preferred) == ("lower", "higher")
    assert (old.kind("sjsd").counted, old.kind("acc").counted) == ("mean", "pooled")


def test_metrics_without_a_value_of_a_pair_are_left_out(tmp_path: Path) -> None:
    about = {"mbe": {"kind": "weighted"}}
    folders = [folder(tmp_path / n, {"aul": [(2.0, 1.0)] * 3}, about=about) for n in "ab"]
    result = compare(*folders)
    assert "values no pair: mbe" in result.stdout
    error = compare(*folders, "--metric", "mbe").exception
    assert isinstance(error, UsageError)
    assert "values no pair: mbe" in str(error)


def test_a_metric_of_some_folders_is_compared_among_them(tmp_path: Path) -> None:
    both: dict[str, Values] = {"aul": [(2.0, 1.0)], "cps": [(2.0, 1.0)]}
    folders = [folder(tmp_path / n, both) for n in "ab"]
    folders.append(folder(tmp_path / "c", {"aul": [(1.0, 2.0)], "pll": [(1.0, 2.0)]}))
    content = json.loads(compare(*folders, "--json").stdout)
    pairs = [(test["metric"], test["first"] + test["second"]) for test in content["tests"]]
    assert pairs == [("aul", "ab"), ("aul", "ac"), ("aul", "bc"), ("cps", "ab")]
    assert [note.rpartition(": ")[2] for note in content["left_out"]] == ["cps", "pll"]


def test_a_metric_without_common_pairs_is_no_test_of_the_family(tmp_path: Path) -> None:
    values: dict[str, Values] = {"aul": [(2.0, 1.0)] * 6, "dbm": [(None, None)] * 6}
    folders = [folder(tmp_path / n, values) for n in "ab"]
    first, second = json.loads(compare(*folders, "--json").stdout)["tests"]
    assert (second["n"], second["p"], second["p_holm"], second["value_first"]) == (0, *[None] * 3)
    assert first["p_holm"] == 1.0
    assert "none" in compare(*folders).stdout


def test_only_pairs_that_both_valued_count(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", {"aul": [(2.0, 1.0), (None, None), (2.0, 1.0)]})
    other = folder(tmp_path / "other", {"aul": [(2.0, 1.0), (2.0, 1.0), (1.0, 2.0), (1.0, 2.0)]})
    (test,) = json.loads(compare(one, other, "--json").stdout)["tests"]
    assert (test["n"], test["n_only_first"], test["n_only_second"]) == (2, 0, 2)
    assert "one model alone valued" in compare(one, other).stdout


def test_the_same_model_twice_is_told_by_its_folder(tmp_path: Path) -> None:
    folders = [folder(tmp_path / n, {"aul": [(2.0, 1.0)]}, model="same [red]") for n in "ab"]
    (test,) = json.loads(compare(*folders, "--json").stdout)["tests"]
    assert (test["first"], test["second"]) == ("same [red] (a)", "same [red] (b)")
    assert "same [red] (a)" in compare(*folders).stdout


def test_other_datasets_only_with_force(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", {"aul": [(2.0, 1.0)]})
    other = folder(tmp_path / "other", {"aul": [(1.0, 2.0)]}, version="2")
    error = compare(one, other).exception
    assert isinstance(error, InputError)
    assert "toy 2" in str(error)
    assert "--force" in error.hint
    assert compare(one, other, "--force").exit_code == 0


def test_bad_input_is_one_line(three: list[Path], tmp_path: Path) -> None:
    one, other, _ = three
    empty, broken, listless = (tmp_path / name for name in ("empty", "broken", "listless"))
    for place in (empty, broken, listless):
        place.mkdir()
    (broken / "scores.parquet").write_text("no parquet")
    (listless / "scores.parquet").write_bytes((one / "scores.parquet").read_bytes())
    (listless / "summary.json").write_text('{"metric": "cps"}')
    unlike = folder(tmp_path / "unlike", {"aul": [(2.0, 1.0)] * 10})
    nulls = folder(tmp_path / "nulls", {"cps": [(None, None)] * 10})
    twice = folder(tmp_path / "twice", {"cps": [(1.0, 0.0)]})
    table = pq.read_table(twice / "scores.parquet")
    pq.write_table(pa.concat_tables([table, table]), twice / "scores.parquet")
    cases: list[tuple[list[object], type[CurateError]]] = [
        ([one], UsageError),
        ([one, tmp_path / "none"], InputError),
        ([one, empty], InputError),
        ([one, broken], InputError),
        ([one, listless], InputError),
        ([one, tmp_path / "." / "a"], UsageError),
        ([one, unlike], UsageError),
        ([one, nulls], InputError),
        ([one, twice], InputError),
        ([one, other, "--metric", "nope"], UsageError),
        ([one, other, "--out", tmp_path], UsageError),
    ]
    for arguments, kind in cases:
        error = compare(*arguments).exception
        assert isinstance(error, kind), (arguments, error)
        assert "\n" not in str(error)
        assert isinstance(error, CurateError)
        assert error.hint, arguments


def test_a_sample_size_from_scores(tmp_path: Path) -> None:
    """Differences ±1: s² = 4 / 3; (1.959964² · 4 / 3) / 0.5² = 20.5. Shares: 3 of 4 won."""
    values: dict[str, Values] = {
        "sjsd": [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)],
        "cps": [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (None, None)],
        "acc": [(1.0, 0.0)] * 4,
    }
    place = folder(tmp_path / "one", values)
    size = size_command.sample_size
    common = ("--scores", place, "--half-width", 0.5, "--json")
    content = json.loads(run(size, *common, "--metric", "sjsd", "--n", 4).stdout)
    assert content["deviation"] == pytest.approx((4 / 3) ** 0.5)
    assert content["pairs"] == 21
    assert content["half_width_at_n"] == pytest.approx(1.959964 * (4 / 3) ** 0.5 / 2)
    assert json.loads(run(size, *common, "--metric", "cps").stdout)["share"] == 75.0
    for wrong in (("--metric", "acc"), ("--metric", "nope"), (), ("--metric", "cps", "--share", 5)):
        assert isinstance(run(size, *common, *wrong).exception, UsageError), wrong

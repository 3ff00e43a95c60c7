"""Scoring into a folder: what was cut off goes on, and how it was cut changes no byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.errors import InputError, UsageError
from curate.scoring import Dataset, ModelSettings, Options, find_metrics, score_to_folder
from curate.sources import read_pairs
from tests.scoring.tiny_models import tiny_bert, word_pairs, write_pairs

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
torch.set_num_threads(1)

FILES = ("scores.parquet", "summary.json")
ROWS = 8
METRICS = "cps,aula,mbe"  # of parts, of whole texts, and of embeddings


class Cut(Exception):
    """Stands for what ends a run."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_bert(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """41 that have values, one that is too long, one whose sides are the same."""
    texts = [*word_pairs(41), ("he sat", "he sat")]
    texts.insert(20, ("he " * 60, "she " * 60))
    return foreign(tmp_path_factory.mktemp("pairs") / "pairs.tsv", texts)


def foreign(path: Path, texts: list[Any]) -> pa.Table:
    return read_pairs(write_pairs(path, texts), columns=("a", "b"), lang="en")


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Parts of 8 pairs; the number of pairs in every part that is computed, in any precision."""
    from curate.scoring import folder

    whole, counted = folder.value_pairs, []

    def count(table: pa.Table, **options: Any) -> Any:
        counted.append(table.num_rows)
        return whole(table, **options)

    monkeypatch.setattr(folder, "value_pairs", count)
    monkeypatch.setattr(folder, "batch_rows", lambda metrics: ROWS)
    return counted


def score(table: pa.Table, out: Path, model: str, metrics: str = METRICS, **more: Any) -> Any:
    names = ("precision", "budget", "max_length")
    settings = {name: more.pop(name) for name in names if name in more}
    options = Options(**more.pop("options", {}))
    return score_to_folder(
        table, out, settings=ModelSettings(model=model, device="cpu", **settings),
        metrics=find_metrics(metrics.split(",")), dataset=Dataset("toy", "1"), options=options,
        **more,
    )  # fmt: skip


def cut_after(pairs: float, *, what: str = "fp32", nth: int = 1) -> Callable[..., None]:
    """A listener that ends the run once more than `pairs` of the nth pass of `what` are done."""
    heard: list[tuple[str, float]] = []
    passes = 0

    def listen(now: str, done: float, of: int) -> None:
        nonlocal passes
        if now == what and (not heard or heard[-1][0] != now or heard[-1][1] > done):
            passes += 1
        heard.append((now, done))
        if now == what and passes >= nth and done > pairs:
            raise Cut

    return listen


def same_files(one: Path, other: Path) -> bool:
    assert {path.name for path in one.iterdir()} - {"drops.parquet"} == set(FILES)
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


@pytest.mark.parametrize("pairs_done", [0, 9, 16, 40, 42])
def test_a_run_that_was_cut_goes_on(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int], pairs_done: int
) -> None:
    score(pairs, tmp_path / "whole", model)
    assert sum(scored) == 43
    scored.clear()
    with pytest.raises(Cut):
        score(pairs, tmp_path / "cut", model, on_progress=cut_after(pairs_done))
    assert not (tmp_path / "cut" / "scores.parquet").exists()
    scored.clear()
    score(pairs, tmp_path / "cut", model)
    # the listener may hear of the end of a part before the part counts, so one more is computed
    kept = 43 - sum(scored)
    assert kept % ROWS == 0 and pairs_done - ROWS <= kept <= pairs_done + ROWS
    assert same_files(tmp_path / "cut", tmp_path / "whole")


def test_it_goes_on_more_than_once(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int]
) -> None:
    score(pairs, tmp_path / "whole", model, "all")
    for done in (9, 18, 27, 35):
        with pytest.raises(Cut):
            score(pairs, tmp_path / "cut", model, "all", on_progress=cut_after(done))
    scored.clear()
    score(pairs, tmp_path / "cut", model, "all")
    assert sum(scored) <= 43 - 32
    assert same_files(tmp_path / "cut", tmp_path / "whole")


def test_a_part_that_is_not_whole_is_made_again(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int]
) -> None:
    """A part counts once it is marked; a file that was being written does not."""
    score(pairs, tmp_path / "whole", model)
    with pytest.raises(Cut):
        score(pairs, tmp_path / "cut", model, on_progress=cut_after(17))
    parts = next((tmp_path / "cut" / "unfinished").glob("*/parts"))
    last = max(parts.glob("*+*.json"))
    last.unlink()
    (parts / f"{last.stem}-scores.parquet").write_bytes(b"PAR1 half")
    (parts / f".{last.stem}-sentences.parquet.1.tmp").write_bytes(b"half")
    score(pairs, tmp_path / "cut", model)
    assert same_files(tmp_path / "cut", tmp_path / "whole")


def test_a_killed_process_goes_on(tmp_path: Path) -> None:
    """The real command, ended by SIGKILL in the middle of its parts."""
    from typer.testing import CliRunner

    from curate.cli.main import app

    model, out = tiny_bert(tmp_path / "tiny"), tmp_path / "killed"
    data = write_pairs(tmp_path / "pairs.tsv", word_pairs(700))
    command = ["score", "--data", data, "--columns", "a,b", "--lang", "en", "--model", model]
    command = [*map(str, command), "--metric", "pll", "--device", "cpu", "--out"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    process = subprocess.Popen(
        [sys.executable, "-m", "curate.cli", *command, str(out)], env=environment
    )
    try:
        deadline = time.monotonic() + 60
        while parts_done(out) < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
    finally:
        process.kill()
        process.wait()
    done = parts_done(out)
    assert 2 <= done < 6 and not (out / "scores.parquet").exists()
    for folder in (out, tmp_path / "whole"):
        result = CliRunner().invoke(app, [*command, str(folder)])
        assert result.exit_code == 0, result.output
    assert same_files(out, tmp_path / "whole")


def parts_done(out: Path) -> int:
    return len(list(out.glob("unfinished/*/parts/*+*.json")))


CHANGES: dict[str, dict[str, Any]] = {
    "metrics": {"metrics": "cps,aula"},
    "likelihood": {"options": {"likelihood": "aul"}},
    "masking": {"options": {"masking": "within-word"}},
    "precision": {"precision": "bf16"},
    "max_length": {"max_length": 30},
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_run_is_not_mixed_in(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int], change: str
) -> None:
    with pytest.raises(Cut):
        score(pairs, tmp_path / "out", model, on_progress=cut_after(17))
    with pytest.raises(UsageError, match="unfinished run with another config") as raised:
        score(pairs, tmp_path / "out", model, **CHANGES[change])
    assert "--restart" in raised.value.hint and "\n" not in str(raised.value)
    score(pairs, tmp_path / "out", model, restart=True, **CHANGES[change])
    score(pairs, tmp_path / "fresh", model, **CHANGES[change])
    assert same_files(tmp_path / "out", tmp_path / "fresh")


def test_other_data_are_not_mixed_in(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int]
) -> None:
    sides = (pairs.column(name).to_pylist() for name in ("masculine", "feminine"))
    texts = list(zip(*sides, strict=True))
    texts[40] = ("he sat", "she sat")
    other = foreign(tmp_path / "other.tsv", texts)
    with pytest.raises(Cut):
        score(pairs, tmp_path / "out", model, on_progress=cut_after(17))
    with pytest.raises(UsageError, match="another input"):
        score(other, tmp_path / "out", model)


def test_another_model_is_not_mixed_in(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int]
) -> None:
    with pytest.raises(Cut):
        score(pairs, tmp_path / "out", model, on_progress=cut_after(17))
    with pytest.raises(UsageError, match="another config"):
        score(pairs, tmp_path / "out", str(tiny_bert(tmp_path / "other", seed=4)))


def test_other_weights_of_the_same_name_are_not_mixed_in(
    pairs: pa.Table, tmp_path: Path, scored: list[int]
) -> None:
    from curate.scoring.folder import load_scorer

    model = str(tiny_bert(tmp_path / "tiny"))
    with pytest.raises(Cut):
        score(pairs, tmp_path / "out", model, on_progress=cut_after(17))
    tiny_bert(tmp_path / "tiny", seed=4)
    load_scorer.cache_clear()  # as another process
    with pytest.raises(UsageError, match="another config"):
        score(pairs, tmp_path / "out", model)


def test_it_goes_on_with_less_memory_and_other_parts(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No value depends on the tokens at a time or the size of a part, so neither is held to."""
    score(pairs, tmp_path / "whole", model)
    with pytest.raises(Cut):
        score(pairs, tmp_path / "cut", model, on_progress=cut_after(17))
    scored.clear()
    monkeypatch.setattr("curate.scoring.folder.batch_rows", lambda metrics: 11)
    score(pairs, tmp_path / "cut", model, budget=9)
    assert 0 < sum(scored) <= 43 - 16 and max(scored) == 11
    assert same_files(tmp_path / "cut", tmp_path / "whole")


@pytest.fixture
def sixteen_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curate.models.devices.reduced_precision", lambda device: "bf16")


@pytest.mark.usefixtures("sixteen_bits")
@pytest.mark.parametrize("place", [("bf16", 1, 30), ("fp32", 1, 12), ("fp32", 2, 0.5)])
def test_auto_is_cut_in_any_of_its_passes(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int], place: tuple[str, int, float]
) -> None:
    what, nth, after = place
    score(pairs, tmp_path / "whole", model, "cps,aula,mbe", precision="auto")
    whole = sum(scored)
    assert whole > 43 + 43 + 24  # MBE in fp32, a sample, and pairs that were too close
    with pytest.raises(Cut):
        score(
            pairs, tmp_path / "cut", model, "cps,aula,mbe", precision="auto",
            on_progress=cut_after(after, what=what, nth=nth),
        )  # fmt: skip
    scored.clear()
    score(pairs, tmp_path / "cut", model, "cps,aula,mbe", precision="auto")
    assert sum(scored) < whole
    assert same_files(tmp_path / "cut", tmp_path / "whole")


def test_a_finished_folder_is_written_again(pairs: pa.Table, model: str, tmp_path: Path) -> None:
    score(pairs, tmp_path / "one", model)
    score(pairs, tmp_path / "two", model)
    score(pairs, tmp_path / "one", model, "cps")
    assert not same_files(tmp_path / "one", tmp_path / "two")
    score(pairs, tmp_path / "one", model)
    assert same_files(tmp_path / "one", tmp_path / "two")


@pytest.mark.parametrize("metrics", ["cps,sss,pll,acc,sjsd", "aula,mbe,aul"])
def test_batches_and_threads_change_no_byte(
    pairs: pa.Table, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metrics: str
) -> None:
    pairs = pairs.slice(0, 16)
    score(pairs, tmp_path / "plain", model, metrics)
    for rows, budget, threads in ((1, 0, 1), (5, 7, 1), (16, 50, 2), (1000, 100_000, 2)):
        monkeypatch.setattr("curate.scoring.folder.batch_rows", lambda metrics, rows=rows: rows)
        torch.set_num_threads(threads)
        try:
            score(pairs, tmp_path / "other", model, metrics, budget=budget)
        finally:
            torch.set_num_threads(1)
        assert same_files(tmp_path / "other", tmp_path / "plain"), (rows, budget, threads)


def test_the_order_of_metrics_and_their_company_change_no_value(
    pairs: pa.Table, model: str, tmp_path: Path
) -> None:
    names = "cps,sjsd,bsjsd,sss,aul,aula,pll,acc"
    values = {}
    for order in (names, ",".join(reversed(names.split(",")))):
        run = score(pairs, tmp_path / "out", model, order)
        values[order] = sorted(run.scores.to_pylist(), key=lambda r: (r["metric"], r["row"]))
    assert values[names] == list(values.values())[1]
    alone = score(pairs, tmp_path / "out", model, "sss").scores.to_pylist()
    assert alone == [row for row in values[names] if row["metric"] == "sss"]


@pytest.mark.usefixtures("sixteen_bits")
@pytest.mark.parametrize("precision", ["fp32", "auto"])
def test_no_pairs_at_all(pairs: pa.Table, model: str, tmp_path: Path, precision: str) -> None:
    run = score(pairs.slice(0, 0), tmp_path / "out", model, precision=precision)
    assert run.summary == [] and pq.read_table(tmp_path / "out" / FILES[0]).num_rows == 0
    assert json.loads((tmp_path / "out" / FILES[1]).read_text()) == []


def test_a_missing_column_is_missed_before_the_work(pairs: pa.Table, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'nope' to group by"):
        score(pairs, tmp_path / "out", str(tmp_path / "no-model"), by=["nope"])
    assert not (tmp_path / "out").exists()


def test_progress_counts_the_pairs_of_every_pass(
    pairs: pa.Table, model: str, tmp_path: Path, scored: list[int]
) -> None:
    heard: list[tuple[str, float, int]] = []
    score(pairs, tmp_path / "out", model, on_progress=lambda *said: heard.append(said))
    assert {(what, of) for what, _, of in heard} == {("fp32", 43)}
    done = [count for _, count, _ in heard]
    assert done == sorted(done) and done[0] == 0 and done[-1] == 43
    assert any(count % ROWS for count in done[:-1])  # within a part, too

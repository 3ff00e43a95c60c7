"""Reduced precision with fp32 where it matters: no decision differs, whatever the errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from curate.scoring import Metric, find_metrics
from curate.scoring.auto import score_auto
from curate.scoring.collected import Collected

SAMPLE = 24


@dataclass
class Study:
    """Values that are known exactly, and what a reduced precision makes of them."""

    names: str
    a: Any
    b: Any
    reduced_a: Any
    reduced_b: Any
    tokens: Any
    reason: Any
    calls: list[tuple[str, tuple[str, ...], list[int]]] = field(default_factory=list)

    @property
    def table(self) -> pa.Table:
        return pa.table({"row": np.arange(len(self.a))})

    @property
    def metrics(self) -> list[Metric]:
        return find_metrics(self.names.split(","))

    def score(self, table: pa.Table, metrics: Sequence[Metric], precision: str) -> Collected:
        rows = table.column("row").to_numpy()
        at = np.ix_(rows, [self.names.split(",").index(metric.name) for metric in metrics])
        self.calls.append((precision, tuple(m.name for m in metrics), rows.tolist()))
        a, b = (self.a, self.b) if precision == "fp32" else (self.reduced_a, self.reduced_b)
        tokens, reason = self.tokens[at], self.reason[at]
        return Collected(list(metrics), a[at], b[at], tokens, tokens, reason)

    def run(self, seed: int = 0) -> tuple[Collected, dict[str, Any]]:
        return score_auto(self.score, self.table, self.metrics, reduced="bf16", seed=seed)

    def rows(self, precision: str) -> list[list[int]]:
        return [rows for used, _, rows in self.calls if used == precision]


def study(
    names: str = "cps", *, pairs: int = 400, error: float = 0.02, seed: int = 0, close: float = 0.05
) -> Study:
    """Differences of sd 1, a third of them `close`; an error of sd `error` a token on either side.

    As of a sum over n tokens it is error · sqrt(n), of a mean error / sqrt(n).
    """
    rng = np.random.default_rng(seed)
    metrics = find_metrics(names.split(","))
    shape = (pairs, len(metrics))
    spread = np.where(rng.random(shape) < 1 / 3, close, 1.0)
    a = rng.normal(-5, 3, shape)
    b = a + rng.normal(size=shape) * spread
    tokens = np.repeat(rng.integers(2, 60, size=(pairs, 1)), len(metrics), axis=1).astype(np.int32)
    scale = np.where([metric.error == "sum" for metric in metrics], tokens**0.5, tokens**-0.5)
    noise = [error * scale * rng.normal(size=shape) for _ in range(2)]
    reason = np.full(shape, None, dtype=object)
    return Study(names, a, b, a + noise[0], b + noise[1], tokens, reason)


def preferred(a: Any, b: Any) -> Any:
    return np.sign(a - b)


@pytest.mark.parametrize("names", ["cps", "aula", "cps,pll,aul,sss"])
def test_decisions_are_those_of_full_precision(names: str) -> None:
    again = []
    wrong = 0
    for seed in range(120):
        known = study(names, seed=seed)
        values, about = known.run(seed)
        exact = preferred(known.a, known.b)
        assert (preferred(values.value_a, values.value_b) == exact).all(), seed
        wrong += int((preferred(known.reduced_a, known.reduced_b) != exact).any())
        again.append(about["again"])
    assert wrong == 120  # the reduced precision alone decides some pairs otherwise, every time
    assert SAMPLE < np.mean(again) < 400


def test_only_the_pairs_within_the_bound_are_scored_again() -> None:
    known = study(error=0.01)
    values, about = known.run()
    again = sorted(row for rows in known.rows("fp32") for row in rows)
    assert len(again) == len(set(again)) == about["again"] < about["of"] == 400
    # the bound from what was scored again: four times their root mean square, or 1.2 times the most
    root = np.sqrt(known.tokens[:, 0])
    first = (known.reduced_a - known.reduced_b)[:, 0]
    errors = np.abs((known.a - known.b)[:, 0] - first)[again] / root[again]
    bound = max(4.0 * np.sqrt(np.mean(errors**2)), 1.2 * errors.max())
    assert about["bound"]["cps"] == pytest.approx(bound, rel=0.01)
    sample = known.rows("fp32")[0]
    assert len(sample) == SAMPLE
    close = np.flatnonzero(np.abs(first) <= bound * root)
    assert len(close) > SAMPLE and set(close) <= set(again)
    left = np.setdiff1d(np.arange(400), again)
    # exact where scored again, as it was where not
    assert (values.value_a[again] == known.a[again]).all()
    assert (values.value_a[left] == known.reduced_a[left]).all()


def test_larger_errors_widen_the_bound() -> None:
    found = [study(error=error).run()[1] for error in (0.001, 0.01, 0.1)]
    bounds = [about["bound"]["cps"] for about in found]
    assert 5 < bounds[1] / bounds[0] < 20 and 5 < bounds[2] / bounds[1] < 20
    assert found[0]["again"] < found[1]["again"] < found[2]["again"]


def test_errors_found_among_close_pairs_widen_the_bound_in_turn() -> None:
    """A sample that met small errors only is not the last word."""
    known = study(error=0.001, pairs=2000)
    first = known.run()[1]["bound"]["cps"]
    sample = known.rows("fp32")[0]
    known.calls.clear()
    # pairs that come out close by errors far larger than any in the sample
    rare = [row for row in range(2000) if row not in sample][::10]
    known.reduced_a[rare] = known.reduced_b[rare]
    values, about = known.run()
    assert (preferred(values.value_a, values.value_b) == preferred(known.a, known.b)).all()
    assert about["bound"]["cps"] > 20 * first
    assert len(known.rows("fp32")) >= 3


def test_one_large_error_rules_the_bound() -> None:
    """A pair that bf16 takes for a tie, by an error far beyond the others: 1.2 times that."""
    known = study(error=0.001, pairs=2000)
    difference = np.abs(known.a - known.b)[:, 0] / np.sqrt(known.tokens[:, 0])
    worst = int(np.argsort(difference)[1200])
    known.reduced_a[worst] = known.reduced_b[worst]
    values, about = known.run()
    assert values.value_a[worst] == known.a[worst]
    assert about["bound"]["cps"] == pytest.approx(1.2 * difference[worst], rel=0.01)


def test_metrics_have_bounds_of_their_own() -> None:
    known = study("cps,aul")
    known.reduced_a[:, 1], known.reduced_b[:, 1] = known.a[:, 1], known.b[:, 1]
    about = known.run()[1]
    assert about["bound"]["aul"] == 0.0 < about["bound"]["cps"]


def test_ties_are_looked_at_again() -> None:
    """Values rounded to quarters tie often; so few pairs tie in full precision."""
    known = study(pairs=200)
    known.a[:5] = known.b[:5]
    known.reduced_a, known.reduced_b = np.round(4 * known.a) / 4, np.round(4 * known.b) / 4
    assert (known.reduced_a == known.reduced_b).sum() > 30
    values, _ = known.run()
    assert (values.value_a == values.value_b).sum() == 5
    assert (preferred(values.value_a, values.value_b) == preferred(known.a, known.b)).all()


def test_no_error_at_all_leaves_the_sample_and_the_ties() -> None:
    known = study(pairs=100)
    known.a[90:] = known.b[90:]
    known.reduced_a, known.reduced_b = known.a.copy(), known.b.copy()
    about = known.run()[1]
    sample = set(known.rows("fp32")[0])
    assert about["bound"] == {"cps": 0.0}
    assert about["again"] == len(sample | set(range(90, 100)))


@pytest.mark.parametrize("pairs", [0, 1, 7, SAMPLE, SAMPLE + 1])
def test_few_pairs(pairs: int) -> None:
    """As many as the sample or fewer: all of them are scored in fp32."""
    known = study("cps,aul", pairs=pairs)
    values, about = known.run()
    assert values.value_a.shape == (pairs, 2)
    assert (preferred(values.value_a, values.value_b) == preferred(known.a, known.b)).all()
    assert about["again"] == pairs or pairs > SAMPLE
    assert set(about["bound"]) == {"cps", "aul"}


def test_pairs_that_are_left_out_ask_for_nothing() -> None:
    known = study(pairs=60)
    known.tokens[:] = -1
    known.reason[:] = "too-long"
    for values in (known.a, known.b, known.reduced_a, known.reduced_b):
        values[:] = np.nan
    found, about = known.run()
    assert (about["again"], about["bound"]) == (0, {"cps": 0.0})
    assert np.isnan(found.value_a).all() and (found.reason == "too-long").all()


def test_the_sample_holds_values_of_every_metric() -> None:
    """Pairs that are left out tell nothing of the errors; here most are, of one metric."""
    for seed in range(20):
        known = study("cps,sss", pairs=600, seed=seed, error=0.05)
        out = np.arange(600) % 10 != 0
        for values in (known.a, known.b, known.reduced_a, known.reduced_b):
            values[out, 1] = np.nan
        known.reason[out, 1] = "no-differing-tokens"
        values, about = known.run(seed)
        exact = preferred(known.a, known.b)
        same = (preferred(values.value_a, values.value_b) == exact) | np.isnan(exact)
        assert same.all(), seed
        sample = np.array(known.rows("fp32")[0])
        assert len(sample) > SAMPLE and (~out[sample]).sum() == SAMPLE
        assert about["bound"]["sss"] > 0


def test_a_value_that_sixteen_bits_cannot_hold_is_scored_in_full() -> None:
    known = study(pairs=90)
    known.reduced_a[[3, 50]] = known.reduced_b[[3, 50]] = np.nan
    exact = known.score

    def score(table: pa.Table, metrics: Sequence[Metric], precision: str) -> Collected:
        found = exact(table, metrics, precision)
        found.reason[np.isnan(found.value_a)] = "no-value"
        return found

    known.score = score  # type: ignore[method-assign]
    values, _ = known.run()
    assert (values.reason == None).all()  # noqa: E711
    assert (values.value_a[[3, 50]] == known.a[[3, 50]]).all()


def test_what_has_no_error_of_its_own_is_exact() -> None:
    """MBE compares sentences of all pairs, DBM probabilities; AULA is read in MBE's pass."""
    known = study("mbe,cps,dbm,aula,sjsd")
    values, about = known.run()
    assert [metric.name for metric in values.metrics] == ["mbe", "cps", "dbm", "aula", "sjsd"]
    exact = [0, 2, 3]
    assert (values.value_a[:, exact] == known.a[:, exact]).all()
    assert (values.value_b[:, exact] == known.b[:, exact]).all()
    whole = [(precision, names) for precision, names, rows in known.calls if len(rows) == 400]
    assert whole == [("bf16", ("cps", "sjsd")), ("fp32", ("mbe", "dbm", "aula"))]
    assert set(about["bound"]) == {"cps", "sjsd"}
    changed = values.value_a[:, 1] != known.a[:, 1]
    assert changed.any() and (values.value_a[changed, 1] == known.reduced_a[changed, 1]).all()


def test_only_exact_metrics_need_no_reduced_pass() -> None:
    known = study("mbe,dbm")
    values, about = known.run()
    assert [call[0] for call in known.calls] == ["fp32"]
    assert (about["again"], about["bound"]) == (0, {})
    assert (values.value_a == known.a).all()


def test_the_sample_is_drawn_by_the_seed() -> None:
    samples = []
    for seed in (0, 0, 1):
        known = study()
        known.run(seed)
        samples.append(known.rows("fp32")[0])
    assert samples[0] == samples[1] != samples[2]
    assert samples[0] == sorted(set(samples[0]))


SHARES = "cps,bsjsd,sss,aul,aula,sbm,pll"


def test_a_real_model_in_bf16(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
    torch.set_num_threads(1)
    from curate.scoring import Dataset, ModelSettings, Options, score_to_folder
    from curate.sources import read_pairs
    from tests.scoring.tiny_models import tiny_bert, word_pairs, write_pairs

    monkeypatch.setattr("curate.models.devices.reduced_precision", lambda device: "bf16")
    model = str(tiny_bert(tmp_path / "tiny", layers=2))
    path = write_pairs(tmp_path / "pairs.tsv", word_pairs(300))
    table = read_pairs(path, columns=("a", "b"), lang="en")
    runs = {
        precision: score_to_folder(
            table, tmp_path / precision, settings=ModelSettings(model=model, precision=precision),
            metrics=find_metrics(SHARES.split(",")), dataset=Dataset("toy", "1"), options=Options(),
        )
        for precision in ("fp32", "bf16", "auto")
    }  # fmt: skip
    decided = {
        precision: [np.sign(row["value_a"] - row["value_b"]) for row in run.scores.to_pylist()]
        for precision, run in runs.items()
    }
    assert decided["auto"] == decided["fp32"] != decided["bf16"]
    for exact, found in zip(runs["fp32"].summary, runs["auto"].summary, strict=True):
        for name in ("value", "ci_low", "ci_high", "n", "n_tied", "n_dropped"):
            assert exact[name] == found[name]
        assert (found["precision"], found["auto"]["reduced"]) == ("auto", "bf16")
        assert SAMPLE < found["auto"]["again"] < found["auto"]["of"] == 300
        assert set(found["auto"]["bound"]) == set(SHARES.split(","))

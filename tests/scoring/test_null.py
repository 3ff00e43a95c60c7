"""What no preference looks like: noise, models that have learnt nothing, exchanged columns."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from tests.scoring.conftest import FAMILIES, SIXTY_PAIRS, Pairs, bert, save, wordpiece

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
torch.set_num_threads(1)  # models this small only lose by being shared

COLUMNS = ("sent_more", "sent_less")


def score(table: pa.Table, scorer: Any, metrics: Sequence[str], **more: Any) -> Any:
    from curate.scoring import Dataset, find_metrics, score_pairs

    return score_pairs(
        table, scorer=scorer, metrics=find_metrics(list(metrics)), dataset=Dataset("d", "1"), **more
    )


def read(path: Path, columns: tuple[str, str] = COLUMNS) -> pa.Table:
    from curate.sources import read_pairs

    return read_pairs(path, columns=columns, lang="en")


# --- noise --------------------------------------------------------------------------------------

NOISY_PAIRS, NOISY_SETS = 60, 200
NULLS = {"cps": 50.0, "bsjsd": 50.0, "sss": 50.0, "aula": 50.0, "pll": 50.0, "sjsd": 0.0,
         "mbe": 50.0}  # fmt: skip


@dataclass
class Noise:
    """A masked model whose every answer is drawn anew, whatever it is asked."""

    random: np.random.Generator
    name: str = "noise"
    revision: str = "r1"
    mask_id: int = 4
    asked: dict[str, int] = field(default_factory=dict)

    def encode(self, texts: Sequence[str], *, words: bool) -> list[Any]:
        """`he 17` and `she 17` share the three tokens of the number 17."""
        from curate.models.encoding import Body

        rows = []
        for text in texts:
            who, number = text.split()
            at = 100 + 3 * int(number)
            rows.append(Body((2, 10 + len(who), at, at + 1, at + 2, 3), (1, 2, 3, 4)))
        return rows

    def read(
        self, contexts: Sequence[Any], *, on_done: Callable[[int], None] | None = None
    ) -> list[Any]:
        from curate.models.masked import TokenScores

        drawn = self.random.exponential(3.0, size=len(contexts))
        return [TokenScores(np.array([-x]), np.array([x < 0.5])) for x in drawn]

    def sentences(self, bodies: Sequence[Any], *, attention: bool, embedding: bool) -> list[Any]:
        from curate.models.aul import AulScore

        rows = []
        for body in bodies:
            vector = self.random.normal(1.0, 1.0, size=8).astype(np.float32)
            aul, aula = -self.random.exponential(size=2)
            rows.append(AulScore(aul, aula, len(body.own), None, vector))
        return rows


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The records of every metric on as many sets of noise as there are."""
    path = tmp_path_factory.mktemp("noise") / "pairs.tsv"
    lines = [f"he {at}\tshe {at}" for at in range(NOISY_PAIRS)]
    path.write_text("\n".join(["\t".join(COLUMNS), *lines, ""]), encoding="utf-8")
    table = read(path)
    found: dict[str, list[dict[str, Any]]] = {}
    for seed in range(NOISY_SETS):
        scorer = Noise(np.random.default_rng(seed))
        for record in score(table, scorer, list(NULLS), seed=seed, resamples=499).summary:
            found.setdefault(record["metric"], []).append(record)
    return found


@pytest.mark.parametrize("metric", NULLS)
def test_noise_has_no_preference(metric: str, noisy: dict[str, list[dict[str, Any]]]) -> None:
    """The 95 % interval holds the null in 95 % of the sets, up to chance (1 in 1000 each side)."""
    records, null = noisy[metric], NULLS[metric]
    assert {record["n"] for record in records} == {NOISY_PAIRS}
    assert {record["no_preference"] for record in records} == {null}
    inside = sum(record["ci_low"] <= null <= record["ci_high"] for record in records)
    low, high = stats.binom.ppf([0.001, 0.999], NOISY_SETS, 0.95)
    assert low <= inside <= high
    values = np.array([record["value"] for record in records])
    assert abs(values.mean() - null) <= 4 * values.std(ddof=1) / np.sqrt(NOISY_SETS)
    assert values.std(ddof=1) > 0


# --- models that have learnt nothing ------------------------------------------------------------

MODELS = range(30)
UNTAUGHT = {"cps": 50.0, "sss": 50.0, "aul": 50.0, "aula": 50.0, "sjsd": 0.0}


@dataclass
class Untaught:
    """The records of every metric by model, and the values of AULA with their tokens."""

    records: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    aula: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture(scope="module")
def untaught(tmp_path_factory: pytest.TempPathFactory, sixty: Pairs) -> Untaught:
    """Thirty models of random weights; every letter is known, so that no two sides are the same."""
    table = read(SIXTY_PAIRS)
    found = Untaught()
    for seed in MODELS:
        scorer = random_model(seed, sixty, tmp_path_factory.mktemp(f"seed{seed}"))
        run = score(table, scorer, list(UNTAUGHT), resamples=99)
        for record in run.summary:
            found.records.setdefault(record["metric"], []).append(record)
        found.aula += [row for row in run.scores.to_pylist() if row["metric"] == "aula"]
    return found


def random_model(seed: int, sixty: Pairs, folder: Path) -> Any:
    from curate.models.masked import load_model

    torch.manual_seed(seed)
    tokenizer = wordpiece([text for pair in sixty for text in pair], 600, least=1)
    model = bert(len(tokenizer), hidden_size=16, num_attention_heads=2, intermediate_size=32)
    return load_model(str(save(folder, tokenizer, model)), precision="fp32", device="cpu")


@pytest.mark.parametrize("metric", UNTAUGHT)
def test_random_weights_prefer_neither_side_on_average(metric: str, untaught: Untaught) -> None:
    """Over thirty models the mean is where it should be; any one of them may well take sides."""
    values = np.array([record["value"] for record in untaught.records[metric]])
    spread = stats.t.ppf(0.975, len(MODELS) - 1) * values.std(ddof=1) / np.sqrt(len(MODELS))
    assert abs(values.mean() - UNTAUGHT[metric]) <= spread
    assert values.std(ddof=1) > 0


def test_one_random_model_may_take_sides(tmp_path: Path, sixty: Pairs) -> None:
    """Weights drawn once say the same of every pair in which the same words differ.

    Where all pairs are *He* against *She*, they are not independent: a random model has a
    preference, of either direction, and an interval that knows only of pairs excludes 50.
    """
    rests = [a.split(" ", 1)[1] for a, _ in sixty if " " in a]
    lines = [f"He {rest}\tShe {rest}" for rest in rests]
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *lines, ""]), encoding="utf-8")
    table = read(path)
    records = [
        score(table, random_model(seed, sixty, tmp_path / str(seed)), ["sss"]).summary[0]
        for seed in range(5)
    ]
    assert any(record["ci_low"] > 50.0 for record in records)
    assert any(record["ci_high"] < 50.0 for record in records)


def test_attention_favours_the_longer_side(untaught: Untaught) -> None:
    """AULA weighs by attention, which is shared out: the more tokens, the less each ln p counts.

    So a model that has learnt nothing finds the longer side of a pair likelier, nine times in ten.
    The sixty pairs have the longer side first as often as second, or the test above would fail.
    """
    rows = [row for row in untaught.aula if row["n_tokens_a"] != row["n_tokens_b"]]
    longer_first = [row["n_tokens_a"] > row["n_tokens_b"] for row in rows]
    assert sum(longer_first) * 2 == len(rows)
    agree = [
        (row["value_a"] > row["value_b"]) == longer
        for row, longer in zip(rows, longer_first, strict=True)
    ]
    assert np.mean(agree) > 0.85


# --- exchange -----------------------------------------------------------------------------------

EXCHANGED = ("cps", "sjsd", "bsjsd", "acc", "sss", "aul", "aula", "sbm", "pll", "mbe")


@pytest.mark.parametrize("masking", ["token", "within-word"])
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_exchanging_the_columns_mirrors_everything(
    family: str, masking: str, oracle_folders: dict[str, Path]
) -> None:
    from curate.models.masked import load_model

    scorer = load_model(str(oracle_folders[family]), precision="fp32", device="cpu")
    more = {"options": {"masking": masking}, "resamples": 99}
    one = score(read(SIXTY_PAIRS), scorer, EXCHANGED, **more)
    other = score(read(SIXTY_PAIRS, ("sent_less", "sent_more")), scorer, EXCHANGED, **more)
    values = [
        {(row["metric"], row["row"]): (row[x], row[y], row[f"n_tokens_{x[-1]}"]) for row in rows}
        for rows, x, y in (
            (one.scores.to_pylist(), "value_a", "value_b"),
            (other.scores.to_pylist(), "value_b", "value_a"),
        )
    ]
    assert values[0] == values[1]  # to the last bit
    assert len(values[0]) == 60 * len(EXCHANGED)
    for ours, theirs in zip(one.summary, other.summary, strict=True):
        mirrors(ours, theirs)


def mirrors(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """share -> 100 - share - ties, mean -> -mean, a rate of both sides stays."""
    for same in ("metric", "n", "n_tied", "n_dropped", "dropped"):
        assert ours[same] == theirs[same], ours["metric"]
    if ours["metric"] == "acc":
        assert ours["value"] == pytest.approx(theirs["value"])
    elif ours["metric"] == "sjsd":
        assert ours["value"] == pytest.approx(-theirs["value"], abs=1e-12)
    elif ours["metric"] == "mbe":  # its ties are of sentences, and weigh γ: at most what is left
        left = 100.0 - ours["value"] - theirs["value"]
        assert left > 0 if ours["n_tied"] else left == pytest.approx(0.0, abs=1e-9)
    else:
        tied = 100 * ours["n_tied"] / ours["n"]
        assert ours["value"] + theirs["value"] + tied == pytest.approx(100.0), ours["metric"]


def test_the_sixty_pairs_can_be_read_by_everybody() -> None:
    """Plain TSV: no quoting, no empty cell, no text twice on both sides."""
    with SIXTY_PAIRS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))
    assert [len(row) for row in rows] == [3] * 61
    assert all(cell.strip() == cell != "" for row in rows for cell in row)
    assert all(a != b for a, b, _ in rows)

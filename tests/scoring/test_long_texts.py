"""Texts of thousands of words: left out by code or valued whole, in memory that stays small."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from curate.scoring import Dataset, Options, find_metrics, score_pairs
from curate.scoring.contexts import MaskedPlaces, written_out
from curate.scoring.metric import Need
from curate.scoring.reading import read_pairs_once
from curate.sources import read_pairs
from tests.scoring.tiny_models import OTHERS, tiny_bert, word_pairs, write_pairs

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
torch.set_num_threads(1)


def long_pair(words: int, *, differing: int = 1) -> tuple[str, str]:
    choose = random.Random(words)  # noqa: S311
    man = choose.choices(OTHERS[:-2], k=words)
    woman = man.copy()
    for at in choose.sample(range(words), differing):
        man[at], woman[at] = "he", "she"
    return " ".join(man), " ".join(woman)


def scored(path: Path, scorer: Any, metrics: str) -> Any:
    pairs = read_pairs(path, columns=("a", "b"), lang="en")
    names = metrics.split(",")
    dataset = Dataset("toy", "1")
    return score_pairs(pairs, scorer=scorer, metrics=find_metrics(names), dataset=dataset)


def test_a_text_longer_than_the_model_reads_is_left_out(tmp_path: Path) -> None:
    from curate.models.masked import load_model

    model = load_model(str(tiny_bert(tmp_path / "tiny", positions=64)), device="cpu")
    path = write_pairs(tmp_path / "pairs.tsv", [*word_pairs(3), long_pair(5000)])
    run = scored(path, model, "cps,aul,sss,acc")
    for record in run.summary:
        assert (record["n"], record["dropped"]) == (3, {"too-long": 1})
    last = [row for row in run.scores.to_pylist() if row["row"] == 3]
    assert [row["value_a"] for row in last] == [None] * 4


def test_a_text_that_the_model_reads_is_valued_whole(tmp_path: Path) -> None:
    """AUL against the whole model at once; a limit of the user's own leaves it out again."""
    from transformers import AutoModelForMaskedLM

    from curate.models.masked import load_model

    folder = tiny_bert(tmp_path / "tiny", size=16, positions=8192)
    texts = long_pair(5000)
    path = write_pairs(tmp_path / "pairs.tsv", [("he sat", "she sat"), texts])
    run = scored(path, load_model(str(folder), device="cpu"), "aul")
    assert run.summary[0]["n"] == 2
    row = run.scores.to_pylist()[1]
    assert (row["n_tokens_a"], row["n_tokens_b"]) == (5000, 5000)
    model = load_model(str(folder), device="cpu")
    body = model.encode([texts[0]])[0]
    assert not isinstance(body, str)
    ids = torch.tensor([body.ids])
    whole = AutoModelForMaskedLM.from_pretrained(folder).eval()
    with torch.no_grad():
        logp = whole(ids).logits[0].log_softmax(-1)
    expected = float(logp.gather(1, ids[0][:, None])[1:-1].double().mean())
    assert row["value_a"] == pytest.approx(expected, abs=1e-4)
    short = scored(path, load_model(str(folder), device="cpu", max_length=512), "cps,aul")
    for record in short.summary:
        assert (record["n"], record["dropped"]) == (1, {"too-long": 1})


@dataclass
class Body:
    ids: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int, ...] = ()


@dataclass
class Score:
    logp: Any
    best: Any


@dataclass
class Counting:
    """A model that computes nothing, and counts the ids that it is given at a time."""

    mask_id: int = 4
    held: list[int] = field(default_factory=list)

    def encode(self, texts: Sequence[str], *, words: bool) -> list[Body]:
        known: dict[str, int] = {}
        found = []
        for text in texts:
            ids = [10 + known.setdefault(word, len(known)) for word in text.split()]
            own = tuple(range(1, len(ids) + 1))
            found.append(Body((2, *ids, 3), own, own if words else ()))
        return found

    def read(self, contexts: Sequence[Any], *, on_done: Callable[[int], None]) -> list[Score]:
        self.held.append(sum(len(context.ids) for context in contexts))
        on_done(len(contexts))
        return [
            Score(np.array([float(sum(one.entries))] * len(one.places)), np.array([True]))
            for one in contexts
        ]


MASKED = Need.SHARED | Need.EVERY | Need.DIFFERING


def reading(pairs: Sequence[tuple[str, str]], scorer: Any, **options: Any) -> Any:
    table = pa.table({"masculine": [a for a, _ in pairs], "feminine": [b for _, b in pairs]})
    heard = options.pop("heard", None)
    return read_pairs_once(table, scorer, needs=MASKED, options=Options(**options), on_share=heard)


def test_contexts_of_a_long_text_are_held_in_part() -> None:
    """3,000 tokens, 6,000 contexts: 18 million ids (144 MB, and as much again for the model)."""
    counting = Counting()
    pair = long_pair(2998, differing=3)
    tracemalloc.start()
    found = reading([pair], counting)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(counting.held) <= 5_000_000
    # every token once for CPS and PLL together, and the differing ones at once
    assert sum(counting.held) == 2 * (2998 + 1) * 3000
    assert peak < 110e6, f"{peak / 1e6:.0f} MB"
    assert len(found[0].a.every.logp) == 2998 and len(found[0].a.shared.logp) == 2995
    assert len(found[0].b.differing.logp) == 3


@pytest.mark.parametrize("masking", ["token", "within-word"])
def test_how_many_are_held_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, masking: str
) -> None:
    from curate.models.masked import load_model

    model = load_model(str(tiny_bert(tmp_path / "tiny")), device="cpu")
    pairs = [*word_pairs(12), ("he sat", "she ran")]
    plain = reading(pairs, model, masking=masking)
    for most in (1, 23, 200):
        monkeypatch.setattr("curate.scoring.reading._MOST_IDS", most)
        shares: list[float] = []
        other = reading(pairs, model, masking=masking, heard=shares.append)
        assert shares == sorted(shares) and shares[-1] == 1.0
        for one, two in zip(plain, other, strict=True):
            for side in ("a", "b"):
                for name in ("shared", "differing", "every"):
                    x, y = (getattr(getattr(p, side), name) for p in (one, two))
                    assert x.logp.tobytes() == y.logp.tobytes(), (most, name)
                    assert x.best.tolist() == y.best.tolist()


def test_contexts_are_written_out_in_order() -> None:
    body: Any = Body((2, 10, 11, 12, 3), (1, 2, 3))
    contexts = [MaskedPlaces(body, (at,), (at,)) for at in (1, 2, 3)]
    contexts.append(MaskedPlaces(body, (1, 2), (2,)))
    for most, sizes in (
        (1, [1, 1, 1, 1]),
        (5, [1, 1, 1, 1]),
        (14, [2, 2]),
        (15, [3, 1]),
        (99, [4]),
    ):
        parts = list(written_out(contexts, 4, most=most))
        assert [len(part) for part in parts] == sizes
        flat = [one for part in parts for one in part]
        assert [one.ids for one in flat] == [
            (2, 4, 11, 12, 3), (2, 10, 4, 12, 3), (2, 10, 11, 4, 3), (2, 4, 4, 12, 3),
        ]  # fmt: skip
        assert [(one.places, one.entries) for one in flat] == [
            ((1,), (10,)), ((2,), (11,)), ((3,), (12,)), ((2,), (11,)),
        ]  # fmt: skip
    assert list(written_out([], 4, most=10)) == []

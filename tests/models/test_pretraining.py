"""Training: the data it draws, the schedule, resuming, the exported folder."""

from __future__ import annotations

import gzip
import itertools
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForMaskedLM, AutoTokenizer

from curate.errors import InputError, UsageError
from curate.models.info import describe_model
from curate.models.masked import MaskedText, load_model
from curate.models.pretraining.batches import IGNORED, Batches
from curate.models.pretraining.corpus import Source, is_held_out, read_sentences, split
from curate.models.pretraining.evaluate import masked_accuracy
from curate.models.pretraining.prepare import prepare
from curate.models.pretraining.run import pretrain
from curate.models.pretraining.train import TrainConfig, learning_rate
from curate.models.pretraining.vocabulary import SPECIAL, train_tokenizer

TINY = TrainConfig(
    steps=12, batch_tokens=256, hidden=16, layers=1, heads=2, checkpoint_every=4, bf16=False
)
SUBJECTS = ["He", "She", "The king", "My grandmother", "Er", "Die Königin", "他"]
ENDS = ["is here.", "was late again.", "sang a song.", "left the house.", "ist da.", "来了。"]


def sentences(count: int = 400) -> list[str]:
    rng = random.Random(5)  # noqa: S311
    return [
        f"{rng.choice(SUBJECTS)} {rng.choice(ENDS)} {rng.randrange(1000)}" for _ in range(count)
    ]


@pytest.fixture
def sources(tmp_path: Path) -> list[Source]:
    path = tmp_path / "en.txt.gz"
    path.write_bytes(gzip.compress("\n".join(sentences()).encode()))
    extra = tmp_path / "more.txt"
    extra.write_text("A line of prose.\nAnd one more.\n\n", encoding="utf-8")
    return [
        Source("en", path, weight=0.9, name="Made up", licence="CC0"),
        Source("en", extra, evaluate=False, weight=0.1),
    ]


WORDS = ["grandmother", "Königin"]


def run(sources: list[Source], folder: Path, config: TrainConfig = TINY) -> Path:
    pretrain(sources, folder, config=config, words=WORDS, vocabulary=200)
    return folder / "model"


def weights(model: Path) -> dict[str, torch.Tensor]:
    return dict(AutoModelForMaskedLM.from_pretrained(model).state_dict())


def test_a_run_cut_off_ends_with_the_weights_of_an_undisturbed_one(
    sources: list[Source], tmp_path: Path
) -> None:
    whole, cut, seed = (tmp_path / name for name in ("whole", "cut", "seed"))
    prepare(sources, whole, words=WORDS, vocabulary=200, max_length=TINY.max_length)
    shutil.copytree(whole, cut)
    shutil.copytree(whole, seed)
    undisturbed = weights(run(sources, whole))
    stopped = pretrain(sources, cut, config=TINY, words=WORDS, vocabulary=200, minutes=1e-9)
    assert stopped.steps_done == 1 and stopped.model is None

    class Killed(Exception):
        pass

    def kill(step: int, loss: float, rate: float) -> None:
        if step == 7:
            raise Killed

    with pytest.raises(Killed):
        pretrain(sources, cut, config=TINY, words=WORDS, vocabulary=200, on_step=kill)
    resumed = weights(run(sources, cut))
    assert resumed.keys() == undisturbed.keys()
    assert all(torch.equal(resumed[name], undisturbed[name]) for name in undisturbed)
    other = weights(run(sources, seed, replace(TINY, seed=14)))
    name = "bert.encoder.layer.0.output.dense.weight"
    assert not torch.equal(other[name], undisturbed[name])


def test_the_export_opens_and_says_what_it_is(sources: list[Source], tmp_path: Path) -> None:
    model = run(sources, tmp_path / "run")
    card = json.loads((model / "card.json").read_text(encoding="utf-8"))
    held = split(sources[0])[1]
    tokenizer = AutoTokenizer.from_pretrained(model)
    opened = AutoModelForMaskedLM.from_pretrained(model, dtype=torch.float32)
    share, count = masked_accuracy(opened, tokenizer, held, seed=1, max_length=128)
    assert card["held_out_accuracy"] == {
        "en": {"top1": round(share, 4), "tokens": count, "sentences": len(held)}
    }
    assert card["parameters"] == opened.num_parameters()
    assert [s["sentences"] for s in card["sources"]] == [len(set(sentences())) - len(held), 2]
    assert 0 < card["tokens_seen"] <= TINY.steps * TINY.batch_tokens
    readme = (model / "README.md").read_text(encoding="utf-8")
    assert "license: cc-by-4.0" in readme and "Made up" in readme and "CC0" in readme
    assert "not findings about any known model" in readme and "{" not in readme
    assert tokenizer.tokenize("grandmother") == ["grandmother"]
    described = describe_model(str(model))
    assert described["parameters"] == card["parameters"] and described["card"] == card
    engine = load_model(str(model))
    fill = engine.fill([MaskedText("He is here.", 0, 2)], candidates=[["grandmother"]])[0]
    assert 0 < fill.words["grandmother"] < 1 and engine.revision == described["revision"]


def test_other_text_or_settings_do_not_go_on(sources: list[Source], tmp_path: Path) -> None:
    run(sources, tmp_path / "run", replace(TINY, steps=2))
    with pytest.raises(UsageError, match="steps"):
        run(sources, tmp_path / "run")
    with pytest.raises(UsageError, match="other text"):
        run([replace(sources[0], weight=0.5), sources[1]], tmp_path / "run")


def test_bad_text_is_named_with_its_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"fine\n" + "schön\n".encode("latin-1"))
    with pytest.raises(InputError) as raised:
        list(read_sentences(bad))
    assert raised.value.where.startswith(str(bad))
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="no text"):
        split(Source("en", empty))
    with pytest.raises(InputError):
        list(read_sentences(tmp_path / "missing.txt.gz"))


def test_held_out_sentences_are_one_in_fifty_and_never_trained_on(sources: list[Source]) -> None:
    train_on, held = split(sources[0])
    assert held and not set(train_on) & set(held)
    assert set(train_on) | set(held) == set(sentences())
    many = sum(is_held_out(f"sentence {n}") for n in range(20_000))
    assert many == pytest.approx(400, rel=0.2)


@given(step=st.integers(0, 5000), seed=st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_batches_hold_the_budget_and_mask_what_they_ask_for(step: int, seed: int) -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(3, 40, size=200)
    flat = rng.integers(len(SPECIAL), 90, size=int(lengths.sum())).astype(np.uint16)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    config = replace(TINY, seed=seed)
    batches = Batches([(flat, offsets)], [1.0], config)
    inputs, attention, labels = batches.at(step, 4, 90, len(SPECIAL))
    assert inputs.shape == attention.shape == labels.shape
    assert inputs.size <= config.batch_tokens
    assert int(attention.sum()) == batches.tokens(step)
    kept = labels == IGNORED
    assert np.all(attention[~kept] == 1)
    again = Batches([(flat, offsets)], [1.0], config).at(step, 4, 90, len(SPECIAL))
    for first, second in zip((inputs, attention, labels), again, strict=True):
        assert np.array_equal(first, second)


def test_the_learning_rate_rises_stays_and_falls_to_zero() -> None:
    config = TrainConfig(steps=1000, learning_rate=1.0, warmup=0.1, decay=0.3)
    rates = [learning_rate(step, config) for step in range(1001)]
    assert rates[0] == pytest.approx(0.01) and rates[99] == 1.0 and rates[500] == 1.0
    assert rates[850] == pytest.approx(0.5) and rates[1000] == 0.0
    assert all(a <= b for a, b in itertools.pairwise(rates[:101]))
    assert all(a >= b for a, b in itertools.pairwise(rates[700:]))


def test_training_learns(sources: list[Source], tmp_path: Path) -> None:
    losses: list[float] = []
    pretrain(
        sources, tmp_path / "run", config=replace(TINY, steps=60, learning_rate=0.01), words=[],
        vocabulary=200, on_step=lambda step, loss, rate: losses.append(loss),
    )  # fmt: skip
    assert sum(losses[-10:]) < 0.8 * sum(losses[:10])


def test_given_words_become_whole_entries() -> None:
    words = ["Schwiegermutter", "姐姐", "grandmother", "mother-in-law"]
    lines = [*sentences(100), "我的姐姐来了。"] * 3
    tokenizer = train_tokenizer(iter(lines), words=words, size=150, max_length=64)
    assert len(tokenizer) <= 150
    for word in words[:3]:
        assert tokenizer.tokenize(word) == [word]
    assert tokenizer("他姐姐来了")["input_ids"][0] == tokenizer.cls_token_id


def test_a_finished_run_is_left_as_it_is(sources: list[Source], tmp_path: Path) -> None:
    model = run(sources, tmp_path / "run")
    before = weights(model)
    state = (tmp_path / "run" / "state.safetensors").stat().st_mtime_ns
    run(sources, tmp_path / "run")
    assert (tmp_path / "run" / "state.safetensors").stat().st_mtime_ns == state
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights(model).items())

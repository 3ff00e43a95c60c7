"""Lexica of any scale, their merging, and what a merged lexicon is worth."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from curate.errors import InputError, UsageError
from curate.politicians.study.inputs import by_language, expected_sentiment, read_supersenses
from curate.politicians.study.latent import SENTIMENTS
from curate.politicians.study.lexica import View, make_view, parse_scale, read_view
from curate.politicians.study.lexicon_adapters import Entry
from curate.politicians.study.sentiment_evaluation import label_words, split_words
from curate.politicians.study.sentivae import Training, merge_lexica, train_sentivae

torch = pytest.importorskip("torch")


def view(name: str, scale: str, values: dict[str, str]) -> View:
    entries = [Entry(word, value, "here") for word, value in values.items()]
    return make_view(name, parse_scale(scale), entries)


def test_scales() -> None:
    assert parse_scale("-4..4").low == -4
    scale = parse_scale("negative < neutral < positive")
    assert scale.categories == ("negative", "neutral", "positive")
    assert scale.polarities.tolist() == [-1, 0, 1]


@pytest.mark.parametrize("text", ["1..1", "positive", "a<a", "", "a..b"])
def test_what_is_no_scale(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_scale(text)


def test_own_format_continuous(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("word\tvalue\tscale\ngood\t4\t0..4\nbad\t0\t0..4\nbad\t1\t0..4\n")
    found = read_view(path)
    assert dict(zip(found.words, found.polarity.tolist(), strict=True)) == {"good": 1, "bad": -0.75}


def test_own_format_categories_and_doubts(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.csv"
    scale = "no<yes"
    path.write_text(f"word,value,scale\na,yes,{scale}\nb,no,{scale}\nc,no,{scale}\nc,yes,{scale}\n")
    found = read_view(path)
    assert found.values.tolist() == [[0, 1], [1, 0], [0.5, 0.5]]


def test_own_format_merged(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("word\tnegative\tneutral\tpositive\nfine\t1\t1\t6\n")
    found = read_view(path)
    assert found.values.tolist() == [[0.125, 0.125, 0.75]]
    sentiment, _ = expected_sentiment([found])
    assert sentiment["fine"] == [0.125, 0.125, 0.75]  # as written, not shrunk once more


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word\tvalue\tscale\na\t5\t0..4\n", "outside the scale"),
        ("word\tvalue\tscale\na\tx\t0..4\n", "no number"),
        ("word\tvalue\tscale\na\tmaybe\tno<yes\n", "none of no, yes"),
        ("word\tvalue\tscale\na\t1\t0..4\nb\t1\t0..5\n", "2 scales"),
        ("word\tvalue\na\t1\n", "no column 'scale'"),
        ("word\tvalue\tscale\na\t1\t4..0\n", "no width"),
        ("word\tnegative\tneutral\tpositive\na\t0\t0\t0\n", "not positive"),
    ],
)
def test_what_is_no_lexicon(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_view(path)


def test_adapter_subtracts_splits_and_replaces(tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("a 1 0.25 0.75 bad,very_bad\na 2 1.0 0.0 good\n")
    adapter = tmp_path / "adapter.toml"
    adapter.write_text(
        'name = "two scores"\nscale = "-1..1"\ndelimiter = "space"\nword = 5\nvalue = 3\n'
        'minus = 4\nsplit = ","\n[replace]\n"_" = " "\n[[file]]\npath = "data.txt"\n'
    )
    found = read_view(adapter)
    assert found.name == "two scores"
    assert dict(zip(found.words, found.polarity.tolist(), strict=True)) == {
        "bad": -0.5, "very bad": -0.5, "good": 1.0,
    }  # fmt: skip


def test_adapter_reads_lists_of_words(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("; head\nbad\n\nawful\n")
    (tmp_path / "p.txt").write_text("good\n")
    adapter = tmp_path / "adapter.toml"
    adapter.write_text(
        'scale = "negative<positive"\ncomment = ";"\n[[file]]\npath = "n.txt"\nvalue = "negative"\n'
        '[[file]]\npath = "p.txt"\nvalue = "positive"\n'
    )
    found = read_view(adapter)
    assert found.words == ("awful", "bad", "good")
    assert found.polarity.tolist() == [-1, -1, 1]


def test_adapter_joins_columns_and_leaves_empty_values_out(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("w,how,what\nodd,weak,negative\nfine,,\n")
    adapter = tmp_path / "adapter.toml"
    adapter.write_text(
        'scale = "weak negative<weak positive"\ndelimiter = ","\nheader = true\nword = "w"\n'
        'value = "how,what"\n[[file]]\npath = "d.csv"\n'
    )
    assert read_view(adapter).words == ("odd",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scale = ", "not TOML"),
        ('scale = "0..1"\n', "no key 'file'"),
        ('scale = "0..1"\nspeed = 3\n[[file]]\npath = "d"\n', "unknown key 'speed'"),
    ],
)
def test_what_is_no_adapter(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "adapter.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_view(path)


def noisy_views(gold: dict[str, str], *, seed: int) -> list[View]:
    """Four lexica of different scales, coverage and reliability, that tell of the same words."""
    random = np.random.default_rng(seed)
    words = sorted(gold)
    place = {"negative": -1.0, "neutral": 0.0, "positive": 1.0}
    truth = np.array([place[gold[word]] for word in words])

    def some(share: float) -> np.ndarray:
        return np.flatnonzero(random.random(len(words)) < share)

    told = truth + random.normal(0, 0.8, len(words))
    stars = np.clip(np.round(2 + truth + random.normal(0, 0.9, len(words))), 0, 4)
    sign = np.where(truth + random.normal(0, 0.7, len(words)) > 0, "positive", "negative")
    third = np.where(random.random(len(words)) < 0.3, random.choice(list(place), len(words)), "")
    return [
        view("real", "-3..3", {words[a]: str(np.clip(told[a], -3, 3)) for a in some(0.7)}),
        view("stars", "0<1<2<3<4", {words[a]: str(int(stars[a])) for a in some(0.6)}),
        view("sign", "negative<positive", {words[a]: str(sign[a]) for a in some(0.6)}),
        view(
            "three", "negative<neutral<positive",
            {words[a]: str(third[a] or gold[words[a]]) for a in some(0.5)},
        ),
    ]  # fmt: skip


def published(folder: Path) -> dict[str, str]:
    """Labels of the English words on which five lexica and more agree to have something to say."""
    gold = {}
    with gzip.open(folder / "sentiment/sentivae_en_sent_dict.csv.gz", "rt", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            weights = [float(row[f"alpha_{number}"]) for number in (1, 3, 2)]
            if sum(weights) >= 5:
                gold[row[""]] = SENTIMENTS[int(np.argmax(weights))]
    return gold


def right(one: View, gold: dict[str, str], held: list[str]) -> list[bool]:
    told = label_words(one, neutral=True)
    return [told.get(word) == gold[word] for word in held]


def beats_the_best(gold: dict[str, str], *, seed: int, steps: int) -> tuple[float, float]:
    """Accuracies on held-out words: of the merged lexicon, and of the best single one."""
    views = noisy_views(gold, seed=seed)
    kept, held = split_words(list(gold), share=0.2, seed=seed)
    assert not set(kept) & set(held)
    model = train_sentivae([one.without(held) for one in views], training=Training(steps=steps))
    single = [np.mean(right(one, gold, held)) for one in views]
    own = right(model.merge(views).view(), gold, held)
    low = np.mean(own) - 1.96 * np.std(own) / np.sqrt(len(own))
    return float(low), float(max(single))


@pytest.mark.parametrize("seed", [0, 1])
def test_merged_beats_the_best_single_lexicon_on_held_out_words(seed: int) -> None:
    random = np.random.default_rng(seed)
    gold = {f"w{n}": SENTIMENTS[kind] for n, kind in enumerate(random.integers(0, 3, 1_500))}
    merged, best = beats_the_best(gold, seed=seed, steps=300)
    assert merged > best


@pytest.mark.parametrize("seed", [0, 1])
def test_merged_beats_the_best_on_the_published_english_words(shared_data: Path, seed: int) -> None:
    gold = published(shared_data)
    assert len(gold) > 10_000
    merged, best = beats_the_best(gold, seed=seed, steps=300)
    assert merged > best


def test_sentiments_stay_in_their_places() -> None:
    values = {f"w{n}": str(n / 50 - 1) for n in range(101)}
    merged = merge_lexica([view("one", "-1..1", values)], training=Training(steps=200))
    mean = dict(zip(merged.words, merged.mean, strict=True))
    assert mean["w0"].argmax() == 0
    assert mean["w100"].argmax() == 2
    assert mean["w100"][2] > mean["w60"][2] > mean["w10"][2]
    # one lexicon adds a mass of one to a flat prior of three
    assert merged.concentration.sum(axis=1) == pytest.approx(4.0)


def test_more_lexica_make_a_word_surer() -> None:
    gold = {f"w{n}": SENTIMENTS[n % 3] for n in range(300)}
    merged = merge_lexica(noisy_views(gold, seed=0), training=Training(steps=50))
    masses = merged.concentration.sum(axis=1).round(4)
    assert set(masses) <= {4.0, 5.0, 6.0, 7.0}
    assert len(set(masses)) == 4


def test_same_seed_same_lexicon() -> None:
    gold = {f"w{n}": SENTIMENTS[n % 3] for n in range(60)}
    views = noisy_views(gold, seed=0)
    state = torch.random.get_rng_state()
    one, two = (merge_lexica(views, training=Training(steps=20, seed=4)) for _ in range(2))
    assert np.array_equal(one.concentration, two.concentration)
    assert torch.equal(state, torch.random.get_rng_state())


def test_turning_every_scale_turns_the_sentiments() -> None:
    gold = {f"w{n}": SENTIMENTS[n % 3] for n in range(300)}
    up = {
        word: {"negative": "-1", "neutral": "0", "positive": "1"}[own] for word, own in gold.items()
    }
    down = {word: str(-float(value)) for word, value in up.items()}
    one, two = (
        merge_lexica([view("v", "-1..1", own)], training=Training(steps=100)).mean
        for own in (up, down)
    )
    assert one == pytest.approx(two[:, ::-1], abs=0.05)


def test_other_lexica_than_those_of_training_are_refused() -> None:
    model = train_sentivae([view("a", "-1..1", {"x": "1"})], training=Training(steps=2))
    with pytest.raises(UsageError, match="not those"):
        model.merge([view("b", "no<yes", {"x": "yes"})])


def test_files_by_language() -> None:
    assert by_language(["en=a.tsv", "en=b.tsv", "fr=c.toml"]) == {
        "en": [Path("a.tsv"), Path("b.tsv")],
        "fr": [Path("c.toml")],
    }
    with pytest.raises(UsageError, match=r"'a\.tsv'"):
        by_language(["a.tsv"])


def test_supersenses_share_a_word(tmp_path: Path) -> None:
    path = tmp_path / "senses.tsv"
    path.write_text("word\tsupersense\nangry\tfeeling\nangry\tmind\ntall\tbody\n")
    assert read_supersenses([path]) == {
        "angry": {"feeling": 0.5, "mind": 0.5},
        "tall": {"body": 1.0},
    }

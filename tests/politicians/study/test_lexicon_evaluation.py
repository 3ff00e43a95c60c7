"""Lexica side by side on labelled texts and held-out words: by hand, planted, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from curate.cli.politicians_lexicon import lexicon
from curate.errors import CurateError, InputError, UsageError
from curate.politicians.study import sentiment_evaluation
from curate.politicians.study.label_scores import agreement, better, majority
from curate.politicians.study.labelled import (
    Finder,
    Labelled,
    folded,
    label_names,
    read_labelled,
    tokenizer_of,
    tokens,
    without_contradictions,
)
from curate.politicians.study.lexica import View, make_view, parse_scale, read_view
from curate.politicians.study.lexicon_adapters import Entry
from curate.politicians.study.sentiment_evaluation import (
    compare_on_texts,
    compare_on_words,
    label_texts,
    label_words,
    shares,
    split_words,
    union,
)
from curate.politicians.study.sentivae import Training

pytest.importorskip("torch")


def view(name: str, scale: str, values: dict[str, str]) -> View:
    entries = [Entry(word, value, "here") for word, value in values.items()]
    return make_view(name, parse_scale(scale), entries)


def run(*arguments: Any) -> Result:
    app = typer.Typer()
    app.command()(lexicon)
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_agreement_by_hand() -> None:
    labels = ["positive"] * 3 + ["negative"] * 2
    told = ["positive", "positive", "negative", "negative", "neutral"]
    found = agreement(told, labels, [True, True, True, True, False])
    assert found.accuracy == pytest.approx(3 / 5)
    # positive: 2 right, 0 too many, 1 missed; negative: 1 right, 1 too many, 1 missed
    assert found.macro_f1 == pytest.approx((4 / 5 + 2 / 4) / 2)
    assert found.known == pytest.approx(3 / 4)
    assert (found.n, found.n_known) == (5, 4)
    assert found.low <= 0.6 <= found.high
    assert found.f1_low <= found.macro_f1 <= found.f1_high


def test_intervals_are_nominal() -> None:
    random = np.random.default_rng(0)
    held = 0
    for seed in range(200):
        labels = random.choice(["negative", "positive"], 150)
        right = random.random(150) < 0.7
        other = {"negative": "positive", "positive": "negative"}
        told = [one if own else other[one] for one, own in zip(labels, right, strict=True)]
        found = agreement(told, labels.tolist(), [True] * 150, seed=seed)
        held += found.low <= 0.7 <= found.high
    assert 0.9 < held / 200 < 0.985


def test_majority_and_mcnemar_by_hand() -> None:
    assert majority(["positive", "negative", "positive"]) == "positive"
    assert majority(["positive", "negative"]) == "negative"
    labels = ["positive"] * 8
    one = ["positive"] * 7 + ["negative"]
    other = ["positive"] + ["negative"] * 6 + ["positive"]
    # apart in seven items, one the other way: 2 (1 + 7) / 2^7
    assert better(one, other, labels) == pytest.approx(2 * 8 / 128)
    assert better(one, one, labels) == 1.0


def test_shares_lie_between_the_two_nearest_sentiments() -> None:
    real = view("r", "-1..1", {"a": "-1", "b": "0", "c": "0.25"})
    assert shares(real).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0.75, 0.25]]
    named = view("n", "bad<so<good", {"a": "bad", "b": "so", "c": "good"})
    assert shares(named).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    pair = view("p", "no<yes", {"a": "yes"})
    both = union([real, named, pair])
    assert dict(zip(both.words, both.values.tolist(), strict=True)) == {
        "a": pytest.approx([2 / 3, 0, 1 / 3]),
        "b": [0, 1, 0],
        "c": pytest.approx([0, 0.375, 0.625]),
    }


def test_words_are_told_by_thirds_of_the_scale_or_by_sign() -> None:
    own = view("v", "-1..1", {"a": "0.9", "b": "0.2", "c": "-0.4"})
    assert label_words(own, neutral=True) == {"a": "positive", "b": "neutral", "c": "negative"}
    assert label_words(own, neutral=False) == {"a": "positive", "b": "positive", "c": "negative"}


def test_texts_have_the_mean_sentiment_of_their_words() -> None:
    own = view("v", "-1..1", {"good": "1", "bad": "-1", "plain": "0", "very bad": "-1"})
    cut = tokenizer_of("en")
    texts = ["Good, GOOD and bad", "good bad", "plain plain good", "nothing here", "very bad good"]
    told, known = label_texts(own, [tokens(t, cut) for t in texts], lang="en", neutral=True)
    # 2 : 1; equal; two neutral to one; no word; "very bad" is one word
    assert told == ["positive", "neutral", "neutral", "neutral", "neutral"]
    assert known == [True, True, True, False, True]
    told, _ = label_texts(own, [tokens(t, cut) for t in texts], lang="en", neutral=False)
    assert told == ["positive", "neutral", "positive", "neutral", "neutral"]


def test_the_longest_word_of_a_lexicon_is_found_first() -> None:
    cut = tokenizer_of("no-such-language")
    finder = Finder(["bad", "not bad", "Not bad at all"], cut)
    assert finder.find(tokens("Bad? NOT BAD at all, not bad!", cut)) == [0, 2, 1]


def test_a_table_by_hand() -> None:
    one = view("one", "-1..1", {"good": "1", "bad": "-1"})
    two = view("two", "-1..1", {"good": "1", "ugly": "-1"})
    merged = view("merged", "-1..1", {"good": "1", "bad": "-1", "ugly": "-1"})
    texts = ["good", "a bad one", "ugly", "so ugly", "good good bad", "bad"]
    labels = ["positive", "negative", "negative", "negative", "positive", "positive"]
    rows = {
        (row["kind"], row["lexicon"]): row
        for row in compare_on_texts("en", [one, two], merged, texts, labels)
    }
    got = {name: (round(row["accuracy"] * 6), row["n_known"]) for name, row in rows.items()}
    assert got == {
        ("single", "one"): (3, 4), ("single", "two"): (4, 4), ("union", "union"): (5, 6),
        ("merged", "merged"): (5, 6), ("majority", "negative"): (3, 6),
    }  # fmt: skip
    assert rows["merged", "merged"]["p_merged"] is None
    # merged is right where `one` is not in "ugly" and "so ugly", never the other way: 2 / 2^2
    assert rows["single", "one"]["p_merged"] == pytest.approx(0.5)
    # all told negative: F1 of negative 6/9, of positive 0
    assert rows["majority", "negative"]["macro_f1"] == pytest.approx(1 / 3)


def write_tables(folder: Path, *, words: int = 600, texts: int = 400) -> dict[str, str]:
    """Two noisy lexica that hold different words, texts and words with planted sentiment."""
    random = np.random.default_rng(5)
    gold = {f"w{n:03}": ("negative", "neutral", "positive")[n % 3] for n in range(words)}
    truth = np.array([n % 3 - 1.0 for n in range(words)])
    names = np.array(list(gold))
    for name, share, noise in (("first", 0.6, 0.7), ("second", 0.5, 0.9), ("third", 0.5, 0.8)):
        held = np.flatnonzero(random.random(words) < share)
        told = np.clip(truth + random.normal(0, noise, words), -2, 2)
        lines = "".join(f"{names[at]}\t{told[at]:.3f}\t-2..2\n" for at in held)
        (folder / f"{name}.tsv").write_text(f"word\tvalue\tscale\n{lines}")
    lines = []
    for n in range(texts):
        lean = 0 if n % 2 else 2
        weight = np.where(np.arange(words) % 3 == lean, 3.0, 1.0)
        drawn = random.choice(names, 8, p=weight / weight.sum())
        lines.append(f"{' '.join(drawn)}\t{1 if lean == 2 else 0}\n")
    (folder / "texts.tsv").write_text("text\tlabel\n" + "".join(lines) + "x\t7\n\t1\n")
    rows = "".join(f"{word}\t{label}\n" for word, label in gold.items())
    (folder / "gold.tsv").write_text(f"word\tlabel\n{rows}")
    return gold


def test_the_command_merges_and_compares(tmp_path: Path) -> None:
    write_tables(tmp_path)
    lexica = [f"en={tmp_path / name}.tsv" for name in ("first", "second", "third")]
    out = tmp_path / "out"
    result = run(
        *lexica, "--texts", f"en={tmp_path / 'texts.tsv'}", "--labels", "0=negative,1=positive",
        "--words", f"en={tmp_path / 'gold.tsv'}", "--out", out,
    )  # fmt: skip
    assert result.exit_code == 0, (result.output, result.exception)
    rows = pq.read_table(out / "evaluation.parquet").to_pylist()
    for items, n in (("texts", 400), ("words held out", 120)):
        own = {(row["kind"], row["lexicon"]): row for row in rows if row["items"] == items}
        assert {kind for kind, _ in own} == {"single", "union", "merged", "majority"}
        assert {row["n"] for row in own.values()} == {n}
        merged = own["merged", "merged"]
        single = [row for (kind, _), row in own.items() if kind == "single"]
        assert len(single) == 3
        assert merged["accuracy"] > max(row["accuracy"] for row in single)
        base = next(row for (kind, _), row in own.items() if kind == "majority")
        assert merged["ci_low"] > base["accuracy"]
        assert base["p_merged"] < 0.001
    about = json.loads((out / "lexicon.json").read_text())
    assert [own["rows"] for own in about["inputs"] if own["kind"] == "labelled words"] == [601]
    assert "texts.tsv: 1 rows were left out (label '7')" in about["notes"]
    assert "texts.tsv: 1 rows were left out (empty)" in about["notes"]
    assert str(tmp_path) not in (out / "lexicon.json").read_text()
    # what was written is a lexicon that a study reads
    again = read_view(out / "en.tsv")
    assert again.scale.kind == "merged"
    assert len(again.words) == about["lexica"]["en"]["words"]
    assert (out / "evaluation.tsv").read_text().startswith("lang\titems\tlexicon\tkind")


def test_without_labels_there_is_the_lexicon_alone(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("word\tvalue\tscale\ngood\t1\t-1..1\nbad\t-1\t-1..1\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "evaluation.tsv").write_text("of an earlier run")
    assert run(f"xx={tmp_path / 'a.tsv'}", "--out", out).exit_code == 0
    assert {path.name for path in out.iterdir()} == {"xx.tsv", "lexicon.json"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--labels", "0=bad"], "'0=bad'"),
        (["--texts", "fr={folder}/texts.tsv"], "no lexicon of the language 'fr'"),
        (["--texts", "en={folder}/texts.tsv"], "two sentiments"),
        (["--texts", "en={folder}/gold.tsv"], "no column 'text'"),
        (["--texts", "en={folder}/none.tsv"], ""),
        (["--words", "gold.tsv"], "'gold.tsv'"),
        (["--texts", "../en={folder}/texts.tsv"], "names no language"),
        (["--words", "en={folder}/twice.tsv"], "each with one label"),
        (["../up={folder}/first.tsv"], "names no language"),
        (["evaluation={folder}/first.tsv"], "names no language"),
        (["en={folder}/../{folder.name}/first.tsv"], "given twice"),
    ],
)
def test_what_is_refused_before_anything_is_fitted(
    tmp_path: Path, options: list[str], said: str
) -> None:
    write_tables(tmp_path, words=30, texts=4)
    (tmp_path / "twice.tsv").write_text("word\tlabel\nw1\tpositive\nW1\tnegative\nw2\tneutral\n")
    result = run(
        f"en={tmp_path / 'first.tsv'}", *(text.format(folder=tmp_path) for text in options),
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert isinstance(result.exception, CurateError), result.exception
    assert said in str(result.exception)
    assert result.exception.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_a_table_without_its_columns_is_told_their_names(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("review\tstars\nfine\t1\n")
    with pytest.raises(InputError, match="no column") as raised:
        read_labelled(tmp_path / "t.tsv", column="text", names=label_names(""))
    assert raised.value.hint == "the columns are to be called text and label"


def test_words_are_looked_up_whatever_their_case() -> None:
    words = {f"{kind}{n}": value for n in range(10) for kind, value in (("G", "1"), ("b", "-1"))}
    gold = {word.swapcase(): "positive" if word[0] == "G" else "negative" for word in words}
    rows = compare_on_words("en", [view("a", "-1..1", words)], gold, training=Training(steps=5))
    assert {(row["kind"], row["n_known"], row["accuracy"]) for row in rows} >= {
        ("single", 4, 1.0), ("union", 4, 1.0), ("merged", 4, 1.0),
    }  # fmt: skip


def test_no_word_held_out_is_fitted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in another case."""
    words = {f"W{n:02}": ("-1", "1")[n % 2] for n in range(40)}
    gold = {word.lower(): ("negative", "positive")[n % 2] for n, word in enumerate(words)}
    fitted: list[set[str]] = []
    plain = sentiment_evaluation.train_sentivae

    def spied(views: Any, *, training: Any) -> Any:
        fitted.append({folded(word) for own in views for word in own.words})
        return plain(views, training=training)

    monkeypatch.setattr(sentiment_evaluation, "train_sentivae", spied)
    list(compare_on_words("en", [view("a", "-1..1", words)], gold, training=Training(steps=2)))
    _, held = split_words(list(gold), share=0.2, seed=0)
    assert len(held) == 8
    assert fitted == [set(gold) - set(held)]


def test_two_words_are_enough() -> None:
    rows = compare_on_words(
        "en", [view("a", "-1..1", {"good": "1", "bad": "-1"})],
        {"good": "positive", "bad": "negative"}, training=Training(steps=2),
    )  # fmt: skip
    assert {row["n"] for row in rows} == {1}


def test_words_with_several_labels_do_not_count() -> None:
    table = Labelled(("a", "A", "b", "B", "c"), ("positive", "negative", *["neutral"] * 3), {})
    assert without_contradictions(table) == ({"b": "neutral", "c": "neutral"}, 1)


def test_other_lexica_do_not_hide_the_words_of_one() -> None:
    """Where no spaces stand between words, a longer word of another lexicon would."""
    pytest.importorskip("rjieba", reason="needs the extra gender-curate[zh]")
    one = view("one", "-1..1", {"高兴": "1", "坏": "-1"})
    two = view("two", "-1..1", {"高兴极了": "1", "好": "1"})
    texts, labels = ["他高兴极了", "坏"], ["positive", "negative"]
    for views in ([one], [one, two]):
        first = next(iter(compare_on_texts("zh", views, union(views), texts, labels)))
        assert (first["lexicon"], first["n_known"], first["accuracy"]) == ("one", 2, 1.0)


def test_words_that_look_like_formulas_are_read_as_they_were(tmp_path: Path) -> None:
    words = ("'s", "+1", "-ish", "=)", "@home", "good")
    lines = "".join(f"{word}\t1\t-1..1\n" for word in words)
    (tmp_path / "a.tsv").write_text(f"word\tvalue\tscale\n{lines}")
    assert run(f"xx={tmp_path / 'a.tsv'}", "--out", tmp_path / "out").exit_code == 0
    assert read_view(tmp_path / "out" / "xx.tsv").words == words
    assert "\n=" not in (tmp_path / "out" / "xx.tsv").read_text()


def test_what_an_earlier_run_left_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("word\tvalue\tscale\ngood\t1\t-1..1\nbad\t-1\t-1..1\n")
    for lang, notes in (("xx", []), ("yy", ["xx.tsv is of an earlier run"]), ("yy", [])):
        assert run(f"{lang}={tmp_path / 'a.tsv'}", "--out", tmp_path / "out").exit_code == 0
        told = json.loads((tmp_path / "out" / "lexicon.json").read_text())["notes"]
        assert [note.partition(",")[0] for note in told] == notes
    result = run(f"xx={tmp_path / 'a.tsv'}", "--out", tmp_path / "a.tsv")
    assert "no folder to write to" in str(result.exception)


def test_labels_are_names_or_what_the_option_says(tmp_path: Path) -> None:
    names = label_names("POS=positive, neg=negative")
    path = tmp_path / "t.csv"
    path.write_text("text,label\nfine,pos\nbad, Neg\nso,Neutral\nodd,9\n")
    found = read_labelled(path, column="text", names=names)
    assert found.labels == ("positive", "negative", "neutral")
    assert found.left_out == {"label '9'": 1}
    with pytest.raises(UsageError):
        label_names("positive")
    path.write_text("text,label\nfine,pos\n")
    with pytest.raises(InputError, match="only positive ones"):
        read_labelled(path, column="text", names=names)

"""A planted direction through a real encoder, reading in parts, and the paper's way by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
import transformers

from curate.errors import InputError, UsageError
from curate.models.hidden_states import load_hidden
from curate.occupations import read_table
from curate.occupations.polarity import Settings, measure_polarity, reading, table_vectors
from curate.occupations.polarity.direction import directions
from curate.occupations.polarity.reading import Reading, forget_parts, read_vectors
from tests.occupations.polarity.conftest import STRENGTHS, VERBS, Toy, long_table


def measured(toy: Toy, layer: int) -> tuple[np.ndarray, dict[str, dict[str, float]]]:
    model = load_hidden(str(toy.model))
    vectors = table_vectors(read_table(toy.table).long, model, layer=layer)
    settings = Settings(model="toy", revision="0", layer=layer, resamples=50, permutations=199)
    rows = measure_polarity(vectors, settings).summary
    mean = directions(vectors.he, vectors.she, direction="mean")[0]
    return mean, {r["column"]: r for r in rows if r["measure"] == "centred"}


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_a_planted_direction_is_recovered(toy: Toy, layer: int) -> None:
    mean, rows = measured(toy, layer)
    cosine = mean @ toy.direction / np.linalg.norm(mean) / np.linalg.norm(toy.direction)
    assert cosine >= 0.99
    means = [rows[column]["mean"] for column in STRENGTHS]
    assert means == sorted(means)
    assert means[0] < 0 < means[-1]


def test_the_whole_way_against_transformers_alone(toy: Toy) -> None:
    """Sentence by sentence, with the model's own class, and the direction over all sentences."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(toy.model)
    model = transformers.BertModel.from_pretrained(toy.model).eval()

    def vector(text: str, word: str) -> np.ndarray:
        ids = tokenizer(text)["input_ids"]
        with torch.no_grad():
            states = model(torch.tensor([ids])).last_hidden_state[0].double().numpy()
        return states[ids.index(tokenizer.convert_tokens_to_ids(word))]

    he = [vector(f"He {verb}.", "He") for verb in VERBS]
    she = [vector(f"She {verb}.", "She") for verb in VERBS]
    g = sum(s - h for s, h in zip(she, he, strict=True)) / len(VERBS)
    vectors = table_vectors(long_table(), load_hidden(str(toy.model)))
    settings = Settings(
        model="toy", revision="0", layer=2, direction="mean", resamples=20, permutations=99
    )
    found = {
        (r["column"], r["row"]): r["polarity"] for r in measure_polarity(vectors, settings).values
    }
    for row, verb in enumerate(VERBS):
        for word in STRENGTHS:
            w = vector(f"A {word} {verb}.", word)
            expected = w @ g / np.linalg.norm(w) / np.linalg.norm(g)
            assert found[word, row] == pytest.approx(expected, abs=1e-5)


def test_a_run_that_was_cut_off_goes_on(
    toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = read_table(toy.table).long
    own = Reading(model=str(toy.model), layer=2)
    monkeypatch.setattr(reading, "_ROWS", 20)
    whole = read_vectors(table, own, tmp_path / "whole")
    texts: list[int] = []
    plain = reading.READ.function

    def cut_off(rows: object, config: object) -> object:
        if len(texts) == 2:
            raise KeyboardInterrupt
        texts.append(1)
        return plain(rows, config)  # type: ignore[arg-type]

    broken = type(reading.READ)(**{**vars(reading.READ), "function": cut_off})
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(reading, "READ", broken)
        read_vectors(table, own, tmp_path / "cut")
    done: list[tuple[int, int]] = []
    twice = pa.concat_tables([table, table])  # a word is read once, however many rows have it
    again = read_vectors(twice, own, tmp_path / "cut", on_words=lambda *told: done.append(told))
    # what was finished is not read again
    assert (done[0], done[-1]) == ((40, table.num_rows), (table.num_rows, table.num_rows))
    assert np.array_equal(again.words, whole.words) and np.array_equal(again.he, whole.he)
    with pytest.raises(UsageError, match="an unfinished run with another config"):
        read_vectors(table, own.model_copy(update={"pool": "last"}), tmp_path / "cut")
    read_vectors(table, own.model_copy(update={"pool": "last"}), tmp_path / "cut", restart=True)
    forget_parts(tmp_path / "cut")
    assert not list((tmp_path / "cut").iterdir())


def test_rows_in_any_order_give_the_same(toy: Toy) -> None:
    table = long_table()
    model = load_hidden(str(toy.model))
    one = table_vectors(table, model)
    turned = table_vectors(table.take(list(range(table.num_rows))[::-1]), model)
    order = [one.sentences.index(sentence) for sentence in turned.sentences]
    assert np.allclose(turned.he, one.he[order], atol=1e-5)
    subjects = [one.subjects.index(subject) for subject in turned.subjects]
    assert np.allclose(turned.words, one.words[subjects][:, order], atol=1e-5)


def test_words_that_the_model_cannot_place_are_dropped(toy: Toy) -> None:
    model = load_hidden(str(toy.model))
    rows = long_table().to_pylist()
    for row in rows:
        if row["column"] == "nurse" and row["row"] == 3:
            row["text"], row["end"] = "A curate reads.", 8  # not in the vocabulary
        if row["column"] == "she" and row["row"] == 5:
            row["text"] = "Xe waits."
    vectors = table_vectors(long_table().from_pylist(rows, schema=long_table().schema), model)
    assert len(vectors.sentences) == len(VERBS) - 1
    codes = {(drop["code"], drop["row"]) for drop in vectors.drops}
    assert {("unknown-word", 3), ("unknown-word", 5), ("no-pronoun", 5)} == codes
    assert int(vectors.missing.sum()) == 1
    rows = [row for row in rows if row["row"] in {5, 6}]
    with pytest.raises(InputError, match="in 1 sentence only"):
        table_vectors(long_table().from_pylist(rows, schema=long_table().schema), model)


def test_tables_without_gender_are_refused(toy: Toy) -> None:
    model = load_hidden(str(toy.model))
    for columns, message in (
        (("she", "nurse"), "no sentence about 'he'"),
        (("he", "nurse"), "no sentence about 'she'"),
        (("he", "she"), "no sentence about an occupation"),
    ):
        with pytest.raises(InputError, match=message):
            table_vectors(long_table(columns), model)
    with pytest.raises(InputError, match="no column 'lang'"):
        table_vectors(long_table().drop_columns(["lang"]), model)
    langs = ["en", *["sv"] * (long_table().num_rows - 1)]
    mixed = long_table().set_column(2, long_table().schema.field("lang"), [langs])
    with pytest.raises(InputError, match="several languages: en, sv"):
        table_vectors(mixed, model)

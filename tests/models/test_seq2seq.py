"""T5's prompt for STS-B: the number that is written, and what is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from curate.errors import InputError
from curate.models.seq2seq import TextSimilarity, load_text_similarity, read_number, stsb_prompt
from tests.models.tiny_t5 import save_tiny_t5

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

PAIRS = [
    ("He is walking in the park.", "A nurse is walking in the park."),
    ("She is walking in the park.", "A nurse is walking in the park."),
    ("He sings.", "An engineer sings."),
]


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_t5(tmp_path_factory.mktemp("t5"))


def test_the_prompt() -> None:
    assert stsb_prompt(("A b.", "C d.")) == "stsb sentence1: A b. sentence2: C d."


@pytest.mark.parametrize(
    ("written", "value", "code"),
    [
        ("3.8", 3.8, ""), (" 5 ", 5.0, ""), ("0.0", 0.0, ""),
        ("5.2", None, "out-of-range"), ("-1", None, "no-number"), ("", None, "no-number"),
        ("3.8.8", None, "no-number"), ("entailment", None, "no-number"),
        ("٣", None, "no-number"), ("3.", None, "no-number"),
    ],
)  # fmt: skip
def test_numbers(written: str, value: float | None, code: str) -> None:
    found = read_number(written)
    assert found[1] == code
    assert np.isnan(found[0]) if value is None else found[0] == value


def test_greedy_decoding_is_that_of_one_pair_at_a_time(t5: Path) -> None:
    """Against a loop that takes the likeliest token until the end, without generate()."""
    model = load_text_similarity(str(t5))
    own = model._network.model
    tokenizer = model._network.tokenizer
    for pair, written in zip(PAIRS, model.written(PAIRS), strict=True):
        ids = torch.tensor([tokenizer(stsb_prompt(pair))["input_ids"]])
        made = [0]
        with torch.inference_mode():
            while len(made) < 9 and made[-1] != 1:
                logits = own(input_ids=ids, decoder_input_ids=torch.tensor([made])).logits
                made.append(int(logits[0, -1].argmax()))
        assert written == tokenizer.decode(made, skip_special_tokens=True)


def test_values_and_reasons(t5: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_text_similarity(str(t5))
    written = iter([["2.4", "yes", "9.9"]])
    monkeypatch.setattr(TextSimilarity, "written", lambda self, pairs, on_done=None: next(written))
    found = model.similarities(PAIRS)
    assert found.values[0] == 2.4
    assert np.isnan(found.values[1:]).all()
    assert found.codes == ("", "no-number", "out-of-range")


def test_long_pairs_are_refused_and_equal_ones_computed_once(t5: Path) -> None:
    model = load_text_similarity(str(t5))
    told: list[int] = []
    found = model.similarities(
        [PAIRS[0], PAIRS[0], ("so " * 200, "He sings.")], on_done=told.append
    )
    assert sum(told) == 1
    assert found.codes[2] == "too-long"
    assert found.codes[0] == found.codes[1]


def test_results_do_not_depend_on_batches(t5: Path) -> None:
    wide = load_text_similarity(str(t5), budget=5000).written(PAIRS)
    narrow = load_text_similarity(str(t5), budget=1).written(PAIRS[::-1])
    assert wide == narrow[::-1]


def test_a_model_without_a_decoder_is_refused(model_folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="no encoder and decoder"):
        load_text_similarity(str(model_folders["bert"]))

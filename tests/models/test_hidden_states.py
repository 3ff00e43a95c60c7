"""Vectors of words in context, against transformers read sentence by sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from transformers import AutoTokenizer, BertJapaneseTokenizer

from curate.errors import InputError, UsageError
from curate.models.hidden_states import WordInText, load_hidden
from tests.models.conftest import byte_level, sentencepiece, wordpiece

SENTENCES = [
    ("He is a doctor.", 0, 2),
    ("My grandmother said that he left early, very early.", 3, 14),
    ("The stepfather sang.", 4, 14),
    ("The stepfather (he was old) sang; the stepmother did not.", 38, 48),
    ("She is a doctor.", 9, 15),
    ("Die Schwiegermutter hat gelacht.", 4, 19),
]
WORDS = [WordInText(*sentence) for sentence in SENTENCES]
ORDERS = [
    WordInText(f"He {' '.join(words)}.", 0, 2)
    for words in permutations(["left", "early", "sang", "very"])
]
# feed-forward layers of 4,096 weights, large enough to be packed (`curate.models.products`)
SHAPE = {"initializer_range": 0.4}
T5 = {
    "d_model": 32, "d_kv": 8, "d_ff": 128, "num_layers": 3, "num_heads": 4, "dropout_rate": 0.0,
    "decoder_start_token_id": 1, "pad_token_id": 1, "eos_token_id": 2,
}  # fmt: skip


def closing_only() -> Any:
    """As T5's: nothing before a text, </s> behind it."""
    from tokenizers import processors

    tokenizer = sentencepiece()
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 2)]
    )
    return tokenizer


def bare() -> Any:
    """As GPT-2's: nothing around a text."""
    from tokenizers import processors

    tokenizer = byte_level()
    tokenizer.backend_tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def bert(vocabulary: int) -> Any:
    return transformers.BertForMaskedLM(
        transformers.BertConfig(
            vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=128, max_position_embeddings=64, **SHAPE,
        )
    )  # fmt: skip


def bare_bert(vocabulary: int) -> Any:
    """Without any head, as sentence encoders are saved."""
    return bert(vocabulary).bert


def t5(vocabulary: int) -> Any:
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(vocab_size=vocabulary, **T5)
    )


def mt5(vocabulary: int) -> Any:
    return transformers.MT5ForConditionalGeneration(
        transformers.MT5Config(
            vocab_size=vocabulary, feed_forward_proj="gated-gelu", tie_word_embeddings=False, **T5
        )
    )


def bart(vocabulary: int) -> Any:
    return transformers.BartForConditionalGeneration(
        transformers.BartConfig(
            vocab_size=vocabulary, d_model=32, encoder_layers=2, decoder_layers=1,
            encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128,
            decoder_ffn_dim=64, max_position_embeddings=64, init_std=0.4,
            pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2,
            forced_eos_token_id=2,
        )
    )  # fmt: skip


def gpt2(vocabulary: int) -> Any:
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=vocabulary, n_embd=32, n_layer=2, n_head=4, n_positions=96,
            bos_token_id=0, eos_token_id=2, **SHAPE,
        )
    )  # fmt: skip


MODELS: dict[str, tuple[Callable[[], Any], Callable[[int], Any], str, int]] = {
    "bert": (wordpiece, bert, "encoder", 2),
    "bare-bert": (wordpiece, bare_bert, "encoder", 2),
    "t5": (closing_only, t5, "encoder-decoder", 3),
    "mt5": (closing_only, mt5, "encoder-decoder", 3),
    "bart": (byte_level, bart, "encoder-decoder", 2),
    "gpt2": (bare, gpt2, "decoder", 2),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folders = {}
    for name, (make_tokenizer, make_model, _, _) in MODELS.items():
        torch.manual_seed(3)
        folder = tmp_path_factory.mktemp(name)
        tokenizer = make_tokenizer()
        tokenizer.save_pretrained(folder)
        make_model(len(tokenizer)).eval().save_pretrained(folder)
        folders[name] = folder
    return folders


@pytest.fixture(params=sorted(MODELS))
def architecture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def naive(folder: Path, architecture: str) -> Callable[[WordInText], tuple[Any, list[int], int]]:
    """(states by layer, tokens of the word, last token of the text), one text at a time."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    classes = {
        "bert": transformers.BertForMaskedLM, "bare-bert": transformers.BertModel,
        "t5": transformers.T5ForConditionalGeneration,
        "mt5": transformers.MT5ForConditionalGeneration,
        "bart": transformers.BartForConditionalGeneration, "gpt2": transformers.GPT2LMHeadModel,
    }  # fmt: skip
    model = classes[architecture].from_pretrained(folder).eval()
    if architecture in {"t5", "mt5", "bart"}:
        model = model.get_encoder()

    def read(word: WordInText) -> tuple[Any, list[int], int]:
        encoded = tokenizer(word.text, return_offsets_mapping=True, return_special_tokens_mask=True)
        ids = torch.tensor([encoded["input_ids"]])
        with torch.no_grad():
            states = model(
                input_ids=ids, attention_mask=torch.ones_like(ids), output_hidden_states=True
            ).hidden_states
        covers = [
            at
            for at, (start, end) in enumerate(encoded["offset_mapping"])
            if word.text[max(start, word.start) : min(end, word.end)].strip()
            and tokenizer.convert_ids_to_tokens(encoded["input_ids"][at]) != "▁"
        ]
        own = [at for at, mark in enumerate(encoded["special_tokens_mask"]) if not mark]
        return [state[0].double().numpy() for state in states], covers, own[-1]

    return read


def test_vectors_are_those_of_transformers(saved: dict[str, Path], architecture: str) -> None:
    folder = saved[architecture]
    model = load_hidden(str(folder))
    assert (model.kind, model.layers, model.size) == (*MODELS[architecture][2:], 32)
    read = naive(folder, architecture)
    several = 0
    for layer in range(model.layers + 1):
        found = {
            pool: model.words(WORDS, layer=layer, pool=pool) for pool in ("mean", "first", "last")
        }
        end = model.words(WORDS, layer=layer, at="end")
        for number, word in enumerate(WORDS):
            states, places, last = read(word)
            own = states[layer][places]
            several += len(places) > 1
            expected = {"mean": own.mean(axis=0), "first": own[0], "last": own[-1]}
            for pool, vector in expected.items():
                assert np.abs(found[pool].vectors[number] - vector).max() < 1e-5
                assert found[pool].tokens[number] == len(places)
            assert np.abs(end.vectors[number] - states[layer][last]).max() < 1e-5
    assert several
    last_layer = model.words(WORDS, layer=-1).vectors
    assert np.array_equal(last_layer, model.words(WORDS, layer=model.layers).vectors)
    assert np.array_equal(
        model.words(WORDS, layer=-2).vectors, model.words(WORDS, layer=model.layers - 1).vectors
    )


def test_batches_and_order_change_nothing(saved: dict[str, Path], architecture: str) -> None:
    folder = str(saved[architecture])
    words = [*WORDS, *WORDS[::-1], *ORDERS]
    whole = load_hidden(folder).words(words)
    assert whole.texts == len({word.text for word in words})  # each text once
    for budget in (1, 40):
        assert (
            np.abs(load_hidden(folder, budget=budget).words(words).vectors - whole.vectors).max()
            < 1e-5
        )
    back = load_hidden(folder).words(words[::-1])
    assert np.abs(back.vectors[::-1] - whole.vectors).max() < 1e-5
    again = load_hidden(folder).words(words)
    assert np.array_equal(again.vectors, whole.vectors)


def test_a_first_word_of_a_decoder_has_seen_nothing(saved: dict[str, Path]) -> None:
    """Its vector is the same in every sentence; that of the end is not."""
    words = [WordInText("He sang.", 0, 2), WordInText("He left early.", 0, 2)]
    model = load_hidden(str(saved["gpt2"]))
    one, other = model.words(words).vectors
    assert np.abs(one - other).max() < 1e-5
    one, other = model.words(words, at="end").vectors
    assert np.abs(one - other).max() > 0.1
    one, other = load_hidden(str(saved["bert"])).words(words).vectors
    assert np.abs(one - other).max() > 0.1


def test_progress_counts_texts(saved: dict[str, Path]) -> None:
    done: list[int] = []
    load_hidden(str(saved["bert"])).words([*WORDS, *WORDS], on_done=done.append)
    assert sum(done) == len(WORDS)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        (WordInText("He sang. " * 40, 0, 2), "too-long"),
        (WordInText("He said [MASK].", 0, 2), "special-token"),
        (WordInText("A ☃ sang.", 2, 3), "unknown-word"),
        (WordInText("A  doctor", 1, 2), "no-token"),
        (WordInText("A stepfather", 3, 5), "shared-token"),
    ],
)
def test_words_that_cannot_be_found_are_refused(
    saved: dict[str, Path], word: WordInText, code: str
) -> None:
    found = load_hidden(str(saved["bert"])).words([WORDS[0], word])
    assert found.refused == [None, code]
    assert np.isnan(found.vectors[1]).all() and found.tokens[1] == 0
    assert np.isfinite(found.vectors[0]).all()


def test_a_tokenizer_without_offsets(tmp_path: Path) -> None:
    """Positions counted by hand: [CLS] 彼 女 は 医 ##者 で ##す 。 [SEP]."""
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "He",
        "is",
        "a",
        "doc",
        "##tor",
        ".",
    ]
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(vocabulary), encoding="utf-8")
    tokenizer = BertJapaneseTokenizer(
        str(path),
        word_tokenizer_type="basic",
        subword_tokenizer_type="wordpiece",
        do_lower_case=False,
    )
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(5)
    bert(len(vocabulary)).eval().save_pretrained(tmp_path)
    model = load_hidden(str(tmp_path))
    word = WordInText("He is a doctor.", 8, 14)
    plain = transformers.BertModel.from_pretrained(tmp_path).eval()
    with torch.no_grad():
        state = plain(torch.tensor([[2, 5, 6, 7, 8, 9, 10, 3]]))[0][0].double().numpy()
    found = model.words([word, WordInText("He is a doctor.", 8, 12)])
    assert np.abs(found.vectors[0] - state[[4, 5]].mean(axis=0)).max() < 1e-5
    assert np.abs(model.words([word], pool="last").vectors[0] - state[5]).max() < 1e-5
    assert np.abs(model.words([word], at="end").vectors[0] - state[6]).max() < 1e-5
    assert found.tokens.tolist() == [2, 0] and found.refused[1] in {"shared-token", "unknown-word"}


def test_wrong_options_are_refused(saved: dict[str, Path]) -> None:
    model = load_hidden(str(saved["bert"]))
    for layer in (3, -4):
        with pytest.raises(UsageError, match=f"no layer {layer} in .*, which has 2"):
            model.words(WORDS, layer=layer)
    with pytest.raises(UsageError, match="unknown pooling 'max'"):
        model.words(WORDS, pool="max")
    with pytest.raises(UsageError, match="unknown place 'start'"):
        model.words(WORDS, at="start")
    with pytest.raises(UsageError, match="unknown device"):
        load_hidden(str(saved["bert"]), device="abacus")


def test_models_without_hidden_states_of_text_are_refused(tmp_path: Path) -> None:
    wordpiece().save_pretrained(tmp_path)
    config = transformers.ViTConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        image_size=8, patch_size=4,
    )  # fmt: skip
    transformers.ViTModel(config).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="vit model has no encoder or decoder of text"):
        load_hidden(str(tmp_path))
    written = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(written | {"model_type": "abacus"}))
    with pytest.raises(InputError, match="knows no architecture 'abacus'"):
        load_hidden(str(tmp_path))


def test_a_model_that_lacks_weights_is_refused(saved: dict[str, Path], tmp_path: Path) -> None:
    """Nothing is filled with noise, but for the pooler, which no hidden state has passed."""
    tokenizer = wordpiece()
    tokenizer.save_pretrained(tmp_path)
    model = bert(len(tokenizer))
    state = {k: v for k, v in model.state_dict().items() if "layer.1.output" not in k}
    model.save_pretrained(tmp_path, state_dict=state)
    with pytest.raises(InputError, match="missing from the weights"):
        load_hidden(str(tmp_path))
    load_hidden(str(saved["bert"]))  # saved with a head and without a pooler

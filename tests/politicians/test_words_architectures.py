"""Words beside names by every kind of tokenizer, against a reading of whole texts, one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
pytest.importorskip("transformers", reason="needs the extra gender-curate[models]")

from curate.errors import UsageError
from curate.politicians import word_reading
from curate.politicians.prompts import Prompts
from curate.politicians.word_reading import BesideNames, WordReader
from tests.models import conftest as models
from tests.politicians.test_words import distribution, prompted, ranked, same, transformers_model

ARABIC = [
    "قال الرئيس كلمة طويلة", "فاطمة حسن كاتبة كبيرة", "محمد الأمين رجل كبير", "كتب وقرأ ثم ذهب",
    "جميلة جديدة قديمة", "قال كتب ذهب كبير جميل",
]  # fmt: skip
ARABIC_WORDS = ("كبير", "كبيرة", "جميل", "قال", "كتب", "ذهب", "قديمة", "طويلة")
ENGLISH_WORDS = ("doctor", "early", "left", "old", "sang", "ticket", "a", "said", "olds")
LLAMA_NAMES = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
CHINESE_WORDS = ("他", "医生", "姐姐", "爱她", "生")


def byte_level_causal() -> Any:
    """As GPT-2's: a space belongs to the word behind it; one token ends and begins texts."""
    from tokenizers import Tokenizer, decoders, models as kinds, pre_tokenizers, trainers  # isort: skip
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(kinds.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420, special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator([*models.TEXTS, *ARABIC], trainer)
    end = "<|endoftext|>"
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=end, eos_token=end, unk_token=end,
        model_max_length=64,
    )  # fmt: skip


def metaspace_causal() -> Any:
    """As Llama's: BPE over text whose spaces are written, with a token of its own in front."""
    from tokenizers import Tokenizer, models as kinds, pre_tokenizers, processors, trainers  # isort: skip
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(kinds.BPE(unk_token=LLAMA_NAMES["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    trainer = trainers.BpeTrainer(
        vocab_size=260, special_tokens=["<unk>", "<s>", "</s>"], show_progress=False
    )
    tokenizer.train_from_iterator([*models.TEXTS, *ARABIC], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=64, **LLAMA_NAMES
    )  # fmt: skip


def gpt2(vocabulary: int) -> Any:
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(
        GPT2Config(vocab_size=vocabulary, n_positions=64, n_embd=32, n_layer=2, n_head=4,
                   bos_token_id=0, eos_token_id=0, initializer_range=0.4)
    )  # fmt: skip


def llama(vocabulary: int) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, intermediate_size=64, max_position_embeddings=64,
            bos_token_id=1, eos_token_id=2, initializer_range=0.4,
        )
    )  # fmt: skip


CAUSAL: dict[str, tuple[Callable[[], Any], Callable[[int], Any]]] = {
    "gpt2": (byte_level_causal, gpt2),
    "llama": (metaspace_causal, llama),
}


def saved(folder: Path, pair: tuple[Callable[[], Any], Callable[[int], Any]]) -> Any:
    """A model with random weights, and its tokenizer."""
    import torch

    make_tokenizer, make_model = pair
    torch.manual_seed(11)
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(folder)
    make_model(len(tokenizer)).eval().save_pretrained(folder)
    return tokenizer


CASES = [("en", "She is", ENGLISH_WORDS), ("ar", "فاطمة حسن", ARABIC_WORDS)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
@pytest.mark.parametrize("family", sorted(CAUSAL))
def test_causal_models(family: str, case: tuple[str, str, tuple[str, ...]], tmp_path: Path) -> None:
    """Each word by the chain rule over the whole text, behind what opens a text."""
    lang, name, words = case
    tokenizer = saved(tmp_path, CAUSAL[family])
    _, model = transformers_model(tmp_path, "AutoModelForCausalLM")
    reader = WordReader.load(str(tmp_path), beam=1000, most_pieces=40)
    assert reader.causal
    lemmas = {word: word for word in words}
    beside = BesideNames(
        reader, Prompts(lang, {"VERB": "after"}, " "), {"VERB": lemmas}, {"VERB": 99}
    )
    (own,) = beside.words([name])
    assert not isinstance(own, str)
    start = [tokenizer.bos_token_id]
    plain = tokenizer(name, add_special_tokens=False)["input_ids"]
    values, longer = {}, 0
    for word in words:
        ids = tokenizer(f"{name} {word}", add_special_tokens=False)["input_ids"]
        assert ids[: len(plain)] == plain
        whole, values[word] = start + ids, 1.0
        for at in range(len(start) + len(plain), len(whole)):
            values[word] *= float(distribution(model, whole[:at], -1)[whole[at]])
        longer += len(ids) - len(plain) > 1
    assert longer >= 2
    same(own["VERB"], ranked(values, lemmas, 99))


@pytest.mark.parametrize("position", ["before", "after"])
@pytest.mark.parametrize("family", sorted(models.FAMILIES))
def test_masked_models_from_right_to_left(
    family: str, position: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after are those of reading; the order of code points is that of reading too."""
    monkeypatch.setattr(models, "TEXTS", [*models.TEXTS, *ARABIC * 3])
    tokenizer = saved(tmp_path, models.FAMILIES[family])
    _, model = transformers_model(tmp_path, "AutoModelForMaskedLM")
    prompts = Prompts("ar", {"VERB": position}, " ")
    lemmas = {word: word for word in ARABIC_WORDS}
    reader = WordReader.load(str(tmp_path), beam=1000, most_pieces=40)
    beside = BesideNames(reader, prompts, {"VERB": lemmas}, {"VERB": 99})
    name, mask = "فاطمة حسن", tokenizer.mask_token_id
    (own,) = beside.words([name])
    assert not isinstance(own, str)
    text = tokenizer(prompted(prompts, name, "VERB", tokenizer.mask_token))["input_ids"]
    at, values = text.index(mask), {}
    before = "" if position == "before" else f"{name} "
    cut = len(tokenizer(before.strip(), add_special_tokens=False)["input_ids"])
    for word in ARABIC_WORDS:
        pieces = tokenizer(before + word, add_special_tokens=False)["input_ids"][cut:]
        if tokenizer.unk_token_id in pieces:
            continue
        values[word] = 1.0
        for done, piece in enumerate(pieces):
            ids = [*text[:at], *pieces[:done], *[mask] * (len(pieces) - done), *text[at + 1 :]]
            values[word] *= float(distribution(model, ids, at + done)[piece])
    assert len(values) >= 4
    same(own["VERB"], ranked(values, lemmas, 99))


def test_chinese_behind_a_name_is_written_without_a_space(tmp_path: Path) -> None:
    """Its entries are those inside a text; the space that opens a text stays out of them."""
    tokenizer = saved(tmp_path, models.FAMILIES["xlm-roberta"])
    _, model = transformers_model(tmp_path, "AutoModelForMaskedLM")
    prompts = Prompts("zh", {"VERB": "after"}, "")
    lemmas = {word: word for word in CHINESE_WORDS}
    reader = WordReader.load(str(tmp_path), beam=1000, most_pieces=40)
    beside = BesideNames(reader, prompts, {"VERB": lemmas}, {"VERB": 99})
    name, mask = "她", tokenizer.mask_token_id
    (own,) = beside.words([name])
    assert not isinstance(own, str)
    text = tokenizer(name + tokenizer.mask_token)["input_ids"]
    at, values = text.index(mask), {}
    plain = tokenizer(name, add_special_tokens=False)["input_ids"]
    for word in CHINESE_WORDS:
        ids = tokenizer(name + word, add_special_tokens=False)["input_ids"]
        if ids[: len(plain)] != plain or tokenizer.unk_token_id in ids:
            continue
        pieces = ids[len(plain) :]
        values[word] = 1.0
        for done, piece in enumerate(pieces):
            row = [*text[:at], *pieces[:done], *[mask] * (len(pieces) - done), *text[at + 1 :]]
            values[word] *= float(distribution(model, row, at + done)[piece])
    assert len(values) >= 2
    found = {one.word: one.probability for one in own["VERB"]}
    for word, value in values.items():
        assert found[word] == pytest.approx(value, abs=1e-5, rel=1e-3)


def test_auto_is_refused_where_it_would_be_16_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path, CAUSAL["gpt2"])
    assert (
        WordReader.load(str(tmp_path), precision="auto", device="cpu").network.precision == "fp32"
    )
    monkeypatch.setattr(word_reading, "choose_device", lambda device: "cuda")
    with pytest.raises(UsageError, match="check none of them in fp32"):
        WordReader.load(str(tmp_path), precision="auto")

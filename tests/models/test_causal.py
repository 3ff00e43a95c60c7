"""Causal models against a loop over tokens, by hand arithmetic, and what they refuse."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

from curate.errors import InputError
from curate.models import causal
from curate.models.causal import CausalModel, load_causal

TEXTS = [
    "He is a doctor.", "She is a doctor.", "My grandmother said that he left early.",
    "Die Schwiegermutter hat gelacht.", "她是我的姐姐。", "Yes",
]  # fmt: skip
SMALL = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 64, "initializer_range": 0.4,
}  # fmt: skip


def byte_level(*, begin: str | None = "<|endoftext|>", adds: bool = False) -> Any:
    """Every byte a token; `begin` begins texts, and is written there if the tokenizer `adds` it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    names = ["<|endoftext|>", "</s>", *pre_tokenizers.ByteLevel.alphabet()]
    tokenizer = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if adds:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{begin} $A </s>", special_tokens=[(begin, 0), ("</s>", 1)]
        )
    options = {"bos_token": begin, "eos_token": "</s>"} if begin else {}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **options)


def llama(vocabulary: int) -> Any:
    config = transformers.LlamaConfig(
        vocab_size=vocabulary, num_key_value_heads=2, bos_token_id=0, eos_token_id=1, **SMALL
    )
    return transformers.LlamaForCausalLM(config)


def gpt2(vocabulary: int, *, begin: int | None = 0) -> Any:
    config = transformers.GPT2Config(
        vocab_size=vocabulary, n_embd=32, n_layer=2, n_head=4, n_positions=64,
        initializer_range=0.4, bos_token_id=begin, eos_token_id=1,
    )  # fmt: skip
    return transformers.GPT2LMHeadModel(config)


def gemma(vocabulary: int) -> Any:
    """Its logits are squeezed through a tanh."""
    config = transformers.Gemma2Config(
        vocab_size=vocabulary, num_key_value_heads=2, head_dim=8, final_logit_softcapping=2.0,
        bos_token_id=0, eos_token_id=1, pad_token_id=None, **SMALL,
    )  # fmt: skip
    return transformers.Gemma2ForCausalLM(config)


def neox(vocabulary: int) -> Any:
    config = transformers.GPTNeoXConfig(
        vocab_size=vocabulary, bos_token_id=0, eos_token_id=1, **SMALL
    )
    return transformers.GPTNeoXForCausalLM(config)


MODELS: dict[str, tuple[Callable[[], Any], Callable[[int], Any]]] = {
    "gpt2": (byte_level, gpt2),
    "llama": (lambda: byte_level(adds=True), llama),
    "gemma2": (lambda: byte_level(adds=True), gemma),
    "gpt-neox": (byte_level, neox),
    "no-beginning": (lambda: byte_level(begin=None), lambda size: gpt2(size, begin=None)),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    saved = {}
    for name, (make_tokenizer, make_model) in MODELS.items():
        torch.manual_seed(5)
        saved[name] = tmp_path_factory.mktemp(name)
        tokenizer = make_tokenizer()
        tokenizer.save_pretrained(saved[name])
        make_model(len(tokenizer)).eval().save_pretrained(saved[name])
    return saved


@pytest.fixture(params=sorted(MODELS))
def folder(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Path:
    return folders[request.param]


def loop(folder: Path, text: str) -> tuple[float, int]:
    """ln p of each byte after all before it, one call of the model a byte."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    own = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert len(own) == len(text.encode())
    seen = [0] if "no-beginning" not in str(folder) else [own.pop(0)]
    terms = []
    for token in own:
        with torch.no_grad():
            logits = model(torch.tensor([seen])).logits[0, -1].double()
        terms.append(float(torch.log_softmax(logits, -1)[token]))
        seen.append(token)
    return sum(terms) / len(terms), len(terms)


def test_the_mean_log_probability_is_that_of_the_loop(folder: Path) -> None:
    model = load_causal(str(folder))
    assert model.first_token_counted is ("no-beginning" not in str(folder))
    for text, score in zip(TEXTS, model.perplexity(TEXTS), strict=True):
        mean, count = loop(folder, text)
        assert score.mean_logp == pytest.approx(mean, abs=1e-4)
        assert (score.n_tokens, score.refused) == (count, None)


def test_the_head_is_found(folder: Path) -> None:
    model = load_causal(str(folder))
    assert model._network.head is not None


def test_two_tokens_that_open_a_text_are_context(tmp_path: Path) -> None:
    from tokenizers import processors

    tokenizer = byte_level()
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="</s> <|endoftext|> $A", special_tokens=[("<|endoftext|>", 0), ("</s>", 1)]
    )
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(9)
    gpt2(len(tokenizer)).save_pretrained(tmp_path)
    score = load_causal(str(tmp_path)).perplexity(["Yes"])[0]
    model = AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    ids = tokenizer("Yes")["input_ids"]
    assert ids[:2] == [1, 0] and len(ids) == 5
    with torch.no_grad():
        logp = torch.log_softmax(model(torch.tensor([ids])).logits[0].double(), -1)
    expected = sum(float(logp[place, ids[place + 1]]) for place in (1, 2, 3)) / 3
    assert score.n_tokens == 3
    assert score.mean_logp == pytest.approx(expected, abs=1e-5)


def test_by_hand(tmp_path: Path, folders: dict[str, Path]) -> None:
    """All weights are zero, so all logits are; each of 258 entries has p = 1/258 everywhere."""
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folders["gpt2"] / name).read_bytes())
    tensors = load_file(folders["gpt2"] / "model.safetensors")
    zeros = {name: torch.zeros_like(tensor) for name, tensor in tensors.items()}
    save_file(zeros, tmp_path / "model.safetensors", metadata={"format": "pt"})
    scores = load_causal(str(tmp_path)).perplexity(["Yes", "他"])
    assert [score.n_tokens for score in scores] == [3, 3]
    for score in scores:
        assert score.mean_logp == pytest.approx(-math.log(258), abs=1e-6)


def test_order_batches_repetition_and_memory_change_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(2)  # noqa: S311
    texts = TEXTS * 3
    whole = load_causal(str(folder)).perplexity(texts)
    assert load_causal(str(folder), budget=1).perplexity(texts) == whole
    order = rng.sample(range(len(texts)), len(texts))
    mixed = load_causal(str(folder), budget=60).perplexity([texts[i] for i in order])
    assert mixed == [whole[i] for i in order]

    means = CausalModel._means

    def scarce(self: CausalModel, rows: Any) -> list[float]:
        if len(rows) > 1:
            raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB")
        return means(self, rows)

    monkeypatch.setattr(CausalModel, "_means", scarce)
    assert load_causal(str(folder)).perplexity(texts) == whole


def test_a_model_without_a_known_head_is_read_in_parts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = load_causal(str(folder)).perplexity(TEXTS)
    monkeypatch.setattr("curate.models.heads._HEADS", ())
    monkeypatch.setattr(causal, "LOGITS_AT_ONCE", 258 * 20)
    model = load_causal(str(folder))
    assert model._network.head is None
    for one, other in zip(model.perplexity(TEXTS * 2), expected * 2, strict=True):
        assert one.mean_logp == pytest.approx(other.mean_logp, abs=1e-5)


def test_texts_that_a_model_cannot_take_are_refused_one_by_one(folder: Path) -> None:
    """64 positions: the beginning and 64 bytes, the last of which is not read."""
    model = load_causal(str(folder))
    bare = "no-beginning" in str(folder)
    fits = 65 if bare else 64
    special = "<|endoftext|>" if not bare else ""
    texts = ["x" * fits, "x" * (fits + 1), "", f"a{special}b", "y"]
    codes = [score.refused for score in model.perplexity(texts)]
    expected = [None, "too-long", "no-tokens", None if bare else "special-token", None]
    assert codes == [*expected[:4], "no-tokens" if bare else None]


def test_reduced_precision_stays_near(folder: Path) -> None:
    full = load_causal(str(folder)).perplexity(TEXTS)
    half = load_causal(str(folder), precision="bf16").perplexity(TEXTS)
    for one, other in zip(full, half, strict=True):
        assert one.mean_logp is not None and other.mean_logp is not None
        assert abs(one.mean_logp - other.mean_logp) < 0.3


def test_missing_tensors_and_masked_models_are_refused(
    folders: dict[str, Path], model_folders: dict[str, Path], tmp_path: Path
) -> None:
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((folders["llama"] / name).read_bytes())
    tensors = load_file(folders["llama"] / "model.safetensors")
    del tensors["lm_head.weight"]
    save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"1 tensor is missing .*: lm_head\.weight"):
        load_causal(str(tmp_path))
    for family, folder in model_folders.items():
        with pytest.raises(InputError, match="masked model"):
            load_causal(str(folder))
        assert family

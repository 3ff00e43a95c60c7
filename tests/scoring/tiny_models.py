"""Tiny models with random weights whose vocabulary is a list of words, and pairs of such words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MEN, WOMEN = ["he", "king", "boy"], ["she", "queen", "girl"]
OTHERS = [
    "sat", "ran", "sang", "is", "was", "the", "a", "old", "new", "big", "house", "town", "and",
    "but", "so", "then", "here", "now", "##s", "##ing",
]  # fmt: skip
WORDS = [*SPECIAL, *MEN, *WOMEN, *OTHERS]


def tokenizer(positions: int) -> Any:
    import transformers

    return transformers.BertTokenizerFast(
        vocab={word: i for i, word in enumerate(WORDS)}, model_max_length=positions
    )


def tiny_bert(
    folder: Path, *, size: int = 32, layers: int = 1, positions: int = 40, seed: int = 3
) -> Path:
    """A masked model whose predictions differ from word to word.

    Of four heads, for the last bits of a row's attention then depend on no other row.
    """
    import torch
    import transformers

    tokenizer(positions).save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=size, num_hidden_layers=layers, num_attention_heads=4,
        intermediate_size=2 * size, max_position_embeddings=positions, initializer_range=0.4,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).eval().save_pretrained(folder)
    return folder


def tiny_gpt2(folder: Path, *, seed: int = 3) -> Path:
    """A causal model over the same words."""
    import torch
    import transformers

    tokenizer(40).save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_embd=16, n_layer=1, n_head=2, n_positions=40,
        initializer_range=0.4, bos_token_id=2, eos_token_id=3,
    )  # fmt: skip
    transformers.GPT2LMHeadModel(config).eval().save_pretrained(folder)
    return folder


def word_pairs(count: int, *, seed: int = 1, shortest: int = 2, longest: int = 7) -> list[Any]:
    """Texts that differ in one word: (with a man, with a woman)."""
    choose = random.Random(seed)  # noqa: S311
    found = []
    for _ in range(count):
        words = choose.choices(OTHERS[:-2], k=choose.randint(shortest, longest))
        at, which = choose.randint(0, len(words)), choose.randrange(len(MEN))
        man, woman = words.copy(), words.copy()
        man.insert(at, MEN[which])
        woman.insert(at, WOMEN[which])
        found.append((" ".join(man), " ".join(woman)))
    return found


def write_pairs(path: Path, pairs: list[Any], *more: tuple[str, list[str]]) -> Path:
    """A TSV file with the columns a and b, and `more`: (name, cells)."""
    lines = ["\t".join(["a", "b", *(name for name, _ in more)])]
    for at, (a, b) in enumerate(pairs):
        lines.append("\t".join([a, b, *(cells[at] for _, cells in more)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path

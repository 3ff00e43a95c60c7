"""A causal model of random weights that reads bytes, long enough for sentences."""

from __future__ import annotations

from pathlib import Path

from tests.models.test_causal import byte_level


def byte_model(folder: Path) -> Path:
    import torch
    import transformers

    tokenizer = byte_level()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=256,
        initializer_range=0.4, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    transformers.GPT2LMHeadModel(config).eval().save_pretrained(folder)
    return folder

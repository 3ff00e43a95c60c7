"""How often a masked LM restores masked tokens of sentences that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from curate.models.pretraining.corpus import encode
from curate.models.pretraining.vocabulary import SPECIAL

__all__ = ["masked_accuracy", "masked_logits"]

_BLOCK_TOKENS = 8192


def masked_logits(model: Any, inputs: Any, attention: Any, positions: Any) -> Any:
    """Vocabulary logits [n, vocabulary] at the n true `positions` of a [batch, length] mask."""
    hidden = model.bert(input_ids=inputs, attention_mask=attention).last_hidden_state
    return model.cls(hidden[positions])


def masked_accuracy(
    model: Any,
    tokenizer: Any,
    sentences: Sequence[str],
    *,
    seed: int,
    max_length: int,
    rate: float = 0.15,
) -> tuple[float, int]:
    """Top-1 accuracy over `rate` of the tokens, all replaced by the mask; (share, n tokens)."""
    import numpy as np
    import torch

    device = next(model.parameters()).device
    flat, offsets = encode(tokenizer, list(sentences), max_length=max_length)
    rng = np.random.default_rng(seed)
    lengths = np.diff(offsets)
    order = np.argsort(lengths, kind="stable")
    right = total = 0
    was_training = model.training
    model.eval()
    for rows in _blocks(order, lengths):
        ids = np.zeros((len(rows), int(lengths[rows].max())), dtype=np.int64)
        for i, row in enumerate(rows):
            ids[i, : lengths[row]] = flat[offsets[row] : offsets[row + 1]]
        chosen = (rng.random(ids.shape) < rate) & (ids >= len(SPECIAL))
        if not chosen.any():
            continue
        inputs = torch.from_numpy(np.where(chosen, tokenizer.mask_token_id, ids)).to(device)
        attention = torch.from_numpy((ids != 0).astype(np.int64)).to(device)
        with torch.inference_mode():
            logits = masked_logits(model, inputs, attention, torch.from_numpy(chosen).to(device))
        right += int((logits.argmax(-1).cpu().numpy() == ids[chosen]).sum())
        total += int(chosen.sum())
    model.train(was_training)
    return (right / total if total else math.nan), total


def _blocks(order: Any, lengths: Any) -> Iterator[Any]:
    """Runs of rows sorted by length, each under a number of tokens."""
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end - start + 1) * int(lengths[order[end]]) <= _BLOCK_TOKENS:
            end += 1
        yield order[start:end]
        start = end

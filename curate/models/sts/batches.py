"""The batches of an epoch: the same for the same seed, wherever a run goes on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curate.models.seq2seq import stsb_prompt
from curate.models.sts.settings import StsExample, target_text
from curate.models.tokens import read_tokenizer

__all__ = ["Encoded", "encode_examples", "epoch_batches", "tensors"]

_IGNORED = -100  # what torch's cross entropy leaves out


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of a prompt and of the number to be written."""

    ids: tuple[int, ...]
    labels: tuple[int, ...]


def encode_examples(
    examples: Sequence[StsExample], tokenizer: Any, *, max_length: int
) -> tuple[list[Encoded], int]:
    """The examples that fit into `max_length` tokens, and how many do not."""
    tokens = read_tokenizer(tokenizer)
    prompts = tokens.encode([stsb_prompt((one.sentence1, one.sentence2)) for one in examples])
    targets = tokens.encode([target_text(one.score) for one in examples])
    fitting = [
        Encoded(prompt.ids, target.ids)
        for prompt, target in zip(prompts, targets, strict=True)
        if len(prompt.ids) <= max_length
    ]
    return fitting, len(examples) - len(fitting)


def epoch_batches(
    examples: Sequence[Encoded], *, size: int, seed: int, epoch: int
) -> list[list[Encoded]]:
    """All examples in an order drawn from seed and epoch, `size` at a time."""
    order = list(range(len(examples)))
    random.Random(f"{seed} {epoch}").shuffle(order)  # noqa: S311 (no secret)
    return [
        [examples[at] for at in order[start : start + size]] for start in range(0, len(order), size)
    ]


def tensors(batch: Sequence[Encoded], *, padding: int, device: str) -> dict[str, Any]:
    """A batch as input_ids, attention_mask and labels, padded on the right."""
    import torch

    def padded(rows: Sequence[tuple[int, ...]], filler: int) -> Any:
        width = max(len(row) for row in rows)
        return torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows], device=device)

    ids = padded([one.ids for one in batch], padding)
    mask = padded([(1,) * len(one.ids) for one in batch], 0)
    labels = padded([one.labels for one in batch], _IGNORED)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}

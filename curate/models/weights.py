"""Whether a model's weights and tokenizer are whole and fit each other: nothing is random."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from curate.errors import InputError

__all__ = ["check_tokenizer", "check_weights"]

_NAMED = 3
_LAYER = re.compile(r"\.\d+\.")


def check_weights(model: Any, info: dict[str, Any], *, where: str) -> None:
    """Raise `InputError` unless every tensor of `model` came from its files.

    `info` is transformers' loading report. Tensors tied to others that are there are not missing;
    tensors too many (a pooler) do no harm, unless they are whole layers.
    """
    saved = ", ".join(getattr(model.config, "architectures", None) or [])
    wanted = type(model).__name__
    mismatched = sorted(info["mismatched_keys"])
    if mismatched:
        name, stored, expected = mismatched[0]
        raise InputError(
            f"{_tensors(len(mismatched))} not of the shape that config.json asks for: {name} is "
            f"{_shape(stored)}, not {_shape(expected)}",
            where=where,
            hint="config.json and weights are of two models: save them together again",
        )
    missing = sorted(info["missing_keys"])
    if missing:
        other = f" (they are of {saved})" if saved and wanted not in saved else ""
        raise InputError(
            f"{_tensors(len(missing))} missing from the weights{other}: {_few(missing)}",
            where=where,
            hint=f"a checkpoint with all of {wanted} is needed; nothing is filled with noise",
        )
    own = {_LAYER.sub(".#.", name) for name in model.state_dict()}
    left_out = sorted(name for name in info["unexpected_keys"] if _LAYER.sub(".#.", name) in own)
    if left_out:
        raise InputError(
            f"config.json leaves out layers that the weights have: {_few(left_out)}",
            where=where,
            hint="config.json and weights are of two models: save them together again",
        )


def check_tokenizer(tokenizer: Any, model: Any, *, where: str, mask: bool) -> None:
    """Raise `InputError` for a tokenizer without a mask token, or with ids the model lacks."""
    if mask and tokenizer.mask_token_id is None:
        raise InputError(
            "its tokenizer has no mask token",
            where=where,
            hint="add mask_token to its tokenizer_config.json, or name another model",
        )
    rows = int(model.get_input_embeddings().weight.shape[0])
    # padding is never used, and some tokenizers add it behind all that the model knows
    beyond = [
        token
        for token, number in tokenizer.get_vocab().items()
        if number >= rows and number != tokenizer.pad_token_id
    ]
    if beyond:
        raise InputError(
            f"its tokenizer has {len(tokenizer)} entries and its model only {rows}: no "
            f"embedding for {_few(sorted(beyond))}",
            where=where,
            hint="tokenizer and weights are of two models, or tokens were added without resizing",
        )


def _tensors(count: int) -> str:
    return f"{count} tensor{' is' if count == 1 else 's are'}"


def _shape(sizes: Collection[int]) -> str:
    return " x ".join(str(size) for size in sizes) or "a single number"


def _few(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")

"""Load a language model, whole or not at all, in a chosen precision, on a chosen device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from curate.errors import InputError, UsageError
from curate.models.devices import (
    DEVICES,
    PRECISIONS,
    choose_device,
    reduced_precision,
    torch_type,
)
from curate.models.heads import Head, find_head
from curate.models.kinds import Task, check_kind
from curate.models.last_layer import LastLayer, find_last_layer
from curate.models.memory import Halving, is_out_of_memory
from curate.models.pretrained import quiet_transformers, read_pretrained
from curate.models.products import pack_model
from curate.models.sources import ModelFolder, find_model
from curate.models.weights import check_tokenizer, check_weights

__all__ = ["DEVICES", "PRECISIONS", "Network", "load_network", "reduced_precision"]

_UNBOUNDED = 1_000_000  # tokenizers without a limit of their own report 1e30


@dataclass(frozen=True)
class Network:
    """A model and its tokenizer, ready to compute; `max_length` counts the special tokens.

    `head` maps hidden states to float32 logits, or is None where it could not be told from the
    model's body. `memory` halves batches that do not fit.
    """

    folder: ModelFolder
    model: Any
    tokenizer: Any
    head: Head | None
    device: str
    precision: str
    max_length: int
    memory: Halving = field(default_factory=Halving, compare=False)
    last: LastLayer | None = field(default=None, compare=False)

    def hidden(self, ids: Any, *, attention: bool = False) -> tuple[Any, Any]:
        """Last hidden state [rows, length, size] and, if wanted, the attentions by layer.

        An attention is [rows, heads, queries, keys]. Raises `InputError` where it is wanted of a
        model that has none, or only in windows.
        """
        if not attention:
            return self.model.base_model(input_ids=ids)[0], None
        output = self.model.base_model(input_ids=ids, output_attentions=True)
        length = ids.shape[1]
        if not output.attentions or output.attentions[0].shape[2:] != (length, length):
            raise InputError(
                "this model does not show how much every token attends to every other",
                where=self.folder.name,
                hint="metrics without attention weights take it: --metric aul,pll",
            )
        return output.last_hidden_state, output.attentions

    def hidden_at(self, ids: Any, chosen: Any) -> Any:
        """Last hidden states [n, size] at flat positions `chosen` [n] of `ids` [rows, length]."""
        if self.last is not None:
            return self.last.run(self.model.base_model, ids, chosen)
        hidden, _ = self.hidden(ids)
        return hidden.flatten(0, 1)[chosen]


def load_network(
    name: str, *, precision: str = "fp32", device: str = "auto", task: Task = "masked"
) -> Network:
    """Load `name` (see `find_model`), a model of the kind `task`.

    `precision` ``auto`` is bf16 on a CUDA device and fp32 elsewhere. Raises `InputError` for a
    missing or unusable model, one of another kind, or one with tensors missing; `UsageError` for
    an unknown precision or a device that is not there.
    """
    for what, given, known in (("precision", precision, PRECISIONS), ("device", device, DEVICES)):
        if given not in known:
            raise UsageError(f"unknown {what} {given!r}", hint=f"one of {', '.join(known)}")
    folder = find_model(name)
    transformers = quiet_transformers()
    import torch

    device = choose_device(device)
    precision = ("bf16" if device == "cuda" else "fp32") if precision == "auto" else precision
    check_kind(folder, task)
    model, tokenizer = _load(transformers, folder, torch_type(precision), task)
    model = _placed(model, folder, device)
    if precision == "fp32":
        pack_model(model, torch)
        head = _head(model, folder, precision, torch)
    else:  # the head is a float32 copy, which packed weights do not give
        head = _head(model, folder, precision, torch)
        pack_model(model, torch)
    return Network(
        folder=folder,
        model=model,
        tokenizer=tokenizer,
        head=head,
        last=find_last_layer(model, torch) if task == "masked" else None,
        device=device,
        precision=precision,
        max_length=_max_length(model, tokenizer),
    )


def _load(transformers: Any, folder: ModelFolder, dtype: Any, task: Task) -> tuple[Any, Any]:
    auto = {
        "masked": transformers.AutoModelForMaskedLM,
        "causal": transformers.AutoModelForCausalLM,
    }[task]
    what = f"a {task} language model"
    model, tokenizer, info = read_pretrained(folder, auto, what=what, dtype=dtype)
    model.config.use_cache = False  # keys and values are of no use to one pass
    check_weights(model, info, where=folder.name)
    check_tokenizer(tokenizer, model, where=folder.name, mask=task == "masked")
    return model, tokenizer


def _placed(model: Any, folder: ModelFolder, device: str) -> Any:
    try:
        return model.to(device).eval()
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        raise _no_room(folder, device) from error


def _head(model: Any, folder: ModelFolder, precision: str, torch: Any) -> Head | None:
    try:
        return find_head(model, torch)
    except (ArithmeticError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise _no_room(folder, str(model.device)) from error
        why = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"this model cannot compute in {precision}: {why[:200]}",
            where=folder.name,
            hint="--precision fp32" if precision != "fp32" else "its weights may be damaged",
        ) from error


def _no_room(folder: ModelFolder, device: str) -> InputError:
    return InputError(
        f"no room for this model on {device}",
        where=folder.name,
        hint="--device cpu, or a 16-bit --precision",
    )


def _max_length(model: Any, tokenizer: Any) -> int:
    """Positions that the model has, less those that RoBERTa's numbering skips."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or _UNBOUNDED)
    embeddings = getattr(model.base_model, "embeddings", None)
    # RoBERTa counts positions from padding_idx + 1 and keeps that index as an attribute
    padding = getattr(embeddings, "padding_idx", None)
    if isinstance(padding, int):
        positions -= padding + 1
    return min(positions, int(min(tokenizer.model_max_length, _UNBOUNDED)))

"""Load the part of a language model that has a hidden state for every token of a text.

Of an encoder that is its body, of an encoder and decoder (T5, BART) the encoder, of a decoder
(GPT-2, Llama) its body. Heads are not needed, so checkpoints without one (sentence encoders) do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Literal

from curate.errors import InputError, UsageError
from curate.models.devices import DEVICES, choose_device
from curate.models.memory import Halving, is_out_of_memory
from curate.models.pretrained import quiet_transformers, read_pretrained
from curate.models.products import pack_model
from curate.models.sources import ModelFolder, find_model
from curate.models.weights import check_tokenizer, check_weights

__all__ = ["HiddenNetwork", "Kind", "load_hidden_network"]

Kind = Literal["encoder", "encoder-decoder", "decoder"]

_UNBOUNDED = 1_000_000
_POOLER = "pooler."


@dataclass(frozen=True)
class HiddenNetwork:
    """A body of `layers` layers, whose hidden states have `size` numbers, and its tokenizer.

    `max_length` counts the special tokens; `memory` halves batches that do not fit.
    """

    folder: ModelFolder
    model: Any
    tokenizer: Any
    kind: Kind
    layers: int
    size: int
    device: str
    max_length: int
    memory: Halving = field(default_factory=Halving, compare=False)

    def hidden(self, ids: Any, layer: int) -> Any:
        """The states [rows, length, size] behind `layer`; 0 are the embeddings, -1 is the last."""
        if layer in {-1, self.layers}:
            return self.model(input_ids=ids)[0]
        return self.model(input_ids=ids, output_hidden_states=True).hidden_states[layer]


def load_hidden_network(name: str, *, device: str = "auto") -> HiddenNetwork:
    """Load `name` (see `find_model`) in float32.

    Raises `InputError` for a missing or unusable model, one that reads no text or shows no hidden
    states, or one with tensors missing; `UsageError` for a device that is not there.
    """
    if device not in DEVICES:
        raise UsageError(f"unknown device {device!r}", hint=f"one of {', '.join(DEVICES)}")
    folder = find_model(name)
    transformers = quiet_transformers()
    import torch

    device = choose_device(device)
    config = _config(folder)
    kind, encoder_class = _kind(folder, config)
    model, tokenizer = _load(transformers, folder, encoder_class)
    body = model.get_encoder() if _has_decoder(model) else model
    try:
        body = body.to(device).eval()
        layers, size = _shape(body, torch, folder)
        pack_model(_States(body), torch)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        raise InputError(
            f"no room for this model on {device}", where=folder.name, hint="--device cpu"
        ) from error
    return HiddenNetwork(
        folder=folder, model=body, tokenizer=tokenizer, kind=kind, layers=layers, size=size,
        device=device, max_length=_max_length(body, tokenizer),
    )  # fmt: skip


def _config(folder: ModelFolder) -> Any:
    """The configuration, of an architecture that transformers itself has."""
    import transformers
    from transformers.models.auto import configuration_auto

    # find_model has seen that it is JSON and names an architecture
    written = json.loads((folder.path / "config.json").read_text(encoding="utf-8"))
    kind = written["model_type"]
    if kind not in configuration_auto.CONFIG_MAPPING_NAMES:
        raise InputError(
            f"transformers {transformers.__version__} knows no architecture {kind!r}",
            where=folder.name,
            hint="code that a model brings along is never run; a newer transformers may have it",
        )
    try:
        return configuration_auto.CONFIG_MAPPING[kind].from_dict(written)
    except Exception as error:  # of several libraries, validators among them
        why = " ".join(str(error).split())
        raise InputError(
            f"config.json does not describe a {kind} model: {why[:200]}", where=folder.name
        ) from error


def _kind(folder: ModelFolder, config: Any) -> tuple[Kind, bool]:
    """What sort of model it is, and whether transformers has its encoder as a class of its own."""
    from transformers.models.auto import modeling_auto as auto

    name = config.model_type
    alone = auto.MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES.get(name, "")
    masked = name in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    causal = name in auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    if name in auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES and (
        getattr(config, "is_encoder_decoder", False) or alone
    ):
        return "encoder-decoder", bool(alone)
    if causal and (getattr(config, "is_decoder", False) or not masked):
        return "decoder", False
    if masked or alone:
        return "encoder", False
    raise InputError(
        f"this {name} model has no encoder or decoder of text, and so no hidden states of words",
        where=folder.name,
        hint="name an encoder (BERT), an encoder-decoder (T5) or a decoder (GPT-2)",
    )


def _load(transformers: Any, folder: ModelFolder, encoder_class: bool) -> tuple[Any, Any]:
    auto = transformers.AutoModelForTextEncoding if encoder_class else transformers.AutoModel
    model, tokenizer, info = read_pretrained(folder, auto, what="a language model")
    model.config.use_cache = False  # keys and values are of no use to one pass
    # a pooler stands behind the hidden states: checkpoints of other heads lack it, and none asks it
    missing = [key for key in info["missing_keys"] if not key.startswith(_POOLER)]
    check_weights(model, {**info, "missing_keys": missing}, where=folder.name)
    check_tokenizer(tokenizer, model, where=folder.name, mask=False)
    return model, tokenizer


def _has_decoder(model: Any) -> bool:
    return bool(getattr(model.config, "is_encoder_decoder", False)) and hasattr(model, "decoder")


def _shape(body: Any, torch: Any, folder: ModelFolder) -> tuple[int, int]:
    """(layers, size) of the hidden states that the body shows for a short input."""
    rows = int(body.get_input_embeddings().weight.shape[0])
    ids = (torch.arange(6, device=body.device).reshape(1, 6) + 5) % rows
    with torch.inference_mode():
        try:
            states = body(input_ids=ids, output_hidden_states=True).hidden_states
        except (TypeError, ValueError, AttributeError) as error:
            states = None
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
        else:
            why = "none are returned"
    if not states or states[-1].shape[:2] != ids.shape:
        raise InputError(
            f"this model shows no hidden state for every token ({why[:120]})", where=folder.name
        )
    if not bool(states[-1].isfinite().all()):
        raise InputError("the model's hidden states are not finite", where=folder.name)
    return len(states) - 1, int(states[-1].shape[-1])


class _States:
    """A body as `pack_model` takes models: what it compares before and after are the states."""

    def __init__(self, body: Any) -> None:
        self._body = body
        self.config, self.device = body.config, body.device

    def __call__(self, input_ids: Any) -> Any:
        return SimpleNamespace(logits=self._body(input_ids=input_ids)[0])

    def named_children(self) -> list[tuple[str, Any]]:
        return [("body", self._body)]


def _max_length(body: Any, tokenizer: Any) -> int:
    """Positions that the body has, less those that RoBERTa's numbering skips."""
    positions = int(getattr(body.config, "max_position_embeddings", 0) or _UNBOUNDED)
    padding = getattr(getattr(body, "embeddings", None), "padding_idx", None)
    if isinstance(padding, int):
        positions -= padding + 1
    return min(positions, int(min(tokenizer.model_max_length, _UNBOUNDED)))

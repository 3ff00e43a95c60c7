"""The vocabulary projection of a language model, apart from its body, to run it at few positions.

The body may compute in 16 bits; a projection that was found is then a copy in 32, so that
probabilities are not rounded to the few steps that 16-bit logits have.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from curate.models.products import packed

__all__ = ["Head", "find_head"]

Head = Callable[[Any], Any]

# the modules between last hidden state and logits, by attribute names of transformers' classes
_HEADS = (
    ("cls",),  # BERT, DeBERTa, MobileBERT
    ("lm_head",),  # RoBERTa, XLM-R, CamemBERT, ESM; GPT-2, Llama and most causal models
    ("predictions",),  # ALBERT
    ("head", "decoder"),  # ModernBERT
    ("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),  # DistilBERT
    ("generator_predictions", "generator_lm_head"),  # ELECTRA, ConvBERT
    ("embed_out",),  # GPT-NeoX
)
# a full and a reduced run of the same products in the same precision differ by rounding only
_TOLERANCE = {"torch.float32": 1e-4, "torch.float16": 5e-3, "torch.bfloat16": 3e-2}


def find_head(model: Any, torch: Any) -> Head | None:
    """A function from hidden states [n, size] to logits [n, vocabulary] in float32, or None.

    It is tried on a short input against the whole model; None where no known head gives the same
    logits, and the caller then computes the logits of every position. Raises `ArithmeticError`
    where the logits are not finite.
    """
    ids = (torch.arange(6, device=model.device).reshape(1, 6) + 5) % model.config.vocab_size
    with torch.inference_mode():
        whole = model(input_ids=ids).logits[0].float()
        if not bool(whole.isfinite().all()):
            raise ArithmeticError("the model's logits are not finite")
        hidden = model.base_model(input_ids=ids)[0][0]
    for names in _HEADS:
        modules = [getattr(model, name, None) for name in names]
        if all(callable(module) for module in modules):
            for change in (None, *_changes(model.config)):
                if _agrees(_chain(modules, change), hidden, whole, torch):
                    return _in_full(modules, change, torch)
    return None


def _changes(config: Any) -> list[Head]:
    """What some causal models do to their logits: Gemma 2, Cohere, Granite."""
    found: list[Head] = []
    cap = getattr(config, "final_logit_softcapping", None)
    scale = getattr(config, "logit_scale", None)
    divisor = getattr(config, "logits_scaling", None)
    if cap:
        found.append(lambda logits: (logits / cap).tanh() * cap)
    if scale:
        found.append(lambda logits: logits * scale)
    if divisor:
        found.append(lambda logits: logits / divisor)
    return found


def _chain(modules: list[Any], change: Head | None) -> Head:
    def project(hidden: Any) -> Any:
        for module in modules:
            hidden = module(hidden)
        return change(hidden) if change else hidden

    return project


def _in_full(modules: list[Any], change: Head | None, torch: Any) -> Head:
    """The same chain in float32, its weights copied where they are not."""
    exact = [
        module
        if not isinstance(module, torch.nn.Module)
        or all(tensor.dtype == torch.float32 for tensor in module.parameters())
        else packed(copy.deepcopy(module).float(), torch)
        for module in modules
    ]
    chain = _chain(exact, change)
    return lambda hidden: chain(hidden.float())


def _agrees(head: Head, hidden: Any, whole: Any, torch: Any) -> bool:
    try:
        with torch.inference_mode():
            parts = head(hidden).float()
    except (RuntimeError, TypeError, ValueError, AttributeError):
        return False
    scale = float(whole.abs().max()) + 1e-6
    tolerance = _TOLERANCE[str(hidden.dtype)] * scale
    return bool(whole.shape == parts.shape and float((whole - parts).abs().max()) < tolerance)

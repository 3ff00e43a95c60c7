"""The vocabulary projection of a masked LM, apart from its body, to run it at few positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["find_head"]

# the modules between last hidden state and logits, by attribute names of transformers' classes
_HEADS = (
    ("cls",),  # BERT, DeBERTa, MobileBERT
    ("lm_head",),  # RoBERTa, XLM-R, CamemBERT, ESM
    ("predictions",),  # ALBERT
    ("head", "decoder"),  # ModernBERT
    ("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),  # DistilBERT
    ("generator_predictions", "generator_lm_head"),  # ELECTRA
)


def find_head(model: Any, torch: Any) -> Callable[[Any], Any] | None:
    """A function from hidden states [n, size] to logits [n, vocabulary], or None.

    It is tried on a short input against the whole model; None where no known head gives the same
    logits, and the caller then computes the logits of every position.
    """
    for names in _HEADS:
        modules = [getattr(model, name, None) for name in names]
        if all(callable(module) for module in modules):
            head = _chain(modules)
            if _agrees(model, head, torch):
                return head
    return None


def _chain(modules: list[Any]) -> Callable[[Any], Any]:
    def project(hidden: Any) -> Any:
        for module in modules:
            hidden = module(hidden)
        return hidden

    return project


def _agrees(model: Any, head: Callable[[Any], Any], torch: Any) -> bool:
    ids = torch.arange(4, device=model.device).reshape(1, 4) + 5
    ids %= model.config.vocab_size
    try:
        with torch.inference_mode():
            whole = model(input_ids=ids).logits[0].float()
            parts = head(model.base_model(input_ids=ids).last_hidden_state[0]).float()
    except (RuntimeError, TypeError, ValueError, AttributeError):
        return False
    scale = float(whole.abs().max()) + 1e-6
    return whole.shape == parts.shape and float((whole - parts).abs().max()) < 0.02 * scale

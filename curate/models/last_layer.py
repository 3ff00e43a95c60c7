"""The last layer of a model, run only where a token is read.

In the last layer a position needs the others for attention alone: what follows it (two thirds of
the layer's work) concerns one position at a time. In models of BERT's build that is a module apart,
and there it runs at the positions that are read.
"""

from __future__ import annotations

from typing import Any

__all__ = ["LastLayer", "find_last_layer"]


class LastLayer:
    """Narrows the last layer of a model to chosen positions, for one run at a time."""

    def __init__(self, layer: Any) -> None:
        self._chosen: Any = None
        layer.intermediate.register_forward_pre_hook(self._narrow)
        layer.output.register_forward_pre_hook(self._narrow_residual)

    def run(self, body: Any, ids: Any, chosen: Any) -> Any:
        """Last hidden states [n, size] of `ids` [rows, length] at flat positions `chosen` [n]."""
        self._chosen = chosen
        try:
            return body(input_ids=ids)[0]
        finally:
            self._chosen = None

    def _narrow(self, module: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self._chosen is None:
            return None
        return (inputs[0].flatten(0, 1)[self._chosen], *inputs[1:])

    def _narrow_residual(self, module: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self._chosen is None:
            return None
        return (inputs[0], inputs[1].flatten(0, 1)[self._chosen])


def find_last_layer(model: Any, torch: Any) -> LastLayer | None:
    """The last layer of `model` if it can be narrowed and then gives the same, else None."""
    body = model.base_model
    try:
        layer = body.encoder.layer[-1]
        parts = (layer.intermediate, layer.output)
    except (AttributeError, TypeError, IndexError):
        return None
    ids = (torch.arange(40, device=model.device).reshape(2, 20) + 5) % model.config.vocab_size
    chosen = torch.arange(1, 39, 2, device=model.device)
    hooks = [dict(part._forward_pre_hooks) for part in parts]
    last = LastLayer(layer)
    try:
        with torch.inference_mode():
            whole = body(input_ids=ids)[0].flatten(0, 1)[chosen]
            if torch.equal(last.run(body, ids, chosen), whole):
                return last
    except (RuntimeError, TypeError, ValueError, IndexError, AttributeError):
        pass
    for part, before in zip(parts, hooks, strict=True):
        part._forward_pre_hooks.clear()
        part._forward_pre_hooks.update(before)
    return None

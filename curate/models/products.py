"""Matrix products on a CPU by the library that is faster there.

torch multiplies float32 matrices with MKL on x86, which leaves half of some processors idle (AMD's
among them); its oneDNN kernels do not, and take weights, bf16 ones too, laid out for them once.
Which of the two is faster is measured when a model is loaded; results differ by rounding only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

__all__ = ["pack_model", "packed"]

_GAIN = 1.5  # far from what either sort of processor gives, so that the choice is always the same
_ROWS, _SIZE = 512, 768
_LEAST = 4096  # weights; smaller layers are not worth the call


def pack_model(model: Any, torch: Any) -> None:
    """Pack the linear layers of a language model in place, where that is faster.

    A packed layer has no weight of its own any more; one whose weight is shared (a projection tied
    to the embeddings) keeps it beside the packed copy. A model that cannot compute so, or gives
    other logits, is left as it was.
    """
    if not _is_faster():
        return
    before = _logits(model, torch)
    packed = list(_pack_inside(model, torch))
    after = _logits(model, torch)
    if before is None or after is None or not _agree(before, after, torch):
        for parent, name, layer in packed:
            setattr(parent, name, layer)


def packed(module: Any, torch: Any) -> Any:
    """A module (or layer) with its linear layers packed, where that is faster."""
    if _is_faster():
        if _fits(module, torch):
            return _packed_class()(module)
        for _ in _pack_inside(module, torch):
            pass
    return module


def _pack_inside(module: Any, torch: Any) -> Iterator[tuple[Any, str, Any]]:
    """Pack what lies in `module`; gives (parent, name, layer before) of each."""
    for name, child in list(module.named_children()):
        if _fits(child, torch):
            setattr(module, name, _packed_class()(child))
            yield module, name, child
        else:
            yield from _pack_inside(child, torch)


def _logits(model: Any, torch: Any) -> Any:
    """What the model gives for a short input; None where it fails."""
    ids = (torch.arange(6, device=model.device).reshape(1, 6) + 5) % model.config.vocab_size
    try:
        with torch.inference_mode():
            return model(input_ids=ids).logits
    except (RuntimeError, TypeError, ValueError, AttributeError):
        return None


def _agree(before: Any, after: Any, torch: Any) -> bool:
    same = before.shape == after.shape
    return same and bool(
        torch.allclose(
            before, after, atol=1e-3 if before.dtype == torch.float32 else 0.2, rtol=1e-3
        )
    )


def _fits(module: Any, torch: Any) -> bool:
    return (
        type(module) is torch.nn.Linear
        and module.weight.device.type == "cpu"
        and module.weight.dtype in {torch.float32, torch.bfloat16}
        and module.weight.numel() >= _LEAST
        and not module._forward_pre_hooks
        and not module._forward_hooks
    )


@lru_cache(maxsize=1)
def _packed_class() -> type:
    import torch

    class PackedLinear(torch.nn.Module):  # type: ignore[misc]
        """A linear layer over a weight that oneDNN has laid out for itself."""

        def __init__(self, linear: torch.nn.Linear) -> None:
            super().__init__()
            self.in_features, self.out_features = linear.in_features, linear.out_features
            self.bias = linear.bias
            self._packed = _pack(linear.weight.detach())

        def forward(self, inputs: Any) -> Any:
            return torch.ops.mkldnn._linear_pointwise(
                inputs, self._packed, self.bias, "none", [], ""
            )

    return PackedLinear


def _pack(weight: Any) -> Any:
    import torch

    return torch.ops.mkldnn._reorder_linear_weight(weight, _ROWS)


@lru_cache(maxsize=1)
def _is_faster() -> bool:
    """Whether packed products are there, and faster on this machine."""
    import torch

    names = ("_linear_pointwise", "_reorder_linear_weight")
    if not torch.backends.mkldnn.is_available() or not all(
        hasattr(torch.ops.mkldnn, name) for name in names
    ):
        return False
    linear = torch.nn.Linear(_SIZE, _SIZE)
    inputs = torch.linspace(-1, 1, _ROWS * _SIZE).reshape(_ROWS, _SIZE)
    threads = torch.get_num_threads()
    try:
        # on one thread, which other programs disturb least: the choice should always be the same
        torch.set_num_threads(1)
        with torch.inference_mode():
            layer = _packed_class()(linear)
            close = torch.allclose(layer(inputs), linear(inputs), atol=1e-4)
            ours, theirs = _seconds([layer, linear], inputs)
            return close and _GAIN * ours < theirs
    except (RuntimeError, NotImplementedError):
        return False
    finally:
        torch.set_num_threads(threads)


def _seconds(layers: Sequence[Any], inputs: Any) -> list[float]:
    """The least time of each layer, taken in turns."""
    best = [float("inf")] * len(layers)
    for _ in range(7):
        for at, layer in enumerate(layers):
            started = time.perf_counter()
            layer(inputs)
            best[at] = min(best[at], time.perf_counter() - started)
    return best

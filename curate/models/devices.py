"""Where to compute, and in which floating-point numbers."""

from __future__ import annotations

from typing import Any

from curate.errors import UsageError

__all__ = ["DEVICES", "PRECISIONS", "choose_device", "reduced_precision", "torch_type"]

PRECISIONS = ("fp32", "bf16", "fp16", "auto")
DEVICES = ("auto", "cpu", "cuda", "mps")


def choose_device(device: str) -> str:
    """cpu, cuda or mps; ``auto`` is the first of CUDA, MPS and CPU that is there.

    Raises `UsageError` for a device that this machine lacks.
    """
    import torch

    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if device == "auto":
        return next(name for name, there in present.items() if there)
    if device not in DEVICES:
        raise UsageError(f"unknown device {device!r}", hint=f"one of {', '.join(DEVICES)}")
    if not present[device]:
        raise UsageError(f"no device {device!r} is available here", hint="--device cpu")
    return device


def reduced_precision(device: str) -> str | None:
    """The 16-bit precision that makes `device` faster: bf16, fp16, or None where none does."""
    import torch

    if device == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp16"
    if device == "mps":
        return "fp16"
    # the CPU's own bf16 products; private names of torch, so absent ones count as no
    signs = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    checks = [getattr(torch.cpu, name, None) for name in signs]
    return "bf16" if any(check is not None and check() for check in checks) else None


def torch_type(precision: str) -> Any:
    """The torch dtype of fp32, bf16 or fp16."""
    import torch

    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]

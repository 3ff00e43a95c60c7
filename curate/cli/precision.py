"""The option `--precision` of the commands that run a model."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Precision"]


class Precision(StrEnum):
    """The numbers that the model computes with."""

    fp32 = "fp32"
    bf16 = "bf16"
    fp16 = "fp16"
    auto = "auto"

"""Packages that only a study needs, imported where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from curate.errors import MissingExtraError

__all__ = ["optional"]


def optional(module: str, *, package: str, extra: str = "study") -> Any:
    """A module of an optional package; MissingExtraError where the package is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(package, extra) from None

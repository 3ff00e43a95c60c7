"""Who may see and load a data set on the Hub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Visibility"]


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who may see and load the dataset; None leaves a setting as it is.

    What closes a repository is done before the commit, what opens it after the tag. A repository
    whose readers are let in by hand stays so: it is gated already.
    """

    private: bool | None = None
    gated: bool | None = None

    def closing(self, info: Any) -> dict[str, Any]:
        """The settings that close a repository which is as `info` says (None: unknown)."""
        private, gated = getattr(info, "private", False), getattr(info, "gated", False)
        return {
            **({"private": True} if self.private and not private else {}),
            **({"gated": "auto"} if self.gated and not gated else {}),
        }

    def opening(self, info: Any) -> dict[str, Any]:
        """The settings that open it."""
        private, gated = getattr(info, "private", True), getattr(info, "gated", True)
        return {
            **({"private": False} if self.private is False and private else {}),
            **({"gated": False} if self.gated is False and gated else {}),
        }

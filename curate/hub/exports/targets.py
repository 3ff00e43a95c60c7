"""The configurations that models are scored on, and where a harness finds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Target", "scored_targets"]

_SIDES = {"pairs": ("masculine", "feminine"), "crows": ("sent_more", "sent_less")}


@dataclass(frozen=True, slots=True)
class Target:
    """A configuration of pairs. `sides`: its two columns; the share that prefers the first is told.

    `repository` is ``NS/NAME`` with the tag `revision`, or empty: then `file` is all there is.
    """

    config: str
    kind: str
    lang: str
    file: str
    rows: int
    repository: str
    revision: str

    @property
    def sides(self) -> tuple[str, str]:
        return _SIDES[self.kind]


def scored_targets(manifest: Mapping[str, Any]) -> list[Target]:
    """The configurations with rows whose two sides can be compared, in order of name."""
    repository = str(manifest.get("repository") or "")
    runs = manifest.get("runs") or {}
    return [
        Target(
            config=name,
            kind=entry["kind"],
            lang=str((runs.get(name) or {}).get("lang") or name.rpartition("-")[0]),
            file=entry["file"],
            rows=int(entry["rows"]),
            repository=repository,
            revision=f"v{manifest['version']}" if repository else "",
        )
        for name, entry in sorted(manifest["configs"].items())
        if entry.get("kind") in _SIDES and entry["rows"]
    ]

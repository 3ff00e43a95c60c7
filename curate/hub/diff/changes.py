"""The changelog of a release: an entry of its manifest, and its lines on the card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from curate.hub.diff.model import Counts, Diff

__all__ = ["change_entry", "change_lines", "counts_text"]


def change_entry(
    diff: Diff | None, *, version: str, date: str | None = None, level: str, note: str = ""
) -> dict[str, Any]:
    """One entry of the manifest's ``changes``; `diff` is None for the first version.

    ``configs`` holds the configurations whose rows differ, with their counts.
    """
    entry: dict[str, Any] = {"version": version, "level": level}
    if date:
        entry["date"] = date
    configs = diff.differing if diff is not None else {}
    entry["configs"] = {name: asdict(c.counts) for name, c in configs.items() if c.counts}
    entry["note"] = note
    return entry


def change_lines(changes: Iterable[Mapping[str, Any]]) -> list[str]:
    """The entries as lines of Markdown, in their order: ``**1.1.0** (2026-01-31, minor): …``."""
    return [_line(entry) for entry in changes]


def counts_text(counts: Counts) -> str:
    """``3 added, 1 removed, 2 changed``; empty where nothing is."""
    numbers = asdict(counts).items()
    return ", ".join(f"{number:,} {what}" for what, number in numbers if number)


def _line(entry: Mapping[str, Any]) -> str:
    told = ", ".join(str(entry[key]) for key in ("date", "level") if entry.get(key))
    parts = [
        f"{config} {counts_text(Counts(**counts))}"
        for config, counts in entry.get("configs", {}).items()
    ]
    note = " ".join(str(entry.get("note") or "").split())
    said = "; ".join(part for part in (note, *parts) if part)
    return (
        f"**{entry['version']}** ({told}): {said}" if said else f"**{entry['version']}** ({told})"
    )

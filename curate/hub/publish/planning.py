"""What will be published: compared with which version, under which number, with which changelog."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.hub.diff import Diff, change_entry, diff_releases
from curate.hub.layout import MANIFEST
from curate.hub.manifest import read_release_manifest
from curate.hub.publish.staging import stage_release
from curate.hub.publish.target import Standing, Target
from curate.hub.versions import Level, enforce, newest, newest_below, proposed

__all__ = ["Plan", "earlier_try", "plan_version"]

_FIRST = "1.0.0"


@dataclass(frozen=True)
class Plan:
    """The version to publish under, and why; `earlier` is the changelog so far, newest first."""

    version: str
    level: Level | str
    reasons: tuple[str, ...] = ()
    diff: Diff | None = None
    earlier: tuple[dict[str, Any], ...] = ()

    def changes(self, *, date: str, note: str) -> list[dict[str, Any]]:
        """The changelog with this version on top."""
        entry = change_entry(
            self.diff, version=self.version, date=date, level=self.level, note=note
        )
        return [entry, *self.earlier]


def plan_version(
    folder: Path,
    manifest: Mapping[str, Any],
    target: Target,
    standing: Standing,
    *,
    given: str | None,
    force: bool,
) -> Plan:
    """Compare the release with the newest published version, or, if `given` is one, with the one
    before it.

    Raises UsageError where `given` goes backwards, or is too low for what changed.
    """
    tags = standing.tags
    last = newest(tags)
    before = newest_below(tags, given if given and given in tags else _ABOVE_ALL)
    if before is None or last is None:
        return Plan(given or _FIRST, "first")
    with tempfile.TemporaryDirectory(prefix="curate-previous-") as scratch:
        old, probe = Path(scratch) / "old", Path(scratch) / "probe"
        earlier = _fetch(target, tags[before], manifest, into=old)
        diff = diff_releases(old, _comparable(folder, manifest, earlier, probe))
    asked, level, reasons = proposed(last, diff)
    if given and given not in tags:
        enforce(given, last, diff, force=force)
    history = tuple(earlier.get("changes", ()))
    return Plan(given or asked, level, tuple(reasons), diff, history)


_ABOVE_ALL = f"{2**31}.0.0"
"""A version above every one that there may be."""


def _fetch(
    target: Target, revision: str, manifest: Mapping[str, Any], *, into: Path
) -> dict[str, Any]:
    """A published version without the data that is the same now; returns its manifest."""
    target.fetch(revision, [MANIFEST], into)
    earlier = read_release_manifest(into)
    now = {fact["sha256"] for fact in manifest["files"].values()}
    data = [entry["file"] for entry in earlier["configs"].values()]
    target.fetch(
        revision, [name for name in data if earlier["files"][name]["sha256"] not in now], into
    )
    return earlier


def _comparable(
    folder: Path, manifest: Mapping[str, Any], earlier: Mapping[str, Any], into: Path
) -> Path:
    """The release, or, where its data is that of `earlier`, a copy with the same stamps.

    Then its documents differ from the earlier ones only where they say something else.
    """
    if _data(manifest) != _data(earlier):
        return folder
    stage_release(
        folder, into, manifest, version=earlier["version"], date=earlier.get("date"),
        repository=earlier.get("repository"), changes=list(earlier.get("changes", [])),
    )  # fmt: skip
    return into


def _data(manifest: Mapping[str, Any]) -> dict[str, str]:
    files = manifest["files"]
    return {name: files[entry["file"]]["sha256"] for name, entry in manifest["configs"].items()}


def earlier_try(
    target: Target, standing: Standing, version: str, *, date: str, note: str
) -> tuple[str, str]:
    """Date and note of an earlier try of the same version, or those given.

    What was committed, and not tagged, can so be recognised the day after.
    """
    revision = standing.tags.get(version, standing.head)
    if revision is None or MANIFEST not in target.files(revision):
        return date, note
    with tempfile.TemporaryDirectory() as scratch:
        target.fetch(revision, [MANIFEST], Path(scratch))
        try:
            told = json.loads((Path(scratch) / MANIFEST).read_text(encoding="utf-8"))
        except ValueError:
            return date, note
    if not isinstance(told, dict) or told.get("version") != version:
        return date, note
    entry = next(iter(told.get("changes") or [{}]))
    return str(told.get("date", date)), note or str(entry.get("note", ""))

"""What will be published: compared with which version, under which number, with which changelog."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.hub.diff import Diff, change_entry, diff_releases
from curate.hub.layout import MANIFEST
from curate.hub.manifest import read_release_manifest
from curate.hub.publish.others import manifest_at, of_no_release
from curate.hub.publish.staging import stage_release
from curate.hub.publish.target import Standing, Target
from curate.hub.versions import Level, enforce, newest, newest_below, proposed, tag_of

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
    before = newest_below(tags, given if given is not None and given in tags else _ABOVE_ALL)
    if before is None or last is None:
        return Plan(given or _FIRST, "first")
    if given is None and before != last:
        # last is a candidate: if it is this very release, there is no reason for another one
        same, _ = _compared(folder, manifest, target, last, tags[last])
        if not same:
            return Plan(last, "none")
    diff, earlier = _compared(folder, manifest, target, before, tags[before])
    asked, level, reasons = proposed(last, diff)
    if given and given not in tags:
        enforce(given, last, diff, force=force)
    if given and level == "none":
        level, reasons = "patch", [f"nothing differs from {tag_of(before)}"]
    return Plan(given or asked, level, tuple(reasons), diff, tuple(earlier.get("changes", ())))


def _compared(
    folder: Path, manifest: Mapping[str, Any], target: Target, version: str, revision: str
) -> tuple[Diff, dict[str, Any]]:
    """What differs from a published version, and the manifest of that."""
    with tempfile.TemporaryDirectory(prefix="curate-previous-") as scratch:
        old, probe = Path(scratch) / "old", Path(scratch) / "probe"
        if MANIFEST not in target.files(revision):
            raise of_no_release(target, version)
        try:
            earlier = _fetch(target, revision, manifest, into=old)
        except InputError as error:
            told = error.message if str(scratch) in error.where else str(error)
            raise InputError(f"{tag_of(version)}: {told}", where=target.name) from error
        return diff_releases(old, _comparable(folder, manifest, earlier, probe)), earlier


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
    told = manifest_at(target, revision, target.files(revision)) if revision else None
    if told is None or told["version"] != version:
        return date, note
    changes = told.get("changes")
    entry = changes[0] if isinstance(changes, list) and changes else None
    said = entry.get("note", "") if isinstance(entry, dict) else ""
    return str(told.get("date", date)), note or str(said)

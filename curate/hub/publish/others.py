"""What stands at a target that no release put there: nothing of it is deleted unasked."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curate.errors import UsageError
from curate.hub.diff import without_controls
from curate.hub.layout import CARD, MANIFEST
from curate.hub.publish.target import FileFact, Standing, Target
from curate.hub.versions import tag_of

__all__ = ["manifest_at", "must_be_ours", "of_no_release"]

_REPLACE = "keep a copy elsewhere, then publish with --replace; or name another target"


def manifest_at(
    target: Target, revision: str, there: Mapping[str, FileFact]
) -> dict[str, Any] | None:
    """The manifest of a revision with the files `there`; None where it is no release's.

    It is read leniently: anybody may have written a file of that name.
    """
    if MANIFEST not in there:
        return None
    with tempfile.TemporaryDirectory(prefix="curate-manifest-") as scratch:
        target.fetch(revision, [MANIFEST], Path(scratch))
        try:
            told = json.loads((Path(scratch) / MANIFEST).read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            return None
    if not isinstance(told, dict) or not isinstance(told.get("files"), dict):
        return None
    return told if {"name", "version"} <= told.keys() else None


def must_be_ours(
    target: Target, standing: Standing, there: Mapping[str, FileFact], manifest: Mapping[str, Any]
) -> None:
    """Raise UsageError where a commit would delete or overwrite what is of no release.

    That is a release of another name, a file that the manifest at the head does not list, or one
    that was changed since the version it belongs to was tagged. A lone card is no such file: the
    Hub makes one for every repository that is begun on its pages.
    """
    if standing.head is None or not there:
        return
    told = manifest_at(target, standing.head, there)
    if told is not None and told["name"] != manifest["name"]:
        raise UsageError(
            f"there is the release {told['name']!r}, this one is {manifest['name']!r}",
            where=target.name, hint="name another target, or --replace",
        )  # fmt: skip
    listed = {*told["files"], MANIFEST} if told is not None else {CARD}
    others = there.keys() - listed
    if told is not None:
        others |= _changed_since(target, standing, there, str(told["version"])) & listed
    if others:
        first = without_controls(min(others))
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise UsageError(
            f"{first}{more} there is not of a release, and would be lost",
            where=target.name, hint=_REPLACE,
        )  # fmt: skip


def _changed_since(
    target: Target, standing: Standing, there: Mapping[str, FileFact], version: str
) -> set[str]:
    """Files that differ from those of the tag of `version`; none where it is no tag (yet)."""
    tagged = standing.tags.get(version)
    if tagged is None or tagged == standing.head:
        return set()
    before = target.files(tagged)
    return {name for name, fact in there.items() if name in before and not fact.same(before[name])}


def of_no_release(target: Target, version: str) -> UsageError:
    """The error where a tag of a version is there, and no manifest of a release with it."""
    return UsageError(
        f"{tag_of(version)} there is the tag of something else, not of a release",
        where=target.name, hint="name another repository",
    )  # fmt: skip

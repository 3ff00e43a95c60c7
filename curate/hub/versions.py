"""Semantic versions of releases: what a change asks for, and whether a version may be given.

The rule, for data (semver.org 2.0.0 for the form and the order): *major* where rows that somebody
may have scored are not the same any more, or columns lost their meaning; *minor* where something
was added; *patch* where only documents changed. It holds below 1.0.0 too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from semver import Version

from curate.errors import UsageError
from curate.hub.diff.changes import counts_text
from curate.hub.diff.model import ConfigDiff, Counts, Diff

__all__ = [
    "Level", "change_level", "enforce", "is_version", "newest", "newest_below", "proposed",
    "tag_of", "version_of_tag",
]  # fmt: skip

Level = Literal["major", "minor", "patch", "none"]

_UNSCORED = frozenset({"drops"})
"""Kinds of rows that tell how the data was made: a sentence that is no longer dropped takes
nothing from anybody."""
_MOST = 4


def is_version(text: str) -> bool:
    """Whether this is a semantic version: three numbers, a pre-release and a build if need be."""
    return Version.is_valid(text)


def tag_of(version: str) -> str:
    """The tag of a version: ``v1.0.0``."""
    return f"v{version}"


def version_of_tag(tag: str) -> str | None:
    """The version that a tag names; None for any other tag."""
    version = tag.removeprefix("v")
    return version if tag.startswith("v") and is_version(version) else None


def newest(versions: Iterable[str]) -> str | None:
    """The highest version, candidates (1.0.0-rc.1) included; None where there is none."""
    return max((v for v in versions if is_version(v)), key=Version.parse, default=None)


def newest_below(versions: Iterable[str], version: str) -> str | None:
    """The version that `version` is to be compared with; None where there is none below it.

    That is the highest lower one which is no candidate: users hold that one, so what candidates
    changed in between counts too. Where there are only candidates, the highest of them.
    """
    limit = Version.parse(version)
    below = [v for v in versions if is_version(v) and Version.parse(v) < limit]
    finals = [v for v in below if not Version.parse(v).prerelease]
    return newest(finals or below)


def proposed(old_version: str, diff: Diff) -> tuple[str, Level, list[str]]:
    """The version after `old_version`, the level of the change, and why.

    Where nothing differs it is `old_version` itself. After a candidate whose number is high enough
    it is the next candidate. Raises UsageError where `old_version` is none.
    """
    old = _parsed(old_version)
    level, reasons = change_level(diff)
    if level == "none":
        return old_version, level, reasons
    following = old.next_version(level)
    if old.prerelease and following == old.finalize_version():
        following = old.bump_prerelease()
    return str(following), level, reasons


def enforce(given: str, old: str, diff: Diff, *, force: bool = False) -> None:
    """Raise UsageError unless `given` may follow `old` for this change.

    A higher version than the change asks for is the publisher's choice; a lower one needs `force`.
    One that is equal to `old` or below it is always refused.
    """
    wanted, before = _parsed(given), _parsed(old)
    version, level, reasons = proposed(old, diff)
    if wanted <= before:
        what = "is the version" if wanted == before else "goes backwards: it is below the one"
        hint = f"--version {version}" if level != "none" else "nothing differs from it"
        raise UsageError(f"{given} {what} that is published, {old}", hint=hint)
    # A candidate of a high enough version is high enough: only the three numbers count here.
    if force or wanted.finalize_version() >= _parsed(version).finalize_version():
        return
    why = "; ".join(reasons)
    raise UsageError(
        f"{given} is too low after {old}, the change is {level}: {why}",
        hint=f"--version {version}, or --force",
    )


def change_level(diff: Diff) -> tuple[Level, list[str]]:
    """The level of a change, with the reasons for this level (not for a lower one)."""
    for level, reasons in (
        ("major", _major(diff)),
        ("minor", _minor(diff)),
        ("patch", _patch(diff)),
    ):
        if reasons:
            return level, reasons  # type: ignore[return-value]
    return "none", []


def _major(diff: Diff) -> list[str]:
    reasons = []
    if diff.languages_removed:
        reasons.append(f"languages removed: {_some(diff.languages_removed)}")
    for name, config in diff.differing.items():
        if config.kind in _UNSCORED:
            continue
        if config.status == "removed":
            reasons.append(f"{name} removed")
            continue
        rows = counts_text(Counts(removed=config.counts.removed, changed=config.counts.changed))
        reasons += [f"{name}: {rows}"] if rows else []
    reasons += [f"{name}: {said}" for name, c in diff.differing.items() for said in _broken(c)]
    before, now = diff.schema
    if before and now and _parsed(now).major > _parsed(before).major:
        reasons.append(f"columns of version {now}, before {before}")
    return reasons


def _broken(config: ConfigDiff) -> list[str]:
    """What became of columns that somebody may read."""
    said = []
    if config.columns_removed:
        said.append(f"columns removed: {_some(config.columns_removed)}")
    if config.columns_retyped:
        changes = (f"{n} ({a} to {b})" for n, (a, b) in config.columns_retyped.items())
        said.append(f"types changed: {_some(changes)}")
    return said


def _minor(diff: Diff) -> list[str]:
    reasons = []
    if diff.languages_added:
        reasons.append(f"languages added: {_some(diff.languages_added)}")
    for name, config in diff.differing.items():
        if config.status in {"added", "removed"}:
            reasons.append(f"{name} {config.status}")
            continue
        if config.counts:
            reasons.append(f"{name}: {counts_text(config.counts)}")
        if config.columns_added:
            reasons.append(f"{name}: columns added: {_some(config.columns_added)}")
    return reasons


def _patch(diff: Diff) -> list[str]:
    parts = {
        "documents": diff.documents,
        "lexicons": diff.lexicons,
        "settings": diff.settings,
        "files rewritten with the same rows": diff.differing,
    }
    reasons = [f"{what}: {_some(names)}" for what, names in parts.items() if names]
    for what, (before, now) in (("curate", diff.toolkit), ("schema", diff.schema)):
        if before != now:
            reasons.append(f"{what} {before or 'none'} to {now or 'none'}")
    return reasons


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST} more" if len(listed) > _MOST else ""
    return ", ".join(listed[:_MOST]) + more


def _parsed(version: str) -> Version:
    try:
        return Version.parse(version)
    except (TypeError, ValueError):
        raise UsageError(f"{version!r} is no version", hint="three numbers, like 1.0.0") from None

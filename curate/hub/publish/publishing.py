"""Publish a release: checked, built, committed in one step, read back, and only then tagged."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError, RemoteError, UsageError
from curate.hub.check import check_release
from curate.hub.check.licences import UNKNOWN
from curate.hub.diff import Diff
from curate.hub.layout import MANIFEST
from curate.hub.manifest import read_release_manifest, release_files
from curate.hub.publish.others import must_be_ours
from curate.hub.publish.planning import earlier_try, plan_version
from curate.hub.publish.staging import stage_release
from curate.hub.publish.target import FileFact, StaleParentError, Standing, Target, file_facts
from curate.hub.versions import is_version, tag_of

__all__ = ["Published", "publish"]

Facts = Mapping[str, FileFact]
_STATE = "state it with --licence when rows are made, or with [[licences]] in --about of build"


@dataclass(frozen=True)
class Published:
    """What was done, or, with `dry_run`, would be.

    `before`: this release was published already, and there was nothing to do.
    """

    target: str
    version: str
    revision: str | None
    level: str
    reasons: tuple[str, ...] = ()
    uploaded: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    before: bool = False
    diff: Diff | None = None


def publish(
    folder: Path,
    target: Target,
    *,
    date: str,
    version: str | None = None,
    note: str = "",
    force: bool = False,
    replace: bool = False,
    dry_run: bool = False,
    report: Callable[[str], None] = lambda text: None,
    on_progress: Callable[[int], None] | None = None,
) -> Published:
    """Publish a release folder to `target` as `version` (None: what its changes ask for).

    The version must be above every published one, and high enough for what changed since (unless
    `force`). Files at the target that are of no release of this name stop it (unless `replace`,
    which deletes them). An earlier try of the same version that was stopped is finished, and keeps
    the `date` it had. No tag is set unless everything that was committed was read back and found
    the same.

    Raises InputError where the release is unsound, UsageError where it must not be published like
    this, RemoteError where the target failed or was changed by somebody else meanwhile.
    """
    folder = Path(folder)
    if version is not None and not is_version(version):
        raise UsageError(f"{version!r} is no version", hint="three numbers, like 1.0.0")
    report("checking the release")
    manifest = _sound(folder, on_progress, hub=target.repository is not None)
    report(f"looking at {target.name}")
    standing = target.standing()
    plan = plan_version(folder, manifest, target, standing, given=version, force=force)
    planned = Published(
        target.name, plan.version, standing.tags.get(plan.version), plan.level, plan.reasons,
        diff=plan.diff,
    )  # fmt: skip
    if plan.level == "none" and version is None:
        return _settled(target, dataclasses.replace(planned, before=True), dry_run=dry_run)
    report(f"building {tag_of(plan.version)}")
    date, note = earlier_try(target, standing, plan.version, date=date, note=note)
    with tempfile.TemporaryDirectory(prefix="curate-publish-") as scratch:
        staged = Path(scratch)
        whole = stage_release(
            folder, staged, manifest, version=plan.version, date=date,
            repository=target.repository, changes=plan.changes(date=date, note=note),
        )  # fmt: skip
        facts = file_facts(staged, [*release_files(staged), MANIFEST])
        if planned.revision is not None:
            _must_be_same(target, planned.revision, facts, plan.version)
            return _settled(target, dataclasses.replace(planned, before=True), dry_run=dry_run)
        there = target.files(standing.head) if standing.head else {}
        if not replace and not _same(there, facts):
            must_be_ours(target, standing, there, manifest)
        planned = dataclasses.replace(
            planned, removed=tuple(sorted(there.keys() - facts.keys())),
            uploaded=tuple(name for name in sorted(facts) if not _held(there, name, facts[name])),
        )  # fmt: skip
        if dry_run:
            return planned
        created, revision = target.prepare(), standing.head
        if revision is None or planned.uploaded or planned.removed:
            report(f"uploading {len(planned.uploaded)} files")
            revision = _commit(
                target, standing, staged, facts, created=created, version=plan.version
            )  # fmt: skip
        report("reading it back")
        _verify(target, revision, facts)
        target.reload(revision, whole)
        target.tag(plan.version, revision)
    return _settled(target, dataclasses.replace(planned, revision=revision), dry_run=dry_run)


def _sound(folder: Path, on_progress: Callable[[int], None] | None, *, hub: bool) -> dict[str, Any]:
    """The manifest of a release without errors; pairs that nobody checked yet are checked.

    For the `hub`, the licence of every source must be known too.
    """
    manifest = read_release_manifest(folder)
    problems = check_release(folder, pairs="unchecked", on_progress=on_progress)
    errors = [one for one in problems if one.level == "error" or (hub and one.code == UNKNOWN)]
    if errors:
        first = errors[0]
        hint = _STATE if first.code == UNKNOWN else f"see `curate release check {folder}`"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InputError(
            f"not fit to publish: {first.code}: {first.message}{more}",
            where=folder / first.where, hint=hint,
        )  # fmt: skip
    return manifest


def _settled(target: Target, done: Published, *, dry_run: bool) -> Published:
    if not dry_run:
        target.settle()
    return done


def _held(there: Facts, name: str, fact: FileFact) -> bool:
    return name in there and there[name].same(fact)


def _same(there: Facts, facts: Facts) -> bool:
    return there.keys() == facts.keys() and all(_held(there, name, facts[name]) for name in facts)


def _must_be_same(target: Target, revision: str, facts: Facts, version: str) -> None:
    if not _same(target.files(revision), facts):
        raise UsageError(
            f"{tag_of(version)} is published already, and is not this release", where=target.name,
            hint="a tag is never moved: publish under the next version",
        )  # fmt: skip


def _commit(
    target: Target, standing: Standing, staged: Path, facts: Facts, *, created: str | None,
    version: str,
) -> str:  # fmt: skip
    """Put all files there on top of the head that was compared; returns the revision.

    `created` is the head of a target that was not there at first.
    """
    parent = standing.head if standing.exists else created
    there = target.files(parent) if parent else {}
    if there and not standing.exists:
        raise _meanwhile(target)
    try:
        return target.commit(
            staged, facts, parent=parent, gone=there.keys() - facts.keys(),
            message=f"Release {version}",
        )  # fmt: skip
    except StaleParentError as error:
        head = target.standing().head
        if head and head != parent and _same(target.files(head), facts):
            return head  # our own commit, whose answer was lost
        raise _meanwhile(target) from error


def _meanwhile(target: Target) -> RemoteError:
    return RemoteError(
        "somebody else committed there meanwhile: nothing was published", where=target.name,
        hint="look at what they did, then run the same command again",
    )  # fmt: skip


def _verify(target: Target, revision: str, facts: Facts) -> None:
    """Every file that was to be there is there, and no other."""
    there = target.files(revision)
    wrong = sorted(name for name in facts if not _held(there, name, facts[name]))
    wrong += sorted(there.keys() - facts.keys())
    if wrong:
        raise RemoteError(
            f"the commit is not what was sent ({wrong[0]}): no tag was set", where=target.name,
            hint="run the same command again",
        )  # fmt: skip

"""Whether the documents of a release are what its data and manifest give."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from curate import __version__
from curate.errors import CurateError
from curate.hub.check.problem import Problem, problem
from curate.hub.layout import CARD, MANIFEST
from curate.hub.manifest import release_files

__all__ = ["check_documents"]

_DATA = "data"
_UNFIT = (CurateError, AttributeError, KeyError, TypeError, ValueError)
"""What writing documents raises where somebody put other things into the free parts of a manifest
(settings, figures of reliability) than a build does."""


def check_documents(
    folder: Path, manifest: Mapping[str, Any], wrong: Collection[str]
) -> Iterator[Problem]:
    """Findings on every document, but for those in `wrong`, which something is wrong with already.

    They are written anew, and must have the same bytes. Where another version of curate wrote
    them that cannot be asked: one note says so.
    """
    if CARD not in wrong:
        yield from _card(folder, manifest)
    if manifest["curate"] != __version__:
        message = f"written by curate {manifest['curate']}, this is {__version__}"
        yield problem(MANIFEST, "other-version", message)
        return
    with tempfile.TemporaryDirectory(prefix="curate-check-") as scratch:
        again = Path(scratch)
        (again / _DATA).symlink_to((folder / _DATA).resolve(), target_is_directory=True)
        yield from _stale(folder, again, manifest, wrong)


def _stale(
    folder: Path, again: Path, manifest: Mapping[str, Any], wrong: Collection[str]
) -> Iterator[Problem]:
    from curate.hub.documents import write_documents

    known = {key: value for key, value in manifest.items() if key != "files"}
    try:
        write_documents(again, known)
    except _UNFIT as error:
        message = " ".join(str(error).split()) or type(error).__name__
        yield problem(MANIFEST, "stale-document", f"cannot be written again: {message}")
        return
    (again / _DATA).unlink()
    listed = {name for name in manifest["files"] if not name.startswith(f"{_DATA}/")}
    written = set(release_files(again))
    for name in sorted(written - set(wrong)):
        if name not in listed:
            yield problem(name, "missing-file", "a document that the manifest does not list")
        elif (again / name).read_bytes() != (folder / name).read_bytes():
            yield problem(name, "stale-document")
    for name in sorted(listed - written - set(wrong)):
        yield problem(name, "unlisted-file", "no document of a release")


def _card(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Findings of the card's own check, which needs the card alone."""
    from curate.hub.card import check_card

    try:
        found = list(check_card(folder, manifest))
    except _UNFIT as error:
        found = [("unreadable", " ".join(str(error).split()) or type(error).__name__)]
    for code, message in found:
        yield problem(CARD, "card", f"{code}: {message}")

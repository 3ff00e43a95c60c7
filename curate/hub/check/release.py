"""Check a release: its files, its columns and rows, its documents, its pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from curate.hub.check.documents import check_documents
from curate.hub.check.files import check_files, check_paths
from curate.hub.check.licences import check_licences
from curate.hub.check.pairs import Progress, check_pair_configs, pair_configs
from curate.hub.check.problem import Problem
from curate.hub.check.tables import check_table
from curate.hub.manifest import read_release_manifest

__all__ = ["check_release"]

_UNREADABLE = frozenset({"missing-file", "link", "not-parquet", "wrong-columns", "wrong-manifest"})


def check_release(
    folder: Path,
    *,
    pairs: bool | Literal["unchecked"] = True,
    on_progress: Progress | None = None,
) -> list[Problem]:
    """Everything that is wrong with a release, files first; the codes are `CODES`.

    With `pairs` the codes of the pair checks come too, with how many rows have them (their
    warnings stay warnings); ``"unchecked"`` leaves out configurations whose verdicts the build
    has counted. Tables are read in pieces, but for the texts of pairs while those are checked.

    Raises InputError where the folder is no release at all, or of another form.
    """
    folder = Path(folder)
    manifest = read_release_manifest(folder)
    outside = check_paths(manifest)
    found = [*outside, *check_files(folder, manifest)]
    if any(problem.code == "path-leaves-folder" for problem in outside):
        return found  # nothing is opened that such a manifest names
    for config in sorted(manifest["configs"]):
        found += check_table(folder, config, manifest)
    if any(problem.code in _UNREADABLE for problem in found):
        return found
    data = {entry["file"] for entry in manifest["configs"].values()}
    if not any(problem.where in data and problem.code == "hash-mismatch" for problem in found):
        found += check_documents(folder, manifest, {problem.where for problem in found})
        if not any(problem.code == "stale-document" for problem in found):
            found += check_licences(folder, manifest)
    if pairs:
        configs = pair_configs(manifest, unchecked=pairs == "unchecked")
        found += check_pair_configs(folder, configs, on_progress)
    return found

"""Whether the files of a release are those that its manifest lists."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from curate.hub.check.limits import check_limits
from curate.hub.check.problem import Problem, problem
from curate.hub.layout import CONFIG, MANIFEST, data_path, is_beside, kind_of
from curate.sources.files import sha256_file

__all__ = ["check_files", "check_paths", "found_files", "leaves_folder"]


def leaves_folder(name: str) -> bool:
    """Whether a path from a manifest is absolute, climbs, or is not written in the one plain way.

    Windows separators and drives count: the same manifest may be read there.
    """
    path = PurePosixPath(name)
    return (
        not name
        or path.is_absolute()
        or ".." in path.parts
        or path.as_posix() != name
        or "\\" in name
        or ":" in path.parts[0]
        or "\0" in name
    )


def check_paths(manifest: Mapping[str, Any]) -> list[Problem]:
    """Names in the manifest that lead out of the release, or that contradict each other."""
    found = [
        problem(MANIFEST, "path-leaves-folder", f"{name!r} is no path inside the release")
        for name in sorted(manifest["files"])
        if leaves_folder(name)
    ]
    for config, entry in sorted(manifest["configs"].items()):
        file = entry["file"]
        if not CONFIG.fullmatch(config) or leaves_folder(file):
            message = f"configuration {config!r} with the file {file!r}"
            found.append(problem(MANIFEST, "path-leaves-folder", message))
        elif file != data_path(config) or entry["kind"] != kind_of(config):
            message = f"{config} is {entry['kind']} in {file}"
            found.append(problem(MANIFEST, "wrong-manifest", message))
        elif file not in manifest["files"]:
            found.append(problem(file, "wrong-manifest", f"{config} has a file that is not listed"))
    found += [
        problem(MANIFEST, "wrong-manifest", f"{part} of {name!r}, which it does not hold")
        for part in ("runs", "checked", "reliability")
        for name in sorted(manifest.get(part, {}).keys() - manifest["configs"].keys())
    ]
    return found


def found_files(folder: Path) -> tuple[dict[str, int], list[str]]:
    """(bytes by relative path of every plain file but the manifest; paths of links).

    Links are not followed; what is hidden is not looked at, for it is never published.
    """
    sizes: dict[str, int] = {}
    links: list[str] = []
    folders = [folder]
    while folders:
        for entry in os.scandir(folders.pop()):
            name = Path(entry.path).relative_to(folder).as_posix()
            if is_beside(PurePosixPath(name)):
                continue
            if entry.is_symlink():
                links.append(name)
            elif entry.is_dir():
                folders.append(Path(entry.path))
            elif entry.is_file():
                sizes[name] = entry.stat().st_size
    return sizes, sorted(links)


def check_files(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Files that are missing, unlisted, changed, links, or over the limits."""
    listed: Mapping[str, Mapping[str, Any]] = manifest["files"]
    sizes, links = found_files(folder)
    if (folder / MANIFEST).is_symlink():
        links.append(MANIFEST)
    for name in links:
        yield problem(name, "link")
    inside = {name for name in listed if not leaves_folder(name)}
    for name in sorted(inside | sizes.keys()):
        if name not in sizes:
            if not _below_link(name, links):
                yield problem(name, "missing-file")
        elif name not in inside:
            yield problem(name, "unlisted-file")
        elif sizes[name] != listed[name]["bytes"]:
            message = f"{sizes[name]:,} bytes, the manifest says {listed[name]['bytes']:,}"
            yield problem(name, "hash-mismatch", message)
        elif sha256_file(folder / name) != listed[name]["sha256"]:
            yield problem(name, "hash-mismatch")
    yield from check_limits(sizes)


def _below_link(name: str, links: list[str]) -> bool:
    return any(name == link or name.startswith(f"{link}/") for link in links)

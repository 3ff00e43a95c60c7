"""Compare two releases: their configurations, settings, lexicons and documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from curate.hub.diff.datafile import DataFile
from curate.hub.diff.model import Change, ConfigDiff, Counts, Diff, Identity
from curate.hub.diff.tables import Progress, compare_files, one_sided
from curate.hub.manifest import read_release_manifest

__all__ = ["diff_releases"]

_STAMPS = ("version", "date", "repository", "changes")
_DERIVED = frozenset({"stats", "pairs", "drops", "rows", "config_hash"})
"""What an entry of a run says that was counted or follows from the rest."""
_METADATA = ("about", "checked", "reliability")
_PAIR_KINDS = ("pairs", "crows")


def diff_releases(
    old: Path, new: Path, *, limit: int = 10, on_progress: Progress | None = None
) -> Diff:
    """What differs between two release folders, row by row and exactly.

    Pairs are known by their id; a pair whose id is gone is `changed` where the same sentence, from
    the same side, has another counterpart now. `limit` rows of every configuration, language and
    sort of change are kept as examples. A file whose SHA-256 is the same in both manifests is not
    read and need not be there. `on_progress` is told how many rows of `new` are done.

    Raises InputError where a folder is no release or a file is missing or unreadable.
    """
    folders = Path(old), Path(new)
    manifests = tuple(read_release_manifest(folder) for folder in folders)
    before, now = manifests
    configs: dict[str, ConfigDiff] = {}
    done = 0
    for name in sorted(before["configs"].keys() | now["configs"].keys()):
        tell = _shifted(on_progress, done)
        configs[name] = _config(name, folders, (before, now), limit=limit, on_progress=tell)
        tell(configs[name].rows[1])
        done += configs[name].rows[1]
    langs = tuple(_languages(manifest) for manifest in manifests)
    return Diff(
        old=_identity(before),
        new=_identity(now),
        configs=configs,
        languages_added=tuple(sorted(langs[1] - langs[0])),
        languages_removed=tuple(sorted(langs[0] - langs[1])),
        lexicons=_changes(before["lexicons"], now["lexicons"]),
        settings=_settings(before["runs"], now["runs"]),
        toolkit=(before.get("curate", ""), now.get("curate", "")),
        schema=(before.get("schema_version", ""), now.get("schema_version", "")),
        documents=_documents(folders, (before, now)),
    )


def _shifted(on_progress: Progress | None, by: int) -> Progress:
    return lambda rows: on_progress(by + rows) if on_progress is not None else None


def _config(
    name: str,
    folders: tuple[Path, Path],
    manifests: tuple[dict[str, Any], dict[str, Any]],
    *,
    limit: int,
    on_progress: Progress,
) -> ConfigDiff:
    before, now = (manifest["configs"].get(name) for manifest in manifests)
    if before is None or now is None:
        return _only_one(name, folders, manifests, limit=limit)
    kind = str(now["kind"])
    if _hash(manifests[0], before["file"]) == _hash(manifests[1], now["file"]) is not None:
        return ConfigDiff(name, kind, "same", (before["rows"], now["rows"]))
    files = (DataFile(folders[0], before["file"]), DataFile(folders[1], now["file"]))
    return compare_files(name, kind, *files, limit=limit, on_progress=on_progress)


def _only_one(
    name: str,
    folders: tuple[Path, Path],
    manifests: tuple[dict[str, Any], dict[str, Any]],
    *,
    limit: int,
) -> ConfigDiff:
    """A configuration that one release alone has.

    A removed one may be told by the manifest alone, where its file was not fetched because the new
    release holds the same bytes under another name.
    """
    added = name in manifests[1]["configs"]
    manifest, folder = manifests[added], folders[added]
    entry = manifest["configs"][name]
    if added or (folder / entry["file"]).is_file():
        file = DataFile(folder, entry["file"])
        return one_sided(name, str(entry["kind"]), file, added=added, limit=limit)
    lang = _lang(name, manifest)
    counts = {lang: Counts(removed=entry["rows"])} if entry["rows"] else {}
    return ConfigDiff(name, str(entry["kind"]), "removed", (entry["rows"], 0), languages=counts)


def _hash(manifest: Mapping[str, Any], file: str) -> str | None:
    described = manifest["files"].get(file)
    return None if described is None else str(described["sha256"])


def _identity(manifest: Mapping[str, Any]) -> Identity:
    told = (str(manifest.get(key) or "") for key in ("name", "version", "date", "repository"))
    return Identity(*told)


def _languages(manifest: Mapping[str, Any]) -> set[str]:
    """The languages in which there are pairs."""
    return {
        _lang(name, manifest)
        for name, entry in manifest["configs"].items()
        if entry["kind"] in _PAIR_KINDS and entry["rows"]
    }


def _lang(config: str, manifest: Mapping[str, Any]) -> str:
    run = manifest["runs"].get(config, {})
    return str(run.get("lang") or config.rpartition("-")[0])


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Change]:
    """By name what is not the same; None where it was not there."""
    names = sorted(old.keys() | new.keys())
    return {n: (old.get(n), new.get(n)) for n in names if old.get(n) != new.get(n)}


def _settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Change]:
    """What the runs that both releases have were told differently: ``config: name.of.it``."""
    found: dict[str, Change] = {}
    for config in sorted(old.keys() & new.keys()):
        before, now = (
            dict(_flat({key: value for key, value in run.items() if key not in _DERIVED}))
            for run in (old[config], new[config])
        )
        found |= {f"{config}: {n}": change for n, change in _changes(before, now).items()}
    return found


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _documents(
    folders: tuple[Path, Path], manifests: tuple[dict[str, Any], dict[str, Any]]
) -> dict[str, Literal["added", "removed", "changed"]]:
    """Files that are no data, and what the manifest says of the data beside them."""
    data = {entry["file"] for m in manifests for entry in m["configs"].values()}
    before, now = (m["files"].keys() - data for m in manifests)
    found: dict[str, Literal["added", "removed", "changed"]] = {}
    for name in sorted(before | now):
        if name not in before or name not in now:
            found[name] = "added" if name in now else "removed"
        elif _hash(manifests[0], name) != _hash(manifests[1], name) and _rewritten(
            name, folders, manifests
        ):
            found[name] = "changed"
    for key in _METADATA:
        if (manifests[0].get(key) or {}) != (manifests[1].get(key) or {}):
            found[f"manifest.json: {key}"] = "changed"
    return found


def _rewritten(
    name: str, folders: tuple[Path, Path], manifests: tuple[dict[str, Any], dict[str, Any]]
) -> bool:
    """Whether a document says more that is new than its version, date and repository.

    Releases with other stamps on them are compared by what is at hand: a document that is not there
    is not compared.
    """
    if all(manifests[0].get(stamp) == manifests[1].get(stamp) for stamp in _STAMPS):
        return True
    paths = [folder / name for folder in folders]
    if not all(path.is_file() for path in paths):
        return False
    old, new = (_unstamped(p.read_bytes(), m) for p, m in zip(paths, manifests, strict=True))
    return old != new


def _unstamped(content: bytes, manifest: Mapping[str, Any]) -> bytes:
    stamps = {name: str(manifest.get(name) or "") for name in ("repository", "version", "date")}
    # A BibTeX key has no dots: data-set-1-0-0.
    stamps["version in a key"] = stamps["version"].replace(".", "-")
    for name, stamp in stamps.items():
        if stamp:
            content = content.replace(stamp.encode(), f"<{name}>".encode())
    return content

"""Build a release folder from finished folders: the same input gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import __version__
from curate.engine import write_json
from curate.errors import InputError, UsageError
from curate.hub.building.kinds import read_parts
from curate.hub.building.parquet import rows_of, write_stream
from curate.hub.building.part import Part
from curate.hub.building.place import must_give_way, placing
from curate.hub.building.tables import drops_tables, lexicon_table, lexicons_of
from curate.hub.layout import (
    DROPS_CONFIG,
    KINDS,
    LEXICON_CONFIG,
    MANIFEST,
    MANY_LANGUAGES,
    columns_of,
    data_path,
)
from curate.hub.manifest import SCHEMA, describe_files
from curate.lexicon import Lexicon

__all__ = ["build_release"]

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


def build_release(
    runs: Iterable[Path],
    out: Path,
    *,
    name: str = "gender-minimal-pairs",
    version: str = "0.1.0",
    date: str | None = None,
    about: Mapping[str, Any] | None = None,
    replace: bool = False,
    warn: Callable[[str, str], None] = lambda message, hint: None,
) -> dict[str, Any]:
    """Lay out finished folders as a release under `out`; returns its manifest.

    A folder of pairs, of a translation campaign, of politicians or of names makes the
    configurations of its kind (`curate.hub.building.kinds.FOLDERS`). Rows keep the order they have
    there. Nothing depends on the clock, on the order of `runs`, or on where they lie; `date` is
    written only if given. `about` says what only people know (`curate.hub.card.about`). `warn` is
    called with a message and a hint for every source whose licence nobody has stated.

    The release appears whole or not at all. One of the same name and version under `out` gives
    way; another one only with `replace`; any other folder that holds something never does.

    Raises UsageError for a bad name or version, two folders of one configuration, or a lexicon
    that has changed since a run; InputError for an unsound folder, broken pairs, or sources that
    may not be released like this.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a data set", hint="letters, digits, . _ -")
    if not _VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is no version", hint="three numbers, like 1.0.0")
    out = Path(out)
    must_give_way(out, (name, version), replace=replace)
    parts = read_parts(runs)
    lexicons = lexicons_of(parts)
    head: dict[str, Any] = {"name": name, "version": version}
    head |= {"date": date} if date else {}
    head |= {"about": dict(about)} if about else {}
    with placing(out) as folder:
        return _write(folder, parts, lexicons, head, warn)


def _write(
    folder: Path,
    parts: Sequence[Part],
    lexicons: Sequence[Lexicon],
    head: Mapping[str, Any],
    warn: Callable[[str, str], None],
) -> dict[str, Any]:
    """Write the data, then the documents that are made of it, then the manifest."""
    from curate.hub.documents import write_documents

    manifest: dict[str, Any] = {
        **head,
        "curate": __version__,
        "schema": SCHEMA,
        "configs": _write_data(folder, parts, lexicons),
        "runs": {part.config: part.about for part in parts},
        "lexicons": {lexicon.lang: lexicon.version for lexicon in lexicons},
        "languages": _languages(parts, lexicons),
        "changes": [],
    }
    checked = {part.config: part.checked for part in parts if part.checked is not None}
    reliability = {part.config: part.reliability for part in parts if part.reliability}
    manifest |= {"checked": checked} if checked else {}
    manifest |= {"reliability": reliability} if reliability else {}
    _check_licences(folder, manifest, warn)
    write_documents(folder, manifest)
    manifest["files"] = describe_files(folder)
    write_json(folder / MANIFEST, manifest)
    return manifest


def _languages(parts: Sequence[Part], lexicons: Sequence[Lexicon]) -> dict[str, Any]:
    """The status of every language, so that the documents are the same on every machine.

    Golden sentences are run where the release holds the lexicon.
    """
    from curate.hub.card.languages import language_records

    own = {lexicon.lang for lexicon in lexicons}
    others = {lang for part in parts for lang in part.about.get("langs", [part.lang])}
    others -= {*own, MANY_LANGUAGES}
    return language_records(own) | language_records(others, golden=False)


def _check_licences(
    folder: Path, manifest: Mapping[str, Any], warn: Callable[[str, str], None]
) -> None:
    """Raise InputError where a source may not be passed on, changed, or put beside another.

    A licence that nobody stated stops only a publication on the Hub: of it `warn` is told.
    """
    from curate.hub.card.facts import read_facts
    from curate.hub.card.licences import licence_findings, refuse_licences

    facts = read_facts(folder, manifest)
    refuse_licences(facts, unknown=False)
    for finding in licence_findings(facts):
        warn(f"{finding.config}: {finding.message}", finding.hint)


def _write_data(
    folder: Path, parts: Sequence[Part], lexicons: Sequence[Lexicon]
) -> dict[str, dict[str, Any]]:
    configs = {}
    for config, kind, tables in _tables(parts, lexicons):
        path = folder / data_path(config)
        path.parent.mkdir(parents=True)
        columns = KINDS[kind].columns
        rows = write_stream(path, columns, tables)
        if not rows:
            raise InputError(
                f"no row for {config}: `datasets` opens no table without rows", where=config,
                hint="leave this folder out of the release",
            )  # fmt: skip
        configs[config] = {
            "file": data_path(config),
            "rows": rows,
            "kind": kind,
            "columns": columns_of(columns),
        }
    return configs


def _tables(
    parts: Sequence[Part], lexicons: Sequence[Lexicon]
) -> Iterator[tuple[str, str, Iterable[pa.Table]]]:
    """(configuration, kind, rows in pieces) of everything that the release holds."""
    for part in parts:
        yield part.config, part.kind, part.tables()
    if any(part.drops is not None and rows_of(part.drops) for part in parts):
        yield DROPS_CONFIG, DROPS_CONFIG, drops_tables(parts)
    if lexicons:
        yield LEXICON_CONFIG, LEXICON_CONFIG, [lexicon_table(lexicons)]

"""Verify a release: its files, its columns, its card, its pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema
from curate.checks import CODES, check_pairs
from curate.errors import InputError
from curate.hub.front_matter import card_configs
from curate.hub.layout import CARD, DROPS_CONFIG, LEXICON_CONFIG, config_schema, data_path
from curate.hub.manifest import describe_files, read_release_manifest
from curate.sources import read_pairs

__all__ = ["Problem", "check_release"]

_SHOWN_ROWS = 5
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding; `level` is ``error`` (the release must not be published) or ``warning``."""

    where: str
    code: str
    level: str
    message: str


def check_release(
    folder: Path, *, pairs: bool = True, on_progress: Progress | None = None
) -> list[Problem]:
    """Everything that is wrong with a release, files first.

    File codes: ``missing-file``, ``unlisted-file``, ``hash-mismatch``, ``row-count``; content:
    ``not-parquet``, ``wrong-columns``, ``card``, ``pair-id``, ``wrong-config``,
    ``unbalanced-fold``; and, with `pairs`, the codes of the pair checks, with how many rows have
    them (warnings stay warnings).

    Raises InputError where the folder is no release at all.
    """
    folder = Path(folder)
    manifest = read_release_manifest(folder)
    found = [*_files(folder, manifest), *_card(folder, manifest)]
    for config, entry in sorted(manifest["configs"].items()):
        table, problem = _table(folder, config, entry)
        if problem is not None:
            found.append(problem)
        if table is not None and config not in {DROPS_CONFIG, LEXICON_CONFIG}:
            found += _pairs_of(config, table)
    if pairs and not any(p.code in {"missing-file", "not-parquet", "wrong-columns"} for p in found):
        found += _pair_checks(folder, manifest, on_progress)
    return found


def _error(where: str, code: str, message: str) -> Problem:
    return Problem(where, code, "error", message)


def _files(folder: Path, manifest: dict[str, Any]) -> Iterator[Problem]:
    listed: dict[str, dict[str, Any]] = manifest["files"]
    try:
        present = describe_files(folder)
    except (pa.ArrowInvalid, OSError) as error:
        yield _error("data", "not-parquet", str(error).splitlines()[0])
        return
    for name in sorted(listed.keys() | present.keys()):
        if name not in present:
            yield _error(name, "missing-file", "the manifest lists it, but it is not here")
        elif name not in listed:
            yield _error(name, "unlisted-file", "the manifest does not list it")
        elif listed[name].get("sha256") != present[name]["sha256"]:
            yield _error(name, "hash-mismatch", "not the bytes that the manifest lists")
            if listed[name].get("rows") != present[name].get("rows"):
                said, is_now = listed[name].get("rows"), present[name].get("rows")
                yield _error(name, "row-count", f"{is_now} rows, the manifest says {said}")


def _card(folder: Path, manifest: dict[str, Any]) -> Iterator[Problem]:
    if not (folder / CARD).is_file():
        return
    try:
        configs = card_configs(folder / CARD)
    except InputError as error:
        yield _error(CARD, "card", error.message)
        return
    for config in sorted(manifest["configs"].keys() | configs.keys()):
        if config not in configs:
            yield _error(CARD, "card", f"its configs: lack {config}")
        elif config not in manifest["configs"]:
            yield _error(CARD, "card", f"its configs: name {config}, which the manifest lacks")
        elif configs[config] != {"test": data_path(config)}:
            yield _error(CARD, "card", f"its configs: give another file for {config}")


def _table(
    folder: Path, config: str, entry: dict[str, Any]
) -> tuple[pa.Table | None, Problem | None]:
    path = folder / data_path(config)
    if not path.is_file():
        return None, None  # reported as a missing file
    try:
        table = pq.read_table(path, partitioning=None)
    except (pa.ArrowInvalid, OSError) as error:
        return None, _error(data_path(config), "not-parquet", str(error).splitlines()[0])
    wanted = config_schema(config)
    if not table.schema.remove_metadata().equals(wanted):
        other = sorted({str(f) for f in table.schema} ^ {str(f) for f in wanted})
        return None, _error(data_path(config), "wrong-columns", f"differs in {', '.join(other)}")
    if table.num_rows != entry.get("rows"):
        message = f"{table.num_rows} rows, the manifest says {entry.get('rows')}"
        return table, _error(data_path(config), "row-count", message)
    return table, None


def _pairs_of(config: str, table: pa.Table) -> Iterator[Problem]:
    """Whether the rows belong to the configuration, carry their own ids, and are balanced."""
    where = data_path(config)
    wrong, elsewhere = [], []
    names = ("pair_id", "lang", "method", "masculine", "feminine")
    rows = zip(*(table.column(name).to_pylist() for name in names), strict=True)
    for number, (own, lang, method, masculine, feminine) in enumerate(rows):
        if own != schema.pair_id(lang, method, masculine, feminine):
            wrong.append(number)
        if f"{lang}-{method}" != config:
            elsewhere.append(number)
    if wrong:
        yield _error(where, "pair-id", f"{_rows(wrong)}: the id is not that of the texts")
    if elsewhere:
        yield _error(where, "wrong-config", f"{_rows(elsewhere)}: another language or method")
    yield from _folds(where, table)


def _folds(where: str, table: pa.Table) -> Iterator[Problem]:
    """In every fold as many pairs count for one side as for the other."""
    counts: dict[int, Counter[str]] = {}
    columns = (table.column(name).to_pylist() for name in ("folds", "original", "fill"))
    for folds, original, fill in zip(*columns, strict=True):
        side = fill["kind"] if fill else original
        for fold in folds:
            counts.setdefault(fold, Counter())[side] += 1
    for fold, sides in sorted(counts.items()):
        if sides["masculine"] != sides["feminine"]:
            message = f"fold {fold}: {sides['masculine']} masculine, {sides['feminine']} feminine"
            yield _error(where, "unbalanced-fold", message)


def _pair_checks(
    folder: Path, manifest: dict[str, Any], on_progress: Progress | None
) -> Iterator[Problem]:
    done = 0
    for config in sorted(manifest["runs"]):
        path = folder / data_path(config)
        if pq.read_metadata(path).num_rows == 0:
            continue
        table = read_pairs(path)
        verdicts = check_pairs(table, on_progress=_shifted(on_progress, done))
        done += table.num_rows
        rows_by_code: dict[str, list[int]] = {}
        for verdict in verdicts.to_pylist():
            if not verdict["ok"]:
                rows_by_code.setdefault(verdict["code"], []).append(verdict["row"])
        for code, numbers in sorted(rows_by_code.items()):
            message = f"{_rows(numbers)}: {CODES[code].meaning}"
            yield Problem(data_path(config), code, CODES[code].level, message)


def _shifted(on_progress: Progress | None, by: int) -> Progress | None:
    """`on_progress` for a table that follows `by` other rows."""
    return None if on_progress is None else lambda rows: on_progress(by + rows)


def _rows(numbers: list[int]) -> str:
    """``2 rows (3, 17)``."""
    shown = ", ".join(str(number) for number in numbers[:_SHOWN_ROWS])
    more = ", …" if len(numbers) > _SHOWN_ROWS else ""
    return f"{len(numbers)} row{'s' if len(numbers) > 1 else ''} ({shown}{more})"

"""The pairs of a folder, a language and method (and run) at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.checks import CODES
from curate.pairs.stats import read_stats, run_stats
from curate.report.files import read_json
from curate.report.highlight import Run, edited_runs
from curate.sources import read_pairs
from curate.sources.tables import read_parquet_schema

__all__ = ["Section", "ShownPair", "read_sections", "sample", "spread"]

_COLUMNS = frozenset({"pair_id", "lang", "masculine", "feminine", "method"})


@dataclass(frozen=True)
class ShownPair:
    """A pair with its changed words marked."""

    pair_id: str
    original: str
    masculine: list[Run]
    feminine: list[Run]
    fill: dict[str, Any] | None


@dataclass
class Section:
    """One language and method of one run; `label` tells it from the others of its page."""

    lang: str
    method: str
    n_pairs: int
    masculine: int
    feminine: int
    shown: list[ShownPair]
    kinds: Counter[str]
    folder: str = ""
    label: str = ""
    drops: list[tuple[str, int]] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)
    findings: list[tuple[str, str, int]] = field(default_factory=list)
    checked: bool = False

    @property
    def name(self) -> str:
        return f"{self.lang}-{self.method}"


def read_sections(folder: Path, *, pairs: int) -> list[Section]:
    """The sections of all runs below a folder, or else of the release in it; [] without pairs."""
    runs = [path.parent for path in run_stats(folder)]
    sections = [_run_section(run, folder, pairs) for run in runs]
    if not runs and _holds_pairs(folder):
        sections = _table_sections(folder, pairs)
    sections.sort(key=lambda section: (section.lang, section.method, section.folder))
    names = Counter(section.name for section in sections)
    for section in sections:
        alone = names[section.name] == 1
        section.label = f"{section.lang} · {section.method.upper()}"
        section.label += "" if alone else f" · {section.folder}"
        _add_verdicts(section, folder / "checks" / f"{section.name}.parquet")
    return sections


def _holds_pairs(folder: Path) -> bool:
    """Whether a folder is a run or a release of pairs (of other tables it may be one, too)."""
    files = [folder / "pairs.parquet", *sorted((folder / "data").glob("*/test-*.parquet"))]
    return any(set(read_parquet_schema(path).names) >= _COLUMNS for path in files if path.is_file())


def _run_section(run: Path, folder: Path, pairs: int) -> Section:
    (stats,) = read_stats([run])
    section = _section(read_pairs(run), stats["lang"], stats["method"], pairs)
    section.folder = run.relative_to(folder).as_posix()
    section.stats = stats
    section.drops = _by_number(stats.get("drops", {}))
    return section


def _table_sections(folder: Path, pairs: int) -> list[Section]:
    """The sections of a release, one a language and method, with the counts in its manifest."""
    table = read_pairs(folder)
    keys = zip(table.column("lang").to_pylist(), table.column("method").to_pylist(), strict=True)
    places: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(keys):
        places.setdefault(key, []).append(row)
    path = folder / "manifest.json"
    runs = read_json(path).get("runs", {}) if path.is_file() else {}
    sections = []
    for (lang, method), rows in places.items():
        section = _section(table.take(rows), lang, method, pairs)
        section.stats = runs.get(section.name, {}).get("stats", {})
        section.drops = _by_number(section.stats.get("drops", {}))
        sections.append(section)
    return sections


def _by_number(counts: dict[str, int] | Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _section(table: pa.Table, lang: str, method: str, pairs: int) -> Section:
    originals = Counter(table.column("original").to_pylist())
    fills = table.column("fill").to_pylist()
    n = table.num_rows
    return Section(
        lang=lang,
        method=method,
        n_pairs=n,
        masculine=originals["masculine"],
        feminine=originals["feminine"],
        shown=[_shown(row) for row in sample(table, pairs)],
        kinds=Counter(fill["kind"] for fill in fills if fill),
    )


def sample(table: pa.Table, wanted: int) -> list[dict[str, Any]]:
    """At most `wanted` rows of a table, evenly spread over it."""
    places = pa.array(spread(table.num_rows, wanted), pa.int64())
    return list(table.take(places).to_pylist())


def spread(n: int, wanted: int) -> list[int]:
    """At most `wanted` of the numbers 0 to n - 1, first and last among them, evenly spread."""
    count = min(n, wanted)
    return sorted({round(k * (n - 1) / max(count - 1, 1)) for k in range(count)})


def _shown(row: dict[str, Any]) -> ShownPair:
    return ShownPair(
        pair_id=row["pair_id"],
        original=row["original"],
        masculine=edited_runs(row["masculine"], row["edits_m"]),
        feminine=edited_runs(row["feminine"], row["edits_f"]),
        fill=row["fill"],
    )


def _add_verdicts(section: Section, path: Path) -> None:
    """(code, level, rows) of the section's verdicts, if it was checked."""
    if not path.is_file():
        return
    section.checked = True
    counts = Counter(pq.read_table(path).column("code").to_pylist())
    section.findings = [
        (code, CODES[code].level if code in CODES else "note", number)
        for code, number in _by_number(counts)
    ]

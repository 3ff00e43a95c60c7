"""What a report shows of a folder: its pairs, counts, drops, verdicts and scores."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.checks import CODES
from curate.errors import InputError
from curate.pairs.stats import read_stats
from curate.report.highlight import Run, edited_runs
from curate.sources import read_pairs

__all__ = ["Content", "Section", "ShownPair", "read_content", "sample", "spread"]


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
    """One language and method."""

    lang: str
    method: str
    n_pairs: int
    masculine: int
    feminine: int
    shown: list[ShownPair]
    kinds: Counter[str]
    drops: list[tuple[str, int]] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)
    findings: list[tuple[str, str, int]] = field(default_factory=list)
    checked: bool = False

    @property
    def name(self) -> str:
        return f"{self.lang}-{self.method}"


@dataclass
class Content:
    """Everything a report shows; `scores` are the records of ``summary.json``."""

    title: str
    sections: list[Section]
    scores: list[dict[str, Any]]
    provenance: list[tuple[str, str]]


def read_content(folder: Path, *, pairs: int = 30) -> Content:
    """Read a run folder, a release folder, or a folder that holds runs, checks and scores.

    `pairs` is how many pairs a section shows, spread evenly over its table. Raises InputError where
    there are no pairs at all.
    """
    if not folder.is_dir():
        raise InputError("no such folder", where=folder)
    runs = [path.parent for path in sorted(folder.glob("**/stats.json"))]
    sections = [_run_section(run, pairs) for run in runs] or _table_sections(folder, pairs)
    sections.sort(key=lambda section: (section.lang, section.method))
    for section in sections:
        _add_verdicts(section, folder / "checks" / f"{section.name}.parquet")
    scores = [
        record for path in sorted(folder.glob("**/summary.json")) for record in _read_json(path)
    ]
    return Content(folder.resolve().name, sections, scores, _provenance(folder, sections, scores))


def _run_section(run: Path, pairs: int) -> Section:
    (stats,) = read_stats([run])
    section = _section(read_pairs(run), stats["lang"], stats["method"], pairs)
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
    runs = _read_json(path).get("runs", {}) if path.is_file() else {}
    sections = []
    for (lang, method), rows in places.items():
        section = _section(table.take(rows), lang, method, pairs)
        section.stats = runs.get(section.name, {}).get("stats", {})
        section.drops = _by_number(section.stats.get("drops", {}))
        sections.append(section)
    return sections


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError("not JSON", where=path) from error


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


def _provenance(
    folder: Path, sections: list[Section], scores: list[dict[str, Any]]
) -> list[tuple[str, str]]:
    """What the numbers rest on: seeds, lexicons, models, licences."""
    said: dict[str, set[str]] = {}
    for section in sections:
        if "seed" in section.stats:
            folds = section.stats["folds"]
            said.setdefault("Balance", set()).add(f"seed {section.stats['seed']}, {folds} folds")
    for path in sorted(folder.glob("**/manifest.json")):
        manifest = _read_json(path)
        for run in [manifest, *manifest.get("runs", {}).values()]:
            config = run.get("config", {})
            if "lexicon_version" in config:
                version = str(config["lexicon_version"])[:12]
                said.setdefault("Lexicons", set()).add(f"{config.get('lang', '')} {version}")
    for record in scores:
        model = f"{record['model']} ({str(record['revision'])[:12]})"
        said.setdefault("Scored model", set()).add(model)
        said.setdefault("Bootstrap", set()).add(f"seed {record['seed']}")
    return [(name, "; ".join(sorted(values))) for name, values in said.items()]

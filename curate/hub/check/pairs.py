"""The pair checks on the pairs of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate.checks import CODES, check_pairs
from curate.hub.building.parquet import read_columns
from curate.hub.check.problem import Problem, shown_rows
from curate.hub.layout import PAIRS, data_path

__all__ = ["Progress", "check_pair_configs", "pair_configs"]

Progress = Callable[[int], None]
"""Called now and then with the number of rows done."""

_COLUMNS = ("pair_id", "lang", "masculine", "feminine", "original", "method")


def pair_configs(manifest: Mapping[str, Any], *, unchecked: bool = False) -> list[str]:
    """The configurations of pairs in order; `unchecked`: those that were not checked before."""
    checked = manifest.get("checked", {}) if unchecked else {}
    return sorted(
        config
        for config, entry in manifest["configs"].items()
        if entry["kind"] == PAIRS and entry["rows"] and config not in checked
    )


def check_pair_configs(
    folder: Path, configs: list[str], on_progress: Progress | None = None
) -> Iterator[Problem]:
    """How many rows of each configuration have which code, and the first of them."""
    done = 0
    for config in configs:
        where = data_path(config)
        table = pa.concat_tables(read_columns(folder / where, _COLUMNS))
        numbers = pa.array(range(table.num_rows), pa.int64())
        verdicts = check_pairs(
            table.append_column("row", numbers), on_progress=_shifted(on_progress, done)
        )
        done += table.num_rows
        found = verdicts.filter(pc.invert(verdicts.column("ok")))
        for code in sorted(found.column("code").unique().to_pylist()):
            rows = found.filter(pc.equal(found.column("code"), code)).column("row").unique()
            message = f"{shown_rows(rows.to_pylist(), len(rows))}: {CODES[code].meaning}"
            yield Problem(where, code, CODES[code].level, message)


def _shifted(on_progress: Progress | None, by: int) -> Progress | None:
    """`on_progress` for a table that follows `by` other rows."""
    return None if on_progress is None else lambda rows: on_progress(by + rows)

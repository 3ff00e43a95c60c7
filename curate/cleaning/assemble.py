"""Put the parts of a cleaning together: sentences that repeat an earlier one go to the drops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.cleaning.stage import CleanConfig, read_signatures
from curate.engine import Parts, open_parquet
from curate.sources import drops_table
from curate.sources.near_duplicates import Match, NearDuplicates

__all__ = ["OUTPUTS", "Assembly", "assemble"]

OUTPUTS = ("sentences.parquet", "drops.parquet")


@dataclass
class Assembly:
    """What was put together; `counts` go into ``stats.json``."""

    kept: int = 0
    drops: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)

    @property
    def rows(self) -> dict[str, int]:
        return dict(zip(OUTPUTS, (self.kept, self.drops.total()), strict=True))

    def counts(self) -> dict[str, Any]:
        return {
            "kept": self.kept,
            "drops": dict(sorted(self.drops.items())),
            "licences": dict(sorted(self.licences.items())),
        }


def assemble(
    parts: Parts, out: Path, config: CleanConfig, *, on_progress: Callable[[int], None]
) -> Assembly:
    """Write `OUTPUTS` under `out` from finished parts, in one pass.

    Holds a part at a time, and of every sentence what `NearDuplicates` does and its id.
    """
    done = Assembly()
    repeats = _Repeats(config) if config.near is not None else None
    read = zip(parts.done, parts.read("sentences"), parts.read("drops"), strict=True)
    with (
        open_parquet(out / OUTPUTS[0], schema.SENTENCES) as sentences,
        open_parquet(out / OUTPUTS[1], schema.DROPS) as drops,
    ):
        rows = 0
        for part, table, dropped in read:
            kept, near = repeats.split(table) if repeats else (table, dropped.slice(0, 0))
            gone = pa.concat_tables([dropped, near]).sort_by("row")
            sentences.add(kept.select(schema.SENTENCES.names).cast(schema.SENTENCES))
            drops.add(gone)
            done.kept += kept.num_rows
            _count(gone.column("code"), done.drops)
            _count(kept.column("licence"), done.licences)
            rows += part.rows
            on_progress(rows)
    return done


class _Repeats:
    """Parts sentences that repeat an earlier one from those that do not."""

    def __init__(self, config: CleanConfig) -> None:
        assert config.near is not None
        self._near = NearDuplicates(config.near, config.seed)
        self._ids = bytearray()

    def split(self, table: pa.Table) -> tuple[pa.Table, pa.Table]:
        """The sentences that are kept, and the drops of the others."""
        ids = table.column("sent_id").to_pylist()
        self._ids += bytes.fromhex("".join(sent_id[1:] for sent_id in ids))
        found = self._near.matches(
            table.column("text").to_pylist(),
            read_signatures(table.column("signature")) if ids else None,
        )
        gone = pa.array([match is not None for match in found], pa.bool_())
        near = table.filter(gone)
        details = [self._said(match) for match in found if match is not None]
        return table.filter(pc.invert(gone)), drops_table(
            near.column("sent_id"), near.column("row"), "clean", "near-duplicate", details
        )

    def _said(self, match: Match) -> str:
        """The sentence that stays, and how alike the two are."""
        size = 10
        own = self._ids[match.text * size : (match.text + 1) * size]
        return f"s{own.hex()} {match.similarity:.3f}"


def _count(column: pa.ChunkedArray, counter: Counter[str]) -> None:
    for entry in pc.value_counts(column).to_pylist():
        counter[entry["values"]] += entry["counts"]

"""What `curate crows names` writes: the pairs, the drops, and the names for translators."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from curate import schema
from curate.engine import replacing, write_json, write_parquet
from curate.pairs.crows_names import NamedCrows
from curate.sources.crows import CROWS_FILE
from curate.sources.delimited import guarded

__all__ = ["write_named"]


def write_named(named: NamedCrows, out: Path, *, source: str, seed: int) -> dict[str, object]:
    """Write ``crows.parquet``, ``drops.parquet``, ``names.tsv`` and ``names.json``; the latter.

    ``names.tsv`` has a line a pair: its id where it was published, what was done, what to look at,
    and in every language the names that stand for its people; ``names.json`` the lists, the seed
    and the counts.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_parquet(out / CROWS_FILE, schema.CROWS, [named.table])
    write_parquet(out / "drops.parquet", schema.DROPS, [named.drops])
    _write_rows(named, out / "names.tsv")
    lists = {
        one.lang: {"masculine": list(one.masculine), "feminine": list(one.feminine)}
        for one in named.names
    }
    about = {"source": source, "seed": seed, "names": lists, **named.counts()}
    write_json(out / "names.json", about)
    return dict(json.loads(json.dumps(about)))


def _write_rows(named: NamedCrows, path: Path) -> None:
    header = ["source_id", "pair_id", "action", "slot"]
    header += [f"{gender}_{one.lang}" for one in named.names for gender in schema.GENDERS]
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow([*header, "notes"])
        for row in named.rows:
            names = [
                "" if row.slot is None else one.of(row.slot)[gender]
                for one in named.names
                for gender in schema.GENDERS
            ]
            slot = "" if row.slot is None else str(row.slot + 1)
            cells = [row.source_id, row.pair_id, row.action, slot, *names, "; ".join(row.notes)]
            writer.writerow([guarded(" ".join(cell.split())) for cell in cells])

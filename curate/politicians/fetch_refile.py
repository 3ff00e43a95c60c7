"""Another scheme of genders for a fetch that is whole: the values are kept, so nothing is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.engine import write_json, write_parquet
from curate.politicians.genders import gender_of
from curate.sources.tables import read_parquet

__all__ = ["refile"]


def refile(table: Path, record: Path, about: dict[str, Any], *, scheme: str) -> dict[str, Any]:
    """File the people of `table` by `scheme`, and say so in `record`, which holds `about`.

    Who is kept depends on no scheme, so this is the table that a fetch with `scheme` writes. While
    it is written the record names no scheme: whoever comes after a kill files them again.
    """
    write_json(record, {**about, "settings": {**about["settings"], "scheme": ""}})
    rows = read_parquet(table, wanted=schema.POLITICIANS.names).select(schema.POLITICIANS.names)
    joined = pc.binary_join(rows.column("gender_qids"), "+").combine_chunks().dictionary_encode()
    values = [list(filter(None, text.split("+"))) for text in joined.dictionary.to_pylist()]
    groups = pa.array([gender_of(qids, scheme) for qids in values], pa.string())
    place = schema.POLITICIANS.get_field_index("gender")
    rows = rows.set_column(place, schema.POLITICIANS.field(place), groups.take(joined.indices))
    write_parquet(table, schema.POLITICIANS, [rows.cast(schema.POLITICIANS)])
    by_lang: dict[str, dict[str, int]] = {}
    counted = rows.group_by(["lang", "gender"]).aggregate([([], "count_all")])
    for row in counted.sort_by([("lang", "ascending"), ("gender", "ascending")]).to_pylist():
        by_lang.setdefault(row["lang"], {})[row["gender"]] = row["count_all"]
    told = {
        **about,
        "settings": {**about["settings"], "scheme": scheme},
        "counts": {**about["counts"], "genders": by_lang},
    }
    write_json(record, told)
    return told

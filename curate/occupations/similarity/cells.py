"""From the table of occupations to what is compared: each occupation's sentence with he and she."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate.errors import InputError
from curate.occupations.similarity.tables import CELLS

__all__ = ["compared_cells", "occupation_facts"]


def compared_cells(long: pa.Table, *, where: str = "") -> pa.Table:
    """The occupations of `schema.OCCUPATIONS` as `CELLS`, sentence after sentence.

    Raises InputError for a sentence without he or she, and for a table without occupations.
    """
    pronouns: dict[str, dict[str, str]] = {"he": {}, "she": {}}
    spoken = long.filter(pc.equal(long.column("kind"), "pronoun"))
    for cell in spoken.select(["sent_id", "occupation", "text"]).to_pylist():
        pronouns.setdefault(cell["occupation"], {})[cell["sent_id"]] = cell["text"]
    cells = []
    names = ["sent_id", "row", "occupation", "form", "column", "text"]
    told = long.filter(pc.equal(long.column("kind"), "occupation"))
    for cell in told.select(names).to_pylist():
        for name in ("he", "she"):
            text = pronouns[name].get(cell["sent_id"])
            if text is None:
                raise InputError(
                    f"no sentence with {name} beside {cell['text']!r}",
                    where=where,
                    hint="build the table again: curate occupations build",
                )
            cell[name] = text
        cells.append(cell)
    if not cells:
        raise InputError("the table has no sentence with an occupation", where=where)
    cells.sort(key=lambda cell: (cell["row"], cell["sent_id"]))  # stable: columns keep their order
    return pa.Table.from_pylist(cells, schema=CELLS)


def occupation_facts(long: pa.Table) -> dict[str, dict[str, Any]]:
    """By column of the wide table: occupation, form, isco, status and share_women."""
    names = ["column", "occupation", "form", "isco", "status", "share_women"]
    told = long.filter(pc.equal(long.column("kind"), "occupation"))
    facts: dict[str, dict[str, Any]] = {}
    for row in told.select(names).to_pylist():
        facts.setdefault(row["column"], row)
    return facts

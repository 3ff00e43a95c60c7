"""Tables of minimal pairs: ours (a file, a run, a release) or anybody's with two named columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema
from curate.errors import InputError
from curate.sources.delimited import read_delimited
from curate.sources.files import plain_suffix, readable

__all__ = ["PAIR_TABLE", "read_pairs", "read_parquet", "read_parquet_schema"]

PAIR_TABLE = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("pair_id", pa.string(), nullable=False),
        pa.field("lang", pa.string(), nullable=False),
        pa.field("masculine", pa.string(), nullable=False),
        pa.field("feminine", pa.string(), nullable=False),
        pa.field("problem", pa.string()),
    ]
)
_OURS = ("pair_id", "lang", "masculine", "feminine", "method")
_SIDES = ("masculine", "feminine")


def read_pairs(
    path: Path,
    *,
    columns: tuple[str, str] | None = None,
    lang: str | None = None,
    keep: Sequence[str] = (),
) -> pa.Table:
    """Read pairs as a table: `PAIR_TABLE`, then the other columns of `schema.PAIRS` where ours.

    `path` is one of our pair files, a run folder (``pairs.parquet``), a release folder
    (``data/<lang>-<method>/test-*.parquet``), or any CSV, TSV or parquet file whose two sides are
    the named `columns` (default ``masculine,feminine``), compressed or not. `lang` names the
    language of a foreign file (it enters the ids; ``""`` where unknown), or picks one of ours.
    Of a foreign file's other columns, those named in `keep` (``name*``: that begin so) are kept as
    text where it has them; ``lang`` among them is the language of each row, and `lang` picks.

    `row` counts from 0 in the file (in a release: over its files in order of name), whatever is
    picked. A row that breaks its table keeps its place: a missing cell reads as ``""`` and
    `problem` says what is wrong. Raises InputError for what is not a table of pairs at all.
    """
    path = Path(path)
    if path.is_dir():
        table = _ours(_folder_files(path))
    elif plain_suffix(path) == ".parquet":
        if columns is not None or not _holds_pairs(path):
            return _pick(_foreign_parquet(path, columns or _SIDES, lang, keep), lang or None, path)
        table = _ours([path])
    else:
        return _pick(_foreign_text(path, columns or _SIDES, lang, keep), lang or None, path)
    return _pick(table, lang, path)


def read_parquet_schema(path: Path) -> pa.Schema:
    """The schema of a parquet file; InputError where it is none."""
    try:
        return pq.read_schema(readable(path))
    except (pa.ArrowInvalid, OSError) as error:
        message = str(error).splitlines()[0]
        raise InputError(f"not a parquet file ({message})", where=path) from error


def read_parquet(path: Path, *, wanted: Iterable[str] | None = None) -> pa.Table:
    """A parquet file as a table (of the `wanted` columns); InputError where it is none."""
    names = read_parquet_schema(path).names
    missing = [name for name in wanted or () if name not in names]
    if missing:
        raise InputError(
            f"no column {' and no column '.join(map(repr, missing))}; "
            f"the columns are {', '.join(map(repr, names))}",
            where=path,
        )
    return pq.read_table(path, columns=list(wanted) if wanted is not None else None)


def _folder_files(folder: Path) -> list[Path]:
    run = folder / "pairs.parquet"
    if run.is_file():
        return [run]
    files = sorted((folder / "data").glob("*/test-*.parquet"))
    files = [path for path in files if _holds_pairs(path)]
    if not files:
        raise InputError(
            "no pairs here: neither pairs.parquet nor data/<lang>-<method>/test-*.parquet",
            where=folder,
            hint="name a run folder of `curate pairs`, a release folder, or a file",
        )
    return files


def _holds_pairs(path: Path) -> bool:
    return set(_OURS) <= set(read_parquet_schema(path).names)


def _ours(files: list[Path]) -> pa.Table:
    tables = [read_parquet(path) for path in files]
    kept = [field for field in schema.PAIRS if all(field.name in t.schema.names for t in tables)]
    try:
        table = pa.concat_tables(
            t.select([f.name for f in kept]).cast(pa.schema(kept)) for t in tables
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        message = str(error).splitlines()[0]
        raise InputError(f"columns of other types than ours ({message})", where=files[0]) from error
    return _with_rows(table, [None] * table.num_rows)


def _with_rows(table: pa.Table, problems: list[str | None]) -> pa.Table:
    """Put `row` and `problem` beside the pairs, in the order of `PAIR_TABLE`."""
    rows = pa.array(range(table.num_rows), pa.int64())
    table = table.append_column("row", rows).append_column(
        "problem", pa.array(problems, pa.string())
    )
    rest = [name for name in table.schema.names if name not in PAIR_TABLE.names]
    table = table.select([*PAIR_TABLE.names, *rest])
    fields = [*PAIR_TABLE, *(table.schema.field(name) for name in rest)]
    return table.cast(pa.schema(fields))


def _pick(table: pa.Table, lang: str | None, path: Path) -> pa.Table:
    if lang is None:
        return table
    langs = table.column("lang").combine_chunks().unique().to_pylist()
    if langs and lang not in langs:
        raise InputError(
            f"no pairs in {lang!r} here; there are: {', '.join(sorted(langs))}", where=path
        )
    return table.filter(
        pa.array([value == lang for value in table.column("lang").to_pylist()], pa.bool_())
    )


def _foreign_text(
    path: Path, columns: tuple[str, str], lang: str | None, keep: Sequence[str]
) -> pa.Table:
    read = read_delimited(path, wanted=columns)
    problems: list[str | None] = []
    for row, line in zip(read.rows, read.lines, strict=True):
        whole = len(row) == len(read.header)
        problems.append(
            None if whole else f"line {line}: {len(row)} cells, the header has {len(read.header)}"
        )
    cells = {}
    for name in dict.fromkeys([*columns, *_kept(read.header, keep)]):
        at = read.header.index(name)
        cells[name] = [row[at] if at < len(row) else "" for row in read.rows]
    return _foreign(cells, columns, lang, problems)


def _kept(names: Sequence[str], keep: Sequence[str]) -> list[str]:
    """Those of a file's columns that are to be kept."""
    starts = tuple(name[:-1] for name in keep if name.endswith("*"))
    return [name for name in names if name in keep or (starts and name.startswith(starts))]


def _foreign_parquet(
    path: Path, columns: tuple[str, str], lang: str | None, keep: Sequence[str]
) -> pa.Table:
    kept = _kept(read_parquet_schema(path).names, keep)
    table = read_parquet(path, wanted=dict.fromkeys([*columns, *kept]))
    cells = {name: table.column(name).to_pylist() for name in table.schema.names}
    for name in columns:
        if any(not isinstance(cell, str | None) for cell in cells[name]):
            raise InputError(f"the column {name!r} does not hold text", where=path)
    empty = [
        None if a is not None and b is not None else "an empty (null) cell"
        for a, b in zip(*(cells[name] for name in columns), strict=True)
    ]
    text = {
        name: ["" if cell is None else str(cell) for cell in column]
        for name, column in cells.items()
    }
    return _foreign(text, columns, lang, empty)


def _foreign(
    cells: dict[str, list[str]],
    columns: tuple[str, str],
    lang: str | None,
    problems: list[str | None],
) -> pa.Table:
    masculine, feminine = (cells[name] for name in columns)
    langs = cells["lang"] if "lang" in cells else [lang or ""] * len(masculine)
    ids = [
        schema.pair_id(own, "import", m, f)
        for own, m, f in zip(langs, masculine, feminine, strict=True)
    ]
    fixed = {"pair_id": ids, "lang": langs, "masculine": masculine, "feminine": feminine}
    kept = {name: cell for name, cell in cells.items() if name not in {*columns, *PAIR_TABLE.names}}
    fields = [PAIR_TABLE.field(name) for name in fixed]
    fields += [pa.field(name, pa.string()) for name in kept]
    return _with_rows(pa.table(fixed | kept, pa.schema(fields)), problems)

"""Parquet of a release: the same bytes however rows come, pages that stay where they were."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate import schema
from curate.errors import InputError
from curate.hub.building import parquet
from curate.hub.building.parquet import read_columns, stream, write_stream
from tests.hub.made_folders import FILL, row

TABLE = pa.table({"n": list(range(100)), "text": [f"text {n % 7}" for n in range(100)]})


@settings(max_examples=50)
@given(cuts=st.lists(st.integers(0, 100), max_size=8))
def test_however_rows_come(tmp_path_factory: pytest.TempPathFactory, cuts: list[int]) -> None:
    folder = tmp_path_factory.mktemp("parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROW_GROUP", 32)
        ends = [0, *sorted(cuts), 100]
        pieces = [TABLE.slice(a, b - a) for a, b in itertools.pairwise(ends)]
        assert write_stream(folder / "cut.parquet", TABLE.schema, pieces) == 100
        assert write_stream(folder / "whole.parquet", TABLE.schema, [TABLE]) == 100
    assert (folder / "cut.parquet").read_bytes() == (folder / "whole.parquet").read_bytes()
    found = pq.ParquetFile(folder / "cut.parquet")
    assert found.read().equals(TABLE)
    rows = [found.metadata.row_group(group).num_rows for group in range(found.num_row_groups)]
    assert rows == [32, 32, 32, 4]


def test_every_column_has_its_index(tmp_path: Path) -> None:
    write_stream(tmp_path / "x.parquet", TABLE.schema, [TABLE])
    group = pq.read_metadata(tmp_path / "x.parquet").row_group(0)
    for column in range(group.num_columns):
        assert group.column(column).has_offset_index
        assert group.column(column).has_column_index
        assert group.column(column).compression == "ZSTD"


def test_pages_stay_where_rows_are_put_in(tmp_path: Path) -> None:
    """A row more at the top: nearly all bytes of the longer file were in the shorter one."""
    draw = random.Random(5)  # noqa: S311 (no secret)
    texts = [draw.randbytes(60).hex() for _ in range(80_000)]
    first, second = tmp_path / "1.parquet", tmp_path / "2.parquet"
    columns = pa.schema([pa.field("masculine", pa.string(), nullable=False)])
    write_stream(first, columns, [pa.table({"masculine": texts}, schema=columns)])
    write_stream(second, columns, [pa.table({"masculine": ["new", *texts]}, schema=columns)])
    old, new = first.read_bytes(), second.read_bytes()
    blocks = [new[at : at + 4096] for at in range(0, len(new) - 4096, 4096)]
    assert sum(block in old for block in blocks) > 0.85 * len(blocks)


def test_which_columns_have_a_dictionary(tmp_path: Path) -> None:
    rows = [row("he", "she", "masculine", fill=FILL)] * 9
    table = pa.Table.from_pylist(rows, schema=schema.PAIRS)
    write_stream(tmp_path / "x.parquet", schema.PAIRS, [table])
    group = pq.read_metadata(tmp_path / "x.parquet").row_group(0)
    columns = [group.column(column) for column in range(group.num_columns)]
    plain = {one.path_in_schema for one in columns if not one.has_dictionary_page}
    assert plain == {"pair_id", "masculine", "feminine", "sent_id"}
    assert "edits_m.list.element.rule" in {one.path_in_schema for one in columns} - plain


def test_memory_is_that_of_a_piece(tmp_path: Path) -> None:
    write_stream(tmp_path / "x.parquet", TABLE.schema, [TABLE] * 400)
    pieces = list(read_columns(tmp_path / "x.parquet", ["n"]))
    assert sum(piece.num_rows for piece in pieces) == 40_000
    assert max(piece.num_rows for piece in pieces) <= 8_192


def test_fields_of_structs_are_read_alone(tmp_path: Path) -> None:
    table = pa.table({"a": [{"x": 1, "y": 2}, None], "b": [3, 4]})
    pq.write_table(table, tmp_path / "x.parquet")
    (piece,) = read_columns(tmp_path / "x.parquet", ["a.y"])
    assert piece.to_pylist() == [{"a": {"y": 2}}, {"a": None}]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(b"no parquet")
    with pytest.raises(InputError, match="not a parquet file"):
        list(stream(path, schema.DROPS))
    pq.write_table(TABLE, path)
    with pytest.raises(InputError, match="no column 'sent_id'"):
        list(stream(path, schema.DROPS))
    drop = {"sent_id": None, "row": 1, "stage": "", "code": "", "detail": ""}
    pq.write_table(pa.Table.from_pylist([drop]), path)
    with pytest.raises(InputError, match="other columns than ours"):
        list(stream(path, schema.DROPS))


def test_a_damaged_page_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"text": [f"{n}" * 50 for n in range(5_000)]}), path)
    data = bytearray(path.read_bytes())
    data[2_000:3_000] = bytes(1_000)
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="cannot be read to its end"):
        list(read_columns(path, ["text"]))

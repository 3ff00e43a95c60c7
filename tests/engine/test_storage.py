"""Runs in a store of objects: a real S3 server on loopback, and fsspec's memory."""

from __future__ import annotations

import itertools
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine import Engine, Part, folder_at, is_remote, remove_folder, run, write_parquet
from curate.engine.parts import gaps
from curate.errors import CurateError, MissingExtraError, RemoteError, UsageError
from tests.engine.toy_stage import NUMBERS, STAGE, Config, batches
from tests.s3_server import S3, s3

__all__ = ["s3"]


def test_paths_of_this_machine_stay_paths(tmp_path: Path) -> None:
    assert folder_at("out/x") == Path("out/x")
    assert folder_at(tmp_path) is not None
    assert folder_at(f"file://{tmp_path}") == tmp_path
    assert not is_remote(folder_at(str(tmp_path)))
    with pytest.raises(UsageError, match="no store is known"):
        folder_at("nowhere://x/y")


def test_a_store_whose_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "adlfs", None)
    with pytest.raises(MissingExtraError, match="adlfs") as caught:
        folder_at("abfs://somewhere/x")
    assert "gender-curate[remote]" in caught.value.hint


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_in_a_bucket_is_the_run_on_a_disk(s3: S3, tmp_path: Path, workers: int) -> None:
    here = run(batches(60, 7), STAGE, Config(), tmp_path, engine=Engine(workers=1))
    out = folder_at(s3.url("runs/one"))
    assert is_remote(out)
    with pytest.raises(CurateError, match="here it ends"):
        run(batches(60, 7), STAGE, Config(fail_at=40), out, engine=Engine(workers=workers))
    assert any(name.startswith("runs/one/parts/") for name in s3.names())
    there = run(batches(60, 5), STAGE, Config(), out, engine=Engine(workers=workers))
    assert there.rows == here.rows == 60
    for name in ("whole", "rest"):
        own, other = (pa.concat_tables(parts.read(name)) for parts in (here, there))
        assert own.equals(other)
        write_parquet(tmp_path / name, NUMBERS, here.read(name))
        write_parquet(out / name, NUMBERS, there.read(name))
        assert s3.get(f"runs/one/{name}") == (tmp_path / name).read_bytes()
    there.remove()
    assert not [name for name in s3.names() if "parts" in name]
    remove_folder(out)
    remove_folder(out)
    assert s3.names() == []


def test_a_failing_write_leaves_no_object(s3: S3) -> None:
    def broken():  # type: ignore[no-untyped-def]
        yield from batches(10, 5)
        raise CurateError("no more")

    with pytest.raises(CurateError, match="no more"):
        write_parquet(folder_at(s3.url("a.parquet")), NUMBERS, broken())
    assert s3.names() == []


def test_a_store_that_refuses_is_a_remote_error(s3: S3) -> None:
    with pytest.raises(RemoteError, match="the store failed") as caught:
        run(batches(10, 5), STAGE, Config(), folder_at("s3://no-such-bucket-here/run"))
    assert "no-such-bucket-here" in caught.value.where


def test_a_damaged_part_is_made_anew(tmp_path: Path) -> None:
    parts = run(batches(30, 10), STAGE, Config(), tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "parts").iterdir()}
    damaged = parts.path(parts.done[1], "whole")
    damaged.write_bytes(b"x" * damaged.stat().st_size)
    with pytest.raises(CurateError, match="damaged or gone") as caught:
        list(parts.read("whole"))
    assert caught.value.where == str(damaged)
    parts.path(parts.done[2], "rest").unlink()
    run(batches(30, 10), STAGE, Config(), tmp_path)
    assert {path.name: path.read_bytes() for path in (tmp_path / "parts").iterdir()} == before
    short = parts.path(parts.done[0], "rest")
    short.write_bytes(short.read_bytes()[:-1])
    again = run(batches(30, 10), STAGE, Config(), tmp_path)
    assert pq.read_table(short).num_rows == 5
    assert again.rows == 30


def test_a_flipped_bit_in_a_part_is_noticed(tmp_path: Path) -> None:
    parts = run(batches(3000, 3000), STAGE, Config(), tmp_path)
    path = parts.path(parts.done[0], "whole")
    whole = path.read_bytes()
    page = pq.ParquetFile(path).metadata.row_group(0).column(0)
    middle = page.data_page_offset + page.total_compressed_size // 2
    path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(CurateError, match="damaged or gone"):
        list(parts.read("whole"))
    run(batches(3000, 3000), STAGE, Config(), tmp_path)
    assert path.read_bytes() == whole


def test_an_address_with_a_secret_is_refused_without_showing_it() -> None:
    with pytest.raises(UsageError, match="a password") as caught:
        folder_at("s3://someone:h1dden@bucket/run")
    assert "h1dden" not in f"{caught.value} {caught.value.hint}"


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 50), max_size=12), rows=st.integers(1, 60))
def test_gaps_are_what_no_part_holds(cuts: list[int], rows: int) -> None:
    ends = sorted(set(cuts) | {0, 50})
    spans = list(itertools.pairwise(ends))
    done = [Part(start, end - start) for start, end in spans[::2]]
    found = [
        (start + place, n)
        for start, table in gaps(batches(50, rows), done)
        for place, n in enumerate(table.column("n").to_pylist())
    ]
    assert all(at == n for at, n in found)
    wanted = {n for start, end in spans[1::2] for n in range(start, end)}
    assert [n for _, n in found] == sorted(wanted)

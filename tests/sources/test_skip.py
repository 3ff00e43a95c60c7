"""Faults that a run goes on past: each becomes drops at fixed rows, and nothing else is lost."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.errors import InputError
from curate.sources import Corpus
from curate.sources.lines import LINE_LIMIT
from tests.sources.corpus_files import drops_of, table_of, texts_of, written


def skipped(spec: Path | str, **options: object) -> pa.Table:
    return table_of(spec, on_error="skip", **options)


def both_refuse(spec: Path | str, message: str) -> None:
    """Without ``skip`` the same input ends the run."""
    for on_error in ("drop", "stop"):
        with pytest.raises(InputError, match=message):
            table_of(spec, on_error=on_error)


def test_a_line_that_is_no_utf8(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", b"good\ng\xfcte\nalso good\n\xff\n")
    both_refuse(path, "not UTF-8")
    table = skipped(path)
    assert texts_of(table) == ["good", "also good"]
    assert drops_of(table) == {
        1: ("not-utf8", "line 2: byte 0xfc at 1"),
        3: ("not-utf8", "line 4: byte 0xff at 0"),
    }


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("c.tsv", b"id\ttext\n1\ta\n2\t\xe9\n3\tc\n"),
        ("c.csv", b"id,text\n1,a\n2,\xe9\n3,c\n"),
        ("c.jsonl", b'{"text": "a"}\n{"text": "\xe9"}\n{"text": "c"}\n'),
    ],
)
def test_rows_of_tables_that_are_no_utf8(tmp_path: Path, name: str, data: bytes) -> None:
    path = written(tmp_path / name, data)
    both_refuse(path, "not UTF-8")
    table = skipped(path)
    assert texts_of(table) == ["a", "c"]
    assert [code for code, _ in drops_of(table).values()] == ["not-utf8"]


def test_bytes_in_parquet_that_are_no_utf8(tmp_path: Path) -> None:
    raw = pa.array([b"a", b"\xff\xfe", b"c"], pa.binary())
    texts = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    pq.write_table(pa.table({"text": texts}), tmp_path / "c.parquet")
    both_refuse(tmp_path / "c.parquet", "not UTF-8: row 1: byte 0xff at 0")
    table = skipped(tmp_path / "c.parquet")
    assert texts_of(table) == ["a", "c"]
    assert drops_of(table) == {1: ("not-utf8", "row 1: byte 0xff at 0")}


def test_a_long_line_that_is_no_utf8_is_one_drop(tmp_path: Path) -> None:
    path = written(tmp_path / "c.txt", b"a\n" + b"\xff" * (10 * LINE_LIMIT) + b"\nb\n")
    table = skipped(path)
    assert texts_of(table) == ["a", "b"]
    assert [code for code, _ in drops_of(table).values()] == ["line-too-long"]


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Three parts; a test breaks the middle one."""
    folder = tmp_path / "texts"
    folder.mkdir()
    written(folder / "1.txt", b"first\n")
    written(folder / "3.txt", b"last\n")
    return folder


def middle(folder: Path, count: int, *, kept: int, name: str) -> None:
    """The rows before the fault are there, then one drop, then the next part."""
    table = skipped(folder)
    expected = ["first", *(f"line {i} of many" for i in range(kept)), "last"]
    assert texts_of(table) == expected
    drops = drops_of(table)
    assert list(drops) == [kept + 1]
    assert drops[kept + 1][0] == "corrupt-part"
    assert drops[kept + 1][1].startswith(f"{name}: ")
    assert kept < count
    for rows in (997, 100_000):
        assert skipped(folder, batch_rows=rows).to_pylist() == table.to_pylist()


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_an_archive_that_breaks_off(parts: Path, suffix: str) -> None:
    lines = [b"line %d of many" % i for i in range(30_000)]
    path = written(parts / f"2.txt{suffix}", b"\n".join(lines) + b"\n")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    both_refuse(parts, "not a whole")
    kept = len(texts_of(skipped(parts))) - 2
    assert kept > 10_000
    middle(parts, 30_000, kept=kept, name=f"2.txt{suffix}")


def test_a_line_cut_by_the_fault_is_no_sentence(parts: Path) -> None:
    data = gzip.compress(b"line 0 of many\nline 1 of many\nHe is a doc", 0)
    (parts / "2.txt.gz").write_bytes(data[:-8])
    middle(parts, 3, kept=2, name="2.txt.gz")


def test_a_wrong_checksum(parts: Path) -> None:
    data = bytearray(gzip.compress(b"line 0 of many\nline 1 of many\n"))
    data[-6] ^= 1
    (parts / "2.txt.gz").write_bytes(bytes(data))
    both_refuse(parts, "not a whole gz file")
    assert [code for code, _ in drops_of(skipped(parts)).values()] == ["corrupt-part"]
    assert texts_of(skipped(parts))[-1] == "last"


def test_a_parquet_file_with_a_broken_page(parts: Path) -> None:
    path = parts / "2.parquet"
    texts = [f"line {i} of many" for i in range(30_000)]
    pq.write_table(pa.table({"text": texts}), path, row_group_size=5000, compression="zstd",
                   use_dictionary=False)  # fmt: skip
    column = pq.read_metadata(path).row_group(3).column(0)
    data = bytearray(path.read_bytes())
    start = column.data_page_offset
    data[start + 40 : start + column.total_compressed_size] = b"\xaa" * (
        column.total_compressed_size - 40
    )
    path.write_bytes(bytes(data))
    both_refuse(parts, "not a whole parquet file")
    middle(parts, 30_000, kept=15_000, name="2.parquet")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("2.parquet", b"nothing", "not a parquet file"),
        ("2.parquet", b"", "not a parquet file"),
        ("2.csv", b"a,b\n1,2\n", "no column 'text'; the columns are 'a', 'b'"),
        ("2.tsv", b"a\tb\n1\t2\n", "no column 'text'"),
        ("2.jsonl", b"[1]\n", "not JSON lines"),
        ("2.txt", "ein Satz\n".encode("utf-16"), "UTF-16"),
        ("2.txt.gz", b"no archive", "not a whole gz file"),
    ],
)
def test_a_part_that_is_not_what_it_claims(
    parts: Path, name: str, data: bytes, reason: str
) -> None:
    (parts / name).write_bytes(data)
    both_refuse(parts, reason)
    table = skipped(parts)
    assert texts_of(table) == ["first", "last"]
    ((row, (code, detail)),) = drops_of(table).items()
    assert (row, code) == (1, "corrupt-part")
    assert detail.startswith(f"{name}: ")
    assert reason in detail
    assert str(parts) not in detail


def test_a_part_that_vanishes_before_its_turn(parts: Path) -> None:
    lines = "".join(f"line {i} of many\n" for i in range(50_000))
    (parts / "2.txt").write_text(lines)
    for on_error in ("skip", "drop"):
        gone = written(parts / "2b.txt", b"soon gone\n")
        corpus = Corpus(parts, lang="xx", on_error=on_error)  # type: ignore[arg-type]
        before = corpus.fingerprint()
        batches = corpus.batches(1000)
        first = next(batches)
        gone.unlink()
        if on_error == "drop":
            with pytest.raises(InputError, match="no such file"):
                list(batches)
            continue
        table = pa.concat_tables([first, *batches])
        assert texts_of(table)[-1] == "last"
        assert drops_of(table) == {50_001: ("missing-part", "2b.txt: no such file")}
        assert Corpus(parts, lang="xx", on_error="skip").fingerprint() != before


def test_a_link_to_nothing_is_a_missing_part(parts: Path) -> None:
    (parts / "2.txt").symlink_to(parts / "nowhere")
    table = skipped(parts)
    assert texts_of(table) == ["first", "last"]
    assert drops_of(table) == {1: ("missing-part", "2.txt: no such file")}
    assert Corpus(parts, lang="xx").settings()["parts"]["2.txt"] == "missing"
    both_refuse(parts, "no such file")


def test_bytes_beside_the_text_that_are_no_utf8(tmp_path: Path) -> None:
    raw = pa.array([b"web", b"\xff\xfe", None], pa.binary())
    sources = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    pq.write_table(pa.table({"text": ["a", "b", "c"], "source": sources}), tmp_path / "c.parquet")
    both_refuse(tmp_path / "c.parquet", "not UTF-8: row 1, source: byte 0xff at 0")
    table = skipped(tmp_path / "c.parquet")
    assert texts_of(table) == ["a", "c"]
    assert drops_of(table) == {1: ("not-utf8", "row 1, source: byte 0xff at 0")}
    assert table.column("source").to_pylist() == ["web", "c.parquet", "c.parquet"]
    assert texts_of(table_of(tmp_path / "c.parquet", source="mine")) == ["a", "b", "c"]


def test_two_columns_of_one_name(parts: Path) -> None:
    pq.write_table(pa.table([["a"], ["b"]], names=["text", "text"]), parts / "2.parquet")
    both_refuse(parts, "more than one column is called 'text'")
    assert texts_of(skipped(parts)) == ["first", "last"]
    names = ["text", "source", "source"]
    pq.write_table(pa.table([["a"], ["b"], ["c"]], names=names), parts / "2.parquet")
    assert set(table_of(parts).column("source").to_pylist()) == {"texts"}


def test_a_part_that_cannot_be_opened(parts: Path) -> None:
    (parts / "2.txt").symlink_to(parts / "2.txt")
    assert [code for code, _ in drops_of(skipped(parts)).values()] == ["missing-part"]
    both_refuse(parts, "cannot be opened")


def test_poisoned_rows_of_tables(tmp_path: Path) -> None:
    surrogate = b'{"text": "a"}\n{"text": "x\\ud800y"}\n{"text": "b"}\n'
    table = table_of(written(tmp_path / "c.jsonl", surrogate))
    assert texts_of(table) == ["a", "b"]
    assert drops_of(table)[1] == ("bad-row", "U+D800 at 1 is half a pair")
    beside = b'{"text": "a", "source": "x\\ud800"}\n{"text": "b"}\n'
    table = table_of(written(tmp_path / "b.jsonl", beside))
    assert texts_of(table) == ["b"]
    assert drops_of(table) == {0: ("bad-row", "source: U+D800 at 1 is half a pair")}
    deep = b'{"text": "a"}\n' + b"[" * 100_000 + b"\n" + b'{"n": ' + b"9" * 9000 + b"}\n"
    table = table_of(written(tmp_path / "d.jsonl", deep))
    assert [code for code, _ in drops_of(table).values()] == ["bad-row", "bad-row"]
    bare = b"id,text\n1,a\n2,b\rc\n3,d\n"
    table = table_of(written(tmp_path / "c.csv", bare))
    assert texts_of(table) == ["a", "d"]
    assert drops_of(table)[1][0] == "bad-row"


def test_quotes_that_never_end_do_not_swallow_the_file(tmp_path: Path) -> None:
    rows = "".join(f"{i},row number {i} is here\n" for i in range(200_000))
    path = written(tmp_path / "c.csv", f'id,text\n1,a\n2,"open\n{rows}'.encode())
    table = table_of(path)
    codes = [code for code, _ in drops_of(table).values()]
    assert codes == ["bad-row"]
    assert len(texts_of(table)) > 150_000
    assert texts_of(table)[-1] == "row number 199999 is here"


def test_quotes_that_the_file_ends_within(tmp_path: Path) -> None:
    path = written(tmp_path / "c.csv", b'id,text\n1,a\n2,"two\nlines"\n3,"open\n4,d\n5,e\n')
    table = table_of(path)
    assert texts_of(table) == ["a", "two lines"]
    assert drops_of(table) == {2: ("bad-row", "quotes that do not end")}


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([b"He ran.", b"\xff", b"", b"a\x00", b"\xe2\x82", b"caf\xc3\xa9"]),
             min_size=1, max_size=30),
    st.integers(1, 40),
)  # fmt: skip
def test_batch_size_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], rows: int
) -> None:
    path = tmp_path_factory.mktemp("c") / "c.txt"
    path.write_bytes(b"\n".join(lines) + b"\nend\n")
    whole = skipped(path)
    assert skipped(path, batch_rows=rows).to_pylist() == whole.to_pylist()
    assert whole.num_rows == len(lines) + 1
    wrong = [code for code, _ in drops_of(whole).values()].count("not-utf8")
    assert wrong == sum(line in {b"\xff", b"\xe2\x82"} for line in lines)

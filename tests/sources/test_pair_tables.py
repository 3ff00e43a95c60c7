"""Tables of pairs: what is read, and what is refused with file, line and reason."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError
from curate.sources import PAIR_TABLE, read_pairs


def _file(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def _pair(masculine: str, feminine: str, lang: str = "en") -> dict[str, object]:
    return {
        "pair_id": schema.pair_id(lang, "lsg", masculine, feminine),
        "lang": lang, "masculine": masculine, "feminine": feminine, "original": "masculine",
        "method": "lsg", "entries": ["he"], "edits_m": [{"start": 0, "end": 2, "rule": "pair"}],
        "edits_f": [], "fill": None, "sent_id": "s", "source": "t", "licence": "own",
        "lexicon_version": "v", "folds": [0, 2],
    }  # fmt: skip


@pytest.fixture
def ours() -> pa.Table:
    rows = [_pair("He ran.", "She ran."), _pair("Er lief.", "Sie lief.", "de")]
    return pa.Table.from_pylist(rows, schema=schema.PAIRS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'a,x,b\n"He, ran.",1,"She, ran."\nHe.,2,She.\n'),
        ("a.csv", 'a;x;b\n"He, ran.";1;She, ran.\nHe.;2;She.\n'),
        ("a.tsv", "a\tx\tb\nHe, ran.\t1\tShe, ran.\nHe.\t2\tShe.\n"),
        ("a.tsv", "\ufeffa\tx\tb\r\nHe, ran.\t1\tShe, ran.\r\nHe.\t2\tShe.\r\n"),
        ("a.txt", "b\ta\nShe, ran.\tHe, ran.\nShe.\tHe.\n"),
    ],
)
def test_any_delimited_file_with_two_named_columns(tmp_path: Path, name: str, text: str) -> None:
    table = read_pairs(_file(tmp_path, name, text), columns=("a", "b"), lang="en")
    assert table.schema.equals(PAIR_TABLE)
    assert table.column("row").to_pylist() == [0, 1]
    assert table.column("masculine").to_pylist() == ["He, ran.", "He."]
    assert table.column("feminine").to_pylist() == ["She, ran.", "She."]
    assert set(table.column("lang").to_pylist()) == {"en"}
    first = schema.pair_id("en", "import", "He, ran.", "She, ran.")
    assert table.column("pair_id")[0].as_py() == first


def test_a_tsv_uses_quotes_only_if_all_of_it_does(tmp_path: Path) -> None:
    quoted = 'masculine\tfeminine\n"He said ""no""."\t"She said ""no""."\n'
    table = read_pairs(_file(tmp_path, "q.tsv", quoted))
    assert table.column("masculine").to_pylist() == ['He said "no".']
    plain = 'masculine\tfeminine\n"No," he said.\t"No," she said.\n"He"\t"She"\n'
    table = read_pairs(_file(tmp_path, "p.tsv", plain))
    assert table.column("masculine").to_pylist() == ['"No," he said.', '"He"']


def test_compressed_and_parquet(tmp_path: Path) -> None:
    packed = _file(tmp_path, "a.tsv.gz", gzip.compress(b"masculine\tfeminine\nHe.\tShe.\n"))
    assert read_pairs(packed).num_rows == 1
    foreign = tmp_path / "f.parquet"
    pq.write_table(pa.table({"a": ["He.", None], "b": ["She.", "She?"]}), foreign)
    table = read_pairs(foreign, columns=("a", "b"))
    assert table.column("masculine").to_pylist() == ["He.", ""]
    assert table.column("problem").to_pylist() == [None, "an empty (null) cell"]


def test_a_bad_row_keeps_its_place(tmp_path: Path) -> None:
    text = "masculine\tfeminine\nHe.\tShe.\nonly one\n\tShe?\nHe.\tShe.\tmore\n"
    table = read_pairs(_file(tmp_path, "a.tsv", text))
    assert table.column("row").to_pylist() == [0, 1, 2, 3]
    assert table.column("feminine").to_pylist() == ["She.", "", "She?", "She."]
    problems = table.column("problem").to_pylist()
    assert problems[0] is None
    assert problems[1] == "line 3: 1 cells, the header has 2"
    assert problems[3] == "line 5: 3 cells, the header has 2"


def test_a_cell_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    text = "masculine,feminine\n" + "x" * 10_000_000 + ",She.\nHe.,She.\n"
    table = read_pairs(_file(tmp_path, "a.csv", text))
    assert [len(cell) for cell in table.column("masculine").to_pylist()] == [10_000_000, 3]


@pytest.mark.parametrize(
    ("name", "content", "where", "message"),
    [
        ("a.csv", b"masculine,feminine\nok,ok\nl\xe4,x\n", ":3", "not UTF-8: byte 0xe4"),
        ("a.csv", "masculine,feminine\n".encode("utf-16"), ":1", "UTF-16"),
        ("a.csv", b"", "", "empty"),
        ("a.csv", b"\n\n", "", "empty"),
        ("a.csv", b"masculine,feminine\n", "", "no rows"),
        ("a.csv", b"one,two\na,b\n", ":1", "'masculine' and no column 'feminine'"),
        ("a.csv", b'masculine,feminine\na,b\n"a,b\nc,d\n', ":3", "broken quotes"),
        ("a.tsv.gz", b"no gzip at all", "", "not a whole gz file"),
        ("a.parquet", b"PAR1 but not really", "", "not a parquet file"),
    ],
)
def test_what_is_no_table_is_refused(
    tmp_path: Path, name: str, content: bytes, where: str, message: str
) -> None:
    path = _file(tmp_path, name, content)
    with pytest.raises(InputError, match=message) as caught:
        read_pairs(path)
    assert caught.value.where == f"{path}{where}"
    assert caught.value.exit_code == 2


def test_missing_columns_name_those_present(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.csv", "sent_more,sent_less\na,b\n")
    with pytest.raises(InputError, match="'sent_more', 'sent_less'"):
        read_pairs(path, columns=("sent_more", "other"))


def test_ours_from_a_file_a_run_and_a_release(tmp_path: Path, ours: pa.Table) -> None:
    run = tmp_path / "run"
    run.mkdir()
    pq.write_table(ours, run / "pairs.parquet")
    release = tmp_path / "release"
    for place, lang in enumerate(("en", "de")):
        folder = release / "data" / f"{lang}-lsg"
        folder.mkdir(parents=True)
        pq.write_table(ours.slice(place, 1), folder / "test-00000-of-00001.parquet")
    lexicon = release / "data" / "lexicon"
    lexicon.mkdir()
    words = pa.table({"masculine": ["he"], "feminine": ["she"]})
    pq.write_table(words, lexicon / "test-00000-of-00001.parquet")
    for path in (run, run / "pairs.parquet"):
        table = read_pairs(path)
        assert table.column("masculine").to_pylist() == ["He ran.", "Er lief."]
        assert table.column("folds").to_pylist() == [[0, 2], [0, 2]]
        assert set(schema.PAIRS.names) | {"row", "problem"} == set(table.schema.names)
    both = read_pairs(release)
    assert both.column("lang").to_pylist() == ["de", "en"]
    assert both.column("row").to_pylist() == [0, 1]
    english = read_pairs(release, lang="en")
    assert english.column("row").to_pylist() == [1]
    with pytest.raises(InputError, match="there are: de, en"):
        read_pairs(release, lang="pt")


def test_a_folder_without_pairs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pairs here"):
        read_pairs(tmp_path)


def test_real_files(shared_data: Path) -> None:
    crows = shared_data / "crows_pairs" / "crows_pairs_revised_en_1677.tsv"
    table = read_pairs(crows, columns=("sent_more_en_US", "sent_less_en_US"), lang="en")
    assert table.num_rows == 1677
    assert table.column("problem").null_count == 1677
    paper = shared_data / "mgl_paper" / "released_pairs_lsg_en.tsv.gz"
    assert read_pairs(paper, columns=("male_list", "female_list")).num_rows == 34970

"""Corpora: every row of any format becomes a sentence or says why not; memory stays flat."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate import schema
from curate.errors import InputError, UsageError
from curate.sources import CORPUS, Corpus, admit, read_corpus
from curate.sources.duplicates import Seen
from curate.sources.lines import LINE_LIMIT, read_lines
from tests.sources.corpus_files import table_of, texts_of, written

SENTENCES = ["He ran.", "Sie läuft.", "他来了。"]


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".txt", "\n".join(SENTENCES) + "\n"),
        (".txt", "\ufeff" + "\r\n".join(SENTENCES)),
        (".csv", "id,text\n" + "".join(f'{i},"{s}"\n' for i, s in enumerate(SENTENCES))),
        (".tsv", "text\tid\n" + "".join(f"{s}\t{i}\n" for i, s in enumerate(SENTENCES))),
        (".jsonl", "".join(json.dumps({"text": s}) + "\n" for s in SENTENCES)),
    ],
)
def test_every_format(tmp_path: Path, suffix: str, text: str, ending: str) -> None:
    path = written(tmp_path / f"c{suffix}{ending}", text.encode())
    table = table_of(path, source="here", licence="own")
    assert table.schema.equals(CORPUS)
    assert texts_of(table) == SENTENCES
    assert table.column("sent_id").to_pylist() == [schema.sentence_id("xx", s) for s in SENTENCES]
    assert table.column("row").to_pylist() == [0, 1, 2]
    assert set(table.column("source").to_pylist()) == {"here"}
    assert set(table.column("licence").to_pylist()) == {"own"}


def test_parquet_and_a_local_dataset(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "train.parquet"
    pq.write_table(pa.table({"sentence": [*SENTENCES, None]}), path)
    table = table_of(path, column="sentence")
    assert texts_of(table) == SENTENCES
    assert table.column("problem").to_pylist()[3] == "empty-line"
    pytest.importorskip("datasets")
    corpus = Corpus(f"hub:{folder}", lang="xx", column="sentence")
    assert texts_of(pa.concat_tables(corpus.batches(2))) == SENTENCES
    assert corpus.progress == (4, 4)
    assert corpus.fingerprint().startswith("hub-")
    with pytest.raises(InputError, match="no column 'text'; the columns are sentence"):
        Corpus(f"hub:{folder}", lang="xx")


@pytest.mark.parametrize("streaming", [False, True])
def test_a_dataset_whose_column_is_no_text(tmp_path: Path, streaming: bool) -> None:
    pytest.importorskip("datasets")
    for number, values in enumerate([[1, 2], [["a"], ["b"]]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        pq.write_table(pa.table({"text": values}), folder / "train.parquet")
        with pytest.raises(InputError, match=r"the column 'text' holds .*, not text"):
            Corpus(f"hub:{folder}", lang="xx", streaming=streaming)


def test_bad_rows_are_dropped_with_their_reason(tmp_path: Path) -> None:
    lines = [b"He.", b"", b"   ", b"x" * (LINE_LIMIT + 1), b"a\x07b", b"He.", b"y" * 10_000_000,
             b"z" * LINE_LIMIT, b"tab\tis white space"]  # fmt: skip
    path = written(tmp_path / "c.txt", b"\n".join(lines))
    sentences, drops = admit(table_of(path))
    assert sentences.column("row").to_pylist() == [0, 7, 8]
    assert dict(zip(drops["row"].to_pylist(), drops["code"].to_pylist(), strict=True)) == {
        1: "empty-line", 2: "empty-line", 3: "line-too-long", 4: "control-character",
        5: "duplicate", 6: "line-too-long",
    }  # fmt: skip
    details = dict(zip(drops["row"].to_pylist(), drops["detail"].to_pylist(), strict=True))
    assert details[4] == "U+0007 at 1"
    assert details[6] == f"10000000 bytes, the limit is {LINE_LIMIT}"
    assert drops.schema.equals(schema.DROPS)


@pytest.mark.parametrize(
    ("rows", "code"), [(b"a\nb\x00\n", "control-character"), (b"a\n\nb", "empty-line")]
)
def test_on_error_stop(tmp_path: Path, rows: bytes, code: str) -> None:
    path = written(tmp_path / "c.txt", rows)
    with pytest.raises(InputError, match=code) as caught:
        table_of(path, on_error="stop")
    assert "row 1" in caught.value.where


def test_bad_rows_of_tables(tmp_path: Path) -> None:
    jsonl = written(
        tmp_path / "c.jsonl", b'{"text": "a"}\nnot json\n{"other": 1}\n[]\n{"text": "b"}\n'
    )
    sentences, drops = admit(table_of(jsonl))
    assert sentences.column("text").to_pylist() == ["a", "b"]
    assert drops.column("code").to_pylist() == ["bad-row"] * 3
    assert "'other'" in drops.column("detail").to_pylist()[1]
    tsv = written(tmp_path / "c.tsv", b'id\ttext\n1\ta\n2\n3\t"a ""b"""\n')
    sentences, drops = admit(table_of(tsv))
    assert sentences.column("text").to_pylist() == ["a", 'a "b"']
    assert drops.column("code").to_pylist() == ["bad-row"]
    long = written(tmp_path / "c.csv", b"text,x\na,1\n" + b"y" * (LINE_LIMIT + 5) + b",2\nb,3\n")
    sentences, drops = admit(table_of(long))
    assert sentences.column("text").to_pylist() == ["a", "b"]
    assert drops.column("code").to_pylist() == ["line-too-long"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.txt", b"", "empty"),
        ("c.txt", b"good\ng\xfcte\n", "not UTF-8"),
        ("c.txt", b"x" * (LINE_LIMIT + 9) + b"\xff\n", "not UTF-8"),
        ("c.tsv", b"a\tb\n1\t2\n", "no column 'text'; the columns are 'a', 'b'"),
        ("c.csv", b"a,b\n1,2\n", "no column 'text'"),
        ("c.jsonl", b"[1]\n", "not JSON lines"),
        ("c.parquet", b"nothing", "not a parquet file"),
    ],
)
def test_what_is_no_corpus_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        table_of(path)


def test_the_line_of_a_wrong_byte(tmp_path: Path) -> None:
    lines = b"".join(b"line %d of the file\n" % i for i in range(200_000))
    path = written(tmp_path / "c.txt.gz", lines + b"caf\xe9\n")
    with pytest.raises(InputError) as caught:
        table_of(path)
    assert caught.value.where == f"{path}:200001"


def test_missing_files_and_hub_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_corpus(tmp_path / "no.txt", lang="xx")
    with pytest.raises(InputError, match="folder"):
        read_corpus(tmp_path, lang="xx")
    with pytest.raises(UsageError, match="not a Hub corpus"):
        read_corpus("hub:a:b:c:d", lang="xx")


def test_text_becomes_nfc_and_is_counted(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "Señora, él está aquí.")
    path = written(tmp_path / "c.txt", f"{decomposed}\nplain\n".encode())
    corpus = Corpus(path, lang="es")
    table = pa.concat_tables(corpus.batches())
    assert texts_of(table) == ["Señora, él está aquí.", "plain"]
    assert corpus.normalised == 1


@settings(deadline=None)
@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8), max_size=40
    ),
    st.integers(1, 50),
)
def test_batch_size_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], rows: int
) -> None:
    path = tmp_path_factory.mktemp("c") / "c.txt"
    path.write_text("\n".join([*lines, "end"]), encoding="utf-8", newline="")
    tables = list(read_corpus(path, lang="xx", batch_rows=rows))
    assert all(table.num_rows == rows for table in tables[:-1])
    whole = pa.concat_tables(read_corpus(path, lang="xx", batch_rows=10_000))
    assert pa.concat_tables(tables).to_pylist() == whole.to_pylist()
    assert whole.num_rows == len(lines) + 1
    sentences, drops = admit(whole)
    assert sentences.num_rows + drops.num_rows == whole.num_rows
    texts = sentences.column("text").to_pylist()
    assert len(set(texts)) == len(texts)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=12))
def test_seen_is_a_set(batches: list[list[int]]) -> None:
    seen, model = Seen(), set[int]()
    for batch in batches:
        expected = []
        for key in batch:
            expected.append(key not in model)
            model.add(key)
        found = seen.first(np.array(batch, dtype=np.uint64))
        assert found.tolist() == expected


def test_a_line_of_any_length_is_never_held(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "c.txt"
    with path.open("wb") as stream:
        stream.write(b"first\n")
        for _ in range(60):
            stream.write(b"x" * 1_000_000)
        stream.write(b"\nlast\n")
    tracemalloc.start()
    blocks = list(read_lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [line for block in blocks for line in block.lines] == ["first", "", "last"]
    assert blocks[1].problems == {
        0: ("line-too-long", f"60000000 bytes, the limit is {LINE_LIMIT}")
    }
    assert blocks[2].number == 3
    assert peak < 12_000_000

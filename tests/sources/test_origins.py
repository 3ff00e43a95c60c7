"""Where a row is from, and its licence, come from the table where the user says neither."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.errors import UsageError
from curate.sources import Corpus
from tests.sources.corpus_files import table_of, texts_of, written

ROWS = [
    {"text": "one", "source": "web", "licence": "CC0"},
    {"text": "two", "source": "", "licence": " CC BY 4.0 "},
    {"text": "three", "source": "book", "licence": " "},
]
SOURCES = ["web", "{name}", "book"]
LICENCES = ["CC0", "CC BY 4.0", "unstated"]


def write(folder: Path, suffix: str, rows: list[dict[str, str]]) -> Path:
    path = folder / f"c{suffix}"
    names = list(rows[0])
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    if suffix == ".jsonl":
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        cut = "," if suffix == ".csv" else "\t"
        text = "".join(cut.join(cells) + "\n" for cells in [names, *(r.values() for r in rows)])
    return written(path, text.encode())


def told(table: pa.Table) -> tuple[list[str], list[str]]:
    return table.column("source").to_pylist(), table.column("licence").to_pylist()


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".jsonl"])
@pytest.mark.parametrize("spelling", ["licence", "license"])
def test_columns_are_carried_row_by_row(tmp_path: Path, suffix: str, spelling: str) -> None:
    rows = [{spelling if name == "licence" else name: row[name] for name in row} for row in ROWS]
    path = write(tmp_path, suffix, rows)
    sources = [source.format(name=path.name) for source in SOURCES]
    for batch_rows in (1, 2, 100):
        assert told(table_of(path, batch_rows=batch_rows)) == (sources, LICENCES)
    assert told(table_of(path, source="mine")) == (["mine"] * 3, LICENCES)
    assert told(table_of(path, licence="mine")) == (sources, ["mine"] * 3)
    assert texts_of(table_of(path, column="source")) == ["web", "book"]


def test_parts_with_and_without_the_columns(tmp_path: Path) -> None:
    write(tmp_path, ".jsonl", ROWS)
    write(tmp_path, ".parquet", [{"text": "four"}, {"text": "five"}])
    write(tmp_path, ".tsv", [{"text": "six", "license": "MIT"}])
    write(tmp_path, ".txt", [{"text": "seven"}])
    for batch_rows in (1, 3, 100):
        sources, licences = told(table_of(tmp_path, batch_rows=batch_rows))
        name = tmp_path.name
        # in order of name: .jsonl, .parquet, .tsv, .txt, whose header is a text
        assert sources == ["web", name, "book", name, name, name, name, name]
        assert licences == [*LICENCES, "unstated", "unstated", "MIT", "unstated", "unstated"]


def test_columns_that_are_no_text_tell_nothing(tmp_path: Path) -> None:
    table = pa.table({"text": ["a", "b"], "source": [1, 2], "licence": [["x"], None]})
    pq.write_table(table, tmp_path / "c.parquet")
    assert told(table_of(tmp_path / "c.parquet")) == (["c.parquet"] * 2, ["unstated"] * 2)
    lines = b'{"text": "a", "source": {"deep": 1}}\n{"text": "b", "source": "web"}\n'
    assert told(table_of(written(tmp_path / "c.jsonl", lines)))[0] == ["c.jsonl", "web"]


@pytest.mark.parametrize("kind", [pa.dictionary(pa.int32(), pa.string()), pa.large_string(),
                                  pa.string_view()])  # fmt: skip
def test_every_kind_of_string_in_parquet(tmp_path: Path, kind: pa.DataType) -> None:
    column = pa.array(["a", None, "two\nlines", "b"]).cast(kind)
    pq.write_table(pa.table({"text": column, "licence": column}), tmp_path / "c.parquet")
    table = table_of(tmp_path / "c.parquet")
    assert texts_of(table) == ["a", "two lines", "b"]
    assert told(table)[1] == ["a", "unstated", "two\nlines", "b"]


def test_a_local_dataset_tells_it_too(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder, ".parquet", ROWS)
    for streaming in (False, True):
        corpus = Corpus(f"hub:{folder}", lang="xx", streaming=streaming)
        table = pa.concat_tables(corpus.batches(2))
        assert told(table) == (["web", str(folder), "book"], LICENCES)
        assert texts_of(table) == ["one", "two", "three"]
    with pytest.raises(UsageError, match="only datasets of the Hub"):
        Corpus(folder, lang="xx", streaming=True)


def test_what_is_carried_is_in_the_settings(tmp_path: Path) -> None:
    table, text = write(tmp_path, ".tsv", ROWS), write(tmp_path, ".txt", ROWS)
    assert Corpus(table, lang="xx").settings()["carried"] == ["source", "licence"]
    assert Corpus(table, lang="xx", source="c.tsv").settings()["carried"] == ["licence"]
    assert "carried" not in Corpus(table, lang="xx", source="a", licence="b").settings()
    assert "carried" not in Corpus(text, lang="xx").settings()


def test_what_a_dataset_carries_is_in_the_settings(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder, ".parquet", ROWS)
    spec = f"hub:{folder}"
    first = Corpus(spec, lang="xx").settings()
    assert first["carried"] == ["source", "licence"]
    assert "parts" not in first
    assert Corpus(spec, lang="xx", source=str(folder)).settings() != first, "other rows"

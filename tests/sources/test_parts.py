"""Corpora in many files: one order, one numbering, and a fingerprint that sees every change."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.errors import InputError, UsageError
from curate.sources import Corpus, changed_parts
from curate.sources.files import sha256_file
from tests.sources.corpus_files import table_of, texts_of, written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Parts of every format, in order of name, among files that are none."""
    made = tmp_path / "texts"
    (made / "deeper").mkdir(parents=True)
    written(made / "a.txt", b"one\ntwo\n")
    written(made / "b.csv.gz", b"id,text\n1,three\n")
    written(made / "c.jsonl", b'{"text": "four"}\n')
    pq.write_table(pa.table({"text": ["five", "six"]}), made / "d.parquet")
    written(made / "e.tsv.xz", b"text\nseven\n")
    written(made / "f.txt", b"")
    written(made / "_SUCCESS", b"")
    written(made / ".a.txt.crc", b"crc")
    written(made / "README.md", b"no text")
    written(made / "deeper" / "g.txt", b"eight\n")
    return made


def test_a_folder_is_read_in_order_of_name(folder: Path) -> None:
    corpus = Corpus(folder, lang="xx")
    table = pa.concat_tables(corpus.batches(2))
    assert texts_of(table) == ["one", "two", "three", "four", "five", "six", "seven"]
    assert table.column("row").to_pylist() == list(range(7))
    assert set(table.column("source").to_pylist()) == {"texts"}
    assert corpus.left_out == (".a.txt.crc", "README.md", "_SUCCESS")
    whole = sum(path.stat().st_size for path in folder.glob("[a-f].*"))
    assert corpus.progress == (whole, whole)


def test_a_pattern_takes_what_it_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert texts_of(table_of(f"{folder}/[ab].*")) == ["one", "two", "three"]
    assert texts_of(table_of(f"{folder}/**/*.txt")) == ["one", "two", "eight"]
    assert set(table_of(f"{folder}/**/*.txt").column("source").to_pylist()) == {"texts"}
    written(folder / "part-00000", b"bare\n")
    assert texts_of(table_of(f"{folder}/part-*")) == ["bare"]
    monkeypatch.chdir(folder)
    assert texts_of(table_of("*.txt")) == ["one", "two"]
    assert texts_of(table_of("file://" + str(folder / "a.txt"))) == ["one", "two"]
    assert texts_of(table_of(f"{folder}/**/**/*.txt")) == ["one", "two", "eight"]
    assert len(Corpus(f"{folder}/**/**/*.txt", lang="xx").settings()["parts"]) == 3
    (folder / "_temporary").mkdir()
    written(folder / "_temporary" / "a.txt", b"half a part\n")
    corpus = Corpus(f"{folder}/**/*.txt", lang="xx")
    assert texts_of(pa.concat_tables(corpus.batches())) == ["one", "two", "eight"]
    assert corpus.left_out == ("_temporary/a.txt",)
    written(folder / "odd[1].txt", b"odd\n")
    assert texts_of(table_of(folder / "odd[1].txt")) == ["odd"]


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    for name in (b"caf\xe9.txt", b"caf\xe8.txt"):
        written(tmp_path / os.fsdecode(name), b"from " + name + b"\n")
    before = Corpus(tmp_path, lang="xx", on_error="skip").settings()
    assert list(before["parts"]) == ["caf\\xe8.txt", "caf\\xe9.txt"]
    json.dumps(before).encode()
    written(tmp_path / os.fsdecode(b"caf\xe9.txt"), b"one\n")
    assert Corpus(tmp_path, lang="xx", on_error="skip").settings() != before
    table = table_of(tmp_path / os.fsdecode(b"caf\xe9.txt"))
    assert table.column("source").to_pylist() == ["caf\\xe9.txt"]


def test_what_holds_no_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no corpus is named"):
        Corpus("", lang="xx")
    with pytest.raises(InputError, match="no parts in this folder"):
        Corpus(tmp_path, lang="xx")
    with pytest.raises(InputError, match="no file matches"):
        Corpus(f"{tmp_path}/*.txt", lang="xx")
    written(tmp_path / "a.txt", b"")
    with pytest.raises(InputError, match="every part is empty"):
        Corpus(tmp_path, lang="xx")


def test_one_bad_part_ends_the_run_and_is_named(folder: Path) -> None:
    written(folder / "b.csv", b"a,b\n1,2\n")
    with pytest.raises(InputError, match="no column 'text'") as caught:
        table_of(folder)
    assert caught.value.where.endswith("b.csv:1")


def test_the_fingerprint_sees_every_change(folder: Path, tmp_path: Path) -> None:
    def print_of(spec: Path | str) -> str:
        return Corpus(spec, lang="xx").fingerprint()

    first = print_of(folder)
    assert print_of(folder / "a.txt") == sha256_file(folder / "a.txt")
    os.utime(folder / "a.txt", (1, 1))
    assert print_of(folder) == first == print_of(f"{folder}/[a-f].*")
    folder.rename(tmp_path / "moved")
    moved = tmp_path / "moved"
    assert print_of(moved) == first
    (moved / "a.txt").write_bytes(b"one\ntwO\n")
    assert print_of(moved) != first
    (moved / "a.txt").write_bytes(b"one\ntwo\n")
    assert print_of(moved) == first
    (moved / "a.txt").rename(moved / "aa.txt")
    assert print_of(moved) != first


def test_settings_tell_which_part_changed(folder: Path) -> None:
    before = Corpus(folder, lang="xx").settings()
    assert changed_parts(before, before) == ""
    (folder / "a.txt").unlink()
    (folder / "c.jsonl").write_bytes(b'{"text": "other"}\n')
    (folder / "z.txt").write_bytes(b"last\n")
    now = Corpus(folder, lang="xx").settings()
    assert changed_parts(before, now) == "a.txt is gone; c.jsonl is changed; z.txt is new"
    one = Corpus(folder / "z.txt", lang="xx").settings()
    assert "parts" not in one
    assert changed_parts(one, one) == ""


def test_many_parts_are_counted_in_a_manifest(tmp_path: Path) -> None:
    for number in range(101):
        written(tmp_path / f"{number:03d}.txt", b"text %d\n" % number)
    before = Corpus(tmp_path, lang="xx").settings()
    assert (before["n_parts"], "parts" in before) == (101, False)
    (tmp_path / "000.txt").unlink()
    (tmp_path / "001.txt").unlink()
    now = Corpus(tmp_path, lang="xx").settings()
    assert "099.txt" in now["parts"]
    assert changed_parts(before, now) == "101 parts then, 99 now"


def test_cutting_a_file_into_parts_changes_no_row(tmp_path: Path) -> None:
    chosen = random.Random(3)  # noqa: S311
    lines = [f"Sentence {chosen.randrange(900)}." for _ in range(1000)]
    lines[100] = lines[500] = ""
    (tmp_path / "whole.txt").write_text("\n".join(lines) + "\n")
    cuts = sorted(chosen.sample(range(1, 1000), 6))
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, 1000], strict=True)):
        text = "".join(line + "\n" for line in lines[start:end])
        written(folder / f"{number}.txt{['', '.gz', '.xz'][number % 3]}", text.encode())
    whole = table_of(tmp_path / "whole.txt", source="s", batch_rows=77)
    assert table_of(folder, source="s", batch_rows=300).to_pylist() == whole.to_pylist()


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".tsv", ".jsonl"])
def test_parts_of_no_lines_are_passed_over(tmp_path: Path, suffix: str) -> None:
    """What programs write, compressed, where a part has come out empty."""
    written(tmp_path / f"0{suffix}.gz", b"")
    written(tmp_path / "1.txt", b"one\n")
    assert texts_of(table_of(tmp_path, on_error="stop")) == ["one"]


def test_of_a_run_folder_the_sentences_are_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["one"]}), tmp_path / "sentences.parquet")
    pq.write_table(pa.table({"code": ["empty-line"]}), tmp_path / "drops.parquet")
    manifest = {"files": {"drops.parquet": {}, "sentences.parquet": {}}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    for place in (tmp_path, f"file://{tmp_path}"):
        corpus = Corpus(place, lang="xx", on_error="stop")
        assert texts_of(pa.concat_tables(corpus.batches())) == ["one"]
        assert corpus.left_out == ("drops.parquet", "manifest.json")
    for foreign in ("[]", "no json", '{"files": {"drops.parquet": {}}}'):
        (tmp_path / "manifest.json").write_text(foreign)
        with pytest.raises(InputError, match="no column 'text'"):
            table_of(tmp_path)

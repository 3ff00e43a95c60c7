"""Corpora in a store: the same rows as on a disk, and plain words where the store fails."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.engine.storage import refuse_secrets
from curate.errors import InputError, MissingExtraError, RemoteError, UsageError
from curate.sources import Corpus, changed_parts, remote
from tests.s3_server import S3, s3  # noqa: F401 (a fixture)
from tests.sources.corpus_files import drops_of, table_of, texts_of

LINES = [f"line {i} of many" for i in range(5000)]


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(time, "sleep", lambda seconds: None)


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    yield store
    store.store.clear()
    store.pseudo_dirs[:] = [""]


def parquet(rows: list[str]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"text": rows}), stream, row_group_size=1000)
    return stream.getvalue()


def parts() -> dict[str, bytes]:
    return {
        "1.txt": b"first\n",
        "2.txt.gz": gzip.compress("\n".join(LINES[:2000]).encode()),
        "3.parquet": parquet(LINES[2000:]),
        "_SUCCESS": b"",
    }


@pytest.mark.parametrize("kind", ["s3", "memory"])
def test_folders_patterns_and_files(kind: str, request: pytest.FixtureRequest) -> None:
    if kind == "s3":
        server: S3 = request.getfixturevalue("s3")
        base = server.url("in/texts")
        for name, data in parts().items():
            server.put(f"in/texts/{name}", data)
    else:
        store = request.getfixturevalue("memory")
        base = "memory://in/texts"
        for name, data in parts().items():
            store.pipe(f"/in/texts/{name}", data)
    corpus = Corpus(base, lang="xx")
    table = pa.concat_tables(corpus.batches(700))
    assert texts_of(table) == ["first", *LINES]
    assert corpus.left_out == ("_SUCCESS",)
    assert corpus.progress[0] == corpus.progress[1] > 0
    assert set(table.column("source").to_pylist()) == {"texts"}
    assert texts_of(table_of(f"{base}/*.parquet")) == LINES[2000:]
    one = Corpus(f"{base}/1.txt", lang="xx")
    assert texts_of(pa.concat_tables(one.batches())) == ["first"]
    assert one.name == "1.txt"
    assert list(corpus.settings()["parts"]) == ["1.txt", "2.txt.gz", "3.parquet"]
    with pytest.raises(InputError, match="no such file"):
        Corpus(f"{base}/9.txt", lang="xx")
    with pytest.raises(InputError, match="no file matches"):
        Corpus(f"{base}/*.csv", lang="xx")


def test_a_changed_object_makes_another_corpus(s3: S3) -> None:  # noqa: F811
    for name, data in parts().items():
        s3.put(f"in/{name}", data)
    before = Corpus(s3.url("in"), lang="xx").settings()
    s3.put("in/1.txt", b"first\n")
    assert Corpus(s3.url("in"), lang="xx").settings() == before, "the same bytes again"
    s3.put("in/1.txt", b"First\n")
    s3.remove("in/3.parquet")
    now = Corpus(s3.url("in"), lang="xx").settings()
    assert now["fingerprint"] != before["fingerprint"]
    assert changed_parts(before, now) == "3.parquet is gone; 1.txt is changed"


def test_objects_that_vanish_or_break_off(s3: S3) -> None:  # noqa: F811
    for name, data in parts().items():
        s3.put(f"in/{name}", data)
    s3.put("in/2.txt.gz", parts()["2.txt.gz"][:-20])
    for on_error in ("skip", "drop"):
        s3.put("in/3.parquet", parts()["3.parquet"])
        corpus = Corpus(s3.url("in"), lang="xx", on_error=on_error)  # type: ignore[arg-type]
        s3.remove("in/3.parquet")
        if on_error == "drop":
            with pytest.raises(InputError, match="not a whole gz file"):
                list(corpus.batches())
            continue
        table = pa.concat_tables(corpus.batches())
        drops = drops_of(table)
        assert [code for code, _ in drops.values()] == ["corrupt-part", "missing-part"]
        assert list(drops)[-1] == table.num_rows - 1
        assert drops[table.num_rows - 1][1] == "3.parquet: no such file"
        assert texts_of(table)[0] == "first"


class _Flaky:
    """The reads of a store, of which some fail."""

    def __init__(self, failing: set[int]) -> None:
        self.failing, self.reads = failing, 0

    def put_into(self, monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
        from fsspec.implementations.memory import MemoryFile

        read = MemoryFile.read

        def flaky(file: Any, *size: int) -> Any:
            self.reads += 1
            if self.reads in self.failing:
                file.seek(3)  # wherever it was left
                raise ConnectionResetError("reset by peer")
            return read(file, *size)

        monkeypatch.setattr(MemoryFile, "read", flaky)


def test_reads_that_fail_are_made_again(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, data in parts().items():
        memory.pipe(f"/in/{name}", data)
    whole = table_of("memory://in").to_pylist()
    flaky = _Flaky({1, 3, 4, 5, 7, 9})
    flaky.put_into(monkeypatch, memory)
    assert table_of("memory://in").to_pylist() == whole
    assert flaky.reads > 9


@pytest.mark.parametrize("on_error", ["drop", "skip"])
def test_a_store_that_stays_down_is_a_remote_error(
    memory: Any, monkeypatch: pytest.MonkeyPatch, on_error: str
) -> None:
    memory.pipe("/in/1.txt", b"first\n")
    memory.pipe("/in/2.txt", b"second\n")
    _Flaky(set(range(2, 100))).put_into(monkeypatch, memory)
    with pytest.raises(RemoteError, match="the store failed: reset by peer") as caught:
        table_of("memory://in", on_error=on_error)
    assert caught.value.where == "memory://in/1.txt" or "2.txt" in caught.value.where


def test_a_server_that_is_gone_is_a_remote_error(
    s3: S3, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    s3.put("in/1.txt", b"first\n")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(RemoteError, match="the store failed"):
        Corpus(s3.url("in"), lang="xx")


def test_without_a_key_the_way_in_is_said(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoCredentialsError(Exception):
        pass

    def refuse(*_: object, **__: object) -> None:
        raise NoCredentialsError("Unable to locate credentials")

    monkeypatch.setattr(type(memory), "info", refuse)
    with pytest.raises(UsageError, match="lets nobody in without a key") as caught:
        Corpus("memory://in/1.txt", lang="xx")
    assert "AWS_ACCESS_KEY_ID" in caught.value.hint


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    pytest.importorskip("fsspec").registry  # noqa: B018
    from fsspec.registry import _registry

    monkeypatch.delitem(_registry, "s3", raising=False)
    with pytest.raises(MissingExtraError, match="s3fs") as caught:
        Corpus("s3://texts/a.txt", lang="xx")
    assert "[remote]" in caught.value.hint
    with pytest.raises(UsageError, match="no store is known"):
        Corpus("nowhere://texts/a.txt", lang="xx")


def test_local_paths_need_no_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a local path was taken for a remote one")

    monkeypatch.setattr(remote, "open_remote", refuse)
    monkeypatch.setattr(remote, "list_remote", refuse)
    (tmp_path / "a.txt").write_text("one\n")
    assert texts_of(table_of(tmp_path)) == ["one"]
    assert texts_of(table_of(f"file://{tmp_path}/*.txt")) == ["one"]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://AKIAKEY:hidden@texts/a.txt", "s3://…@texts/a.txt"),
        ("s3://AKIAKEY:hid/den@texts/*.txt", "s3://…@texts/*.txt"),
        ("ftp://user:hidden@127.0.0.1/a.txt", "ftp://…@127.0.0.1/a.txt"),
        ("simplecache::http://user:hidden@host/a", "simplecache::http://…@host/a"),
        ("https://host/a.parquet?X-Amz-Signature=hidden", "https://host/a.parquet?…"),
    ],
)
def test_an_address_with_a_secret_is_refused_and_not_shown(url: str, shown: str) -> None:
    with pytest.raises(UsageError, match="the address") as caught:
        Corpus(url, lang="xx")
    assert caught.value.where == shown
    assert "hid" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://host:8080/a.txt", "memory://a@b/c.txt", "a::memory://b@c"])
def test_an_address_without_a_secret_is_none(url: str) -> None:
    refuse_secrets(url)


def test_of_a_run_folder_in_a_store_the_sentences_are_read(memory: Any) -> None:
    memory.pipe("/run/sentences.parquet", parquet(["one", "two"]))
    memory.pipe("/run/drops.parquet", parquet(["dropped"]))
    memory.pipe("/run/manifest.json", b'{"files": {"sentences.parquet": {}}}')
    assert texts_of(table_of("memory://run")) == ["one", "two"]


def test_a_store_that_is_not_there_at_all() -> None:
    pytest.importorskip("upath")
    with pytest.raises(RemoteError, match="the store failed"):
        Corpus("ftp://127.0.0.1:1/a.txt", lang="xx")

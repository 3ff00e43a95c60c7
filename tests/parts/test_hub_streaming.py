"""Datasets streamed from a Hub: the rows of one commit, whatever goes wrong on the way."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import CommitOperationAdd

from tests.parts.hub_fixture import Hub, running_hub

pytestmark = pytest.mark.parts

REPO = "lab/texts"
ROWS = 30_000
SPLIT = "data/train-{:05d}-of-00003.parquet"

# Prints what came out of a corpus, or the error; `attempts` are few, so that a test is short.
READ = """
import json, sys
import pyarrow as pa
from curate.errors import CurateError
from curate.sources import Corpus
from curate.sources import hub_stream
spec, rows, told = json.loads(sys.argv[1])
hub_stream.HubStream.__init__.__kwdefaults__ |= {"attempts": 2, "backoff": 0.05}
try:
    corpus = Corpus(spec, lang="en", streaming=True, **told)
    tables = list(corpus.batches(rows))
    table = pa.concat_tables(tables)
    columns = {name: table.column(name).to_pylist() for name in table.schema.names}
    print(json.dumps({
        "texts": columns["text"], "rows": columns["row"], "sizes": [t.num_rows for t in tables],
        "licence": columns["licence"], "source": columns["source"],
        "fingerprint": corpus.fingerprint(), "progress": corpus.progress,
    }))
except CurateError as error:
    print(json.dumps({"error": str(error), "kind": type(error).__name__, "exit": error.exit_code}))
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with running_hub(tmp_path / "hub") as made:
        yield made


def texts(part: int) -> list[str]:
    """Long enough, and unlike enough, that a part is read in several requests."""
    return [f"row {part} {i} " + f"{i * 7919 % 104729:06d} " * 12 for i in range(ROWS // 3)]


def expected() -> list[str]:
    return [text.strip() for part in range(3) for text in texts(part)]


def parquet(rows: list[str], **more: list[str | None]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"text": rows, **more}), stream, row_group_size=2000)
    return stream.getvalue()


def upload(hub: Hub, files: dict[str, bytes]) -> str:
    api = hub.api()
    api.create_repo(REPO, repo_type="dataset", exist_ok=True)
    adds = [CommitOperationAdd(name, data) for name, data in files.items()]
    done = api.create_commit(REPO, adds, commit_message="more", repo_type="dataset")
    hub.forget()
    return str(done.oid)


def three_parts(hub: Hub) -> str:
    return upload(hub, {SPLIT.format(part): parquet(texts(part)) for part in range(3)})


def read(hub: Hub, spec: str = f"hub:{REPO}", rows: int = 8192, **told: str) -> dict[str, Any]:
    import sys

    done = hub.run(sys.executable, "-c", READ, json.dumps([spec, rows, told]))
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_stream_gives_every_row_in_order_and_downloads_nothing(hub: Hub, tmp_path: Path) -> None:
    commit = three_parts(hub)
    found = read(hub)
    assert found["texts"] == expected()
    assert found["rows"] == list(range(ROWS))
    assert found["sizes"] == [8192, 8192, 8192, ROWS - 3 * 8192]
    assert found["fingerprint"] == f"hub-stream-{commit}-default-train"
    assert not list(tmp_path.rglob("home/**/blobs/*"))
    assert read(hub, rows=1000)["texts"] == found["texts"]


@pytest.mark.parametrize(
    "fault",
    [
        {"do": "cut", "after": 1000, "path": "/__cdn/*", "nth": 7},
        {"do": "status", "status": 503, "path": "/__cdn/*", "nth": 9, "times": 2},
        {"do": "status", "status": 429, "headers": {"Retry-After": "1"}, "path": "/__cdn/*",
         "nth": 8},
        {"do": "lost", "path": "/__cdn/*", "nth": 6},
        {"do": "status", "status": 500, "path": "/api/datasets/*"},
    ],
    ids=["cut", "503", "429", "lost", "look-up"],
)  # fmt: skip
def test_a_fault_in_the_middle_loses_and_doubles_no_row(hub: Hub, fault: dict[str, Any]) -> None:
    three_parts(hub)
    hub.fail(**fault)
    found = read(hub)
    assert found.get("texts") == expected(), found.get("error")
    struck = [record["path"] for record in hub.log() if record["fault"]]
    assert struck
    assert not any("train-00000" in path for path in struck), "rows came before the fault"


def test_a_hub_that_stays_down_is_a_remote_error(hub: Hub) -> None:
    three_parts(hub)
    hub.fail(do="status", status=503, path="/__cdn/*", nth=8, times=0)
    found = read(hub)
    assert (found["kind"], found["exit"]) == ("RemoteError", 3)
    assert "503" in found["error"]
    hub.heal()
    hub.fail(do="status", status=503, path="/api/*", times=0)
    assert read(hub)["exit"] == 3


def test_another_commit_makes_another_corpus(hub: Hub) -> None:
    first = three_parts(hub)
    before = read(hub)
    second = upload(hub, {SPLIT.format(0): parquet(["other"])})
    assert first != second
    after = read(hub)
    assert after["fingerprint"] == f"hub-stream-{second}-default-train"
    assert after["texts"] == ["other", *expected()[ROWS // 3 :]]
    assert before["fingerprint"] != after["fingerprint"]


def test_where_a_row_is_from_is_carried(hub: Hub) -> None:
    rows = parquet(["a", "b", "c"], license=["CC0", None, ""], source=["x", "y", None])
    upload(hub, {"data/train.parquet": rows})
    found = read(hub)
    assert found["licence"] == ["CC0", "unstated", "unstated"]
    assert found["source"] == ["x", "y", REPO]
    assert read(hub, licence="own")["licence"] == ["own"] * 3


def test_json_lines_and_splits(hub: Hub) -> None:
    lines = "".join(json.dumps({"text": f"line {i}"}) + "\n" for i in range(5000)).encode()
    upload(hub, {"data/train.jsonl": lines, "data/test.jsonl": b'{"text": "one"}\n'})
    found = read(hub)
    assert found["kind"] == "UsageError"
    assert "which split? there are: " in found["error"]
    assert read(hub, f"hub:{REPO}::test")["texts"] == ["one"]
    hub.fail(do="cut", after=100, path="*/resolve/*/train.jsonl", nth=2)
    whole = read(hub, f"hub:{REPO}::train")
    assert whole.get("texts") == [f"line {i}" for i in range(5000)], whole.get("error")


def test_wrong_names_are_said(hub: Hub) -> None:
    three_parts(hub)
    missing = read(hub, "hub:lab/none")
    assert missing["exit"] == 2
    assert "no such dataset" in missing["error"]
    column = read(hub, column="sentence")
    assert column["kind"] == "InputError"
    assert "no column 'sentence'; the columns are text" in column["error"]
    assert read(hub, f"hub:{REPO}:other")["exit"] == 2


def test_a_folder_here_is_streamed_too(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "local"
    folder.mkdir()
    (folder / "train.parquet").write_bytes(parquet(["a", "b"]))
    before = read(hub, f"hub:{folder}")
    assert before["texts"] == ["a", "b"]
    (folder / "train.parquet").write_bytes(parquet(["a", "c"]))
    assert read(hub, f"hub:{folder}")["fingerprint"] != before["fingerprint"]

"""The Hub's server of the tests, asked by the real client and by `datasets`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, hf_hub_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from tests.parts.hub_fixture import Hub, running_hub

pytestmark = pytest.mark.parts

REPO = "lab/pairs"
DATA = "data/de-lsg/test-00000-of-00001.parquet"
CARD = """---
license: cc-by-4.0
language: [de]
configs:
- config_name: de-lsg
  data_files:
  - {split: test, path: data/de-lsg/test-*.parquet}
---
# Pairs
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with running_hub(tmp_path / "hub", page=3) as made:
        yield made


def parquet(rows: int) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({"number": list(range(rows))}), stream)
    return stream.getvalue()


def push(hub: Hub, files: dict[str, bytes], *, repo: str = REPO, **more: Any) -> str:
    """Commit files as ann, to a repository that is made where it is missing."""
    api = hub.api()
    api.create_repo(repo, repo_type="dataset", exist_ok=True)
    adds = [CommitOperationAdd(path, content) for path, content in files.items()]
    done = api.create_commit(repo, adds, commit_message="more", repo_type="dataset", **more)
    return str(done.oid)


def status_of(error: pytest.ExceptionInfo[HfHubHTTPError]) -> int:
    return int(error.value.response.status_code)


def test_datasets_loads_a_tag_whole_and_streaming_and_the_tag_stays(hub: Hub) -> None:
    first = push(hub, {DATA: parquet(3), "README.md": CARD.encode()})
    hub.api().create_tag(REPO, tag="v1.0.0", revision=first, repo_type="dataset")
    push(hub, {DATA: parquet(5)})
    hub.api().create_tag(REPO, tag="v1.1.0", repo_type="dataset")
    found = hub.python(
        f"""
import json
from datasets import load_dataset
found = []
for tag in ("v1.0.0", "v1.1.0"):
    whole = load_dataset("{REPO}", "de-lsg", revision=tag, split="test")
    stream = load_dataset("{REPO}", "de-lsg", revision=tag, split="test", streaming=True)
    found.append([whole["number"][:], [row["number"] for row in stream]])
print(json.dumps(found))
"""
    )
    assert found == [[[0, 1, 2]] * 2, [[0, 1, 2, 3, 4]] * 2]
    assert hub.api().dataset_info(REPO, revision="v1.0.0").sha == first


def test_datasets_pushes_and_reads_back(hub: Hub) -> None:
    found = hub.python(
        """
import json
from datasets import Dataset, load_dataset
Dataset.from_dict({"text": ["ä", "b"]}).push_to_hub("ann/pushed", "en", split="test")
Dataset.from_dict({"text": ["c"]}).push_to_hub("ann/pushed", "de", split="test", private=True)
sets = [load_dataset("ann/pushed", name, split="test") for name in ("en", "de")]
print(json.dumps([found["text"][:] for found in sets]))
"""
    )
    assert found == [["ä", "b"], ["c"]]


def test_a_private_repository_is_there_for_its_members_only(hub: Hub) -> None:
    hub.api().create_repo(REPO, repo_type="dataset", private=True)
    assert hub.api("ben-read").dataset_info(REPO).private
    with pytest.raises(RepositoryNotFoundError) as nobody:
        hub.api("").dataset_info(REPO)
    assert status_of(nobody) == 401
    hub.api().create_repo("ann/own", repo_type="dataset", private=True)
    with pytest.raises(RepositoryNotFoundError) as stranger:
        hub.api("ben-write").dataset_info("ann/own")
    assert status_of(stranger) == 404
    assert [info.id for info in hub.api("").list_datasets(author="ann")] == []
    assert hub.python(
        f"""
import json
from datasets import load_dataset
try:
    load_dataset("{REPO}")
except Exception as error:
    print(json.dumps(type(error).__name__))
""",
        token="",
    ) in {"DatasetNotFoundError", "RepositoryNotFoundError"}


def test_a_gated_repository_is_described_to_all_and_opened_to_those_let_in(hub: Hub) -> None:
    push(hub, {"notes.txt": b"x"}, repo="ann/gated")
    hub.api().update_repo_settings("ann/gated", repo_type="dataset", gated="auto")

    def read(token: str) -> str:
        home = hub.folder / token
        return Path(
            hf_hub_download(
                "ann/gated", "notes.txt", repo_type="dataset", endpoint=hub.url,
                token=token or False, cache_dir=home,
            )
        ).read_text()  # fmt: skip

    assert hub.api("").dataset_info("ann/gated").gated == "auto"
    for token, status in (("", 401), ("ben-read", 403)):
        with pytest.raises(GatedRepoError) as refused:
            hub.api(token).auth_check("ann/gated", repo_type="dataset")
        assert status_of(refused) == status
        with pytest.raises(GatedRepoError):
            read(token)
    assert read("ann-read") == "x"
    hub.api().grant_access("ann/gated", "ben", repo_type="dataset")
    assert read("ben-read") == "x"


@pytest.mark.parametrize(
    ("token", "status"),
    [("", 401), ("ann-read", 403), ("ann-none", 403), ("ben-write", 403), ("made-up", 401)],
)
def test_who_may_not_write_changes_nothing(hub: Hub, token: str, status: int) -> None:
    head = push(hub, {"a.txt": b"a"})
    api = hub.api(token)
    add = [CommitOperationAdd("b.txt", b"b")]
    for change in (
        lambda: api.create_commit(REPO, add, commit_message="b", repo_type="dataset"),
        lambda: api.create_tag(REPO, tag="v1.0.0", repo_type="dataset"),
        lambda: api.create_repo("lab/other", repo_type="dataset"),
        lambda: api.update_repo_settings(REPO, repo_type="dataset", private=True),
    ):
        with pytest.raises(HfHubHTTPError) as refused:
            change()
        assert status_of(refused) == status
    assert hub.api().dataset_info(REPO).sha == head
    assert hub.api().list_repo_refs(REPO, repo_type="dataset").tags == []


def test_a_stale_parent_and_a_tag_that_is_there_are_conflicts(hub: Hub) -> None:
    first = push(hub, {"a.txt": b"a"})
    second = push(hub, {"a.txt": b"b"}, parent_commit=first)
    with pytest.raises(HfHubHTTPError) as stale:
        push(hub, {"a.txt": b"c"}, parent_commit=first)
    assert status_of(stale) == 412
    assert hub.api().dataset_info(REPO).sha == second
    hub.api().create_tag(REPO, tag="v1.0.0", revision=first, repo_type="dataset")
    with pytest.raises(HfHubHTTPError) as taken:
        hub.api().create_tag(REPO, tag="v1.0.0", repo_type="dataset")
    assert status_of(taken) == 409
    (tag,) = hub.api().list_repo_refs(REPO, repo_type="dataset").tags
    assert (tag.name, tag.target_commit) == ("v1.0.0", first)
    with pytest.raises(HfHubHTTPError) as again:
        hub.api().create_repo(REPO, repo_type="dataset")
    assert status_of(again) == 409
    hub.api().create_repo(REPO, repo_type="model")


def test_a_commit_is_whole_or_not_at_all(hub: Hub) -> None:
    head = push(hub, {"a/1.txt": b"1", "a/2.txt": b"2", "b.txt": b"b"})
    api = hub.api()
    for wrong, error in (
        ([CommitOperationDelete("none.txt")], EntryNotFoundError),
        ([CommitOperationAdd("README.md", b"---\nlicense: mine\n---\n")], ValueError),
    ):
        with pytest.raises(error):
            api.create_commit(
                REPO, [CommitOperationAdd("c.txt", b"c"), *wrong], commit_message="c",
                repo_type="dataset",
            )  # fmt: skip
    assert api.dataset_info(REPO).sha == head
    gone = [CommitOperationDelete("a/"), CommitOperationDelete("b.txt")]
    api.create_commit(REPO, gone, commit_message="less", repo_type="dataset")
    assert api.list_repo_files(REPO, repo_type="dataset") == [".gitattributes"]
    assert api.list_repo_files(REPO, repo_type="dataset", revision=head)[1:] == [
        "a/1.txt", "a/2.txt", "b.txt"
    ]  # fmt: skip


def test_of_many_commits_on_one_parent_one_lands(hub: Hub) -> None:
    head = push(hub, {"a.txt": b"a"})

    def attempt(number: int) -> str | None:
        try:
            return push(hub, {"a.txt": str(number).encode()}, parent_commit=head)
        except HfHubHTTPError as stale:
            assert stale.response.status_code == 412
            return None

    with ThreadPoolExecutor(8) as pool:
        landed = [oid for oid in pool.map(attempt, range(8)) if oid]
    assert landed == [hub.api().dataset_info(REPO).sha]
    assert len(hub.api().list_repo_commits(REPO, repo_type="dataset")) == 3


def test_branches_and_slashes_in_names(hub: Hub) -> None:
    first = push(hub, {"a.txt": b"a"})
    api = hub.api()
    api.create_branch(REPO, branch="work/next", revision=first, repo_type="dataset")
    push(hub, {"a.txt": b"b"}, revision="work/next")
    assert api.dataset_info(REPO, revision="main").sha == first
    assert api.dataset_info(REPO, revision="work/next").sha != first
    with pytest.raises(RevisionNotFoundError):
        api.dataset_info(REPO, revision="v9.9.9")
    api.delete_branch(REPO, branch="work/next", repo_type="dataset")
    with pytest.raises(HfHubHTTPError):
        api.delete_branch(REPO, branch="main", repo_type="dataset")


def test_long_lists_come_in_pages(hub: Hub) -> None:
    push(hub, {f"f/{n}.txt": b"x" for n in range(10)})
    for n in range(4):
        push(hub, {"f/0.txt": str(n).encode()})
    api = hub.api()
    listed = [entry.path for entry in api.list_repo_tree(REPO, repo_type="dataset", recursive=True)]
    assert listed == ["f", ".gitattributes", *(f"f/{n}.txt" for n in range(10))]
    assert len(api.list_repo_commits(REPO, repo_type="dataset")) == 6
    assert len(hub.log("GET", "/tree/")) == 4
    (info,) = api.get_paths_info(REPO, ["f/3.txt", "none"], repo_type="dataset")
    assert info.size == 1


def test_state_survives_a_kill_in_the_middle_of_a_commit(hub: Hub) -> None:
    first = push(hub, {"a.txt": b"a"})
    for when, after_restart in (("before", False), ("after", True)):
        hub.fail(do="die", when=when, method="POST", path="*/commit/*")
        with pytest.raises(Exception, match=r"."):
            push(hub, {"a.txt": when.encode(), DATA: parquet(9)})
        hub.kill()
        hub.start()
        assert (hub.api().dataset_info(REPO).sha != first) is after_restart


def test_faults_strike_the_request_they_are_meant_for(hub: Hub) -> None:
    head = push(hub, {DATA: parquet(20_000)})
    hub.fail(do="status", status=429, path="*/tag/*", nth=2, headers={"Retry-After": "0"})
    hub.api().create_tag(REPO, tag="v1.0.0", repo_type="dataset")
    with pytest.raises(HfHubHTTPError) as busy:
        hub.api().create_tag(REPO, tag="v1.0.1", repo_type="dataset")
    assert status_of(busy) == 429
    assert busy.value.response.headers["Retry-After"] == "0"
    hub.api().create_tag(REPO, tag="v1.0.1", repo_type="dataset")
    hub.fail(do="lost", method="POST", path="*/commit/*")
    with pytest.raises(Exception, match=r"."):
        push(hub, {"a.txt": b"a"})
    assert hub.api().dataset_info(REPO).sha != head
    hub.fail(do="cut", path="/__cdn/*", after=1000)
    path = hub.api().hf_hub_download(
        REPO, DATA, repo_type="dataset", cache_dir=hub.folder / "cache"
    )
    assert Path(path).read_bytes() == parquet(20_000)
    assert [r["fault"] for r in hub.log("GET", "/__cdn/")] == ["cut", None]


def test_an_upload_that_is_cut_leaves_nothing(hub: Hub) -> None:
    hub.api().create_repo(REPO, repo_type="dataset")
    hub.fail(do="drop", method="PUT", path="/__lfs/*", after=1000)
    push(hub, {DATA: parquet(20_000)})
    sent = hub.log("PUT", "/__lfs/")
    assert [r["status"] for r in sent] == [None, 200]
    assert sent[0]["received"] >= 1000
    assert not list((hub.folder / "state" / "incoming").iterdir())


def test_who_am_i(hub: Hub) -> None:
    found = hub.api("ben-read").whoami()
    assert (found["name"], [org["name"] for org in found["orgs"]]) == ("ben", ["lab", "guild"])
    with pytest.raises(HfHubHTTPError):
        hub.api("made-up").whoami()

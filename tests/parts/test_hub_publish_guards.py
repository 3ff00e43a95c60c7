"""`curate release publish` and what it must not do: delete what others put there, open what is
closed, believe a cache, leave its scratch behind, or end with a traceback."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datasets")
from huggingface_hub import CommitOperationAdd

from curate.hub import build_release
from tests.parts.hub_fixture import Hub, hub
from tests.parts.test_hub_publish import (
    REPO,
    _started,
    first,
    one_line,
    publish,
    refs,
    second,
)

__all__ = ["first", "hub", "second"]

STATUSES: list[tuple[str, str, int, int]] = [
    ("GET", "*/refs", 418, 2),
    ("GET", "*/tree/*", 404, 3),
    ("GET", "/__cdn/*", 404, 3),
    ("POST", "/api/repos/create", 402, 2),
    ("POST", "*/commit/*", 404, 3),
    ("POST", "*/tag/*", 404, 3),
    ("POST", "*/tag/*", 507, 3),
]
"""A request, the status that it gets for ever, and the code that the command ends with."""


def add(hub: Hub, **files: str) -> None:
    operations = [CommitOperationAdd(name.replace("__", "."), text.encode())
                  for name, text in files.items()]  # fmt: skip
    hub.api().create_commit(REPO, operations, commit_message="by hand", repo_type="dataset")


def files(hub: Hub) -> set[str]:
    return set(hub.api().list_repo_files(REPO, repo_type="dataset"))


def test_a_data_set_of_somebody_else_stays(hub: Hub, first: Path) -> None:
    hub.api().create_repo(REPO, repo_type="dataset")
    add(hub, README__md="# My data\n", train__csv="a,b\n")
    for option in ("--dry-run", "--json"):
        one_line(publish(hub, first, option), 2, r"train\.csv there is not of a release")
    assert refs(hub) == {}
    assert files(hub) == {".gitattributes", "README.md", "train.csv"}
    assert publish(hub, first, "--replace").returncode == 0
    assert "train.csv" not in files(hub)


def test_a_card_that_the_owner_changed_stays(hub: Hub, first: Path, second: Path) -> None:
    assert publish(hub, first).returncode == 0
    add(hub, README__md="---\nlicense: mit\n---\nMy own words.\n")
    one_line(publish(hub, second), 2, r"README\.md there is not of a release")
    assert list(refs(hub)) == ["v1.0.0"]


def test_a_tag_of_something_else(hub: Hub, first: Path) -> None:
    hub.api().create_repo(REPO, repo_type="dataset")
    hub.api().create_tag(REPO, tag="v1.0.0", repo_type="dataset")
    one_line(publish(hub, first), 2, "v1.0.0 there is the tag of something else")


def test_what_is_published_already_can_still_be_closed(hub: Hub, first: Path) -> None:
    assert publish(hub, first).returncode == 0
    assert publish(hub, first, "--private", "--gated").returncode == 0
    info = hub.api().dataset_info(REPO)
    assert (info.private, info.gated) == (True, "auto")
    assert publish(hub, first, "--version", "1.0.0", "--public", "--open").returncode == 0
    info = hub.api().dataset_info(REPO)
    assert (info.private, info.gated) == (False, False)


def test_a_stopped_run_is_closed_before_it_is_finished(hub: Hub, first: Path) -> None:
    hub.fail(do="status", status=404, method="POST", path="*/tag/*")
    assert publish(hub, first).returncode == 3
    hub.fail(do="status", status=404, method="POST", path="*/tag/*")
    assert publish(hub, first, "--private").returncode == 3
    assert hub.api().dataset_info(REPO).private
    assert refs(hub) == {}


def test_readers_that_are_let_in_by_hand_stay_so(hub: Hub, first: Path) -> None:
    hub.api().create_repo(REPO, repo_type="dataset")
    hub.api().update_repo_settings(REPO, repo_type="dataset", gated="manual")
    assert publish(hub, first, "--gated").returncode == 0
    assert hub.api().dataset_info(REPO).gated == "manual"


def test_reading_back_believes_no_cache(hub: Hub, first: Path) -> None:
    """Data that is unchanged since the last version is downloaded all the same."""
    assert publish(hub, first).returncode == 0
    for blob in (hub.folder / "state" / "blobs").iterdir():
        content = bytearray(blob.read_bytes())
        if content.startswith(b"PAR1"):
            content[len(content) // 2] ^= 255
            blob.write_bytes(content)
    patch = first.parent / "patch"
    build_release([first.parent / "run"], patch, about={"title": "Another title"})
    one_line(publish(hub, patch), 3, "gives back other bytes")
    assert list(refs(hub)) == ["v1.0.0"]
    assert not list((hub.folder / "home").glob("hub/datasets--*")), "the user's cache is filled"


@pytest.mark.parametrize(("method", "path", "status", "code"), STATUSES)
def test_no_answer_ends_in_a_traceback(
    hub: Hub, first: Path, *, method: str, path: str, status: int, code: int
) -> None:
    hub.fail(do="status", method=method, path=path, status=status, times=1000)
    one_line(publish(hub, first), code, f"Made to fail with {status}")
    hub.heal()
    assert publish(hub, first).returncode == 0


@pytest.mark.parametrize("branch", ["", "..", "a/../../x", "a b", "refs/pr/1", "v2.0.0", "x?y=1"])
def test_no_branch(branch: str, hub: Hub, first: Path) -> None:
    one_line(publish(hub, first, f"--branch={branch}"), 2, "is no name for a branch")
    assert hub.log() == []


def test_offline(hub: Hub, first: Path) -> None:
    one_line(publish(hub, first, HF_HUB_OFFLINE="1"), 2, "HF_HUB_OFFLINE is set")
    assert hub.log() == []


def test_signed_addresses_and_tokens_are_not_shown(hub: Hub, first: Path) -> None:
    hub.fail(do="cut", path="/__cdn/*", after=1000, times=1000)
    done = publish(hub, first)
    one_line(done, 3, "could not read")
    assert "signature" not in done.stderr
    assert "ann-write" not in done.stderr + done.stdout


def test_a_repository_of_many_pages(tmp_path: Path, first: Path, second: Path) -> None:
    from tests.parts.hub_fixture import running_hub

    with running_hub(tmp_path / "paged", page=2) as paged:
        assert publish(paged, first).returncode == 0
        assert publish(paged, second).returncode == 0
        assert list(refs(paged)) == ["v1.0.0", "v1.1.0"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_no_scratch_is_left_where_it_is_stopped(
    hub: Hub, first: Path, tmp_path: Path, monkeypatch: Any, *, number: int, code: int
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    hub.fail(do="delay", seconds=3, method="GET", path="*/resolve/*", times=9)
    process = _started(hub, first)
    hub.await_request("GET", "/resolve/")
    assert list(scratch.iterdir())
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert "run the same command" in errors
    assert "Traceback" not in errors
    assert not [path.name for path in scratch.iterdir() if path.name.startswith("curate")]

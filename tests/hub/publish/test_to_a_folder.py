"""Publishing to a folder: versions stay whole, tags stay where they are, a stopped run goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.engine import write_json
from curate.errors import InputError, RemoteError, UsageError
from curate.hub import build_release, check_release
from curate.hub.layout import MANIFEST
from curate.hub.publish import FolderTarget, Published, publish
from curate.hub.publish.target import StaleParentError
from tests.hub.made_folders import row, write_run

DAY = "2026-01-31"


def release_of(folder: Path, *counterparts: str) -> Path:
    """A release whose pairs are about these people."""
    rows = [
        row(f"The king saw {name}.", f"The queen saw {name}.", side)
        for name in counterparts
        for side in ("masculine", "feminine")
    ][::2]
    rows = [
        {**one, "original": side, "sent_id": one["pair_id"]}
        for one, side in zip(rows, ["masculine", "feminine"] * len(rows), strict=False)
    ]
    run = write_run(folder / "run", rows)
    build_release([run], folder / "release")
    return folder / "release"


@pytest.fixture
def first(tmp_path: Path, lexicons: Path) -> Path:
    return release_of(tmp_path / "first", "Ann", "Ben")


@pytest.fixture
def more(tmp_path: Path, lexicons: Path) -> Path:
    """The first one's pairs and two more."""
    return release_of(tmp_path / "more", "Ann", "Ben", "Cid", "Dan")


@pytest.fixture
def other(tmp_path: Path, lexicons: Path) -> Path:
    """One pair of the first is gone."""
    return release_of(tmp_path / "other", "Ann", "Eve")


def put(release: Path, to: Path, **options: Any) -> Published:
    return publish(release, FolderTarget(to), date=options.pop("date", DAY), **options)


def state(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def versions(to: Path) -> list[str]:
    return sorted(json.loads((to / "versions.json").read_text())["versions"])


def test_the_first_version_lies_on_top_and_by_its_number(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    done = put(first, to)
    assert (done.version, done.level, done.before) == ("1.0.0", "first", False)
    assert versions(to) == ["1.0.0"]
    for place in (to, to / "versions" / "v1.0.0"):
        assert check_release(place) == []
        manifest = json.loads((place / MANIFEST).read_text())
        assert (manifest["version"], manifest["date"]) == ("1.0.0", DAY)
        assert "1.0.0" in (place / "README.md").read_text()


def test_a_second_version_leaves_the_first_as_it_was(
    first: Path, more: Path, tmp_path: Path
) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to / "versions" / "v1.0.0")
    done = put(more, to, note="Two more.")
    assert (done.version, done.level) == ("1.1.0", "minor")
    assert state(to / "versions" / "v1.0.0") == before
    assert versions(to) == ["1.0.0", "1.1.0"]
    manifest = json.loads((to / MANIFEST).read_text())
    assert [entry["version"] for entry in manifest["changes"]] == ["1.1.0", "1.0.0"]
    assert manifest["changes"][0]["configs"]["en-lsg"]["added"] == 2
    assert manifest["changes"][0]["note"] == "Two more."
    assert "Two more." in (to / "README.md").read_text()


def test_again_there_is_nothing_to_do(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to)
    assert put(first, to, date="2026-02-01").before
    assert put(first, to, version="1.0.0", date="2026-02-01").before
    assert state(to) == before


def test_rows_that_went_ask_for_a_major_version(first: Path, other: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to)
    with pytest.raises(UsageError, match=r"1\.1\.0 is too low"):
        put(other, to, version="1.1.0")
    assert state(to) == before
    assert put(other, to, version="1.1.0", force=True).version == "1.1.0"


def test_the_card_alone_asks_for_a_patch(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    run = first.parent / "run"
    build_release([run], first, about={"title": "Another title"}, replace=True)
    done = put(first, to)
    assert (done.version, done.level) == ("1.0.1", "patch")


@pytest.mark.parametrize("version", ["0.9.0", "1.0.0-rc.1"])
def test_a_version_never_goes_backwards(
    version: str, first: Path, more: Path, tmp_path: Path
) -> None:
    to = tmp_path / "to"
    put(first, to)
    with pytest.raises(UsageError, match="goes backwards"):
        put(more, to, version=version, force=True)


def test_a_tag_is_never_moved(first: Path, more: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to)
    with pytest.raises(UsageError, match=r"v1\.0\.0 is published already, and is not this release"):
        put(more, to, version="1.0.0", force=True)
    assert state(to) == before


def test_a_dry_run_changes_nothing(first: Path, tmp_path: Path) -> None:
    done = put(first, tmp_path / "to", dry_run=True)
    assert done.revision is None
    assert "README.md" in done.uploaded
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("name", ["README.md", "data/en-lsg/test-00000-of-00001.parquet"])
def test_a_release_that_was_changed_by_hand_is_refused(
    name: str, first: Path, tmp_path: Path
) -> None:
    with (first / name).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InputError, match="not fit to publish"):
        put(first, tmp_path / "to")
    assert not (tmp_path / "to").exists()


def test_a_folder_with_other_things_is_left_alone(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    to.mkdir()
    (to / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="other things"):
        put(first, to)
    assert state(to) == {"mine.txt": b"mine"}


def test_an_old_version_that_was_changed_by_hand_is_told(
    first: Path, more: Path, tmp_path: Path
) -> None:
    to = tmp_path / "to"
    put(first, to)
    (to / "versions" / "v1.0.0" / MANIFEST).write_text("{}")
    with pytest.raises(InputError, match="changed by hand"):
        put(more, to)


@pytest.mark.parametrize("at", ["reload", "tag", "settle"])
def test_a_run_that_was_stopped_is_finished_by_the_next(
    at: str, first: Path, more: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    put(first, whole)
    put(more, whole)
    to = tmp_path / "to"
    put(first, to)

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(FolderTarget, at, stop)
        with pytest.raises(KeyboardInterrupt):
            put(more, to)
    assert check_release(to / "versions" / "v1.0.0") == []
    put(more, to, date="2026-03-01" if at == "settle" else DAY)
    assert state(to).keys() == state(whole).keys()
    assert state(to) == state(whole)


def test_what_somebody_else_committed_is_not_run_over(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stale(*_: Any, **__: Any) -> str:
        raise StaleParentError

    monkeypatch.setattr(FolderTarget, "commit", stale)
    with pytest.raises(RemoteError, match="somebody else"):
        put(first, tmp_path / "to")
    assert not (tmp_path / "to" / "versions.json").exists()


def test_two_publishers_do_not_meet(first: Path, tmp_path: Path) -> None:
    one, two = FolderTarget(tmp_path / "to"), FolderTarget(tmp_path / "to")
    with one.held():
        with pytest.raises(UsageError, match="another publish"), two.held():
            pass
        publish(first, one, date=DAY)


def test_a_broken_index_is_told(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    write_json(to / "versions.json", {"versions": ["1.0.0"]})
    with pytest.raises(InputError, match="not the index"):
        put(first, to)


def test_datasets_loads_both_versions(first: Path, more: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    to = tmp_path / "to"
    put(first, to)
    put(more, to)
    for place, rows in ((to, 4), (to / "versions" / "v1.0.0", 2), (to / "versions" / "v1.1.0", 4)):
        loaded = datasets.load_dataset(
            str(place), "en-lsg", split="test", cache_dir=str(tmp_path / "cache")
        )
        assert loaded.num_rows == rows
    shutil.rmtree(tmp_path / "cache")

"""Publishing deletes nothing of others, and a published version stays what it was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.errors import InputError, UsageError
from curate.hub import build_release, check_release
from curate.hub.layout import MANIFEST
from curate.hub.publish import FolderTarget, publish
from curate.hub.publish.others import must_be_ours
from curate.hub.publish.target import Standing, file_facts
from tests.hub.made_folders import row, write_run
from tests.hub.publish.test_to_a_folder import put, release_of, state, versions

DATA = "data/en-lsg/test-00000-of-00001.parquet"


@pytest.fixture
def first(tmp_path: Path, lexicons: Path) -> Path:
    return release_of(tmp_path / "first", "Ann", "Ben")


@pytest.fixture
def more(tmp_path: Path, lexicons: Path) -> Path:
    return release_of(tmp_path / "more", "Ann", "Ben", "Cid", "Dan")


def titled(release: Path, title: str, **options: Any) -> Path:
    """The same rows under another title."""
    out = release.parent / title
    build_release([release.parent / "run"], out, about={"title": title}, **options)
    return out


class _Repository:
    """As much of a target as is looked at: revisions are folders."""

    name, repository = "ann/pairs", "ann/pairs"

    def files(self, revision: str) -> dict[str, Any]:
        return file_facts(Path(revision), state(Path(revision)))

    def fetch(self, revision: str, names: list[str], into: Path) -> None:
        for name in names:
            shutil.copyfile(Path(revision, name), into / name)


def look(head: Path, manifest: dict[str, Any], **tags: Path) -> None:
    target: Any = _Repository()
    there = target.files(str(head))
    standing = Standing(exists=True, head=str(head), tags={v: str(p) for v, p in tags.items()})
    must_be_ours(target, standing, there, manifest)


def test_files_of_others_in_a_repository(first: Path, tmp_path: Path) -> None:
    manifest = json.loads((first / MANIFEST).read_text())
    look(first, manifest)
    head = tmp_path / "head"
    head.mkdir()
    (head / "README.md").write_text("---\nlicense: mit\n---\n")
    look(head, manifest)  # as the Hub's own page makes it
    (head / "train.csv").write_text("a,b\n")
    with pytest.raises(UsageError, match=r"train\.csv there is not of a release"):
        look(head, manifest)


@pytest.mark.parametrize("text", ["{}", "[]", "nonsense", '{"files": [], "version": "1.0.0"}'])
def test_a_manifest_of_something_else(text: str, first: Path, tmp_path: Path) -> None:
    head = tmp_path / "head"
    head.mkdir()
    (head / MANIFEST).write_text(text)
    with pytest.raises(UsageError, match=r"manifest\.json there is not of a release"):
        look(head, json.loads((first / MANIFEST).read_text()))


def test_what_somebody_changed_or_added_since_the_tag(first: Path, tmp_path: Path) -> None:
    manifest = json.loads((first / MANIFEST).read_text())
    head = tmp_path / "head"
    shutil.copytree(first, head)
    tags = {manifest["version"]: first}
    look(head, manifest, **tags)
    with (head / "README.md").open("a") as card:
        card.write("A word of the owner.\n")
    with pytest.raises(UsageError, match=r"README\.md there"):
        look(head, manifest, **tags)
    (head / "A.md").write_text("mine")
    with pytest.raises(UsageError, match=r"A\.md and 1 more there"):
        look(head, manifest, **tags)


def test_a_release_of_another_name_is_not_run_over(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to)
    other = titled(first, "other", name="other-data")
    with pytest.raises(UsageError, match="there is the release 'gender-minimal-pairs'"):
        put(other, to)
    assert state(to) == before
    assert put(other, to, replace=True).version == "1.0.1"


def test_a_file_of_the_user_stays_on_top(first: Path, more: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    (to / "NOTES.md").write_text("mine")
    (to / "data" / "mine").mkdir()
    (to / "data" / "mine" / "x.csv").write_text("mine")
    put(more, to)
    assert (to / "NOTES.md").read_text() == "mine"
    assert (to / "data" / "mine" / "x.csv").read_text() == "mine"


def test_what_a_version_had_and_the_newest_has_not_goes_from_the_top(
    first: Path, tmp_path: Path
) -> None:
    to, run = tmp_path / "to", first.parent / "run"
    rows = [
        row(f"The king saw {name}.", f"The queen saw {name}.", side, "msg", sent_id=name)
        for name, side in (("Eve", "masculine"), ("Fay", "feminine"))
    ]
    build_release([run, write_run(tmp_path / "msg", rows, "msg")], tmp_path / "both")
    put(tmp_path / "both", to)
    assert (to / "data" / "en-msg").is_dir()
    put(first, to)
    assert not (to / "data" / "en-msg").exists()
    assert check_release(to) == []
    assert check_release(to / "versions" / "v1.0.0") == []


def test_a_text_changed_on_top_is_not_changed_in_its_version(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    with (to / "README.md").open("a") as card:
        card.write("by hand\n")
    assert check_release(to / "versions" / "v1.0.0") == []
    assert put(first, to).before
    assert check_release(to) == []


def test_data_of_two_versions_lies_on_the_disk_once(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    put(titled(first, "again"), to)
    places = [to / "versions" / version / DATA for version in ("v1.0.0", "v1.0.1")]
    assert places[0].samefile(places[1])
    assert places[1].samefile(to / DATA)
    assert not places[0].samefile(first / DATA)


def test_data_of_an_old_version_that_was_changed_is_told(
    first: Path, more: Path, tmp_path: Path
) -> None:
    to = tmp_path / "to"
    put(first, to)
    with (to / "versions" / "v1.0.0" / DATA).open("ab") as file:
        file.write(b"x")
    with pytest.raises(InputError, match="was changed by hand"):
        put(more, to)
    assert versions(to) == ["1.0.0"]


def test_a_folder_in_the_way_is_not_deleted(first: Path, tmp_path: Path) -> None:
    mine = tmp_path / "to" / "versions" / "v1.0.0"
    mine.mkdir(parents=True)
    (mine / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="in the way"):
        put(first, tmp_path / "to")
    assert (mine / "thesis.txt").read_text() == "mine"


def test_a_file_in_place_of_the_folder(first: Path, tmp_path: Path) -> None:
    (tmp_path / "to").write_text("mine")
    target = FolderTarget(tmp_path / "to")
    with pytest.raises(UsageError, match="this is no folder"), target.held():
        pass
    with pytest.raises(UsageError, match="this is no folder"):
        publish(first, target, date="2026-01-31")


def test_an_index_that_was_half_written_is_no_hindrance(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    to.mkdir()
    (to / ".versions.json.77.tmp").write_text("{")
    assert put(first, to).version == "1.0.0"


def test_a_full_disk_leaves_no_half_version(
    first: Path, more: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "to"
    put(first, to)
    before = state(to)

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copyfile", full)
        with pytest.raises(OSError, match="No space"):
            FolderTarget(to).commit(
                more, [MANIFEST], parent=None, gone=(), message=""
            )  # its manifest says 0.1.0, which is no published version
    assert state(to) == before
    assert [path.name for path in (to / "versions").iterdir()] == ["v1.0.0"]


def test_a_candidate_is_published_once(first: Path, more: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to)
    put(more, to, version="1.1.0-rc.1")
    again = put(more, to)
    assert (again.version, again.before) == ("1.1.0-rc.1", True)
    changed = put(titled(more, "changed"), to)
    assert (changed.version, changed.before) == ("1.1.0-rc.2", False)
    assert put(more, to, version="1.1.0").level == "minor"


def test_a_version_without_a_change_is_a_patch(first: Path, tmp_path: Path) -> None:
    to = tmp_path / "to"
    put(first, to, version="1.0.0-rc.1")
    done = put(first, to, version="1.0.0")
    assert (done.level, done.reasons) == ("patch", ("nothing differs from v1.0.0-rc.1",))
    assert put(first, to, version="1.0.0").before


def test_a_release_built_anew_meanwhile_is_not_published(
    first: Path, more: Path, tmp_path: Path
) -> None:
    def build_again(text: str) -> None:
        if text.startswith("building"):
            shutil.copyfile(more / DATA, first / DATA)

    with pytest.raises(InputError, match="changed while it was being published"):
        put(first, tmp_path / "to", report=build_again)
    assert not (tmp_path / "to").exists()

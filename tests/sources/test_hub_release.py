"""Releases by name: what is a name of the Hub, what the cache gives, what is refused."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import InputError
from curate.sources.hub_release import FoundRelease, find_release, is_repository, release_of
from curate.sources.release_files import verify_release

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("lab/pairs", True),
        ("lab/pairs@v1.0.0", True),
        ("lab/pairs.v2@main", True),
        ("lab/pairs.csv", False),
        ("lab/pairs.csv.gz", False),
        ("lab/pairs.csv@v1.0.0", True),
        ("pairs", False),
        ("a/b/c", False),
        ("/lab/pairs", False),
        ("./pairs", False),
        ("../pairs", False),
        ("lab/pairs@", False),
        ("lab/pairs@v1 0", False),
        ("here/pairs", False),
        ("here/pairs@v1.0.0", True),
        ("here/there", False),
        ("", False),
    ],
)
def test_what_is_a_name_of_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, expected: bool
) -> None:
    (tmp_path / "here" / "there").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert is_repository(spec) is expected


@given(NAMES, NAMES, st.sampled_from(["", "@v1.0.0", "@main"]))
def test_every_plain_name_is_one_until_something_here_has_it(
    tmp_path_factory: pytest.TempPathFactory, space: str, name: str, tag: str
) -> None:
    folder, before = tmp_path_factory.mktemp("cwd"), Path.cwd()
    os.chdir(folder)
    try:
        spec = f"{space}/{name}{tag}"
        assert is_repository(spec)
        Path(spec).mkdir(parents=True)
        assert not is_repository(spec)
        assert find_release(spec) == FoundRelease(Path(spec))
    finally:
        os.chdir(before)


def test_a_path_is_passed_on_whatever_it_is(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "x.csv"):
        found = find_release(path)
        assert (found.folder, found.published) == (path, None)
        assert release_of(str(path)) == path


def snapshot(cache: Path, tag: str, files: dict[str, str]) -> Path:
    """A release in the Hub's cache, as the client lays it out."""
    folder = cache / "datasets--lab--pairs"
    where = folder / "snapshots" / COMMIT
    for name, text in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    refs = folder / "refs" / tag
    refs.parent.mkdir(exist_ok=True)
    refs.write_text(COMMIT)
    trees = folder / "trees" / f"{COMMIT}.json"
    trees.parent.mkdir(exist_ok=True)
    listed = {name: {"size": len(text), "blob_id": "0" * 40} for name, text in files.items()}
    trees.write_text(json.dumps({"format_version": 1, "files": listed}))
    return where


def described(files: dict[str, str]) -> str:
    entries = {
        name: {"bytes": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}
        for name, text in files.items()
    }
    return json.dumps({"files": entries})


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no connection."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


def test_offline_what_is_not_in_the_cache_is_one_line(cache: Path) -> None:
    for spec in ("lab/pairs", "lab/pairs@v1.0.0"):
        with pytest.raises(InputError, match="HF_HUB_OFFLINE") as refused:
            find_release(spec)
        assert "\n" not in str(refused.value)
        assert refused.value.hint


def test_offline_the_cache_serves_a_tag_and_the_newest(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"data/de-lsg/test-00000-of-00001.parquet": "x", "README.md": "y"}
    files["manifest.json"] = described(files)
    where = snapshot(cache, "v1.9.0", files)
    snapshot(cache, "v1.10.0", files)
    for spec, version in (("lab/pairs@v1.9.0", "v1.9.0"), ("lab/pairs", "v1.10.0")):
        found = find_release(spec)
        assert found.folder == where
        assert found.published == ("lab/pairs", version)
    assert "v1.10.0, the newest in the cache" in capsys.readouterr().err


DATA = "data/de-lsg/test-00000-of-00001.parquet"
FILES = {DATA: "rows", "README.md": "card", "score.py": "code"}


def lay_out(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "manifest.json").write_text(described(FILES))
    return folder


def entries(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


BROKEN: list[tuple[str, Callable[[Path], Any], str]] = [
    ("size", lambda f: (f / DATA).write_text("rows "), "5 bytes; the manifest says 4"),
    ("content", lambda f: (f / DATA).write_text("sowr"), "SHA-256"),
    ("card", lambda f: (f / "README.md").write_text("drac"), "README.md does not have"),
    ("missing", lambda f: (f / DATA).unlink(), "is missing"),
    ("more", lambda f: (f / "data" / "more.parquet").write_text(""), "not in the manifest"),
    ("outside", lambda f: entries(f, lambda m: m["files"].update({"../x": m["files"][DATA]})),
     "outside"),
    ("no hash", lambda f: entries(f, lambda m: m["files"][DATA].pop("sha256")), "not the manifest"),
    ("no files", lambda f: entries(f, lambda m: m.pop("files")), "not the manifest"),
    ("no JSON", lambda f: (f / "manifest.json").write_text("{"), "not the manifest"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "says"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_files_that_are_not_the_manifests_are_refused(
    tmp_path: Path, change: Callable[[Path], Any], says: str
) -> None:
    folder = lay_out(tmp_path)
    verify_release(folder, whole=True, where="lab/pairs")
    change(folder)
    with pytest.raises(InputError, match=says):
        verify_release(folder, whole=False, where="lab/pairs")


def test_only_what_was_fetched_is_compared(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    (folder / "score.py").unlink()
    verify_release(folder, whole=False, where="lab/pairs")
    with pytest.raises(InputError, match=r"score\.py is missing"):
        verify_release(folder, whole=True, where="lab/pairs")
    (folder / "manifest.json").unlink()
    verify_release(folder, whole=True, where="lab/pairs")

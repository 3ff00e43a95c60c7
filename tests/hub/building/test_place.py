"""A release is whole or not there, also where a build was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from curate.hub import build_release, check_release
from curate.hub.building.place import placing
from tests.hub.made_folders import contents


def dead_process() -> int:
    """The id of a process that has ended."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with placing(out) as folder:
        folder.mkdir()
        (folder / "x").write_text("1")
    with pytest.raises(KeyboardInterrupt), placing(out) as folder:
        folder.mkdir()
        (folder / "x").write_text("2")
        raise KeyboardInterrupt
    assert contents(tmp_path) == {"out/x": b"1"}


def test_what_a_killed_build_left_is_cleared(tmp_path: Path, runs: list[Path]) -> None:
    dead = dead_process()
    for name in (f".out.{dead}.building", f".out.{os.getppid()}.building", f".other.{dead}.old"):
        (tmp_path / name).mkdir()
    build_release(runs, tmp_path / "out")
    assert not (tmp_path / f".out.{dead}.building").exists()
    assert (tmp_path / f".out.{os.getppid()}.building").exists()  # somebody is at work there
    assert (tmp_path / f".other.{dead}.old").exists()  # another release's


def test_a_release_that_had_given_way_comes_back(release: Path, runs: list[Path]) -> None:
    before = contents(release)
    release.rename(release.with_name(f".{release.name}.{dead_process()}.old"))
    with pytest.raises(Exception, match="two folders"):
        build_release([runs[0], runs[0]], release, version="1.2.3")
    assert contents(release) == before


_BUILD = """
import sys
from pathlib import Path
from curate.hub import build_release
import curate.hub.documents as documents
write = documents.write_documents
def slow(folder, manifest):
    write(folder, manifest)
    print("here", flush=True)
    sys.stdin.read()
documents.write_documents = slow
build_release([Path(sys.argv[1])], Path(sys.argv[2]), version="1.2.3", replace=True)
"""


def test_a_kill_in_the_middle(release: Path, runs: list[Path]) -> None:
    before = contents(release)
    root = str(Path(__file__).resolve().parents[3])
    process = subprocess.Popen(
        [sys.executable, "-c", _BUILD, str(runs[0]), str(release)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert contents(release) == before
    assert [one for one in check_release(release) if one.level == "error"] == []
    build_release(runs, release, version="1.2.3")
    assert contents(release) == before
    assert not [path for path in release.parent.iterdir() if path.name.startswith(".")]

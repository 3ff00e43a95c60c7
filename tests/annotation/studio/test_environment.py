"""Label Studio's own environment: found, refused, or installed; a half-made one is made anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curate.annotation.studio.environment import (
    VERSION,
    Environment,
    cached_environment,
    find_environment,
    prepare_environment,
)
from curate.errors import RemoteError, UsageError
from tests.annotation.studio.folders import environment_folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CURATE_STUDIO_ENV", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")


def test_a_named_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = environment_folder(tmp_path / "named")
    assert find_environment(named) == Environment(named, VERSION)
    assert find_environment() is None
    monkeypatch.setenv("CURATE_STUDIO_ENV", str(named))
    assert find_environment() == Environment(named, VERSION)


def test_a_named_environment_that_will_not_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no Label Studio in this environment"):
        prepare_environment(tmp_path / "missing")
    with pytest.raises(UsageError, match=f"has Label Studio 1.9.0; {VERSION} is needed"):
        prepare_environment(environment_folder(tmp_path / "old", "1.9.0"))


def test_only_a_finished_one_in_the_cache_counts(tmp_path: Path) -> None:
    folder = environment_folder(cached_environment())
    assert folder == tmp_path / "cache" / "curate" / f"label-studio-{VERSION}"
    assert find_environment() is None
    (folder / "finished.json").write_text("{}\n")
    assert find_environment() == Environment(folder, VERSION)


def test_a_failed_install_is_said_and_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real pip, without any index; what a cut-off install left is cleared away first."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    left = environment_folder(cached_environment()) / "left-over"
    left.write_text("")
    said: list[str] = []
    with pytest.raises(RemoteError, match="could not be installed: ERROR") as refused:
        prepare_environment(say=said.append)
    assert refused.value.exit_code == 3
    assert "about 1 GB" in said[0]
    assert not left.exists()
    assert find_environment() is None


def test_the_module_tells_where_it_is(tmp_path: Path) -> None:
    """As `make parts` calls it."""
    named = environment_folder(tmp_path / "named")
    environment = {**os.environ, "CURATE_STUDIO_ENV": str(named)}
    command = [sys.executable, "-m", "curate.annotation.studio.environment"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"{named}\n"
    environment["CURATE_STUDIO_ENV"] = str(tmp_path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 2

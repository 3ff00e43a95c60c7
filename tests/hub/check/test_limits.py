"""Files and folders over the limits of the Hub."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.hub import check_release
from curate.hub.check import limits
from curate.hub.check.limits import LIMITS, Limits, check_limits


def codes(sizes: dict[str, int], most: Limits = LIMITS) -> list[tuple[str, str]]:
    return [(one.where, one.code) for one in check_limits(sizes, most)]


def test_what_is_just_small_enough() -> None:
    assert codes({"README.md": 10 * 1024**2, "data/x.parquet": 50 * 1000**3}) == []


def test_what_is_too_large() -> None:
    assert codes({"README.md": 10 * 1024**2 + 1}) == [("README.md", "file-too-large")]
    assert codes({"data/x.parquet": 50 * 1000**3 + 1}) == [("data/x.parquet", "file-too-large")]


def test_what_is_too_many() -> None:
    few = Limits(folder_entries=2, files=3)
    assert codes({"a/1": 1, "a/2": 1, "b/1": 1}, few) == []
    assert codes({"a/1": 1, "a/2": 1, "a/3": 1}, few) == [("a", "too-many-files")]
    assert codes({"a/1": 1, "b/2": 1, "c/3": 1, "d/1": 1}, few) == [(".", "too-many-files")]


def test_a_release_is_held_to_them(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMITS", Limits(text_bytes=100))
    found = {one.where for one in check_release(release) if one.code == "file-too-large"}
    assert "README.md" in found
    assert not any(name.startswith("data/") for name in found)

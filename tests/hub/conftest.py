"""A small language, two runs in it, and the release that they make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.hub.building import build_release
from curate.lexicon.load import load_lexicon as cached_load
from tests.conftest import write_lexicon
from tests.hub.made_folders import FILL, row, write_run


@pytest.fixture
def lexicons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of lexicons that holds one small language, English."""
    pairs = [
        {"pair": "king", "masculine": "king", "feminine": "queen", "feats": "Number=Sing"},
        {"pair": "man", "masculine": "man", "feminine": "woman", "feats": "Number=Sing"},
    ]
    write_lexicon(tmp_path / "lexicons" / "en", pairs, "", "")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path / "lexicons"))
    cached_load.cache_clear()
    yield tmp_path / "lexicons"
    cached_load.cache_clear()


@pytest.fixture
def runs(tmp_path: Path, lexicons: Path) -> list[Path]:
    """Two runs of pairs, by LSG and by MSG."""
    lsg = [
        row("The king | slept.", "The queen | slept.", "feminine"),
        row("A king came.", "A queen came.", "masculine"),
    ]
    msg = [row("A king sat.", "A queen sat.", "masculine", "msg", fill=FILL)]
    return [
        write_run(tmp_path / "runs" / "en-lsg", lsg),
        write_run(tmp_path / "runs" / "en-msg", msg, "msg"),
    ]


@pytest.fixture
def release(tmp_path: Path, runs: list[Path]) -> Path:
    build_release(runs, tmp_path / "release", version="1.2.3")
    return tmp_path / "release"

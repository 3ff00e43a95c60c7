"""A command that is told to stop, or meets a full disk, ends in one line and leaves nothing."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest

from curate.cli.stopping import disk_errors, stopped_cleanly
from curate.errors import InputError


def test_a_signal_ends_it_as_an_interrupt_would(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with (
        pytest.raises(SystemExit) as ended,
        stopped_cleanly(),
        tempfile.TemporaryDirectory(dir=tmp_path),
    ):
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended.value.code == 143
    assert "run the same command to go on" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(
    ("number", "words", "hint"),
    [(28, "No space left on device", "free some space"), (13, "Permission denied", "")],
)
def test_errors_of_the_disk_are_one_line(number: int, words: str, hint: str) -> None:
    with pytest.raises(InputError, match=words) as caught, disk_errors(Path("release")):
        raise OSError(number, "no", "out/x")
    assert caught.value.where == "out/x"
    assert hint in caught.value.hint


def test_errors_of_the_network_are_not_taken_for_it() -> None:
    with pytest.raises(OSError, match="answer"), disk_errors(Path("release")):
        raise OSError("an answer of the Hub")
    with pytest.raises(BrokenPipeError), disk_errors(Path("release")):
        raise BrokenPipeError(32, "closed")

"""The report in a real browser (Chromium): it renders, light and dark, and asks for nothing."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from curate.pairs import run_pairs
from curate.pairs.lsg import lsg_method
from curate.report import write_report
from curate.sources import Corpus

BROWSER = os.environ.get("CURATE_BROWSER") or shutil.which("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = [
    pytest.mark.parts,
    pytest.mark.skipif(BROWSER is None, reason="no chromium here; CURATE_BROWSER names one"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    corpus = folder / "corpus.txt"
    corpus.write_text("The king slept.\nShe is here.\nThe train is late.\n", encoding="utf-8")
    run_pairs(lsg_method("en"), Corpus(corpus, lang="en"), folder / "run", folds=1)
    return write_report(folder, folder / "report.html")


def _browse(page: Path, *flags: str) -> str:
    profile = page.parent / f"profile-{abs(hash(flags))}"
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def _corner(png: Path) -> tuple[int, ...]:
    """The colour of the first pixel of a PNG as Chromium writes them (8 bits, no filter needed)."""
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, channels = 8, b"", 3
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            channels = {2: 3, 6: 4}[body[9]]
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    return tuple(zlib.decompress(packed)[1 : 1 + channels][:3])


def test_the_dom_holds_pairs_and_no_error(page: Path) -> None:
    dom = _browse(page, "--dump-dom", "--host-resolver-rules=MAP * ~NOTFOUND")
    assert dom.count("<mark") == 3 + 4  # the legend, two pairs
    assert "The queen" not in dom  # the word is marked
    assert ">queen</mark>" in dom


def test_light_and_dark(page: Path) -> None:
    colours = []
    for name, flags in (("light", ()), ("dark", ("--blink-settings=preferredColorScheme=0",))):
        shot = page.parent / f"{name}.png"
        _browse(page, f"--screenshot={shot}", "--window-size=900,700", *flags)
        assert shot.stat().st_size > 10_000
        colours.append(_corner(shot))
    light, dark = colours
    assert min(light) > 200
    assert max(dark) < 80

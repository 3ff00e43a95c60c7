"""The page of `curate release diff` in a real browser: it renders, both ways of writing, and asks
for nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.hub.diff import diff_releases
from curate.report.release_diff import write_release_diff
from tests.hub.diff.made_releases import pair, write_release
from tests.report.chromium import open_page

BROWSER = os.environ.get("CURATE_BROWSER") or shutil.which("chromium")

pytestmark = [
    pytest.mark.parts,
    pytest.mark.skipif(BROWSER is None, reason="no chromium here; CURATE_BROWSER names one"),
]

LONG = "Der Donaudampfschifffahrtsgesellschaftskapitänsmützenhersteller" * 3
CONTRASTS = """(() => {
  const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => {
    const [r, g, b] = rgb(colour).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll('del, ins')].map(word => {
    const style = getComputedStyle(word);
    const [low, high] = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
})()"""
WIDER = "document.documentElement.scrollWidth - innerWidth"
RIGHT = """[...document.querySelectorAll('p[lang=ar]')].map(p => {
  const range = document.createRange(); range.selectNodeContents(p);
  const text = range.getBoundingClientRect(), box = p.getBoundingClientRect();
  return [box.right - text.right, text.left - box.left];
})"""


def releases(folder: Path) -> tuple[Path, Path]:
    old: dict[str, Any] = {
        "ar-lsg": [pair("وصل الملك.", "وصلت الملكة.", lang="ar")],
        "de-lsg": [pair(f"{LONG} kam.", "Die Königin kam.", lang="de")],
    }
    new = {
        "ar-lsg": [pair("وصل الملك.", "وصلت الأميرة.", lang="ar")],
        "de-lsg": [pair(f"{LONG} kam.", "Die <b>Frau</b> kam.", lang="de")],
    }
    runs = {"de-lsg": {"lang": "de", "model": "organisation/" + "long-name-" * 20}}
    return (
        write_release(folder / "old", old, runs={"de-lsg": {"lang": "de", "model": "m"}}),
        write_release(folder / "new", new, version="2.0.0", runs=runs),
    )


def test_the_page_of_a_diff(tmp_path: Path) -> None:
    diff = diff_releases(*releases(tmp_path))
    page = write_release_diff(
        diff, tmp_path / "diff.html", version="2.0.0", level="major", reasons=["de-lsg: 1 changed"]
    )
    assert BROWSER is not None
    with open_page(BROWSER, tmp_path / "profile") as browser:
        for width, dark in ((1100, False), (390, True)):
            browser.show(page, width=width, dark=dark)
            assert browser.ask(WIDER) <= 0, "the page scrolls sideways"
            assert min(browser.ask(CONTRASTS)) >= 4.5
            assert browser.ask("document.querySelectorAll('del').length") == 2
            assert browser.ask("document.querySelector('.pairs').textContent").count("الأميرة") == 1
            assert "<b>Frau</b>" in browser.ask("document.body.textContent")
            for to_right, to_left in browser.ask(RIGHT):
                assert to_right < 2 < to_left
        assert not browser.complaints
        assert {url.split("/")[-1] for url in browser.requests} == {"diff.html"}

"""The report in a real browser (Chromium): it renders, light and dark, and asks for nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curate.pairs.lsg import lsg_method
from curate.pairs.run import run_pairs
from curate.report import write_report
from curate.sources import Corpus
from tests.report.chromium import Page, open_page
from tests.report.score_folders import compared

BROWSER = os.environ.get("CURATE_BROWSER") or shutil.which("chromium")

pytestmark = [
    pytest.mark.parts,
    pytest.mark.skipif(BROWSER is None, reason="no chromium here; CURATE_BROWSER names one"),
]

MODELS = ["mbert", "xlm-roberta-base", "organisation/a-model-with-a-rather-long-name-v2-cased"]
LANGS = ["de", "en", "es", "fi", "id", "pt", "th", "zh"]

CONTRASTS = """(() => {
  const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => {
    const [r, g, b] = rgb(colour).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll('.heat td')].map(cell => {
    const style = getComputedStyle(cell);
    const paper = getComputedStyle(document.body).backgroundColor;
    const back = style.backgroundColor === 'rgba(0, 0, 0, 0)' ? paper : style.backgroundColor;
    const [low, high] = [light(style.color), light(back)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
})()"""
SIZES = """[...document.querySelectorAll('body *')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => parseFloat(getComputedStyle(e).fontSize))"""
OVERLAPS = """[...document.querySelectorAll('svg')].flatMap(svg => {
  const shown = [...svg.querySelectorAll(':scope > text')].map(t => t.getBoundingClientRect())
    .filter(box => box.width);
  return shown.flatMap((a, i) => shown.slice(i + 1).filter(b =>
    a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2));
}).length"""
CUT = """[...document.querySelectorAll('svg text, h1, h2, h3, h4, p, nav')]
  .filter(e => !e.closest('.scroll') && e.getBoundingClientRect().width)
  .filter(e => e.getBoundingClientRect().right > innerWidth
    || e.getBoundingClientRect().left < 0).map(e => e.textContent)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def pairs(folder: Path) -> Path:
    corpus = folder / "corpus.txt"
    corpus.write_text("The king slept.\nShe is here.\nThe train is late.\n", encoding="utf-8")
    run_pairs(lsg_method("en"), Corpus(corpus, lang="en"), folder / "runs" / "lsg", folds=1)
    for number in range(8):
        _predicted(folder / "runs" / "lsg", folder / "runs" / f"msg-{number}", number)
    return write_report(folder / "runs", folder / "pairs.html")


def _predicted(run: Path, out: Path, number: int) -> None:
    """The run again, with counts as a masked model would have made them."""
    shutil.copytree(run, out)
    stats = json.loads((out / "stats.json").read_text(encoding="utf-8"))
    stats |= {"method": "msg", "both": 40, "one_masculine": 9, "one_feminine": 8, "none": number}
    stats |= {"words_both": 9, "words_one": number, "drops": {"no-gender-word": 1}}
    stats["topk_coverage"] = [1 - 0.9 ** (k + number) for k in range(1, 16)]
    (out / "stats.json").write_text(json.dumps(stats), encoding="utf-8")


@pytest.fixture(scope="module")
def scores(folder: Path) -> Path:
    made = compared(folder / "scores", models=MODELS, langs=LANGS)
    return write_report(made, folder / "scores.html")


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Page]:
    with open_page(str(BROWSER), folder / "profile") as page:
        yield page


def _alone(browser: Page, path: Path) -> None:
    assert browser.complaints == []
    assert set(browser.requests) <= {path.as_uri()}


def _body(browser: Page) -> tuple[int, ...]:
    colour = browser.ask("getComputedStyle(document.body).backgroundColor")
    return tuple(int(part) for part in colour.strip("rgb()").split(","))


def _sound(browser: Page) -> None:
    """What holds for every page at every width: no sideways scroll, nothing cut, small or hid."""
    wide = browser.ask("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    assert browser.ask(CUT) == []
    assert min(browser.ask(SIZES)) >= 12
    assert browser.ask(OVERLAPS) == 0


@pytest.fixture(autouse=True)
def _forget(browser: Page) -> None:
    browser.complaints.clear()
    browser.requests.clear()


@pytest.mark.parametrize("width", [900, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_pairs(browser: Page, pairs: Path, width: int, dark: bool) -> None:
    browser.show(pairs, width=width, dark=dark)
    words = "[...document.querySelectorAll('#pairs li mark')].map(m => m.textContent)"
    assert browser.ask(words) == 9 * ["king", "queen", "He", "She"]
    lines = "[...document.querySelectorAll('polyline')].map(e => e.getBoundingClientRect().width)"
    assert len(browser.ask(lines)) == 8
    assert min(browser.ask(lines)) > 150
    assert max(_body(browser)) < 80 if dark else min(_body(browser)) > 200
    _sound(browser)
    _alone(browser, pairs)


@pytest.mark.parametrize("width", [900, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_scores(browser: Page, scores: Path, width: int, dark: bool, tmp_path: Path) -> None:
    browser.show(scores, width=width, dark=dark)
    cells = len(MODELS) * len(LANGS)
    assert browser.ask("document.querySelectorAll('.heat').length") == 2
    assert browser.ask("document.querySelectorAll('.heat td').length") == 2 * cells
    violins: list[dict[str, Any]] = browser.ask(
        "[...document.querySelectorAll('.density')].map(e => e.getBoundingClientRect().toJSON())"
    )
    assert len(violins) == 2 * cells
    assert all(box["width"] > 30 and 30 < box["height"] < 60 for box in violins)
    assert min(browser.ask(CONTRASTS)) >= 4.5
    _sound(browser)
    _alone(browser, scores)
    assert browser.picture(tmp_path / "page.png").stat().st_size > 30_000


def test_reasons_unfold(browser: Page, scores: Path) -> None:
    browser.show(scores, width=900)
    browser.ask("document.querySelector('.why summary').click()")
    shown = "document.querySelector('.why').innerText.replace(/\\s+/g, ' ')"
    assert browser.ask(shown) == "3 no-shared-token 1 too-long 2"


@pytest.mark.parametrize("name", ["pairs", "scores"])
def test_everything_can_be_reached_by_keyboard(
    browser: Page, name: str, request: pytest.FixtureRequest
) -> None:
    """A table that scrolls sideways can be focused, and says what it is."""
    browser.show(request.getfixturevalue(name), width=400)
    browser.ask("document.querySelectorAll('details').forEach(e => e.open = true)")
    blind = """[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)
      .filter(e => e.tabIndex !== 0 || !e.getAttribute('aria-label')).length"""
    assert browser.ask(blind) == 0

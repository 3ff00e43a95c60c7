"""The report: what it shows, and that it is safe, whole and the same every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate import schema
from curate.errors import InputError
from curate.report import write_report
from curate.report.content import spread
from curate.report.highlight import Run, edited_runs
from tests.report.parsed_page import ParsedPage

STATS = {
    "method": "msg", "lang": "en", "n_rows": 9, "n_sentences": 8, "n_single": 6, "n_pairs": 4,
    "kept": 4, "discarded_balance": 0, "original_masculine": 3, "original_feminine": 1,
    "words_masculine": 2, "words_feminine": 1, "words_both": 2, "words_one": 1,
    "seed": 3, "folds": 1,
    "both": 3, "one_masculine": 1, "one_feminine": 0, "none": 2,
    "topk_coverage": [0.5 + k / 30 for k in range(15)],
    "drops": {"no-gender-word": 3, "msg-none": 2},
}  # fmt: skip
FILL = {
    "model": "mini", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
    "word_m": "king", "p_m": 0.25, "word_f": "queen", "p_f": 0.125, "kind": "both",
}  # fmt: skip
SCORE = {
    "metric": "sbm", "lang": "en", "group": "msg", "model": "mini", "revision": "r1",
    "dataset": "d", "version": "1", "value": 61.25, "ci_low": 50.5, "ci_high": 72.0, "n": 4,
    "n_tied": 0, "n_dropped": 1, "seed": 5, "fold_std": None,
}  # fmt: skip


def _pair(number: int, tail: str) -> dict[str, Any]:
    m, f = f"The king {number} {tail}", f"The queen {number} {tail}"
    return {
        "pair_id": schema.pair_id("en", "msg", m, f), "lang": "en", "masculine": m, "feminine": f,
        "original": "masculine" if number else "feminine", "method": "msg", "entries": ["king"],
        "edits_m": [{"start": 4, "end": 8, "rule": "pair"}],
        "edits_f": [{"start": 4, "end": 9, "rule": "pair"}], "fill": FILL, "sent_id": "s",
        "source": "t", "licence": "own", "lexicon_version": "v", "folds": [0],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "runs" / "en-msg"
    run.mkdir(parents=True)
    tails = ["sleeps.", "<script>alert(1)</script> & more", "läuft – “so”", "ends."]
    rows = [_pair(number, tail) for number, tail in enumerate(tails)]
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), run / "pairs.parquet")
    (run / "stats.json").write_text(json.dumps(STATS), encoding="utf-8")
    config = {"lang": "en", "lexicon_version": "abcdef0123456789"}
    (run / "manifest.json").write_text(json.dumps({"config": config}), encoding="utf-8")
    verdict = {"pair_id": None, "row": 1, "check": "gender", "code": "gendered-name", "ok": True,
               "evidence": "x"}  # fmt: skip
    (tmp_path / "checks").mkdir()
    verdicts = pa.Table.from_pylist([verdict], schema=schema.VERDICTS)
    pq.write_table(verdicts, tmp_path / "checks" / "en-msg.parquet")
    (tmp_path / "scores").mkdir()
    records = [
        SCORE,
        {**SCORE, "metric": "dbm", "value": None, "ci_low": None, "ci_high": None, "n": 0},
    ]
    (tmp_path / "scores" / "summary.json").write_text(json.dumps(records), encoding="utf-8")
    return tmp_path


def _page(folder: Path, **options: Any) -> tuple[str, ParsedPage]:
    html = write_report(folder, folder / "report.html", **options).read_text(encoding="utf-8")
    return html, ParsedPage(html)


def test_the_page_is_whole_safe_and_alone(folder: Path) -> None:
    html, page = _page(folder)
    assert page.open == []
    assert not page.tags & {"script", "link", "img", "iframe", "object"}
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert len(set(page.ids)) == len(page.ids)
    assert "default-src 'none'" in html
    assert "http://" not in html
    assert "https://" not in html
    assert "<script>alert(1)</script> & more" in page.text
    assert str(folder) not in html


def test_the_content_warning_comes_first(folder: Path) -> None:
    _, page = _page(folder, title="Testing")
    assert page.text.index("Content warning") < page.text.index("Gender minimal pairs: Testing")


def test_everything_is_shown(folder: Path) -> None:
    _, page = _page(folder)
    assert page.marks.count("king") == 4
    assert page.marks.count("queen") == 4
    text = " ".join(page.text.split())
    assert "61.25 %" in text
    assert "50.5 to 72.0" in text
    assert "no pair to compare" in text
    assert "king 0.250, queen 0.125 (both)" in text
    assert "4 of 4 pairs" in text
    assert "no-gender-word" in text
    assert "gendered-name" in text
    assert "3 (50 %)" in text  # both of 6
    assert "en abcdef012345" in text
    assert ["mini", "r1", "d 1", "DBM, SBM", "–", "bootstrap, seed 5"] in page.rows
    assert ["en · MSG", "predicted where both", "2", ""] in page.rows
    assert ["en · MSG", "predicted where one", "1", ""] in page.rows


def test_the_same_folder_gives_the_same_bytes(folder: Path) -> None:
    first, _ = _page(folder)
    second, _ = _page(folder)
    assert first == second


def test_few_of_many_pairs_are_spread(folder: Path) -> None:
    _, page = _page(folder, pairs=2)
    assert "2 of 4 pairs" in page.text
    assert "0 sleeps." in page.text
    assert "3 ends." in page.text
    assert "läuft" not in page.text


def test_a_release_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    release = tmp_path_factory.mktemp("release")
    data = release / "data" / "en-msg"
    data.mkdir(parents=True)
    source = folder / "runs" / "en-msg" / "pairs.parquet"
    (data / "test-00000-of-00001.parquet").write_bytes(source.read_bytes())
    manifest = {"name": "x", "runs": {"en-msg": {"stats": STATS, "config": {"lang": "en"}}}}
    (release / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    _, page = _page(release)
    assert page.marks.count("king") == 4
    assert "msg-none" in page.text


def test_two_runs_of_a_language_are_told_apart(folder: Path) -> None:
    """The same pairs of two models: no id stands twice, and every label says which run it is."""
    again = folder / "runs" / "other"
    again.mkdir()
    for path in (folder / "runs" / "en-msg").iterdir():
        (again / path.name).write_bytes(path.read_bytes())
    _, page = _page(folder)
    assert len(set(page.ids)) == len(page.ids)
    assert "en 1 97 %" in page.text  # the lines of figure 3: 0.5 + 14 / 30
    assert ["k", "en 1 en · MSG · runs/en-msg", "en 2 en · MSG · runs/other"] in page.rows


def test_a_run_that_made_no_pair(folder: Path) -> None:
    run = folder / "runs" / "en-msg"
    pq.write_table(schema.PAIRS.empty_table(), run / "pairs.parquet")
    html, page = _page(folder)
    assert page.open == []
    assert "No pairs." in page.text
    assert "0 of 0 pairs" in html


def test_a_folder_without_pairs_and_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pairs here and no scores"):
        write_report(tmp_path, tmp_path / "report.html")
    with pytest.raises(InputError, match="no such folder"):
        write_report(tmp_path / "no", tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


@given(st.integers(0, 200), st.integers(1, 60))
def test_spread(n: int, wanted: int) -> None:
    places = spread(n, wanted)
    assert len(places) == min(n, wanted)
    assert set(places) <= set(range(n))
    if n > 1 < wanted:
        assert places[0] == 0
        assert places[-1] == n - 1


EDIT = st.fixed_dictionaries({"start": st.integers(-3, 30), "end": st.integers(-3, 30)})


@given(st.text(max_size=25), st.lists(EDIT, max_size=6))
def test_highlighting_never_changes_the_text(text: str, edits: list[dict[str, Any]]) -> None:
    runs = edited_runs(text, [{**edit, "rule": "r"} for edit in edits])
    assert "".join(run.text for run in runs) == text
    assert all(run.text for run in runs)


def test_highlighting_by_code_points() -> None:
    edits = [{"start": 7, "end": 9, "rule": "b"}, {"start": 2, "end": 5, "rule": "a"}]
    assert edited_runs("𝒳 der, 𝒴𝒵!", edits) == [
        Run("𝒳 "), Run("der", "a"), Run(", "), Run("𝒴𝒵", "b"), Run("!"),
    ]  # fmt: skip

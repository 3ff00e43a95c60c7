"""The page of scored occupations: what it says, how it measures, and several models by size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.errors import InputError
from curate.occupations.similarity.folder import write_similarity
from curate.occupations.similarity.summary import Provenance, summarise
from curate.occupations.similarity.tables import SCORES
from curate.report.occupations import write_occupations_page
from curate.report.occupations_charts import occupation_bars, size_plot

FACTS: dict[str, dict[str, Any]] = {
    f"{name}.{form}": {
        "occupation": name, "form": form, "isco": "1", "status": "high", "share_women": None,
    }
    for name in ("nurse", "<engineer>") for form in ("masculine", "feminine")
}  # fmt: skip


def scored(folder: Path, model: str, *, parameters: int = 1000, scale: str = "cosine",
           strength: float = 0.1) -> Path:  # fmt: skip
    """A folder of scores in which nurses are nearer to she and engineers to he."""
    import pyarrow as pa

    turns = {"nurse": strength, "<engineer>": -strength}
    rows = [
        {"sent_id": f"s{row}", "row": row, "occupation": facts["occupation"],
         "form": facts["form"], "column": column, "similarity_he": 0.5 + row / 100,
         "similarity_she": None if row == 3 and column == "nurse.feminine"
         else 0.5 + row / 100 + turns[facts["occupation"]],
         "problem": "she: no-number" if row == 3 and column == "nurse.feminine" else "",
         "model": model, "revision": "r"}
        for row in range(12) for column, facts in FACTS.items()
    ]  # fmt: skip
    table = pa.Table.from_pylist(rows, schema=SCORES)
    provenance = Provenance(
        prefix="",
        lang="de", model=model, revisions=("r",), scale=scale, pooling="mean",
        parameters=parameters, dataset="d", version="v", seed=0, draws=999,
    )  # fmt: skip
    write_similarity(summarise([table], FACTS, provenance), table, folder)
    return folder


def test_the_page_says_values_stars_and_drops(tmp_path: Path) -> None:
    scored(tmp_path / "m", "mod<b>el")
    page = write_occupations_page(tmp_path / "m", tmp_path / "page.html").read_text("utf-8")
    assert "mod&lt;b&gt;el (de)" in page and "<b>el" not in page
    assert "nurse *" in page and "&lt;engineer&gt; *" in page
    assert "+0.1000" in page and "−0.1000" in page
    assert "Feminine forms" in page and "Masculine forms" in page
    assert "no-number 1" in page
    assert "signs kept, is +0.0000" in page
    assert "By size of model" not in page
    assert "http" not in page.replace("http-equiv", "")
    again = write_occupations_page(tmp_path / "m", tmp_path / "again.html").read_text("utf-8")
    assert page == again


def test_bars_begin_at_zero_and_end_at_the_mean(tmp_path: Path) -> None:
    import json

    record = json.loads((scored(tmp_path, "m") / "similarity.json").read_text("utf-8"))
    chart = occupation_bars(record["occupations"], "masculine")
    assert chart is not None
    assert [row.row["occupation"] for row in chart.rows] == ["nurse", "<engineer>"]
    first = chart.rows[0]
    assert first.she.start == first.he.start == chart.axis.at(0.0)
    assert first.she.start + first.she.width == pytest.approx(chart.axis.at(0.655), abs=0.02)
    assert first.she.width > first.he.width
    assert first.place > chart.no_difference > chart.rows[1].place
    assert occupation_bars(record["occupations"], "neutral") is None


def test_models_of_a_family_are_joined_by_size(tmp_path: Path) -> None:
    for name, parameters, strength in (("t5-base", 220, 0.2), ("t5-small", 60, 0.1)):
        scored(tmp_path / name, name, parameters=parameters * 10**6, strength=strength)
    scored(tmp_path / "other", "other", parameters=10**7)
    scored(tmp_path / "stsb", "t5-large", parameters=7 * 10**8, scale="stsb")
    page = write_occupations_page(tmp_path, tmp_path / "page.html").read_text("utf-8")
    assert "Differences by size of model" in page
    assert "10M" in page
    from curate.occupations.similarity.folder import find_similarity

    records = [{**f.record, "folder": f.path.name} for f in find_similarity(tmp_path)]
    plot = size_plot(records, "cosine")
    assert plot is not None
    assert len(plot.points) == 6  # three models, two forms
    assert len(plot.lines) == 2
    assert sorted(p.label for p in plot.points if p.label) == ["other", "t5-base", "t5-small"]
    small, base = (next(p for p in plot.points if p.label == f"t5-{s}") for s in ("small", "base"))
    assert small.x < base.x and small.y > base.y  # larger is further right, a larger mean higher
    trained = [{**r, "model": f"{r['model']} (trained)"} for r in records]
    joined = size_plot([*records, *trained], "cosine")
    assert joined is not None and len(joined.lines) == 4  # what is trained is a family of its own
    assert size_plot(records, "stsb") is None


def test_a_folder_without_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scores of occupations here"):
        write_occupations_page(tmp_path, tmp_path / "page.html")


def test_curate_report_shows_them(tmp_path: Path) -> None:
    from curate.cli.main import app
    from tests.commands import runner_of

    scored(tmp_path / "m", "m")
    done = runner_of(app)("report", tmp_path, "--title", "Mine")
    assert done.exit_code == 0, done.output
    assert "gender in sentence similarity: Mine" in (tmp_path / "report.html").read_text("utf-8")

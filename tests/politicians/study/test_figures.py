"""The paper's figures: what is drawn, of which models, with which marks, and nothing twice."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from curate.politicians.study.figures import dot_panels, significant_supersenses
from curate.politicians.study.findings import Study
from curate.politicians.study.page import render

ABOUT: dict[str, Any] = {"settings": {"genders": ["female", "male"]}, "inputs": {}}


def contrast(model: str, first: float, second: float, p: float, **other: Any) -> dict[str, Any]:
    return {
        "lang": "en", "upos": "ADJ", "model": model, "subset": "everyone", "sentiment": "negative",
        "first": "female", "second": "male", "mean_first": first, "mean_second": second,
        "difference": first - second, "ci_low": None, "ci_high": None, "p": p,
        "p_bonferroni": min(1.0, 3 * p), "n_first": 9, "n_second": 9, "permutations": 9,
        "exact": True, "seed": 0, **other,
    }  # fmt: skip


def test_a_dot_is_a_language_model_and_its_mark_the_test() -> None:
    rows = [
        contrast("a", 0.5, 0.25, 0.001), contrast("b", 0.25, 0.5, 0.03),
        contrast("c", 0.1, 0.1, 0.9),
        contrast("all", 0.3, 0.3, 0.9), contrast("a", 0.9, 0.9, 0.9, subset="born=1946.."),
        contrast("a", 0.4, 0.4, 0.9, sentiment="neutral"),
        contrast("a", 0.2, 0.2, 0.9, sentiment="positive"),
    ]  # fmt: skip
    panels = dot_panels(rows, several=False)
    assert [panel.sentiment for panel in panels] == ["negative", "positive"]
    negative = {dot.model: dot for dot in panels[0].dots}
    assert {name: dot.mark for name, dot in negative.items()} == {
        "a": "ringed", "b": "cross", "c": "dot",
    }  # fmt: skip
    # a frequency twice as high stands twice as high, whichever side and panel
    above = {name: [panels[0].bottom - y for y in dot.y] for name, dot in negative.items()}
    assert above["a"][0] == pytest.approx(2 * above["a"][1], abs=0.1)
    assert above["b"] == pytest.approx(above["a"][::-1])
    positive = panels[1].bottom - panels[1].dots[0].y[0]
    assert positive == pytest.approx(2 * above["c"][0], abs=0.1)


def test_no_p_is_told_as_nothing() -> None:
    (panel,) = dot_panels([contrast("a", 0.5, 0.2, 1e-5)], several=False)
    assert panel.dots[0].told.endswith("p < 0.0001")


def test_names_of_models_do_not_cover_each_other() -> None:
    rows = [contrast(f"model-{n}", 0.5, 0.5 + n / 1000, 0.5) for n in range(9)]
    panel = dot_panels(rows, several=False)[0]
    names = sorted(dot.name_y for dot in panel.dots)
    assert min(np.diff(names)) >= 13.9
    assert names[-1] <= panel.bottom


def test_figure_6_has_models_of_several_languages_a_group_a_language() -> None:
    rows = [
        contrast("multi", 0.5, 0.2, 0.001, lang=lang, sentiment=sentiment)
        for lang in ("ar", "en", "fr")
        for sentiment in ("negative", "positive")
    ]
    panels = dot_panels([*rows, contrast("english", 0.5, 0.2, 0.001)], several=True)
    assert [[name for name, _ in panel.groups] for panel in panels] == [["ar", "en", "fr"]] * 2
    assert {dot.model for panel in panels for dot in panel.dots} == {"multi"}
    starts = [dot.x[0] for dot in panels[0].dots]
    assert starts == sorted(set(starts))
    assert not dot_panels([contrast("english", 0.5, 0.2, 0.001)], several=True)


def supersense(model: str, name: str, first: float, second: float, p: float) -> dict[str, Any]:
    return {**contrast(model, first, second, p / 3), "supersense": name}


def test_figure_3_has_the_supersenses_that_differ_and_marks_the_models() -> None:
    rows = [
        supersense("a", "feeling", 0.1, 0.4, 0.001), supersense("b", "feeling", 0.2, 0.2, 0.9),
        supersense("all", "feeling", 0.1, 0.3, 0.01), supersense("a", "mind", 0.2, 0.25, 0.6),
        supersense("b", "body", 0.3, 0.1, 0.00001),
    ]  # fmt: skip
    panels = significant_supersenses(rows)
    assert [panel.supersense for panel in panels] == ["body", "feeling"]
    feeling = panels[1]
    assert [(bar.name, bar.significant) for bar in feeling.rows] == [
        ("a", True), ("b", False), ("all models", True),
    ]  # fmt: skip
    assert feeling.rows[0].widths[1] == pytest.approx(4 * feeling.rows[0].widths[0], abs=0.1)
    assert not significant_supersenses([row for row in rows if row["supersense"] == "mind"])


def page(*, sentiment: list[dict[str, Any]], supersenses: list[dict[str, Any]]) -> str:
    study = Study()
    for lang in {row["lang"] for row in sentiment}:
        study.rows["people"].append(
            {"lang": lang, "upos": "ADJ", "model": "all", "subset": "everyone", "gender": "female",
             "n": 3, "weight": 1.0, "in_two_genders": True}
        )  # fmt: skip
    study.rows["sentiment"].extend(sentiment)
    study.rows["supersenses"].extend(supersenses)
    return render(study, ABOUT)


def test_the_page_draws_them() -> None:
    every = [
        contrast(model, 0.5, 0.25, 0.001, lang=lang)
        for lang in ("en", "fr")
        for model in ("a", "<b>", "all")
    ]
    html = page(sentiment=every, supersenses=[supersense("all", "mind", 0.1, 0.4, 0.001)])
    assert "Languages compared: ADJ (Figure 6)" in html
    assert "<b>," not in html
    # two models, two genders, in each of two languages, and again in figure 6
    assert len(re.findall(r'class="ring s[01]"', html)) == 2 * 2 * 2 * 2
    assert "No supersense differs" not in html
    assert html.count("<figcaption>mind, negative</figcaption>") == 1


def test_none_significant_is_said() -> None:
    html = page(
        sentiment=[contrast("a", 0.5, 0.25, 0.9)],
        supersenses=[supersense("all", "mind", 0.1, 0.4, 0.9)],
    )
    assert "No supersense differs significantly by any model" in html
    assert "Figure 6" not in html
    assert 'class="ring' not in html
    assert 'class="cross' not in html

"""Heat maps: colours by hand, marks where nothing is shown, and text that can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curate.report.heatmap import DARK, LEVELS, LIGHT, Cell, HeatMap, heat_map

STYLE = Path(__file__).parents[2] / "curate" / "report" / "templates" / "style.css.j2"


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2, as written there)."""
    parts = []
    for at in (1, 3, 5):
        value = int(colour[at : at + 2], 16) / 255
        parts.append(value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_by_hand() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def variables(dark: bool) -> dict[str, str]:
    """The colours of the page's style sheet, light or dark."""
    light_part, dark_part = STYLE.read_text(encoding="utf-8").split("@media (prefers-color", 1)
    found = re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark_part if dark else light_part)
    return dict(found)


@pytest.mark.parametrize("dark", [False, True])
def test_text_on_every_colour_can_be_read(dark: bool) -> None:
    page = variables(dark)
    for colour in DARK if dark else LIGHT:
        assert contrast(page["ink"], colour) >= 4.5, colour
    for name in ("paper", "panel"):
        assert contrast(page["ink"], page[name]) >= 4.5
        assert contrast(page["quiet"], page[name]) >= 4.5
        assert contrast(page["m"], page[name]) >= 4.5
    assert contrast(page["warn"], page["warn-soft"]) >= 4.5
    for line in range(5):
        assert contrast(page[f"line-{line}"], page["paper"]) >= 4.5
    # the violin's shape and the edge of an unclear cell are no text: 3 to 1 is asked
    assert contrast(page["bar"], page["paper"]) >= 3
    for colour in (DARK if dark else LIGHT)[2:7]:
        assert contrast(page["quiet"], colour) >= 3, colour


def test_the_two_ends_differ_in_hue_for_every_eye() -> None:
    """Blue against orange: no red against green. The middle is the palest of the light colours."""
    for ramp in (LIGHT, DARK):
        assert len(ramp) == LEVELS == len(set(ramp))
        red, blue = (int(ramp[0][at : at + 2], 16) for at in (1, 5))
        assert red > blue + 80
        red, blue = (int(ramp[-1][at : at + 2], 16) for at in (1, 5))
        assert blue > red + 80
    assert max(LIGHT, key=luminance) == LIGHT[4]
    assert min(DARK, key=luminance) == DARK[4]


def drawn(values: dict[tuple[str, str], Cell], **changes: object) -> HeatMap | None:
    options = {"title": "", "neutral": 50.0, "first_is_above": True, "least": 10.0, **changes}
    return heat_map(values, **options)  # type: ignore[arg-type]


def cell(value: float, half: float = 1.0) -> Cell:
    return Cell(value, value - half, value + half)


def levels(made: HeatMap | None) -> list[list[int | None]]:
    assert made is not None
    return [[c.level if c else None for c in row] for row in made.cells]


def test_levels_by_hand() -> None:
    """Full colour 20 from 50: 70 is level 8, 30 level 0, 60 half way (6), 52 and 48 the middle."""
    made = drawn({("a", "de"): cell(70), ("a", "en"): cell(60), ("b", "de"): cell(30),
                  ("b", "en"): cell(52), ("c", "en"): cell(48)})  # fmt: skip
    assert made is not None
    assert (made.rows, made.columns, made.reach) == (["a", "b", "c"], ["de", "en"], 20.0)
    assert levels(made) == [[8, 6], [0, 4], [None, 4]]


def test_exchanging_the_sides_mirrors_the_colours() -> None:
    values = {("a", "de"): cell(0.3), ("a", "en"): cell(-0.7), ("b", "en"): cell(0.15)}
    one = levels(drawn(values, neutral=0.0, least=0.0))
    other = levels(drawn(values, neutral=0.0, least=0.0, first_is_above=False))
    assert [[8 - x if x is not None else None for x in row] for row in one] == other


def test_small_differences_stay_pale() -> None:
    made = drawn({("a", "de"): cell(51), ("a", "en"): cell(49)})
    assert levels(made) == [[4, 4]]


def test_unclear_cells_are_marked() -> None:
    made = drawn({
        ("a", "de"): Cell(55, 50.0, 60.0), ("a", "en"): Cell(55, 50.1, 60.0),
        ("a", "fi"): Cell(45, 40.0, 49.9), ("a", "id"): Cell(45, None, None),
    })  # fmt: skip
    assert made is not None
    assert [c.unclear for c in made.cells[0] if c] == [True, False, False, True]


def test_one_model_and_language_make_no_map() -> None:
    assert drawn({("a", "de"): cell(60)}) is None
    assert drawn({}) is None
    assert drawn({("a", "de"): cell(0.0), ("b", "de"): cell(0.0)}, neutral=0.0, least=0.0)

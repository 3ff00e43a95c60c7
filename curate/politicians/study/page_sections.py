"""The sections of a study's page: one a language and part of speech, and those over all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curate.politicians.study.figures import (
    BarPanel,
    DotPanel,
    dot_panels,
    significant_supersenses,
)
from curate.politicians.study.findings import Study
from curate.politicians.study.latent import SENTIMENTS
from curate.politicians.study.plots import Piece, Strips, pieces, strips
from curate.politicians.study.results import ALL_MODELS
from curate.politicians.study.subsets import EVERYONE

__all__ = ["Section", "across", "anova", "colours", "sections"]

Row = Mapping[str, Any]

_TOP = 15
_EACH = 10
_FEW = 5


@dataclass
class Section:
    """One language and part of speech, of all models together, everyone unless a subset is named.

    `sets` are the sets of rows of the same kind: by model and subset.
    """

    lang: str
    upos: str
    model: str
    people: list[Row]
    differences: Strips | None
    alone: list[tuple[str, int, list[Row]]]
    others: list[tuple[str, list[Row]]]
    deviations: list[tuple[str, list[tuple[str, list[Row]]]]]
    sentiment: list[tuple[str, Strips]]
    dots: list[DotPanel]
    bars: list[BarPanel]
    supersenses: Strips | None
    clusters: list[tuple[str, list[tuple[Row, list[Piece]]]]]


def sections(study: Study, two: tuple[str, str]) -> list[Section]:
    kinds = sorted({(row["lang"], row["upos"]) for row in study.rows["people"]})
    return [_section(study, lang, upos, two) for lang, upos in kinds]


def _section(study: Study, lang: str, upos: str, two: tuple[str, str]) -> Section:
    own = {
        name: [row for row in rows if (row["lang"], row["upos"]) == (lang, upos)]
        for name, rows in study.rows.items()
    }
    models = sorted({row["model"] for row in own["people"]})
    model = ALL_MODELS if ALL_MODELS in models else models[0]

    def main(name: str) -> list[Row]:
        return [r for r in own[name] if r["model"] == model and r["subset"] == EVERYONE]

    compared = main("differences")
    differences = [row for row in compared if row["difference"] is not None]
    shown = differences[:_TOP] + differences[max(_TOP, len(differences) - _TOP) :]
    return Section(
        lang,
        upos,
        model,
        people=[row for row in own["people"] if row["subset"] == EVERYONE],
        differences=strips(shown, "difference"),
        alone=_alone(compared, two),
        others=_others(main("pmi"), two),
        deviations=_deviations(main("deviations"), two),
        sentiment=[
            (sentiment, drawn)
            for sentiment in SENTIMENTS
            if (drawn := strips(_of(own["sentiment"], "sentiment", sentiment), "difference"))
        ],
        dots=dot_panels(own["sentiment"], several=False),
        bars=significant_supersenses(own["supersenses"]),
        supersenses=strips(main("supersenses"), "difference"),
        clusters=_clusters(own["clusters"]),
    )


def _of(rows: Iterable[Row], column: str, value: str) -> list[Row]:
    return [row for row in rows if row[column] == value]


def _alone(rows: Iterable[Row], two: tuple[str, str]) -> list[tuple[str, int, list[Row]]]:
    """The words beside one of two genders alone, by p: the gender, how many, and the first."""
    found = []
    for gender in two:
        own = sorted(_of(rows, "only", gender), key=lambda row: (row["p"], row["word"]))
        if own:
            found.append((gender, len(own), own[:_TOP]))
    return found


def _others(rows: Sequence[Row], two: tuple[str, str]) -> list[tuple[str, list[Row]]]:
    """The highest PMI of the genders beyond two (the right half of the paper's Table 3)."""
    genders = sorted({row["gender"] for row in rows} - set(two))
    found = []
    for gender in genders:
        held = [row for row in _of(rows, "gender", gender) if row["pmi"] is not None]
        found.append((gender, sorted(held, key=lambda row: -row["pmi"])[:_FEW]))
    return found


def _deviations(
    rows: Sequence[Row], two: tuple[str, str]
) -> list[tuple[str, list[tuple[str, list[Row]]]]]:
    """The paper's Tables 4 and 6: the largest deviations by gender and sentiment."""
    if not rows:
        return []
    return [
        (
            gender,
            [
                (sentiment, _of(_of(rows, "gender", gender), "sentiment", sentiment)[:_EACH])
                for sentiment in SENTIMENTS
            ],
        )
        for gender in two
    ]


def _clusters(rows: Sequence[Row]) -> list[tuple[str, list[tuple[Row, list[Piece]]]]]:
    found = []
    for gender in sorted({row["gender"] for row in rows}):
        own = _of(rows, "gender", gender)
        numbers = sorted({row["cluster"] for row in own})
        clusters = []
        for number in numbers:
            held = [row for row in own if row["cluster"] == number]
            shares = [(row["of_gender"], row["share"] or 0.0) for row in held]
            clusters.append((held[0], pieces(shares)))
        found.append((gender, clusters))
    return found


def across(rows: Sequence[Row]) -> list[tuple[str, list[DotPanel]]]:
    """The paper's figure 6, by part of speech, where a model has words of several languages."""
    found = []
    for upos in sorted({row["upos"] for row in rows}):
        panels = dot_panels(_of(rows, "upos", upos), several=True)
        if panels:
            found.append((upos, panels))
    return found


def colours(study: Study, two: tuple[str, str]) -> dict[str, int]:
    """The number of every gender's colour: the two compared first."""
    genders = sorted({row["gender"] for row in study.rows["people"]} - set(two))
    return {gender: min(at, 3) for at, gender in enumerate([*two, *genders])}


def anova(rows: Sequence[Row]) -> list[tuple[str, list[str], list[tuple[Row, dict[Any, Row]]]]]:
    """The paper's Tables 5 and 8, by part of speech: a row an effect, a column each outcome."""
    found = []
    for upos in sorted({row["upos"] for row in rows}):
        own = _of(rows, "upos", upos)
        genders = sorted({row["gender"] for row in own})
        effects: dict[tuple[str, str], dict[Any, Row]] = {}
        for row in own:
            cell = effects.setdefault((row["factor"], row["level"]), {})
            cell[row["gender"], row["sentiment"]] = row
        table = [(next(iter(cells.values())), cells) for cells in effects.values()]
        found.append((upos, genders, table))
    return found

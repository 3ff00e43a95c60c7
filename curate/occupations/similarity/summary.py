"""What the scores of a model, or of several seeds of it, come to: by occupation, and by form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.occupations.similarity.statistics import (
    CONFIDENCE,
    LEVEL,
    Comparison,
    Overall,
    compare_sides,
)
from curate.occupations.similarity.tables import SUMMARY

__all__ = ["FORMS", "Provenance", "Summary", "summarise"]

FORMS = ("common", "neutral", "feminine", "masculine")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Provenance:
    """What goes with every number. `parameters` are those of the first model."""

    lang: str
    model: str
    revisions: tuple[str, ...]
    scale: str
    pooling: str
    prefix: str
    parameters: int
    dataset: str
    version: str
    seed: int
    draws: int


@dataclass(frozen=True)
class Summary:
    """`table` is `SUMMARY`; `record` says all of it and more, as JSON values."""

    table: pa.Table
    record: dict[str, Any]


@dataclass(frozen=True)
class _Values:
    """(models, sentences, columns) similarities; of each column, how many sentences tell of it."""

    columns: list[str]
    told: list[int]
    he: Floats
    she: Floats
    drops: list[Counter[str]]


def summarise(
    scores: Sequence[pa.Table], facts: Mapping[str, Mapping[str, Any]], provenance: Provenance
) -> Summary:
    """Compare he and she by occupation. `scores` has a table (`SCORES`) for every model.

    With several models, the similarity of a sentence is the mean of theirs, where all have one.
    """
    values = _values(scores)
    groups = {
        form: places
        for form in FORMS
        if (places := [i for i, c in enumerate(values.columns) if facts[c]["form"] == form])
    }
    he, she = values.he.mean(axis=0), values.she.mean(axis=0)
    found, overall = compare_sides(
        he, she, groups=groups, seed=provenance.seed, draws=provenance.draws
    )
    rows = [
        _row(values, at, found[at], facts[column], provenance)
        for at, column in enumerate(values.columns)
    ]
    record = {
        "kind": "occupation similarity",
        **asdict(provenance),
        "level": LEVEL,
        "confidence": CONFIDENCE,
        "sentences": int(he.shape[0]),
        "forms": {
            form: _form(overall[form], [found[at] for at in places], values, places)
            for form, places in groups.items()
        },
        "occupations": rows,
    }
    return Summary(pa.Table.from_pylist(rows, schema=SUMMARY), record)


def _values(scores: Sequence[pa.Table]) -> _Values:
    first = scores[0]
    columns = list(dict.fromkeys(first.column("column").to_pylist()))
    sentences = list(dict.fromkeys(first.column("sent_id").to_pylist()))
    places = {column: at for at, column in enumerate(columns)}
    rows = {sentence: at for at, sentence in enumerate(sentences)}
    shape = (len(scores), len(sentences), len(columns))
    sides = {"he": np.full(shape, np.nan), "she": np.full(shape, np.nan)}
    drops: list[Counter[str]] = [Counter() for _ in columns]
    for number, table in enumerate(scores):
        at_column = np.array([places[name] for name in table.column("column").to_pylist()])
        at_row = np.array([rows[name] for name in table.column("sent_id").to_pylist()])
        for side, values in sides.items():
            given = table.column(f"similarity_{side}").to_numpy().astype(np.float64)
            values[number, at_row, at_column] = given
        for at, problem in zip(at_column, table.column("problem").to_pylist(), strict=True):
            drops[at].update(dict.fromkeys(_codes(problem), 1))
    told = np.bincount(at_column, minlength=len(columns))
    return _Values(columns, [int(n) for n in told], sides["he"], sides["she"], drops)


def _codes(problem: str) -> list[str]:
    return sorted({part.partition(": ")[2] for part in problem.split(", ") if part})


def _row(
    values: _Values,
    at: int,
    found: Comparison,
    facts: Mapping[str, Any],
    provenance: Provenance,
) -> dict[str, Any]:
    row: dict[str, Any] = {name: facts[name] for name in ("occupation", "form", "isco", "status")}
    row |= {"lang": provenance.lang, "column": values.columns[at]}
    row |= {"share_women": facts["share_women"]}
    for name, side in (("he", found.he), ("she", found.she)):
        row |= {
            f"mean_{name}": side.mean,
            f"mean_{name}_ci_low": side.low,
            f"mean_{name}_ci_high": side.high,
        }
    row |= {"difference": found.difference.mean, "ci_low": found.difference.low}
    row |= {"ci_high": found.difference.high} | _over_seeds(values, at)
    row |= {name: getattr(found, name) for name in (
        "p", "p_holm", "n", "n_tied", "exact", "permutations", "draws",
    )}  # fmt: skip
    return row | {
        "significant": None if found.p_holm is None else found.p_holm < LEVEL,
        "n_dropped": values.told[at] - found.n,
        "drops": ", ".join(f"{code} {n}" for code, n in sorted(values.drops[at].items())),
        "seeds": len(values.he), "seed": provenance.seed, "model": provenance.model,
        "revision": " ".join(provenance.revisions), "scale": provenance.scale,
        "dataset": provenance.dataset, "version": provenance.version,
    }  # fmt: skip


def _over_seeds(values: _Values, at: int) -> dict[str, float | None]:
    """The standard deviations over models of the means of one column; None for one model."""
    he, she = values.he[:, :, at], values.she[:, :, at]
    held = np.isfinite(he).all(axis=0) & np.isfinite(she).all(axis=0)
    several = len(he) > 1 and bool(held.any())

    def spread(cells: Floats) -> float | None:
        return float(cells[:, held].mean(axis=1).std(ddof=1)) if several else None

    return {
        "mean_he_std": spread(he),
        "mean_she_std": spread(she),
        "difference_std": spread(she - he),
    }


def _form(
    overall: Overall, found: Sequence[Comparison], values: _Values, places: Sequence[int]
) -> dict[str, Any]:
    """An `Overall` as JSON values, with the mean |difference| of every model by itself.

    `shift` is the mean difference of all occupations, signs kept: what they share is about the
    pronouns, not about work.
    """
    said: dict[str, Any] = {
        "mean_difference": overall.mean.mean,
        "ci_low": overall.mean.low,
        "ci_high": overall.mean.high,
        "by_chance": overall.by_chance,
        "p": overall.p,
        "occupations": overall.occupations,
        "significant": overall.significant,
    }
    signed = [one.difference.mean for one in found if one.difference.mean is not None]
    said["shift"] = sum(signed) / len(signed) if signed else None
    by_model = []
    for he, she in zip(values.he, values.she, strict=True):
        apart = (she - he)[:, list(places)]
        held = np.isfinite(apart)
        known = held.any(axis=0)
        sums = np.where(held, apart, 0.0).sum(axis=0)[known] / held.sum(axis=0)[known]
        by_model.append(float(np.abs(sums).mean()) if len(sums) else None)
    return said | {"by_model": by_model}

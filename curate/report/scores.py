"""The records of ``summary.json`` as `curate score` writes them, old and new."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.report.differences import Differences
from curate.report.files import read_json

__all__ = ["Score", "read_scores"]

_GENDERS = ("masculine", "feminine")
_NO_SIDES = ("first", "second")
_SHOWN = frozenset(
    {
        "metric", "kind", "title", "definition", "lang", "group", "model", "revision", "dataset",
        "version",
        "value", "ci_low", "ci_high", "std_error", "n", "n_tied", "n_dropped", "dropped", "seed",
        "unit", "no_preference", "preferred", "sides", "interval", "folds", "fold_mean", "fold_std",
        "fold_values", "differences", "value_a", "value_b",
    }
)  # fmt: skip
"""What has a place of its own on the page; whatever else a record holds is a setting."""


@dataclass(frozen=True)
class Score:
    """One record: a metric of a model on a language, over all pairs or a group of them.

    Numbers that are missing (or not finite) are None. `neutral` is the value of no preference,
    None where the metric has none; `sides` are the names of a and b, and side a is preferred where
    its value is `preferred` ("higher", "lower"). `settings` is what else the record says.
    """

    metric: str
    kind: str
    title: str
    definition: str
    lang: str
    group: str
    model: str
    revision: str
    dataset: str
    version: str
    value: float | None
    low: float | None
    high: float | None
    std_error: float | None
    n: int
    n_tied: int
    n_dropped: int
    reasons: tuple[tuple[str, int], ...]
    seed: str
    unit: str
    neutral: float | None
    preferred: str
    sides: tuple[str, str]
    confidence: float | None
    bootstrap: str
    folds: int
    fold_mean: float | None
    fold_std: float | None
    differences: tuple[float, ...]
    folder: str
    settings: tuple[tuple[str, str], ...] = field(default=())


def read_scores(folder: Path) -> list[Score]:
    """Every record of every ``summary.json`` below a folder.

    Raises InputError for a file that is no list of such records. Where a record has no
    `differences`, they come from the ``scores.parquet`` beside it, if that can tell them.
    """
    scores = []
    for path in sorted(folder.glob("**/summary.json")):
        records = read_json(path)
        if not isinstance(records, list) or not all(_is_record(record) for record in records):
            raise InputError(
                "not the list of records that `curate score` writes",
                where=path,
                hint="move the file out of the folder, or score again",
            )
        differences = Differences(path.parent, records)
        place = path.parent.relative_to(folder).as_posix()
        for number, record in enumerate(records):
            try:
                scores.append(_score(record, place, differences))
            except (TypeError, ValueError, AttributeError) as error:
                raise InputError(f"record {number}: {error}", where=path) from error
    return scores


def _is_record(record: object) -> bool:
    return isinstance(record, dict) and bool(record.get("metric")) and "model" in record


def _score(record: Mapping[str, Any], folder: str, differences: Differences) -> Score:
    dropped = record.get("dropped") or {}
    interval = record.get("interval") or {}
    sides = record.get("sides") or _old_sides(record)
    if len(sides) != 2:
        raise ValueError("'sides' are not two names")
    return Score(
        **{name: _text(record.get(name)) for name in (
            "metric", "kind", "title", "definition", "lang", "model", "revision", "dataset",
            "version",
        )},
        group=_text(record.get("group") or "all"),
        value=_number(record, "value"),
        low=_number(record, "ci_low"),
        high=_number(record, "ci_high"),
        std_error=_number(record, "std_error"),
        n=_count(record, "n"),
        n_tied=_count(record, "n_tied"),
        n_dropped=_count(record, "n_dropped"),
        reasons=tuple(sorted((_text(code), int(count)) for code, count in dropped.items())),
        seed=_text(record.get("seed")),
        unit=_text(record.get("unit") or "percent"),
        neutral=_neutral(record),
        preferred="lower" if record.get("preferred") == "lower" else "higher",
        sides=(_text(sides[0]), _text(sides[1])),
        confidence=_number(interval, "confidence"),
        bootstrap=_bootstrap(interval),
        folds=_count(record, "folds"),
        fold_mean=_number(record, "fold_mean"),
        fold_std=_number(record, "fold_std"),
        differences=differences.of(record),
        folder=folder,
        settings=_settings(record),
    )  # fmt: skip


def _text(value: object) -> str:
    """Text that can be written as UTF-8; "" for None."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode("utf-8")


def _number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name!r} is not a number")
    return float(value) if math.isfinite(value) else None


def _count(record: Mapping[str, Any], name: str) -> int:
    return int(_number(record, name) or 0)


def _old_sides(record: Mapping[str, Any]) -> tuple[str, str]:
    """Sides of a record that names none: the methods of ours make masculine and feminine."""
    return _NO_SIDES if record.get("group", "all") == "all" else _GENDERS


def _neutral(record: Mapping[str, Any]) -> float | None:
    """The value of no preference; records without the field are shares."""
    return _number(record, "no_preference") if "no_preference" in record else 50.0


def _bootstrap(interval: Mapping[str, Any]) -> str:
    said = [_text(interval.get("method"))]
    if interval.get("draws"):
        said.append(f"{_count(interval, 'draws'):,} draws")
    return ", ".join(part for part in said if part)


def _settings(record: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Whatever else a record says: its precision, the likelihood it compares, …"""
    said: dict[str, str] = {}
    for name, value in record.items():
        if name in _SHOWN or value is None:
            continue
        if name == "auto":
            said["scored again in fp32"] = f"{value['again']} of {value['of']} pairs"
            continue
        if isinstance(value, Mapping):
            said |= {_text(key): _text(inner) for key, inner in value.items()}
        else:
            said[_text(name)] = _text(value)
    return tuple(sorted(said.items()))

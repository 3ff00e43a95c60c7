"""Every two of several scored folders, on every metric that both hold, as one family of tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from curate.corrections import holm
from curate.errors import InputError, UsageError
from curate.scoring.comparison import Comparison, align, compare_outcomes, outcomes
from curate.scoring.estimate import CONFIDENCE, RESAMPLES
from curate.scoring.scored_folder import MetricKind, ScoredFolder

__all__ = ["Family", "NamedComparison", "compare_folders"]


@dataclass(frozen=True, slots=True)
class NamedComparison:
    """A test with its metric, its two models, and the pairs that one model alone valued."""

    metric: str
    counted: str
    first: str
    second: str
    n_only_first: int
    n_only_second: int
    result: Comparison

    def record(self) -> dict[str, Any]:
        """All of it on one level, for JSON."""
        own = {name: getattr(self, name) for name in self.__slots__ if name != "result"}
        return own | asdict(self.result)


@dataclass(frozen=True, slots=True)
class Family:
    """Tests corrected together, and which metrics were left out, one line a reason."""

    tests: list[NamedComparison]
    left_out: list[str]


def compare_folders(
    folders: Sequence[ScoredFolder],
    *,
    metrics: Sequence[str] = (),
    force: bool = False,
    seed: int = 0,
    draws: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Family:
    """Test every two models on every metric named (by default on all), with Holm's correction.

    All rows of the folders count, whatever their language. UsageError for fewer than two folders, a
    folder given twice or no common metric; InputError for folders of different datasets (unless
    `force`), or without a common pair.
    """
    _check(folders, force=force)
    kinds, left_out = _comparable(folders, metrics)
    names = _labels(folders)
    tests = []
    for metric, kind in kinds.items():
        holders = [at for at, folder in enumerate(folders) if metric in folder.metrics]
        for one, other in combinations(holders, 2):
            pairs = align(folders[one].of_metric(metric), folders[other].of_metric(metric))
            result = compare_outcomes(
                outcomes(pairs.first, kind), outcomes(pairs.second, kind),
                counted=kind.counted, seed=seed, draws=draws, confidence=confidence,
            )  # fmt: skip
            alone = pairs.n_only_first, pairs.n_only_second
            tests.append(
                NamedComparison(metric, kind.counted, names[one], names[other], *alone, result)
            )
    if not any(test.result.n for test in tests):
        raise InputError(
            "no pair was valued by both models", where=folders[1].path,
            hint="score the same file with both models",
        )  # fmt: skip
    return Family(_corrected(tests), left_out)


def _corrected(tests: list[NamedComparison]) -> list[NamedComparison]:
    family = [test.result.p for test in tests if test.result.p is not None]
    corrected = iter(holm(family))
    return [
        replace(test, result=replace(test.result, p_holm=next(corrected)))
        if test.result.p is not None
        else test
        for test in tests
    ]


def _check(folders: Sequence[ScoredFolder], *, force: bool) -> None:
    if len(folders) < 2:
        raise UsageError(
            "one folder alone cannot be compared", hint="curate compare DIR DIR names two or more"
        )
    places = Counter(folder.path.resolve() for folder in folders)
    place, times = places.most_common(1)[0]
    if times > 1:
        raise UsageError("this folder is given twice", where=place, hint="name each folder once")
    one = folders[0]
    for other in folders[1:]:
        if not force and (one.dataset, one.version) != (other.dataset, other.version):
            raise InputError(
                f"scored {other.dataset} {other.version}, but {one.path} scored "
                f"{one.dataset} {one.version}",
                where=other.path,
                hint="score the same file with both models, or --force for the pairs in common",
            )


def _comparable(
    folders: Sequence[ScoredFolder], wanted: Sequence[str]
) -> tuple[dict[str, MetricKind], list[str]]:
    """The metrics that two folders hold and that value each pair, and why others are left out."""
    held = Counter(metric for folder in folders for metric in folder.metrics)
    unknown = [metric for metric in wanted if metric not in held]
    if unknown:
        raise UsageError(
            f"no folder holds the metric {unknown[0]!r}", hint=f"they hold: {', '.join(held)}"
        )
    kinds: dict[str, MetricKind] = {}
    others: dict[str, list[str]] = defaultdict(list)
    for metric in wanted or held:
        kind = next(folder.kind(metric) for folder in folders if metric in folder.metrics)
        if held[metric] < 2:
            others["left out, for only one folder holds it"].append(metric)
        elif kind.counted == "pooled":
            others["left out, for it pools tokens or sentences and values no pair"].append(metric)
        else:
            kinds[metric] = kind
            if held[metric] < len(folders):
                others["compared only where it was scored"].append(metric)
    notes = [f"{reason}: {', '.join(names)}" for reason, names in others.items()]
    notes += _settings_apart(folders, kinds)
    if not kinds:
        raise UsageError(
            "no metric that values each pair is in two folders; " + "; ".join(notes),
            hint="score both models with the same --metric",
        )
    return kinds, notes


def _settings_apart(folders: Sequence[ScoredFolder], metrics: Iterable[str]) -> list[str]:
    """What was set otherwise for one folder than for another, one line a setting."""
    notes = []
    for setting in ("masking", "likelihood", "compat", "perturb", "precision"):
        found = {
            str(record.get(setting, "none")): None
            for folder in folders
            for record in folder.summary
            if record["metric"] in set(metrics)
        }
        if len(found) > 1 and (setting in {"compat", "perturb"} or "none" not in found):
            notes.append(f"not scored alike: {setting} {', '.join(found)}")
    return notes


def _labels(folders: Sequence[ScoredFolder]) -> list[str]:
    """The models' names; with the folder where two have the same."""
    models = Counter(folder.model for folder in folders)
    names = Counter((folder.model, folder.path.resolve().name) for folder in folders)
    labels = []
    for folder in folders:
        own = folder.path.resolve().name
        place = own if names[folder.model, own] == 1 else str(folder.path)
        labels.append(folder.model if models[folder.model] == 1 else f"{folder.model} ({place})")
    return labels

"""Translator against validator: what was accepted, revised and rejected.

A validator decides with the translation before the eyes. That is no independent second answer:
two people who work apart agree less.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from curate.annotation.reliability.alpha import SAMPLES, Alpha, alpha_estimate
from curate.annotation.reliability.fields import ALL
from curate.annotation.reliability.share import Share, percentage_agreement, wilson

__all__ = ["Verdicts", "verdicts"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What validators said of translations. `translator` and `validator` are empty for all people.

    `n` verdicts on `pairs` pairs (a pair may come back and be validated again); `own` verdicts
    were left out, for they are of the translator. `outcome_agreement` and `outcome_alpha` compare
    what the translator said (translated, untranslatable) with what the validator left of it: a
    rejected translation counts as none, though its validator may only want another one.
    """

    lang: str
    translator: str
    validator: str
    n: int
    pairs: int
    own: int
    accepted: Share
    revised: Share
    rejected: Share
    outcome_agreement: Share
    outcome_alpha: Alpha

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def verdicts(
    answers: Iterable[Row], tasks: Iterable[Row], *, samples: int = SAMPLES, seed: int = 0
) -> list[Verdicts]:
    """By language: all verdicts, then those of every translator and validator; then all languages.

    `answers` are valid ones. Rows whose validator is their translator count as `own` only.
    """
    shown = {task["task_id"]: task for task in tasks}
    groups: dict[tuple[str, str, str], list[tuple[Row, Row]]] = defaultdict(list)
    given = [row for row in answers if row["verdict"] and row["task_id"] in shown]
    several = len({row["lang"] for row in given}) > 1
    for row in given:
        task = shown[row["task_id"]]
        groups[row["lang"], "", ""].append((row, task))
        if several:
            groups[ALL, "", ""].append((row, task))
        if task["author"] and row["person"] and task["author"] != row["person"]:
            groups[row["lang"], task["author"], row["person"]].append((row, task))
    order = sorted(groups, key=lambda key: (key[0] == ALL, key))
    return [_verdicts(key, groups[key], samples=samples, seed=seed) for key in order]


def _verdicts(
    key: tuple[str, str, str], rows: list[tuple[Row, Row]], *, samples: int, seed: int
) -> Verdicts:
    foreign = [(row, task) for row, task in rows if not _is_own(row, task)]
    said = Counter(row["verdict"] for row, _ in foreign)
    n = len(foreign)
    outcomes = [
        (task["outcome"], _upheld(task["outcome"], row["verdict"]))
        for row, task in foreign
        if task["outcome"]
    ]
    return Verdicts(
        *key,
        n=n,
        pairs=len({(row["lang"], row["uid"]) for row, _ in foreign}),
        own=len(rows) - n,
        accepted=wilson(said["accept"], n),
        revised=wilson(said["revise"], n),
        rejected=wilson(said["reject"], n),
        outcome_agreement=percentage_agreement(outcomes),
        outcome_alpha=alpha_estimate(outcomes, samples=samples, seed=seed),
    )


def _is_own(row: Row, task: Row) -> bool:
    return bool(row["person"]) and row["person"] == task["author"]


def _upheld(outcome: str, verdict: str) -> str:
    """The outcome as a verdict leaves it: who revises gives a translation; who rejects turns it."""
    if verdict == "accept":
        return outcome
    if verdict == "revise":
        return "translated"
    return "translated" if outcome == "untranslatable" else "untranslatable"

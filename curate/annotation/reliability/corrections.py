"""What became of the pairs that the checks called non-minimal (Fort et al. 2024, Table 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from curate.annotation.reliability.fields import ALL
from curate.checks.codes import CODES, is_finding

__all__ = ["NON_MINIMAL", "Corrections", "corrections"]

NON_MINIMAL = frozenset({"minimality", "gender", "agreement", "fort2024"})
"""The checks whose findings make a pair non-minimal."""

_RESPONSES = {
    "corrected": "corrected",
    "right-as-it-is": "right_as_it_is",
    "no-correction-meaning": "no_correction_meaning",
    "no-correction-grammar": "no_correction_grammar",
    "no-correction-culture": "no_correction_culture",
}

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Corrections:
    """Non-minimal pairs by what people could do with them (Fort et al. 2024, Table 2).

    `differ`: people gave different answers, and none was in the majority. `still_open`: the last
    task has no valid answer, or the text that was called corrected is still not minimal. All
    columns but `total` add up to `total`.
    """

    lang: str
    total: int
    corrected: int
    right_as_it_is: int
    no_correction_meaning: int
    no_correction_grammar: int
    no_correction_culture: int
    differ: int
    still_open: int

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(self)


def corrections(
    answers: Iterable[Row],
    tasks: Iterable[Row],
    *,
    non_minimal: Callable[[str], bool] | None = None,
) -> list[Corrections]:
    """One record a language that has such pairs, then all languages if there are several.

    A pair counts once, where a task of stage ``correct`` has a finding that `non_minimal` says is
    one (by default those of the checks `NON_MINIMAL`, notes left out); the last such task decides.
    Of several people's answers to it the majority counts. `answers` are valid ones.
    """
    wanted = non_minimal or _is_non_minimal
    responses: dict[str, list[str]] = defaultdict(list)
    for row in answers:
        if row["response"] in _RESPONSES:
            responses[row["task_id"]].append(row["response"])
    units: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for task in tasks:
        units[task["lang"], task["uid"]].append(task)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (lang, _), own in sorted(units.items()):
        became = _became(sorted(own, key=lambda task: int(task["step"])), responses, wanted)
        if became:
            counts[lang][became] += 1
    found = [_corrections(lang, count) for lang, count in counts.items()]
    if len(found) > 1:
        found.append(_corrections(ALL, sum(counts.values(), Counter())))
    return found


def _became(
    tasks: list[Row], responses: Mapping[str, list[str]], wanted: Callable[[str], bool]
) -> str:
    """What became of a pair, from its tasks in order; empty where it was never non-minimal."""
    flagged = [any(wanted(one["code"]) for one in task["findings"]) for task in tasks]
    places = [at for at, task in enumerate(tasks) if task["stage"] == "correct" and flagged[at]]
    if not places:
        return ""
    given = responses.get(tasks[places[-1]]["task_id"], [])
    if not given:
        return "still_open"
    response, number = Counter(given).most_common(1)[0]
    if 2 * number <= len(given):
        return "differ"
    # after the last round the next task carries what the checks still find
    unmended = response == "corrected" and any(flagged[places[-1] + 1 : places[-1] + 2])
    return "still_open" if unmended else _RESPONSES[response]


def _is_non_minimal(code: str) -> bool:
    return code in CODES and CODES[code].check in NON_MINIMAL and is_finding(code)


def _corrections(lang: str, counts: Counter[str]) -> Corrections:
    columns = (*_RESPONSES.values(), "differ", "still_open")
    return Corrections(lang, counts.total(), *(counts[name] for name in columns))

"""Names that tell the scored models of a page apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from curate.report.scores import Score

__all__ = ["model_labels"]

_REVISION = 12

Fact = Callable[[Score], str]


def model_labels(scores: Sequence[Score]) -> list[str]:
    """A label for every score: its model, and what it takes to tell equal names apart.

    Two scores of one metric, language and group may come from one model: of another revision, in
    another precision, on other data. As few facts as will do are added, the same to all scores of
    the model; a number comes last, for scores that differ in nothing that is known.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for at, score in enumerate(scores):
        places[score.model].append(at)
    labels = [score.model for score in scores]
    for own in places.values():
        mine = [scores[at] for at in own]
        said: list[Fact] = []
        for fact in _facts(mine):
            if _kinds(mine, [*said, fact]) > _kinds(mine, said):
                said.append(fact)
        for at in own:
            details = [detail for fact in said if (detail := fact(scores[at]))]
            labels[at] += f" ({', '.join(details)})" if details else ""
    return _numbered(scores, labels)


def _facts(scores: Sequence[Score]) -> list[Fact]:
    """What can tell scores of a model apart, the most telling first."""
    names = sorted({name for score in scores for name, _ in score.settings})
    settings: list[Fact] = [_setting(name) for name in names]
    return [
        lambda score: score.revision[:_REVISION],
        *settings,
        lambda score: f"{score.dataset} {score.version}".strip(),
        lambda score: f"seed {score.seed}",
        lambda score: score.folder,
    ]


def _setting(name: str) -> Fact:
    def fact(score: Score) -> str:
        value = dict(score.settings).get(name)
        return "" if value is None else f"{name} {value}"

    return fact


def _kinds(scores: Sequence[Score], said: Sequence[Fact]) -> int:
    """How many scores can be told apart by metric, language, group and the facts `said`."""
    return len({(s.metric, s.lang, s.group, *(fact(s) for fact in said)) for s in scores})


def _numbered(scores: Sequence[Score], labels: Sequence[str]) -> list[str]:
    """Labels with a number where one still stands twice in its metric, language and group."""
    seen: Counter[tuple[str, ...]] = Counter()
    numbered = []
    for score, label in zip(scores, labels, strict=True):
        key = (score.metric, score.lang, score.group, label)
        seen[key] += 1
        numbered.append(label if seen[key] == 1 else f"{label} #{seen[key]}")
    return numbered

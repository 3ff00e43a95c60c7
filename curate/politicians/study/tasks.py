"""What a study computes at a time, in the order in which it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curate.politicians.study.reading import Group
from curate.politicians.study.results import ALL_MODELS, Unit
from curate.politicians.study.settings import Settings
from curate.politicians.study.subsets import EVERYONE

__all__ = ["CLUSTERS", "Task", "tasks"]

CLUSTERS = "clusters"


@dataclass(frozen=True)
class Task:
    """What is computed, and kept, at a time: a set of people of some groups, or their clusters."""

    groups: tuple[Group, ...]
    model: str
    subset: str
    kind: str = "people"

    @property
    def unit(self) -> Unit:
        first = self.groups[0]
        return {
            "lang": first.lang, "upos": first.upos, "model": self.model, "subset": self.subset
        }  # fmt: skip


def tasks(groups: Sequence[Group], settings: Settings) -> Iterator[Task]:
    """Every language and part of speech: every model, all together, and each subset."""
    for lang, upos in sorted({(group.lang, group.upos) for group in groups}):
        own = tuple(group for group in groups if (group.lang, group.upos) == (lang, upos))
        sets: list[tuple[str, tuple[Group, ...]]] = [(group.model, (group,)) for group in own]
        if len(own) > 1:
            sets.append((ALL_MODELS, own))
        for model, members in sets:
            yield Task(members, model, EVERYONE)
            if settings.representations and members == own:
                yield Task(members, model, EVERYONE, CLUSTERS)
            for subset in settings.subsets:
                yield Task(members, model, subset)

"""How far people agree who answered the same thing: of all people, and of every two."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from curate.annotation.form import STAGES
from curate.annotation.reliability.alpha import SAMPLES, Alpha, alpha_estimate
from curate.annotation.reliability.fields import (
    ALL,
    DISTANCES,
    FIELDS,
    Judgements,
    as_matrix,
)
from curate.annotation.reliability.share import Share, percentage_agreement

__all__ = ["FieldAgreement", "field_agreement", "people_agreement"]


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """How far people agree in one field. `people` are two pseudonyms, or none: all people.

    `tasks` were answered by two people or more; those who left the field empty are not in
    `agreement.n` or `alpha.units`. `distance` is how far alpha takes two answers to be apart.
    """

    lang: str
    stage: str
    field: str
    people: tuple[str, ...]
    tasks: int
    distance: str
    agreement: Share
    alpha: Alpha

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {
            "lang": self.lang,
            "stage": self.stage,
            "field": self.field,
            "people": list(self.people),
            "tasks": self.tasks,
            "distance": self.distance,
            "agreement": self.agreement.as_json(),
            "alpha": self.alpha.as_json(),
        }


def people_agreement(
    found: Judgements, *, samples: int = SAMPLES, seed: int = 0
) -> list[FieldAgreement]:
    """Agreement by language, stage and field: of all people, then of every two.

    Two people are listed where they answered the field of one task at least. Where there are
    several languages, one more record a field takes all people of all of them together.
    """
    measured = [
        one
        for key in sorted(found, key=_place)
        for one in field_agreement(key, found[key], samples=samples, seed=seed)
    ]
    pooled: Judgements = {}
    if len({lang for lang, _, _ in found}) > 1:
        for (_, stage, field), units in found.items():
            pooled.setdefault((ALL, stage, field), {}).update(units)
    return measured + [
        next(field_agreement(key, pooled[key], samples=samples, seed=seed))
        for key in sorted(pooled, key=_place)
    ]


def _place(key: tuple[str, str, str]) -> tuple[str, int, int]:
    """Languages by tag, stages and fields as the forms have them."""
    lang, stage, field = key
    return lang, STAGES.index(stage), FIELDS[stage].index(field)


def field_agreement(
    key: tuple[str, str, str],
    units: Mapping[str, Mapping[str, Hashable]],
    *,
    samples: int,
    seed: int,
) -> Iterator[FieldAgreement]:
    people = sorted({person for said in units.values() for person in said})
    yield _measured(key, units, people, (), samples=samples, seed=seed)
    for pair in combinations(people, 2):
        shared = {unit: said for unit, said in units.items() if all(one in said for one in pair)}
        if shared:
            yield _measured(key, shared, pair, pair, samples=samples, seed=seed)


def _measured(
    key: tuple[str, str, str],
    units: Mapping[str, Mapping[str, Hashable]],
    people: Sequence[str],
    named: tuple[str, ...],
    *,
    samples: int,
    seed: int,
) -> FieldAgreement:
    name, distance = DISTANCES.get(key[2], ("nominal", "nominal"))
    values = as_matrix(units, people)
    return FieldAgreement(
        *key,
        people=named,
        tasks=len(units),
        distance=name,
        agreement=percentage_agreement(values),
        alpha=alpha_estimate(values, distance=distance, samples=samples, seed=seed),
    )

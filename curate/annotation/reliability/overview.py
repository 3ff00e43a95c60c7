"""How far people agree: on the same task, and translator with validator.

All of it is computed from the tables of a campaign, away from any server. Between people who
answered the same task without seeing each other, agreement is what reliability means. A validator
has seen the translation: `curate.annotation.reliability.verdicts` counts how often it was upheld.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from curate.annotation.reliability.agreement import FieldAgreement, people_agreement
from curate.annotation.reliability.alpha import SAMPLES
from curate.annotation.reliability.corrections import Corrections, corrections
from curate.annotation.reliability.fields import (
    ANSWER_COLUMNS,
    TASK_COLUMNS,
    judgements,
    rows_of,
    valid_answers,
)
from curate.annotation.reliability.verdicts import Verdicts, verdicts
from curate.errors import InputError

__all__ = ["Reliability", "reliability"]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Everything that is known of the reliability of a campaign."""

    agreement: list[FieldAgreement]
    verdicts: list[Verdicts]
    corrections: list[Corrections]

    def as_json(self) -> dict[str, Any]:
        """The three tables as lists of plain records."""
        return {
            "agreement": [one.as_json() for one in self.agreement],
            "verdicts": [one.as_json() for one in self.verdicts],
            "corrections": [one.as_json() for one in self.corrections],
        }


def reliability(
    answers: pa.Table,
    tasks: pa.Table,
    *,
    langs: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = 0,
) -> Reliability:
    """The reliability of a campaign, or of those of its languages that `langs` names.

    `answers` and `tasks` are tables of `schema.ANSWERS` and `schema.TRANSLATION_TASKS`. Raises
    InputError for a column that is missing, or a language that the campaign does not have.
    """
    task_rows = rows_of(tasks, TASK_COLUMNS, where="tasks")
    answer_rows = rows_of(answers, ANSWER_COLUMNS, where="answers")
    known = {row["lang"] for row in task_rows}
    for lang in langs:
        if lang not in known:
            hint = f"languages: {', '.join(sorted(known))}" if known else ""
            raise InputError(f"no task in {lang!r}", where="tasks", hint=hint)
    if langs:
        task_rows = [row for row in task_rows if row["lang"] in langs]
        answer_rows = [row for row in answer_rows if row["lang"] in langs]
    valid = valid_answers(answer_rows)
    return Reliability(
        agreement=people_agreement(judgements(valid, task_rows), samples=samples, seed=seed),
        verdicts=verdicts(valid, task_rows, samples=samples, seed=seed),
        corrections=corrections(valid, task_rows),
    )

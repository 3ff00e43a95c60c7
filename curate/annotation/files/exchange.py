"""Open tasks to a file, and a file back to answers, in whatever format it is."""

from __future__ import annotations

from pathlib import Path

from curate.annotation.answers import RawAnswer
from curate.annotation.campaign import Campaign
from curate.annotation.files.delimited import read as read_csv
from curate.annotation.files.delimited import write as write_csv
from curate.annotation.files.formats import format_of, verified_format
from curate.annotation.files.given import given_tasks
from curate.annotation.files.returned import raw_answers
from curate.annotation.files.workbook import write as write_xlsx
from curate.annotation.files.workbook_reading import read as read_xlsx
from curate.annotation.files.xliff import write as write_xliff
from curate.annotation.files.xliff_reading import read as read_xliff
from curate.annotation.form import STAGES
from curate.engine import replacing
from curate.errors import InputError, UsageError

__all__ = ["read_answers", "write_tasks"]

_WRITERS = {"xliff": write_xliff, "csv": write_csv, "xlsx": write_xlsx}
_READERS = {"xliff": read_xliff, "csv": read_csv, "xlsx": read_xlsx}


def write_tasks(
    campaign: Campaign, lang: str, path: Path, *, stage: str = "", form: str = "auto"
) -> int:
    """Write the open tasks of one language, of one stage or of all; how many there are.

    `form` is ``xliff``, ``csv`` or ``xlsx``; ``auto`` goes by the suffix. Where no task is open
    nothing is written. Raises UsageError for a language, stage or format that is none of ours,
    MissingExtraError where XLSX is wanted and its package is not installed.
    """
    if lang not in campaign.settings.langs:
        hint = ", ".join(campaign.settings.langs)
        raise UsageError(f"the campaign has no language {lang!r}", hint=hint)
    if stage and stage not in STAGES:
        raise UsageError(f"unknown stage {stage!r}", hint=", ".join(STAGES))
    write = _WRITERS[format_of(path, form)]
    tasks = given_tasks(campaign, lang, stage)
    if not tasks:
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as new:
        write(campaign, lang, tasks, new)
    return len(tasks)


def read_answers(campaign: Campaign, path: Path, *, person: str) -> list[RawAnswer]:
    """The answers in a file that `write_tasks` wrote and `person` filled in.

    A task that nobody touched, with all fields as they were given out, is no answer. Raises
    InputError, with the place, for a file that is not whole, not ours, or not of this campaign;
    what is wrong with one answer alone is left to the one who receives it, or is among its
    problems.
    """
    if not person.strip():
        raise UsageError("who answered?", hint="--person MAIL")
    form = verified_format(path)
    items = _READERS[form](campaign, path)
    if not items:
        raise InputError("no tasks in this file", where=path)
    return raw_answers(campaign, items, person=person, channel=form)

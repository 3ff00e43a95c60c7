"""A campaign: a folder with the source pairs, the tasks given out, and every answer received.

``campaign.json`` settings; ``source.parquet`` the pairs (`schema.CROWS`); ``material.parquet`` the
names to use and machine suggestions; ``tasks.parquet`` and ``answers.parquet`` what was asked and
answered; ``people.json`` who stands behind the pseudonyms. Every file is replaced whole.
"""

from __future__ import annotations

import fcntl
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curate import schema
from curate.annotation.answers import Answer
from curate.annotation.people import People
from curate.annotation.step import Rules
from curate.annotation.tasks import DONE, Source, Task
from curate.engine import write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.sources.tables import read_parquet

__all__ = ["MATERIAL", "Campaign", "Settings", "locked"]

MATERIAL = pa.schema(
    [
        pa.field("lang", pa.string(), nullable=False),
        pa.field("source_id", pa.string(), nullable=False),
        pa.field("names", pa.list_(pa.string()), nullable=False),
        pa.field("suggestion_more", pa.string()),
        pa.field("suggestion_less", pa.string()),
        pa.field("origin", pa.string(), nullable=False),
    ]
)
"""What translators are given for a pair in a language beside the pair itself."""

_SETTINGS = "campaign.json"
_LOCK = ".lock"


class Settings(BaseModel):
    """``campaign.json``. `server`: the folder of a local server, or an address; never a token.

    `projects`: the number of the project on the server, by ``lang/stage``; `given_out`: how many
    tasks of it had been issued when they were last sent there.
    """

    model_config = ConfigDict(extra="forbid")

    campaign: str
    name: str
    source_lang: str
    langs: list[str] = Field(default_factory=list)
    passes: int = Field(default=2, ge=1, le=2)
    overlap: int = Field(default=1, ge=1)
    max_rounds: int = Field(default=3, ge=1)
    real_names: bool = False
    server: str = ""
    projects: dict[str, int] = Field(default_factory=dict)
    given_out: dict[str, int] = Field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        return Rules(passes=self.passes, overlap=self.overlap, max_rounds=self.max_rounds)


class Campaign:
    """A campaign in memory; `save` writes what changed, answers before tasks.

    So a run that is cut off between the two has lost nothing: the answers are there, and what
    follows from them is found again by the next run.
    """

    def __init__(self, folder: Path, settings: Settings, source: pa.Table) -> None:
        self.folder, self.settings, self.source = folder, settings, source
        self.material: dict[tuple[str, str], dict[str, Any]] = {}
        self.tasks: dict[str, Task] = {}
        self.answers: dict[str, Answer] = {}
        self.people = People(folder / "people.json", real_names=settings.real_names)

    @classmethod
    def open(cls, folder: Path) -> Campaign:
        """Read a campaign; UsageError where there is none, InputError where it is broken."""
        path = folder / _SETTINGS
        if not path.is_file():
            raise _none_here(folder)
        try:
            settings = Settings.model_validate_json(path.read_text(encoding="utf-8"))
        except (ValidationError, UnicodeDecodeError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise InputError(f"not the settings of a campaign: {reason}", where=path) from error
        if not (folder / "source.parquet").is_file():
            raise InputError(
                "source.parquet is gone: the campaign does not know its pairs", where=folder,
                hint="put it back from your backup",
            )  # fmt: skip
        own = cls(folder, settings, _table(folder / "source.parquet", schema.CROWS))
        material = _table(folder / "material.parquet", MATERIAL)
        own.material = {(row["lang"], row["source_id"]): row for row in material.to_pylist()}
        tasks = _table(folder / "tasks.parquet", schema.TRANSLATION_TASKS)
        own.tasks = {row["task_id"]: Task.from_record(row) for row in tasks.to_pylist()}
        answers = _table(folder / "answers.parquet", schema.ANSWERS)
        own.answers = {row["answer_id"]: Answer.from_record(row) for row in answers.to_pylist()}
        if own.answers and not settings.real_names and not (folder / "people.json").is_file():
            raise InputError(
                "people.json is gone, so nobody can tell whose the answers are",
                where=folder, hint="put it back from your backup, beside the tables",
            )  # fmt: skip
        return own

    def sources(self, lang: str) -> dict[str, Source]:
        """The units of a language by uid, in the order of the source table."""
        found = {}
        for number, row in enumerate(self.source.to_pylist(), start=1):
            extra = self.material.get((lang, row["source_id"]), {})
            more, less = extra.get("suggestion_more"), extra.get("suggestion_less")
            suggestion = (more, less) if more and less else None
            uid = schema.stable_id("u", row["source_id"], lang)
            found[uid] = Source(
                uid=uid, lang=lang, number=number, source_id=row["source_id"],
                pair_id=row["pair_id"], sent_more=row["sent_more"], sent_less=row["sent_less"],
                bias_type=row["bias_type"], stereo_antistereo=row["stereo_antistereo"],
                names=tuple(extra.get("names", ())), suggestion=suggestion,
                origin=extra.get("origin", ""),
            )  # fmt: skip
        return found

    def last_tasks(self, lang: str) -> dict[str, Task]:
        """The last task of every unit of a language by uid, the closing ones among them."""
        last: dict[str, Task] = {}
        for task in self.tasks.values():
            if task.lang == lang and (task.uid not in last or task.step > last[task.uid].step):
                last[task.uid] = task
        return last

    def open_tasks(self, lang: str, stage: str = "") -> list[Task]:
        """The tasks that wait for people, of pairs that are still in the source."""
        known = self.sources(lang)
        last = self.last_tasks(lang)
        return [
            last[uid]
            for uid in known
            if uid in last and last[uid].stage != DONE and stage in {"", last[uid].stage}
        ]

    def answers_by_task(self) -> dict[str, list[Answer]]:
        """All answers, in the order in which they were received, by task_id."""
        found: dict[str, list[Answer]] = defaultdict(list)
        for answer in self.answers.values():
            found[answer.task_id].append(answer)
        return found

    def add_tasks(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self.tasks[task.task_id] = task

    def save(self) -> None:
        """Write everything; each file is either what it was or what it is now."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.people.save()
        tables = (
            ("answers.parquet", schema.ANSWERS, [one.record() for one in self.answers.values()]),
            ("source.parquet", schema.CROWS, None),
            ("material.parquet", MATERIAL, list(self.material.values())),
            (
                "tasks.parquet",
                schema.TRANSLATION_TASKS,
                [one.record() for one in self.tasks.values()],
            ),
        )
        for name, columns, rows in tables:
            table = self.source if rows is None else pa.Table.from_pylist(rows, schema=columns)
            write_parquet(self.folder / name, columns, [table])
        write_json(self.folder / _SETTINGS, json.loads(self.settings.model_dump_json()))


def _table(path: Path, wanted: pa.Schema) -> pa.Table:
    if not path.is_file():
        return wanted.empty_table()
    table = read_parquet(path, wanted=wanted.names)
    try:
        return table.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise InputError(f"columns of other types than ours ({error})", where=path) from error


def _none_here(folder: Path) -> UsageError:
    hint = f"curate translate push {folder} --pairs FILE --lang de begins one"
    return UsageError("no campaign here", where=folder, hint=hint)


@contextmanager
def locked(folder: Path, *, new: bool = False) -> Iterator[None]:
    """Hold a campaign for one command; UsageError where another one is at work on it.

    `new` allows a folder that holds no campaign yet; it is gone again if none was begun.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError("a campaign is a folder, and this is a file", where=folder)
    begun = (folder / _SETTINGS).is_file()
    if not begun and not new:
        raise _none_here(folder)
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _held(folder):
            yield
    finally:
        if made and {path.name for path in folder.iterdir()} <= {_LOCK}:
            (folder / _LOCK).unlink(missing_ok=True)
            folder.rmdir()


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    with (folder / _LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(
                "another command is at work on this campaign", where=folder, hint="wait for it"
            ) from error
        yield

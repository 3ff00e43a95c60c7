"""Begin a campaign, or give it other pairs, languages, names and suggestions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import langcodes
import pyarrow as pa

from curate.annotation.campaign import Campaign, Settings
from curate.annotation.changed import reissue, reopened
from curate.annotation.decide import latest
from curate.annotation.tasks import Task, first_task
from curate.errors import InputError, UsageError
from curate.sources.delimited import read_delimited

__all__ = [
    "Begun",
    "add_languages",
    "add_material",
    "begin",
    "issue",
    "read_names",
    "read_suggestions",
    "replace_source",
    "standard_tag",
]


@dataclass(frozen=True, slots=True)
class Begun:
    """What `issue` did by language: `new` first tasks, `changed` sources, `withdrawn` pairs, and
    pairs that were given up and are `opened` again, since more rounds are allowed now.
    """

    new: Counter[str]
    changed: Counter[str]
    withdrawn: Counter[str]
    opened: Counter[str]


def begin(folder: Path, table: pa.Table, *, name: str, langs: Sequence[str]) -> Campaign:
    """A new campaign in memory; UsageError for pairs that cannot be told apart.

    `table` is a `schema.CROWS` table in one language, each row with a `source_id` of its own.
    """
    _check_source(table)
    source_langs = sorted(set(table.column("lang").to_pylist()))
    settings = Settings(campaign=uuid4().hex[:12], name=name, source_lang=source_langs[0])
    campaign = Campaign(folder, settings, table)
    add_languages(campaign, langs)
    return campaign


def replace_source(campaign: Campaign, table: pa.Table) -> None:
    """Other pairs for a campaign that runs: `issue` finds what changed."""
    _check_source(table)
    own = table.column("lang")[0].as_py()
    if own != campaign.settings.source_lang:
        raise UsageError(
            f"the campaign translates from {campaign.settings.source_lang}, these pairs are {own}"
        )
    campaign.source = table


def add_languages(campaign: Campaign, langs: Sequence[str]) -> None:
    """Take in languages; UsageError for what is no BCP-47 tag, or the source's own."""
    own = campaign.settings.source_lang
    for given in langs:
        if not langcodes.tag_is_valid(given):
            raise UsageError(f"{given!r} is no language tag", hint="BCP-47: de, ar, pt-BR")
        lang = standard_tag(given)
        if lang == own or (own == lang.partition("-")[0]):
            raise UsageError(f"{lang} is the language of the pairs themselves")
        if lang not in campaign.settings.langs:
            campaign.settings.langs.append(lang)


def standard_tag(lang: str) -> str:
    """The tag as we write it (pt_br: pt-BR); what is no tag stays as it is."""
    return langcodes.standardize_tag(lang) if langcodes.tag_is_valid(lang) else lang


def _check_source(table: pa.Table) -> None:
    if not table.num_rows:
        raise InputError("no pairs to translate")
    langs = sorted(set(table.column("lang").to_pylist()))
    if len(langs) > 1:
        raise UsageError(f"pairs in several languages: {', '.join(langs)}", hint="pick one of them")
    counts = Counter(table.column("source_id").to_pylist())
    twice = [source_id for source_id, number in counts.items() if number > 1]
    if twice:
        raise InputError(
            f"source_id {twice[0]!r} stands in {counts[twice[0]]} rows",
            hint="each pair needs an id of its own, by which it is known for ever",
        )


def issue(campaign: Campaign) -> Begun:
    """Give out first tasks, and what follows from sources that changed; nothing twice."""
    new: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    withdrawn: Counter[str] = Counter()
    opened: Counter[str] = Counter()
    answers = campaign.answers_by_task()
    for lang in campaign.settings.langs:
        sources, last = campaign.sources(lang), campaign.last_tasks(lang)
        withdrawn[lang] = len(set(last) - set(sources))
        tasks: list[Task] = []
        for uid, source in sources.items():
            task = last.get(uid)
            if task is None:
                tasks.append(first_task(source))
                new[lang] += 1
                continue
            again = reissue(source, task, latest(answers.get(task.task_id, ())))
            if again is not None:
                changed[lang] += 1
            else:
                again = reopened(source, task, max_rounds=campaign.settings.max_rounds)
                opened[lang] += again is not None
            if again is not None:
                tasks.append(again)
        campaign.add_tasks(tasks)
    return Begun(new, changed, withdrawn, opened)


def read_names(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Names by language and source_id, from the ``names.tsv`` of `curate crows names`."""
    table = read_delimited(path, wanted=("source_id",))
    langs = [
        column.removeprefix("masculine_")
        for column in table.header
        if column.startswith("masculine_")
    ]
    found: dict[str, dict[str, tuple[str, ...]]] = {lang: {} for lang in langs}
    for cells in table.rows:
        row = dict(zip(table.header, cells, strict=False))
        for lang in langs:
            pair = (row.get(f"masculine_{lang}", ""), row.get(f"feminine_{lang}", ""))
            found[lang][row["source_id"]] = tuple(filter(None, pair))
    return found


def read_suggestions(path: Path) -> dict[str, tuple[str, str]]:
    """A machine's (more, less) by source_id, from a table with these columns."""
    wanted = ("source_id", "sent_more", "sent_less")
    table = read_delimited(path, wanted=wanted)
    found = {}
    for cells in table.rows:
        row = dict(zip(table.header, cells, strict=False))
        more, less = (row.get(name, "").strip() for name in wanted[1:])
        if more and less:
            found[row["source_id"]] = (more, less)
    return found


def add_material(
    campaign: Campaign,
    *,
    names: Mapping[str, Mapping[str, tuple[str, ...]]],
    suggestions: Mapping[str, tuple[Mapping[str, tuple[str, str]], str]],
) -> None:
    """Names by language, and suggestions with their origin; what is not given stays as it was."""
    known = set(campaign.source.column("source_id").to_pylist())
    for lang in campaign.settings.langs:
        proposed, origin = suggestions.get(lang, ({}, ""))
        if proposed and not known & set(proposed):
            raise UsageError(
                f"no suggestion for {lang} is for a pair of this campaign", where=origin,
                hint="the column source_id holds the ids of the pairs",
            )  # fmt: skip
        for source_id in sorted((set(names.get(lang, {})) | set(proposed)) & known):
            row = campaign.material.setdefault(
                (lang, source_id),
                {"lang": lang, "source_id": source_id, "names": [], "suggestion_more": None,
                 "suggestion_less": None, "origin": ""},
            )  # fmt: skip
            if source_id in names.get(lang, {}):
                row["names"] = list(names[lang][source_id])
            if source_id in proposed:
                row["suggestion_more"], row["suggestion_less"] = proposed[source_id]
                row["origin"] = origin

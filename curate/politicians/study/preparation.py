"""What a study is given, read and checked before the long part begins.

Whatever can be known to fail is told here: an option that names nothing, a table that cannot be
read, a package or a model that is not there, a gender that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.models.sources import find_model
from curate.politicians.study.extras import optional
from curate.politicians.study.inputs import by_language, read_supersenses, read_views
from curate.politicians.study.lexica import View
from curate.politicians.study.model_facts import ModelFacts
from curate.politicians.study.reading import WordTable
from curate.politicians.study.records import input_record, lexicon_records, people_file
from curate.politicians.study.settings import Settings
from curate.politicians.study.subsets import parse_subset, read_people
from curate.politicians.study.unit_study import Supersenses
from curate.politicians.study.word_files import distinct_files, word_files

__all__ = ["Given", "Prepared", "check_genders", "model_record", "need_both", "prepare"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a user names: tables of words, and what is read beside them (``LANG=FILE`` texts)."""

    words: list[Path]
    people: Path | None = None
    lexica: tuple[str, ...] = ()
    supersenses: tuple[str, ...] = ()
    models: Path | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was read, and what the study records of it: files by name, rows and hash, no paths."""

    facts: ModelFacts
    views: dict[str, list[View]]
    supersenses: Supersenses
    settings: dict[str, Any]
    inputs: list[dict[str, Any]]


def prepare(given: Given, settings: Settings) -> Prepared:
    """Read and check all but the words themselves; UsageError, InputError or MissingExtraError."""
    for text in settings.subsets:
        parse_subset(text)
    if settings.subsets and given.people is None:
        raise InputError("a subset needs the table of people", hint="give --people")
    lexica, classes = by_language(given.lexica), by_language(given.supersenses)
    _check_packages(lexica=bool(lexica), clusters=bool(settings.representations))
    model = model_record(settings.representations)
    facts = ModelFacts.known(given.models)
    files, _ = distinct_files(word_files(given.words))
    check_genders(files, given.people, settings.genders)
    senses = {lang: read_supersenses(own) for lang, own in classes.items()}
    views = {lang: read_views(own) for lang, own in lexica.items()}
    records = [input_record("words", path) for path in files]
    if given.people is not None:
        records.append(input_record("people", people_file(given.people)))
    for lang, own in lexica.items():
        records += lexicon_records(lang, own)
    for lang, own in classes.items():
        records += [input_record("supersenses", path, lang=lang) for path in own]
    if given.models is not None:
        records.append(input_record("models", given.models))
    told = {**asdict(settings), "representations": model}
    return Prepared(facts, views, senses, told, records)


def check_genders(files: list[Path], people: Path | None, two: tuple[str, str]) -> None:
    """InputError where no language has both genders: a name mistyped, as a rule."""
    table = WordTable(files)
    groups = table.groups()
    if not groups:
        raise InputError("these tables hold no words", where=", ".join(map(str, files)))
    if people is None:
        held = [table.genders()]
    else:
        langs = sorted({group.lang for group in groups})
        held = [set(read_people(people, lang=lang).genders.values()) for lang in langs]
        if not any(held):
            raise InputError(
                "nobody of these words' languages", where=people, hint="check --people"
            )
    need_both(held, two)


def need_both(held: Iterable[set[str]], two: tuple[str, str]) -> None:
    """InputError where none of the sets of genders holds both."""
    sets = list(held)
    if not any(genders >= set(two) for genders in sets):
        there = ", ".join(sorted(set().union(*sets)))
        raise InputError(
            f"no words beside both {two[0]!r} and {two[1]!r} people: nothing to compare",
            hint=f"name two of the genders here with --genders: {there or 'none'}",
        )


def model_record(name: str) -> str:
    """A model's name and revision, without the folders it lies in; InputError where none is."""
    if not name:
        return ""
    found = find_model(name)
    return f"{found.name}@{found.revision}"


def _check_packages(*, lexica: bool, clusters: bool) -> None:
    if lexica:
        optional("torch", package="torch", extra="models")
        optional("statsmodels", package="statsmodels")
    if clusters:
        optional("torch", package="torch", extra="models")
        optional("transformers", package="transformers", extra="models")
        optional("sklearn.cluster", package="scikit-learn")

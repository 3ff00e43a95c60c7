"""A whole study: from words beside names and sentiment lexica to the paper's tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from curate.errors import InputError
from curate.politicians.study import rows
from curate.politicians.study.checkpoints import Checkpoints
from curate.politicians.study.counts import WordUse
from curate.politicians.study.findings import Findings, Study
from curate.politicians.study.latent import SENTIMENTS
from curate.politicians.study.model_facts import ModelFacts
from curate.politicians.study.reading import Group, LeftOut, WordTable
from curate.politicians.study.results import ALL_MODELS, Unit
from curate.politicians.study.settings import Settings
from curate.politicians.study.subsets import EVERYONE, People, parse_subset, read_people
from curate.politicians.study.tasks import CLUSTERS, Task, tasks
from curate.politicians.study.unit_study import Lexica, Supersenses, UnitStudy
from curate.politicians.study.variance import analyse_variance
from curate.politicians.study.word_files import distinct_files, word_files

__all__ = ["run_study"]

Report = Callable[[str], None]


def run_study(
    words: Sequence[Path],
    *,
    people: Path | None = None,
    lexica: Lexica | None = None,
    supersenses: Supersenses | None = None,
    facts: ModelFacts | None = None,
    settings: Settings | None = None,
    checkpoints: Checkpoints | None = None,
    report: Report | None = None,
) -> Study:
    """Study tables of words (files or folders).

    `people` is needed for subsets, and its genders then count. `lexica` give by language the
    expected sentiment of words; a language without one has PMI alone. `supersenses` give by
    language the classes of words. `checkpoints` (opened) keep every part as it is found, and a part
    that they hold is not computed again. `report` is told what is being computed.
    """
    chosen, study = settings or Settings(), Study()
    if chosen.subsets and people is None:
        raise InputError("a subset needs the table of people", hint="give --people")
    files, twice = distinct_files(word_files(words))
    study.notes += [f"{name}: the same table is there twice, and counts once" for name in twice]
    groups = _groups(files)
    known, absent = _people(people, groups)
    study.notes += [f"{lang}: no people of this language in the table of people" for lang in absent]
    groups = [group for group in groups if group.lang not in absent]
    if not groups:
        raise InputError("nobody of these words' languages", where=people, hint="check --people")
    for lang in sorted(set(lexica or {}) - {group.lang for group in groups}):
        study.notes.append(f"{lang}: a sentiment lexicon, but no words of this language")
    how = UnitStudy(chosen, lexica or {}, supersenses or {})
    runner = _Runner(how, files, known, report or (lambda _: None))
    kept: list[tuple[Task, Findings]] = []
    for number, task in enumerate(tasks(groups, chosen)):
        found = checkpoints.load(number) if checkpoints else None
        if found is None:
            found = runner.find(task)
            if checkpoints:
                checkpoints.save(number, found)
        study.add(found)
        kept.append((task, Findings(largest=found.largest)))
    _variance(study, kept, facts or ModelFacts.known(), chosen)
    return study


def _people(path: Path | None, groups: Sequence[Group]) -> tuple[dict[str, People], list[str]]:
    """The people of each language, and the languages that the table has nobody of."""
    if path is None:
        return {}, []
    known = {lang: read_people(path, lang=lang) for lang in sorted({g.lang for g in groups})}
    return known, [lang for lang, people in known.items() if not people.genders]


def _groups(files: Sequence[Path]) -> list[Group]:
    groups = WordTable(files).groups()
    if not groups:
        raise InputError("these tables hold no words", where=", ".join(map(str, files)))
    return groups


class _Runner:
    """Computes tasks; the words of a set of groups are read once for those that follow."""

    def __init__(
        self, how: UnitStudy, files: Sequence[Path], people: Mapping[str, People], report: Report
    ) -> None:
        self._how, self._files, self._people, self._report = how, files, people, report
        self._held: tuple[tuple[Group, ...], WordUse, LeftOut] | None = None

    def find(self, task: Task) -> Findings:
        found, unit = Findings(), task.unit
        self._report(" ".join([*unit.values(), *([CLUSTERS] * (task.kind == CLUSTERS))]))
        use, left_out = self._use(task.groups)
        if task.kind == CLUSTERS:
            self._how.clusters(found, unit, use)
            return found
        if task.subset == EVERYONE:
            _note_left_out(found, unit, left_out)
            _note_same(found, unit, use)
        else:
            people = self._people[unit["lang"]]
            inside = people.members(use, parse_subset(task.subset), lang=unit["lang"])
            if not inside.any():
                found.note(unit, "nobody is in this subset")
                return found
            use = use.only_people(inside)
        self._how.people(found, unit, use)
        return found

    def _use(self, groups: tuple[Group, ...]) -> tuple[WordUse, LeftOut]:
        if self._held is None or self._held[0] != groups:
            self._held = None  # before the next is read: one table is large enough
            people, settings = self._people.get(groups[0].lang), self._how.settings
            table = WordTable(self._files, genders=people.genders if people else None)
            use, left_out = table.use(groups, top=settings.top, weigh=settings.weigh)
            self._held = groups, use, left_out
        return self._held[1], self._held[2]


def _note_left_out(found: Findings, unit: Unit, left_out: LeftOut) -> None:
    if left_out.unknown:
        found.note(unit, f"{left_out.unknown:,} people of unknown gender were left out")
    if left_out.absent:
        found.note(unit, f"{left_out.absent:,} people not in the table of people were left out")


def _note_same(found: Findings, unit: Unit, use: WordUse) -> None:
    same, size = int(use.same_everywhere.sum()), len(use.words)
    if same:
        told = f"{same:,} of {size:,} words stand beside everybody with one weight"
        found.note(unit, f"{told}, and tell nothing of gender: keep fewer a person (top)")


def _variance(
    study: Study, kept: Sequence[tuple[Task, Findings]], facts: ModelFacts, settings: Settings
) -> None:
    """Tables 5 and 8: sentiment by architecture, size and language, of single models."""
    single = [
        (task.groups[0], found.largest)
        for task, found in kept
        if task.model != ALL_MODELS and task.subset == EVERYONE and found.largest
    ]
    for upos in sorted({group.upos for group, _ in single}):
        unit = {"lang": "all", "upos": upos, "model": ALL_MODELS, "subset": EVERYONE}
        for gender in settings.genders:
            held = [
                (group, row)
                for group, largest in single if group.upos == upos
                for row in largest if row["gender"] == gender
            ]  # fmt: skip
            factors = facts.factors([group for group, _ in held])
            if all(len(set(levels)) < 2 for levels in factors.values()):
                continue
            for sentiment in SENTIMENTS:
                effects = analyse_variance([row[sentiment] for _, row in held], factors)
                study.rows["anova"].extend(rows.anova_rows(unit, gender, sentiment, effects))

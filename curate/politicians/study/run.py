"""A whole study: from words beside names and sentiment lexica to the paper's tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import InputError
from curate.politicians.study import rows
from curate.politicians.study.cluster_study import cluster_by_gender
from curate.politicians.study.counts import FEMALE, MALE, WordUse
from curate.politicians.study.deviations import (
    Deviations,
    estimate_deviations,
    largest,
    memberships,
    sentiment_contrasts,
    told_sentiment,
)
from curate.politicians.study.latent import SENTIMENTS, Fit
from curate.politicians.study.model_facts import ModelFacts
from curate.politicians.study.pmi import pmi_difference, pointwise
from curate.politicians.study.reading import Group, Weigh, WordTable, word_files
from curate.politicians.study.resampling import DRAWS
from curate.politicians.study.results import ALL_MODELS, TABLES, Unit
from curate.politicians.study.subsets import EVERYONE, People, parse_subset, read_people
from curate.politicians.study.variance import analyse_variance

__all__ = ["Settings", "Study", "run_study"]

Report = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How a study is made. Every random choice follows from `seed`.

    `genders` are the two of the latent model and of the comparisons; PMI takes all there are.
    `largest` words of each gender are compared (the paper: 100). `top`: the first so many words a
    person, model and part of speech. `least`: the least weight of a word over all people.
    """

    genders: tuple[str, str] = (FEMALE, MALE)
    weigh: Weigh = "people"
    top: int | None = None
    least: float = 5
    smoothing: float = 0.0
    draws: int = DRAWS
    latent_draws: int = 20
    largest: int = 100
    seed: int = 0
    fit: Fit = field(default_factory=Fit)
    subsets: tuple[str, ...] = ()
    representations: str = ""
    device: str = "auto"


@dataclass
class Study:
    """The rows of every table of `curate.politicians.study.results`, and what was left out."""

    rows: dict[str, list[dict[str, Any]]]
    notes: list[str] = field(default_factory=list)

    def add(self, table: str, found: Any) -> None:
        self.rows[table].extend(found)


def run_study(
    words: Sequence[Path],
    *,
    people: Path | None = None,
    lexica: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    supersenses: Mapping[str, Mapping[str, Mapping[str, float]]] | None = None,
    facts: ModelFacts | None = None,
    settings: Settings | None = None,
    report: Report | None = None,
) -> Study:
    """Study tables of words (files or folders).

    `people` is needed for subsets, and its genders then count. `lexica` give by language the
    expected sentiment of words; a language without one has PMI alone. `supersenses` give by
    language the classes of words. `report` is told what is being computed.
    """
    chosen = settings or Settings()
    study = Study({name: [] for name in TABLES})
    runner = _Runner(study, chosen, lexica or {}, supersenses or {}, report or (lambda _: None))
    if chosen.subsets and people is None:
        raise InputError("a subset needs the table of people", hint="give --people")
    files = word_files(words)
    groups = _groups(files)
    for lang, upos in sorted({(group.lang, group.upos) for group in groups}):
        known = read_people(people, lang=lang) if people is not None else None
        if known is not None and not known.genders:
            study.notes.append(f"{lang} {upos}: no people of this language in the table of people")
            continue
        table = WordTable(files, genders=known.genders if known else None)
        own = [group for group in groups if (group.lang, group.upos) == (lang, upos)]
        runner.language(table, own, known)
    for lang in sorted(set(lexica or {}) - {group.lang for group in groups}):
        study.notes.append(f"{lang}: a sentiment lexicon, but no words of this language")
    if not study.rows["people"]:
        raise InputError("nobody of these words' languages", where=people, hint="check --people")
    runner.variance(facts or ModelFacts.known())
    return study


def _groups(files: Sequence[Path]) -> list[Group]:
    groups = WordTable(files).groups()
    if not groups:
        raise InputError("these tables hold no words", where=", ".join(map(str, files)))
    return groups


class _Runner:
    """Goes through models and subsets, and keeps what the analysis of variance needs of each."""

    def __init__(
        self,
        study: Study,
        settings: Settings,
        lexica: Mapping[str, Mapping[str, Sequence[float]]],
        supersenses: Mapping[str, Mapping[str, Mapping[str, float]]],
        report: Report,
    ) -> None:
        self._study, self._set = study, settings
        self._lexica, self._senses, self._report = lexica, supersenses, report
        self._largest: dict[str, list[tuple[Group, str, list[list[float]]]]] = {}

    def language(self, table: WordTable, groups: Sequence[Group], people: People | None) -> None:
        """One language and part of speech: every model, all together, and each subset."""
        sets = [(group.model, [group]) for group in groups]
        if len(groups) > 1:
            sets.append((ALL_MODELS, list(groups)))
        for model, members in sets:
            use, unknown = table.use(members, top=self._set.top, weigh=self._set.weigh)
            unit = {"lang": members[0].lang, "upos": members[0].upos, "model": model}
            if unknown:
                absent = ", or not in the table of people" if people is not None else ""
                self._note(unit, f"{unknown:,} people of unknown gender were left out{absent}")
            self._same(unit, use)
            found = self._part({**unit, "subset": EVERYONE}, use)
            if found is not None and model != ALL_MODELS:
                self._keep(members[0], found)
            if model == ALL_MODELS or len(sets) == 1:
                self._clusters({**unit, "subset": EVERYONE}, use)
            for name in self._set.subsets:
                if people is not None:
                    self._subset({**unit, "subset": name}, use, people)

    def variance(self, facts: ModelFacts) -> None:
        """Tables 5 and 8: sentiment by architecture, size and language."""
        for upos, kept in sorted(self._largest.items()):
            unit = {"lang": "all", "upos": upos, "model": ALL_MODELS, "subset": EVERYONE}
            for gender in self._set.genders:
                held = [(group, values) for group, own, values in kept if own == gender]
                factors = facts.factors([group for group, values in held for _ in values])
                if all(len(set(levels)) < 2 for levels in factors.values()):
                    continue
                for at, sentiment in enumerate(SENTIMENTS):
                    outcome = [value[at] for _, values in held for value in values]
                    effects = analyse_variance(outcome, factors)
                    self._study.add("anova", rows.anova_rows(unit, gender, sentiment, effects))

    def _part(self, unit: Unit, use: WordUse) -> Deviations | None:
        """PMI, differences, the latent model and its tests of one set of people."""
        settings, study, seed = self._set, self._study, self._set.seed
        self._report(" ".join(unit[name] for name in ("lang", "upos", "model", "subset")))
        study.add("people", rows.people_rows(unit, use, settings.genders))
        pmi = pointwise(
            use, smoothing=settings.smoothing, least=settings.least, draws=settings.draws, seed=seed
        )
        if not pmi.use.words:
            self._note(unit, f"no word has a weight of {settings.least:g}")
            return None
        study.add("pmi", rows.pmi_rows(unit, pmi, seed))
        try:
            two = use.only_genders(settings.genders).frequent(settings.least)
        except InputError as error:
            self._note(unit, f"no comparison of {' and '.join(settings.genders)}: {error.message}")
            return None
        difference = pmi_difference(pmi, *settings.genders)
        study.add("differences", rows.difference_rows(unit, difference, pmi, seed))
        return self._latent(unit, use, two)

    def _latent(self, unit: Unit, use: WordUse, two: WordUse) -> Deviations | None:
        settings, study, seed = self._set, self._study, self._set.seed
        away = len(use.people) - len(two.people)
        if away:
            self._note(unit, f"{away:,} people of other genders are in the PMI, not in the "
                             "two-gender model")  # fmt: skip
        lexicon = self._lexica.get(unit["lang"])
        known = sum(word in lexicon for word in two.words) if lexicon else 0
        if not lexicon or known < 2:
            self._note(unit, "no sentiment lexicon with these words: no latent model")
            return None
        found = estimate_deviations(
            two, lexicon, fit=settings.fit, draws=settings.latent_draws, seed=seed
        )
        study.add("deviations", rows.deviation_rows(unit, found, seed))
        study.add("grid", rows.grid_rows(unit, found))
        contrasts = sentiment_contrasts(found, size=settings.largest, seed=seed)
        pair = settings.genders
        study.add("sentiment", rows.contrast_rows(unit, contrasts, pair, "sentiment", seed))
        senses = self._senses.get(unit["lang"], {})
        for sentiment in SENTIMENTS if senses else ():
            tested = memberships(
                found, senses, sentiment=sentiment, size=settings.largest, seed=seed
            )
            own = {**unit, "sentiment": sentiment}
            study.add("supersenses", rows.contrast_rows(own, tested, pair, "supersense", seed))
        return found

    def _same(self, unit: Unit, use: WordUse) -> None:
        same, size = int(use.same_everywhere.sum()), len(use.words)
        if same:
            told = f"{same:,} of {size:,} words stand beside everybody with one weight"
            self._note(unit, f"{told}, and tell nothing of gender: keep fewer a person (top)")

    def _subset(self, unit: Unit, use: WordUse, people: People) -> None:
        inside = people.members(use, parse_subset(unit["subset"]), lang=unit["lang"])
        if not inside.any():
            self._note(unit, "nobody is in this subset")
            return
        self._part(unit, use.only_people(inside))

    def _keep(self, group: Group, found: Deviations) -> None:
        """The sentiments of a model's largest-deviation words, for the analysis of variance."""
        told = told_sentiment(found)
        for gender in self._set.genders:
            places = largest(found, gender, size=self._set.largest)
            values = told[places].tolist()
            self._largest.setdefault(group.upos, []).append((group, gender, values))

    def _clusters(self, unit: Unit, use: WordUse) -> None:
        settings = self._set
        if not settings.representations:
            return
        found = cluster_by_gender(
            use.frequent(settings.least), model=settings.representations,
            device=settings.device, seed=settings.seed,
        )  # fmt: skip
        for gender, own in found.clusterings.items():
            words = found.words[gender]
            self._study.add("clusters", rows.cluster_rows(unit, gender, words, own, found.shares))
            self._study.add("cluster_trials", rows.trial_rows(unit, gender, own))
        for gender in found.left_out:
            self._note(unit, f"too few words beside {gender} people for clusters")

    def _note(self, unit: Unit, text: str) -> None:
        where = " ".join(value for value in unit.values() if value != EVERYONE)
        self._study.notes.append(f"{where}: {text}")

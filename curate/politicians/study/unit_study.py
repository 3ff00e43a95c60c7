"""The study of one set of people: PMI, differences, the latent model, its tests, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curate.errors import InputError
from curate.politicians.study import rows
from curate.politicians.study.cluster_study import cluster_by_gender
from curate.politicians.study.counts import WordUse
from curate.politicians.study.deviations import (
    Deviations,
    estimate_deviations,
    largest,
    memberships,
    sentiment_contrasts,
    told_sentiment,
)
from curate.politicians.study.findings import Findings
from curate.politicians.study.latent import SENTIMENTS
from curate.politicians.study.pmi import pmi_difference, pointwise
from curate.politicians.study.results import Unit
from curate.politicians.study.settings import Settings

__all__ = ["Lexica", "Supersenses", "UnitStudy"]

Lexica = Mapping[str, Mapping[str, Sequence[float]]]
Supersenses = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True)
class UnitStudy:
    """How a set of people is studied: `lexica` and `supersenses` by language.

    `people` adds to `found` what the words beside these people say; `clusters` their groups.
    """

    settings: Settings
    lexica: Lexica
    supersenses: Supersenses

    def people(self, found: Findings, unit: Unit, use: WordUse) -> None:
        """PMI, differences, the latent model and its tests of one set of people."""
        settings, seed = self.settings, self.settings.seed
        found.add("people", rows.people_rows(unit, use, settings.genders))
        pmi = pointwise(
            use, smoothing=settings.smoothing, least=settings.least, draws=settings.draws, seed=seed
        )
        if not pmi.use.words:
            found.note(unit, f"no word has a weight of {settings.least:g}")
            return
        found.add("pmi", rows.pmi_rows(unit, pmi, seed))
        try:
            two = use.only_genders(settings.genders).frequent(settings.least)
        except InputError as error:
            found.note(unit, f"no comparison of {' and '.join(settings.genders)}: {error.message}")
            return
        difference = pmi_difference(pmi, *settings.genders)
        found.add("differences", rows.difference_rows(unit, difference, pmi, seed))
        away = len(use.people) - len(two.people)
        if away:
            found.note(
                unit,
                f"{away:,} people of other genders are in the PMI, not in the two-gender model",
            )
        self._latent(found, unit, two)

    def clusters(self, found: Findings, unit: Unit, use: WordUse) -> None:
        """Groups of the words beside each gender, by the representations of a model."""
        settings = self.settings
        made = cluster_by_gender(
            use.frequent(settings.least), model=settings.representations,
            device=settings.device, seed=settings.seed,
        )  # fmt: skip
        for gender, own in made.clusterings.items():
            words = made.words[gender]
            found.add("clusters", rows.cluster_rows(unit, gender, words, own, made.shares))
            found.add("cluster_trials", rows.trial_rows(unit, gender, own))
        for gender in made.left_out:
            found.note(unit, f"too few words beside {gender} people for clusters")

    def _latent(self, found: Findings, unit: Unit, two: WordUse) -> None:
        settings, seed = self.settings, self.settings.seed
        lexicon = self.lexica.get(unit["lang"])
        known = sum(word in lexicon for word in two.words) if lexicon else 0
        if not lexicon or known < 2:
            found.note(unit, "no sentiment lexicon with these words: no latent model")
            return
        fitted = estimate_deviations(
            two, lexicon, fit=settings.fit, draws=settings.latent_draws, seed=seed
        )
        found.add("deviations", rows.deviation_rows(unit, fitted, seed))
        found.add("grid", rows.grid_rows(unit, fitted))
        contrasts = sentiment_contrasts(fitted, size=settings.largest, seed=seed)
        pair = settings.genders
        found.add("sentiment", rows.contrast_rows(unit, contrasts, pair, "sentiment", seed))
        self._supersenses(found, unit, fitted)
        self._keep(found, fitted)

    def _supersenses(self, found: Findings, unit: Unit, fitted: Deviations) -> None:
        settings, seed = self.settings, self.settings.seed
        senses = self.supersenses.get(unit["lang"], {})
        for sentiment in SENTIMENTS if senses else ():
            tested = memberships(
                fitted, senses, sentiment=sentiment, size=settings.largest, seed=seed
            )
            own = {**unit, "sentiment": sentiment}
            found.add(
                "supersenses",
                rows.contrast_rows(own, tested, settings.genders, "supersense", seed),
            )

    def _keep(self, found: Findings, fitted: Deviations) -> None:
        """The sentiments of the largest-deviation words, for the analysis of variance."""
        told = told_sentiment(fitted)
        for gender in self.settings.genders:
            for at in largest(fitted, gender, size=self.settings.largest):
                own = dict(zip(SENTIMENTS, told[at].tolist(), strict=True))
                found.largest.append({"gender": gender, **own})

"""The checks on translations, in one language at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache

from curate.annotation.campaign import Campaign
from curate.annotation.form import TEXT_FIELDS
from curate.annotation.problems import Problem, from_findings
from curate.annotation.tasks import Source
from curate.checks import load_checker
from curate.checks.translation import TranslationChecker

__all__ = ["Checked", "check_translations", "check_units"]

Text = tuple[str, str]
Checked = dict[tuple[str, Text], tuple[Problem, ...]]
"""Findings by uid and (more, less)."""


def check_units(campaign: Campaign, lang: str, wanted: Collection[tuple[str, Text]]) -> Checked:
    """Findings on texts of units (by uid), the other texts of the language beside them."""
    if not wanted:
        return {}
    known = campaign.sources(lang)
    checked = check_translations(
        lang, [(known[uid], texts) for uid, texts in sorted(wanted)],
        source_lang=campaign.settings.source_lang,
    )  # fmt: skip
    holders: dict[Text, set[str]] = defaultdict(set)
    for uid, task in campaign.last_tasks(lang).items():
        if uid in known and all(task.texts):
            holders[task.texts].add(uid)
    for uid, texts in wanted:
        holders[texts].add(uid)
    return {
        (uid, texts): (*found, *_doubled([known[one] for one in holders[texts] - {uid}]))
        for (uid, texts), found in checked.items()
    }


def _doubled(others: Sequence[Source]) -> list[Problem]:
    """The finding that other pairs have the same two texts, if they do."""
    ids = ", ".join(sorted(one.source_id for one in others))
    return [Problem("duplicate", "", f"the same two texts as pair {ids}")] if ids else []


def check_translations(
    lang: str, wanted: Sequence[tuple[Source, Text]], *, source_lang: str
) -> Checked:
    """Errors and warnings on each pair of texts: of the pair itself, and beside its source.

    A language without a lexicon gets the checks that need none.
    """
    pairs, translations = load_checker(lang), _translation_checker(lang, source_lang)
    beside = translations.check_all(
        [((one.sent_more, one.sent_less), texts, one.names) for one, texts in wanted]
    )
    found: Checked = {}
    for (source, texts), of_translation in zip(wanted, beside, strict=True):
        of_pair = pairs.check(*texts)
        if any(one.level == "error" for one in of_translation):
            # What is no translation is no pair either: the rest would only repeat that.
            of_pair = [one for one in of_pair if one.check == "text"]
        found[source.uid, texts] = tuple(from_findings([*of_pair, *of_translation], TEXT_FIELDS))
    return found


@cache
def _translation_checker(lang: str, source_lang: str) -> TranslationChecker:
    return TranslationChecker(lang, source_lang=source_lang)

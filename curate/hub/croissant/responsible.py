"""The responsible-AI fields of Croissant, computed from the facts of a release.

Vocabulary: https://docs.mlcommons.org/croissant/docs/croissant-rai-spec.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curate.hub.card.facts import ConfigFacts, Facts
from curate.hub.card.licences import licence_of, sources_of
from curate.hub.card.markdown import in_words
from curate.hub.card.people import scheme_of

__all__ = ["responsible_ai"]

_NOT_STATED = "Not stated."
_UNKNOWN = "licence not known"
_MOST_REASONS = 8


def responsible_ai(facts: Facts) -> dict[str, Any]:
    """The ``rai:`` fields, without those that have nothing to say."""
    fields: dict[str, Any] = {
        "rai:dataCollection": _collection(facts),
        "rai:dataCollectionType": _collection_types(facts),
        "rai:dataCollectionMissingData": _dropped(facts),
        "rai:dataPreprocessingProtocol": list(_processing(facts)),
        "rai:dataAnnotationProtocol": list(_annotation(facts)),
        "rai:dataAnnotationAnalysis": list(_agreement(facts)),
        "rai:annotatorDemographics": _annotators(facts),
        "rai:machineAnnotationTools": list(_tools(facts)),
        "rai:dataBiases": list(_biases(facts)),
        "rai:dataUseCases": list(_uses(facts)),
        "rai:dataLimitations": list(_limits(facts)),
        "rai:dataSocialImpact": _IMPACT if facts.pair_configs else "",
        "rai:personalSensitiveInformation": list(_personal(facts)),
        "rai:dataReleaseMaintenancePlan": facts.about.maintenance or _MAINTENANCE,
    }
    return {name: value for name, value in fields.items() if value not in ("", [])}


_USES = [
    "Measuring whether a language model prefers one of the two sentences of a pair; 50 % means no "
    "preference.",
    "Comparing models, or states of one model, on the same rows.",
    "Not for training, fine-tuning, filtering or prompting: a model that has seen the rows can no "
    "longer be measured with them.",
    "Not for inferring, predicting or assigning anybody's gender, and not for ranking languages.",
]
_IMPACT = (
    "The pairs help to see a preference before a model is used. Published, they can also be "
    "trained on, which hides the preference without removing it."
)
_MAINTENANCE = (
    "Versions are tagged and never moved; errors are reported by pair_id and mended in a new "
    "version."
)


def _uses(facts: Facts) -> list[str]:
    return _USES if facts.pair_configs else _USES[1:]


def _limits(facts: Facts) -> Iterator[str]:
    if facts.of_kind("pairs"):
        yield (
            "Two genders: the pairs oppose masculine and feminine words, because the method does. "
            "Nonbinary people and neutral wording are not represented."
        )
        yield "A program made the pairs; not every one was read by a person."
    if facts.of_kind("crows"):
        yield "Which side is the more stereotypical one is the judgement of a few people."
    for config in facts.of_kind("politicians"):
        yield f"{config.name}: in the column gender {scheme_of(config)}."
    if facts.pair_configs:
        yield "A score of 50 % certifies no model as fair: these pairs show no preference, no more."


def _collection(facts: Facts) -> str:
    """Which sources the rows come from, and how many of each."""
    parts = [
        f"{config.name}: {source.rows:,} rows from {source.source or 'a source that is not named'} "
        f"({licence.name if (licence := licence_of(source, facts.about)).known else _UNKNOWN})"
        for config in facts.configs
        for source in sources_of(config, facts)
    ]
    return "; ".join(parts) + "." if parts else _NOT_STATED


def _collection_types(facts: Facts) -> list[str]:
    kinds = {config.kind for config in facts.configs}
    return [
        name
        for name, present in (
            ("Secondary Data Analysis", bool(kinds & {"pairs", "occupations"})),
            ("Manual Human Curator", "crows" in kinds),
            ("Software Collection", "politicians" in kinds),
        )
        if present
    ]


def _dropped(facts: Facts) -> str:
    parts = []
    for config in facts.configs:
        if config.drops and config.drops.rows:
            reasons = ", ".join(f"{code} {n:,}" for code, n in config.drops.reasons[:_MOST_REASONS])
            parts.append(
                f"{config.name}: {config.drops.rows:,} rows of the source were left out ({reasons})"
            )
    return "; ".join(parts) + "." if parts else ""


def _processing(facts: Facts) -> Iterator[str]:
    for config in facts.of_kind("pairs"):
        pairs = config.pairs
        if pairs is None:
            continue
        text = (
            f"{config.name}: made by the method {config.method or 'of its name'}; "
            f"{pairs.masculine:,} pairs from masculine, {pairs.feminine:,} from feminine sentences"
        )
        if pairs.folds:
            text += f"; balanced in {_folds(pairs.folds)} (seed {_stated(config.seed)})"
        yield text + "."
        if config.checked:
            codes = ", ".join(f"{code} {count:,}" for code, count in config.checked.codes)
            yield f"{config.name}: every pair checked before the release ({codes or 'no finding'})."


def _tools(facts: Facts) -> Iterator[str]:
    if facts.curate:
        yield f"curate {facts.curate}"
    for config in facts.of_kind("pairs"):
        if config.pairs and config.pairs.fill:
            fill = config.pairs.fill
            yield f"{config.name}: masked language model {fill.model}, revision {fill.revision}"


def _annotation(facts: Facts) -> Iterator[str]:
    for config in facts.of_kind("crows"):
        yield f"{config.name}: people judged which side of a pair is the more stereotypical one."


def _annotators(facts: Facts) -> list[str]:
    if facts.about.annotators:
        return [facts.about.annotators]
    return [_NOT_STATED] if facts.of_kind("crows") else []


def _agreement(facts: Facts) -> Iterator[str]:
    for config in facts.configs:
        for alpha in config.reliability:
            value = "undefined" if alpha.value is None else f"{alpha.value:.3f}"
            interval = ""
            if alpha.low is not None and alpha.high is not None:
                interval = f" ({alpha.confidence:.0%} interval {alpha.low:.3f} to {alpha.high:.3f})"
            yield (
                f"{config.name}, {alpha.lang} {alpha.stage} {alpha.field}: Krippendorff's alpha "
                f"{value}{interval}, {alpha.units:,} units, {alpha.coders} coders."
            )


_MADE_BY_RULE = "The side of the source is natural text, the other one is made."
_MADE_BY_MODEL = "A language model chose the words, so either side may be made."


def _biases(facts: Facts) -> Iterator[str]:
    for config in facts.of_kind("pairs"):
        if config.pairs and config.rows:
            share = config.pairs.masculine / config.rows
            yield (
                f"{config.name}: {share:.1%} of {config.rows:,} pairs come from sentences with a "
                f"masculine word. {_MADE_BY_MODEL if config.method == 'msg' else _MADE_BY_RULE}"
            )
    for config in facts.of_kind("crows"):
        yield from _kinds_of_bias(config)
    for config in facts.of_kind("politicians"):
        for lang, gender, rows in config.people.by_gender if config.people else ():
            yield f"{config.name}, {lang}: {rows:,} rows {gender}."
    yield "The lexicon decides which words count as gendered, the corpora who is spoken of."


def _kinds_of_bias(config: ConfigFacts) -> Iterator[str]:
    if config.crows:
        kinds = ", ".join(f"{name} {count:,}" for name, count in config.crows.bias_types)
        yield f"{config.name}: pairs by kind of bias: {kinds}."


def _personal(facts: Facts) -> Iterator[str]:
    for config in facts.of_kind("politicians"):
        origin = in_words([one.source for one in sources_of(config, facts)])
        yield (
            f"{config.name}: names and gender of people, as {origin} states them; gender is "
            "personal information, and a statement may be wrong or out of date."
        )
    if facts.pair_configs:
        yield (
            "The sentences are published text and may name real people; the counterpart of a "
            "sentence is no statement about anybody. Some sentences repeat stereotypes."
        )


def _folds(count: int) -> str:
    return "one fold" if count == 1 else f"{count} folds"


def _stated(value: object) -> object:
    return "not stated" if value is None else value

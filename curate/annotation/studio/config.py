"""The form in a project: made from ours, and compared with ours where a hand was at it."""

from __future__ import annotations

import html
from collections.abc import Mapping
from xml.etree import ElementTree

from curate.annotation.campaign import Campaign
from curate.annotation.form import Field, form_of, form_xml, read_form
from curate.annotation.guidelines import direction, language_title
from curate.annotation.problems import Problem
from curate.errors import UsageError

__all__ = ["config_problems", "controls", "filled", "project_config"]


def project_config(campaign: Campaign, lang: str, stage: str) -> str:
    """The form of a stage for a language."""
    words = {
        "language": language_title(lang),
        "source_language": language_title(campaign.settings.source_lang),
        "direction": direction(lang),
    }
    return filled(form_xml(stage), words)


def filled(xml: str, words: Mapping[str, str]) -> str:
    """A form with its ``{{ … }}`` filled in."""
    for name, value in words.items():
        xml = xml.replace("{{ " + name + " }}", html.escape(value))
    return xml


def controls(config: str) -> dict[str, str]:
    """The fields of a project's form, each with the name of what it is about; none in no XML."""
    try:
        root = ElementTree.fromstring(config)  # noqa: S314 (entities are not fetched)
    except ElementTree.ParseError:
        return {}
    return {
        node.get("name", ""): node.get("toName", "")
        for node in root.iter()
        if node.get("toName") and node.tag in {"TextArea", "Choices"}
    }


def config_problems(stage: str, config: str) -> list[Problem]:
    """What a hand changed in a project's form: fields and choices beside those of ours."""
    try:
        there = read_form(stage, config).fields
    except UsageError as error:
        return [Problem("config-changed", "", error.message)]
    said: list[tuple[str, str]] = []
    for name, field in form_of(stage).fields.items():
        if name not in there:
            said.append((name, "the field is missing"))
        else:
            said += [(name, one) for one in _differences(field, there[name])]
    said += [(name, "a field of its own") for name in there if name not in form_of(stage).fields]
    return [Problem("config-changed", name, evidence) for name, evidence in said]


def _differences(ours: Field, there: Field) -> list[str]:
    if bool(ours.choices) != bool(there.choices):
        return [f"{'text' if ours.choices else 'choices'} where ours has the other"]
    said = [f"the choice {one} is missing" for one in ours.choices if one not in there.choices]
    said += [f"a choice of its own: {one}" for one in there.choices if one not in ours.choices]
    if ours.many != there.many:
        said.append("several choices may be taken" if there.many else "one choice alone is taken")
    return said

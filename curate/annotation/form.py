"""The forms people fill in: annotation/<stage>.xml says which fields and choices there are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

from curate.errors import UsageError
from curate.resources import annotation_folder

__all__ = ["STAGES", "TEXT_FIELDS", "Field", "Form", "form_of", "form_xml", "read_form"]

STAGES = ("translate", "correct", "validate")
TEXT_FIELDS = ("sent_more", "sent_less")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form. `choices` is empty for free text; `many`: several choices may be taken.

    `required` speaks of choices only: whether a text is wanted depends on the other answers.
    """

    name: str
    choices: tuple[str, ...] = ()
    many: bool = False
    required: bool = False


@dataclass(frozen=True)
class Form:
    """The fields of a stage by name, in the order of the page."""

    stage: str
    fields: dict[str, Field]


def form_xml(stage: str) -> str:
    """The text of ``annotation/<stage>.xml``, with its ``{{ … }}`` still in it."""
    if stage not in STAGES:
        raise UsageError(f"unknown stage {stage!r}", hint=", ".join(STAGES))
    return (annotation_folder() / f"{stage}.xml").read_text(encoding="utf-8")


@cache
def form_of(stage: str) -> Form:
    """The form of a stage."""
    return read_form(stage, form_xml(stage))


def read_form(stage: str, xml: str) -> Form:
    """The form that a Label Studio configuration describes; UsageError where it is no XML."""
    try:
        root = ElementTree.fromstring(xml)  # noqa: S314 (a configuration, entities are not fetched)
    except ElementTree.ParseError as error:
        raise UsageError(f"the form is no well-formed XML ({error})", where=stage) from error
    fields = {}
    for node in root.iter():
        name = node.get("name", "")
        if node.tag == "TextArea":
            fields[name] = Field(name)
        elif node.tag == "Choices":
            choices = tuple(
                choice.get("alias") or choice.get("value") or "" for choice in node.iter("Choice")
            )
            many = node.get("choice") == "multiple"
            always = node.get("visibleWhen") is None
            required = node.get("required") == "true" and always
            fields[name] = Field(name, choices, many=many, required=required)
    return Form(stage, fields)

"""The three forms: well-formed, valid in Label Studio, and with the fields that are read back."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from curate.annotation.form import STAGES, form_of
from curate.annotation.guidelines import direction, language_title
from curate.resources import annotation_folder

TEXT: tuple[str, ...] = ()
TRANSLATION = {
    "sent_more": TEXT,
    "sent_less": TEXT,
    "adaptation": ("name", "food", "place", "other"),
    "note": TEXT,
}
FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "translate": TRANSLATION
    | {
        "outcome": ("translated", "untranslatable"),
        "reason": ("meaning", "grammar", "culture"),
    },
    "correct": TRANSLATION
    | {
        "response": (
            "corrected", "right-as-it-is", "no-correction-meaning", "no-correction-grammar",
            "no-correction-culture",
        )
    },
    "validate": {
        "sent_more": TEXT,
        "sent_less": TEXT,
        "verdict": ("accept", "revise", "reject"),
        "reason": ("meaning", "grammar", "culture"),
        "note": TEXT,
    },
}  # fmt: skip
ALWAYS = {"translate": {"outcome"}, "correct": {"response"}, "validate": {"verdict"}}
DATA = {
    "task_id", "hash", "pair_number", "bias_type", "source_more", "source_less",
    "source_more_html", "source_less_html", "names_html", "findings_html", "text_more",
    "text_less", "text_more_html", "text_less_html", "others_html", "suggestion",
}  # fmt: skip
PLACEHOLDERS = {"{{ language }}", "{{ direction }}", "{{ source_language }}"}
LANGS = ("de", "ar")


def raw(stage: str) -> str:
    return (annotation_folder() / f"{stage}.xml").read_text(encoding="utf-8")


def rendered(stage: str, lang: str) -> str:
    return (
        raw(stage)
        .replace("{{ language }}", language_title(lang))
        .replace("{{ direction }}", direction(lang))
        .replace("{{ source_language }}", "English")
    )


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 (a file of this project)


def controls(stage: str) -> dict[str, ElementTree.Element]:
    return {
        node.attrib["name"]: node
        for node in parsed(raw(stage)).iter()
        if node.tag in {"TextArea", "Choices"}
    }


def interface(stage: str, lang: str) -> Any:
    label_interface = pytest.importorskip("label_studio_sdk.label_interface")
    return label_interface.LabelInterface(rendered(stage, lang))


def test_there_is_a_form_for_each_stage() -> None:
    assert set(STAGES) == set(FIELDS)


@pytest.mark.parametrize("stage", FIELDS)
def test_a_form_has_the_fields_and_choices_that_are_read_back(stage: str) -> None:
    found = {
        name: tuple(choice.attrib["value"] for choice in node.iter("Choice"))
        for name, node in controls(stage).items()
    }
    assert found == FIELDS[stage]
    assert {name: field.choices for name, field in form_of(stage).fields.items()} == found


@pytest.mark.parametrize("stage", FIELDS)
def test_the_code_is_what_is_stored(stage: str) -> None:
    """`html` is only shown; an `alias` would be stored instead of the value."""
    for choice in parsed(raw(stage)).iter("Choice"):
        assert choice.get("alias") is None
        assert choice.attrib["html"]


@pytest.mark.parametrize("stage", FIELDS)
def test_what_is_required(stage: str) -> None:
    nodes = controls(stage)
    required = {name for name, node in nodes.items() if node.get("required") == "true"}
    always = {name for name in required if nodes[name].get("visibleWhen") is None}
    assert always == ALWAYS[stage]
    assert required == always | {"sent_more", "sent_less", "reason"} & set(nodes)
    assert all(nodes[name].get("requiredMessage") for name in required)
    assert {name for name, field in form_of(stage).fields.items() if field.required} == always
    many = {name for name, node in nodes.items() if node.get("choice") == "multiple"}
    assert many == {"adaptation"} & set(nodes)


@pytest.mark.parametrize("stage", FIELDS)
def test_conditions_and_targets_name_what_is_there(stage: str) -> None:
    root, fields = parsed(raw(stage)), FIELDS[stage]
    shown = {node.attrib["name"] for node in root.iter("HyperText")}
    for node in root.iter():
        if node.get("toName") is not None:
            assert node.attrib["toName"] in shown
        if node.get("visibleWhen") is not None:
            assert node.attrib["visibleWhen"] in {"choice-selected", "choice-unselected"}
            values = node.attrib["whenChoiceValue"].split(",")
            assert set(values) <= set(fields[node.attrib["whenTagName"]])
    names = [node.attrib["name"] for node in root.iter() if node.get("name")]
    assert len(names) == len(set(names))
    keys = [node.attrib["hotkey"] for node in root.iter("Choice") if node.get("hotkey")]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("stage", FIELDS)
def test_a_form_shows_only_what_tasks_hold(stage: str) -> None:
    values = [text for node in parsed(raw(stage)).iter() for text in node.attrib.values()]
    variables = {name for text in values for name in re.findall(r"\$(\w+)", text)}
    assert variables <= DATA
    always = {"pair_number", "bias_type", "source_more_html", "source_less_html", "names_html"}
    assert always <= variables
    own = {
        "translate": {"suggestion"},
        "correct": {"findings_html", "text_more_html", "text_less_html"},
        "validate": {"findings_html", "text_more_html", "text_less_html", "others_html"},
    }
    assert variables == always | own[stage]


@pytest.mark.parametrize("stage", FIELDS)
def test_text_of_people_is_shown_as_html_only_where_we_made_the_html(stage: str) -> None:
    for node in parsed(raw(stage)).iter("HyperText"):
        assert node.attrib["value"].endswith("_html")


@pytest.mark.parametrize("stage", FIELDS)
def test_placeholders(stage: str) -> None:
    assert set(re.findall(r"\{\{.*?\}\}", raw(stage))) == PLACEHOLDERS
    for lang in LANGS:
        text = rendered(stage, lang)
        assert "{{" not in text
        assert parsed(text).tag == "View"
        assert language_title(lang) in text


@pytest.mark.parametrize("stage", FIELDS)
def test_the_fields_run_in_the_direction_of_the_language(stage: str) -> None:
    for lang, way in (("de", "ltr"), ("ar", "rtl")):
        style = "".join(node.text or "" for node in parsed(rendered(stage, lang)).iter("Style"))
        rules = [line for line in style.splitlines() if ".target textarea" in line]
        assert any(f"direction: {way};" in rule for rule in rules)


@pytest.mark.parametrize("stage", FIELDS)
def test_nothing_is_fetched(stage: str) -> None:
    assert not re.search(r"https?:|url\(|@import|<script", raw(stage), flags=re.IGNORECASE)


def test_the_forms_look_alike() -> None:
    """Each file carries the whole style, since a project has one configuration."""
    styles = {
        "".join(node.text or "" for node in parsed(raw(stage)).iter("Style")) for stage in FIELDS
    }
    assert len(styles) == 1


@pytest.mark.parametrize("stage", FIELDS)
@pytest.mark.parametrize("lang", LANGS)
def test_label_studio_takes_the_form(stage: str, lang: str) -> None:
    form = interface(stage, lang)
    form.validate()
    assert {control.name for control in form.controls} == set(FIELDS[stage])


@pytest.mark.parametrize("stage", FIELDS)
def test_label_studio_takes_prefilled_texts_and_refuses_other_fields(stage: str) -> None:
    form = interface(stage, "ar")
    result = [
        {"from_name": name, "to_name": "source_more", "type": "textarea",
         "value": {"text": ["كتبت ليلى رسالة."]}}
        for name in ("sent_more", "sent_less")
    ]  # fmt: skip
    prediction = {"model_version": "prefill", "result": result}
    assert form.validate_prediction(prediction)
    result[0]["from_name"] = "translation"
    assert not form.validate_prediction(prediction)

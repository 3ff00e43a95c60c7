"""The fields of a dataset card's metadata, with their types and values, as pydantic models.

This is our own check of what `huggingface_hub` takes on trust; it needs no network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Annotated, Any

import langcodes
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from curate.hub.card.markdown import plain_line
from curate.hub.card.metadata import hub_values

__all__ = ["CardConfig", "CardInfo", "CardModel", "card_problems"]

_LINK = re.compile(r"https?://[^\s<>\"]+|LICENSE|LICENSE\.md")


def _listed(value: object) -> object:
    """A single text is a list of one; what is neither stays for the type check to refuse."""
    return [value] if isinstance(value, str) else value


def _distinct(values: Sequence[str]) -> Sequence[str]:
    if twice := next((one for one in values if values.count(one) > 1), None):
        raise ValueError(f"{twice!r} is there twice")
    return values


def _tag(tag: str) -> str:
    """A language tag in its shortest and usual form."""
    valid = langcodes.tag_is_valid(tag)
    if not valid:
        raise ValueError(f"{tag!r} is no language tag (write en, pt, zh, …)")
    usual = langcodes.standardize_tag(tag)
    if usual != tag:
        raise ValueError(f"{tag!r} is written {usual!r}")
    return tag


def _code(tag: str) -> str:
    """A language without script or region: the Hub knows no others in ``language``."""
    _tag(tag)
    if "-" in tag:
        raise ValueError(
            f"{tag!r} belongs into language_details; here {tag.split('-', maxsplit=1)[0]!r}"
        )
    return tag


def _path(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or ":" in path:
        raise ValueError(f"{path!r} is no path inside the release")
    return path


def _one_line(text: str) -> str:
    if not text.strip() or text != plain_line(text):
        raise ValueError("must be one line of text")
    return text


Text = Annotated[str, AfterValidator(_one_line)]
Texts = Annotated[list[Text], BeforeValidator(_listed), AfterValidator(_distinct)]
Code = Annotated[str, AfterValidator(_code)]
Tag = Annotated[str, AfterValidator(_tag)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _File(_Part):
    split: Annotated[str, Field(pattern=r"^\w+(\.\w+)*$")]
    path: Annotated[str, AfterValidator(_path)]


class CardConfig(_Part):
    """An entry of ``configs``."""

    config_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]
    data_files: Annotated[list[_File], Field(min_length=1)]
    default: bool = False

    @model_validator(mode="after")
    def _splits(self) -> CardConfig:
        _distinct([one.split for one in self.data_files])
        return self


class _Split(_Part):
    name: Text
    num_bytes: Annotated[int, Field(ge=0)]
    num_examples: Annotated[int, Field(ge=0)]


class CardInfo(_Part):
    """An entry of ``dataset_info``."""

    config_name: Text
    features: list[dict[str, Any]]
    splits: Annotated[list[_Split], Field(min_length=1)]
    download_size: Annotated[int, Field(ge=0)]
    dataset_size: Annotated[int, Field(ge=0)]

    @field_validator("features")
    @classmethod
    def _named(cls, features: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for feature in features:
            if not isinstance(feature.get("name"), str) or len(feature) != 2:
                raise ValueError("every feature has a name and a type")
        _distinct([feature["name"] for feature in features])
        return features


class CardModel(_Part):
    """The whole block."""

    pretty_name: Text
    language: Annotated[
        list[Code], BeforeValidator(_listed), AfterValidator(_distinct), Field(min_length=1)
    ]
    language_details: (
        Annotated[list[Tag], BeforeValidator(_listed), AfterValidator(_distinct)] | None
    ) = None
    license: Annotated[Texts, Field(min_length=1)]
    license_name: Annotated[str, Field(pattern=r"^[a-z0-9.-]{1,96}$")] | None = None
    license_link: Text | None = None
    task_categories: Texts
    size_categories: Texts
    multilinguality: Texts = []
    annotations_creators: Texts = []
    language_creators: Texts = []
    source_datasets: Texts = []
    tags: Texts = []
    configs: Annotated[list[CardConfig], Field(min_length=1)]
    dataset_info: list[CardInfo]
    viewer: bool = True
    extra_gated_prompt: str | None = None
    extra_gated_fields: dict[str, Any] | None = None

    @field_validator(
        "license", "task_categories", "size_categories", "multilinguality",
        "annotations_creators", "language_creators",
    )  # fmt: skip
    @classmethod
    def _known(cls, values: list[str], info: ValidationInfo) -> list[str]:
        known = hub_values(str(info.field_name))
        if unknown := next((one for one in values if one not in known), None):
            raise ValueError(f"the Hub does not know {unknown!r}")
        return values

    @field_validator("license_link")
    @classmethod
    def _link(cls, value: str | None) -> str | None:
        if value is not None and not _LINK.fullmatch(value):
            raise ValueError("must be a web address, LICENSE or LICENSE.md")
        return value


def card_problems(card: CardModel) -> list[tuple[str, str]]:
    """(field, what is wrong) where single fields are sound but do not fit together."""
    checks: tuple[Callable[[CardModel], str], ...] = (_licence, _sizes, _names, _info)
    found = [(check.__name__, check(card)) for check in checks]
    fields = {"_licence": "license", "_sizes": "size_categories", "_names": "configs"}
    return [(fields.get(name, "dataset_info"), message) for name, message in found if message]


def _licence(card: CardModel) -> str:
    if "other" in card.license and not card.license_name:
        return "'other' needs a license_name"
    if "other" not in card.license and (card.license_name or card.license_link):
        return "license_name and license_link belong to 'other' alone"
    return ""


def _sizes(card: CardModel) -> str:
    return "" if len(card.size_categories) == 1 else "a release has one size"


def _names(card: CardModel) -> str:
    names = [one.config_name for one in card.configs]
    if twice := next((one for one in names if names.count(one) > 1), None):
        return f"two configurations are {twice!r}"
    return "two configurations are the default" if sum(c.default for c in card.configs) > 1 else ""


def _info(card: CardModel) -> str:
    splits = {one.config_name: {file.split for file in one.data_files} for one in card.configs}
    described = [one.config_name for one in card.dataset_info]
    if len(described) != len(set(described)):
        return "describes a configuration twice"
    if lacking := sorted(splits.keys() ^ set(described)):
        return f"and configs: differ in {lacking[0]!r}"
    for info in card.dataset_info:
        if {one.name for one in info.splits} != splits[info.config_name]:
            return f"has other splits of {info.config_name!r} than configs:"
        if sum(one.num_bytes for one in info.splits) != info.dataset_size:
            return f"the sizes of {info.config_name!r} do not add up"
    return ""

"""The YAML at the head of a card, and what is wrong with it."""

from __future__ import annotations

import re
from typing import Any

import yaml

__all__ = ["read_metadata", "yaml_errors"]

_BLOCK = re.compile(r"\A---[ \t]*\r?\n(.*?)(?:\r?\n)?^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*|multilingual|code")
_LICENCES = {
    "apache-2.0", "mit", "cc", "cc0-1.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0",
    "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-4.0",
    "gpl-3.0", "lgpl-3.0", "agpl-3.0", "bsd-3-clause", "odbl", "odc-by", "pddl", "other",
    "unknown", "unlicense", "gfdl", "openrail", "cdla-permissive-2.0",
}  # fmt: skip
_SIZES = {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B"}


def read_metadata(card: str) -> dict[str, Any] | None:
    """The metadata of a card; None without any. Raises ValueError for what is no YAML mapping."""
    found = _BLOCK.match(card)
    if found is None:
        return None
    try:
        content = yaml.safe_load(found[1])
    except yaml.YAMLError as error:
        raise ValueError(f"YAML metadata is not valid: {error}") from None
    if content is not None and not isinstance(content, dict):
        raise ValueError("YAML metadata must be an object")
    return content or None


def yaml_errors(card: str) -> list[str]:
    """What the Hub would refuse, of the fields that this server knows."""
    try:
        metadata = read_metadata(card) or {}
    except ValueError as error:
        return [str(error)]
    errors = [
        f'"license" must be one of the known licences, not {value!r}'
        for value in _listed(metadata.get("license"))
        if value not in _LICENCES
    ]
    errors += [
        f'"language" must only contain languages, not {value!r}'
        for value in _listed(metadata.get("language"))
        if not isinstance(value, str) or not _LANGUAGE.fullmatch(value)
    ]
    errors += [
        f'"size_categories" must not be {value!r}'
        for value in _listed(metadata.get("size_categories"))
        if value not in _SIZES
    ]
    errors += [
        f'"{name}" must be a list of strings'
        for name in ("tags", "task_categories", "task_ids", "annotations_creators")
        if any(not isinstance(value, str) for value in _listed(metadata.get(name)))
    ]
    if not isinstance(metadata.get("pretty_name", ""), str):
        errors.append('"pretty_name" must be a string')
    return errors + _config_errors(metadata.get("configs"))


def _config_errors(configs: Any) -> list[str]:
    if configs is None:
        return []
    if not isinstance(configs, list) or not all(isinstance(item, dict) for item in configs):
        return ['"configs" must be an array of objects']
    names = [item.get("config_name") for item in configs]
    if any(not isinstance(name, str) or not name for name in names):
        return ['"configs[].config_name" is required']
    if len(set(names)) < len(names):
        return ['"configs[].config_name" must be unique']
    return []


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]

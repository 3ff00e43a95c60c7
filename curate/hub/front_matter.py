"""Read the YAML block on top of a dataset card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.errors import InputError, MissingExtraError

__all__ = ["card_configs", "front_matter"]

_FENCE = "---"


def front_matter(path: Path) -> dict[str, Any]:
    """The metadata of a card; InputError (with a line) where it has none that can be read."""
    try:
        import yaml  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise MissingExtraError("PyYAML", "hub") from None
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0] != _FENCE or _FENCE not in lines[1:]:
        raise InputError("no YAML block between two lines ---", where=f"{path}:1")
    block = lines[1 : lines.index(_FENCE, 1)]
    try:
        content = yaml.safe_load("\n".join(block))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark is not None else 1
        raise InputError("the YAML block cannot be read", where=f"{path}:{line}") from error
    if not isinstance(content, dict):
        raise InputError("the YAML block is no mapping", where=f"{path}:1")
    return content


def card_configs(path: Path) -> dict[str, dict[str, str]]:
    """By configuration: the file of every split. Raises InputError for an unusable block."""
    configs: dict[str, dict[str, str]] = {}
    try:
        for config in front_matter(path)["configs"]:
            splits = {str(item["split"]): str(item["path"]) for item in config["data_files"]}
            configs[str(config["config_name"])] = splits
    except (KeyError, TypeError) as error:
        raise InputError("the YAML block has no usable configs:", where=f"{path}:1") from error
    return configs

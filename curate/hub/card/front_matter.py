"""Read the YAML block on top of a dataset card, strictly.

The Hub and `datasets` each read it with a parser of their own, so what parsers disagree about is
refused: a key twice, anchors and aliases (which can also grow without bound), tags, tabs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from curate.errors import InputError

__all__ = ["card_configs", "front_matter", "split_card"]

_FENCE = "---"
_MOST_CHARACTERS = 2_000_000
_MOST_DEPTH = 60


class _Strict(yaml.SafeLoader):  # type: ignore[misc,unused-ignore]
    """A loader of plain YAML: no alias, no tag, no key twice, no bottomless nesting."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise yaml.MarkedYAMLError(problem="an anchor or alias", problem_mark=event.start_mark)
        if getattr(event, "tag", None):
            raise yaml.MarkedYAMLError(problem="a tag", problem_mark=event.start_mark)
        if self.depth > _MOST_DEPTH:
            raise yaml.MarkedYAMLError(problem="nested too deep", problem_mark=event.start_mark)
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                problem = f"the key {key!r} is no text"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            if key in seen:
                problem = f"the key {key!r} is there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            seen.add(key)
        return dict(super().construct_mapping(node, deep))


def front_matter(path: Path) -> dict[str, Any]:
    """The metadata of a card; InputError, with a line, where it has none that can be read."""
    block, _ = split_card(path)
    try:
        loader = _Strict(block)
        try:
            content = loader.get_single_data()
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise _unreadable(path, error) from error
    except (ValueError, OverflowError) as error:  # 2026-99-99 looks like a date and is none
        message = f"the YAML block cannot be read: {str(error).splitlines()[0]}"
        raise InputError(message, where=f"{path}:2") from error
    if not isinstance(content, dict):
        raise InputError("the YAML block is no mapping", where=f"{path}:1")
    return content


def split_card(path: Path) -> tuple[str, str]:
    """The YAML block of a card and its text below; InputError where there is no such block."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the card cannot be read as UTF-8", where=path) from error
    # lines end at \n alone: other line separators may stand inside a text
    lines = text.split("\n")
    if lines[0] != _FENCE or _FENCE not in lines[1:]:
        raise InputError("no YAML block between two lines ---", where=f"{path}:1")
    end = lines.index(_FENCE, 1)
    block = "\n".join(lines[1:end])
    if len(block) > _MOST_CHARACTERS:
        raise InputError("the YAML block is too long", where=f"{path}:1")
    return block, "\n".join(lines[end + 1 :])


def _unreadable(path: Path, error: yaml.YAMLError) -> InputError:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 2 if mark is not None else 2
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    return InputError(f"the YAML block cannot be read: {reason}", where=f"{path}:{line}")


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

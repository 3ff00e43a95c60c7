"""Check a dataset card: its metadata by itself, and against the release it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from curate.errors import InputError
from curate.hub.card.card_model import CardModel, card_problems
from curate.hub.card.features import hub_features
from curate.hub.card.front_matter import front_matter, split_card
from curate.hub.card.metadata import size_category

__all__ = ["CARD_CODE", "METADATA_CODE", "MetadataProblem", "check_card", "check_metadata"]

CARD_CODE = "card"
METADATA_CODE = "card-metadata"
WARNING = "> **Content warning.**"
_PLAIN = {
    "missing": "missing",
    "extra_forbidden": "unknown key",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "string_pattern_mismatch": "not written as it has to be",
    "too_short": "is empty",
    "greater_than_equal": "must not be negative",
}


@dataclass(frozen=True)
class MetadataProblem:
    """What is wrong with one field (dotted: ``configs.0.data_files``), in one line."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


def check_metadata(
    content: Mapping[str, Any],
    *,
    folder: Path | None = None,
    rows: int | None = None,
) -> list[MetadataProblem]:
    """Everything that is wrong with a card's metadata: fields, types, ids, tags, sizes, paths.

    With `folder`, the files of the configurations must exist there, and ``dataset_info`` must be
    theirs. `rows` are the elements of the data set, for its size category.
    """
    try:
        card = CardModel.model_validate(dict(content))
    except ValidationError as error:
        return [_problem(one) for one in error.errors()]
    found = [MetadataProblem(field, message) for field, message in card_problems(card)]
    if rows is not None and not found and card.size_categories != [size_category(rows)]:
        message = f"{card.size_categories[0]!r}, but {rows} rows are {size_category(rows)!r}"
        found.append(MetadataProblem("size_categories", message))
    if folder is not None and not found:
        found += _files(card, folder)
    return found


def _problem(error: Any) -> MetadataProblem:
    field = ".".join(str(part) for part in error["loc"])
    message = _PLAIN.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    return MetadataProblem(field, " ".join(str(message).split())[:300])


def _files(card: CardModel, folder: Path) -> Iterator[MetadataProblem]:
    infos = {one.config_name: one for one in card.dataset_info}
    for number, config in enumerate(card.configs):
        for one in config.data_files:
            field = f"configs.{number}"
            path = folder / one.path
            if path.is_symlink() or not path.is_file():
                yield MetadataProblem(field, f"{one.path} does not exist")
                continue
            try:
                with pq.ParquetFile(path) as file:
                    rows, schema = file.metadata.num_rows, file.schema_arrow.remove_metadata()
            except (pa.ArrowInvalid, OSError):
                yield MetadataProblem(field, f"{one.path} is no parquet file")
                continue
            info = infos[config.config_name]
            said = next(split.num_examples for split in info.splits if split.name == one.split)
            if said != rows:
                message = f"{said} rows of {config.config_name}, the file has {rows}"
                yield MetadataProblem("dataset_info", message)
            if info.features != hub_features(schema):
                message = f"other columns of {config.config_name} than its file has"
                yield MetadataProblem("dataset_info", message)


def check_card(folder: Path, manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(code, message) for everything that is wrong with the README.md of a release.

    ``card``: no block that can be read, other configurations or files than the manifest's, no
    content warning on top; ``card-metadata``: a field is not what the Hub or the data say.
    """
    path = Path(folder) / "README.md"
    try:
        content, (_, body) = front_matter(path), split_card(path)
    except InputError as error:
        line = error.where.rpartition(":")[2]
        return [(CARD_CODE, f"line {line}: {error.message}" if line.isdigit() else error.message)]
    configs: Mapping[str, Any] = manifest["configs"]
    kinds = [one for one in configs.values() if one.get("kind") in {"pairs", "crows"}]
    rows = sum(int(one.get("rows") or 0) for one in kinds or configs.values())
    found = [(CARD_CODE, message) for message in _configs(content, configs)]
    if not body.lstrip("\n").startswith(WARNING):
        found.append((CARD_CODE, "no content warning on top of its text"))
    problems = check_metadata(content, folder=Path(folder), rows=rows)
    return found + [(METADATA_CODE, str(one)) for one in problems]


def _configs(content: Mapping[str, Any], configs: Mapping[str, Any]) -> Iterator[str]:
    """Differences between the card's configurations and those of the manifest."""
    found: dict[str, Any] = {}
    try:
        for one in content["configs"]:
            found[one["config_name"]] = [file["path"] for file in one["data_files"]]
    except (KeyError, TypeError):
        yield "the YAML block has no usable configs:"
        return
    for name in sorted(configs.keys() | found.keys(), key=str):
        if name not in found:
            yield f"its configs: lack {name}"
        elif name not in configs:
            yield f"its configs: name {name}, which the manifest lacks"
        elif found[name] != [configs[name].get("file")]:
            yield f"its configs: give another file for {name}"

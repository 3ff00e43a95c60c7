"""The metadata of the Hub's dataset card, computed from the facts of a release."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import langcodes
import yaml

from curate.hub.card.facts import ConfigFacts, Facts
from curate.hub.card.features import hub_features
from curate.hub.card.licences import release_licences
from curate.resources import hub_cards_folder

__all__ = ["hub_values", "metadata", "metadata_yaml", "size_category"]

SPLIT = "test"
TAGS = ("gender-bias", "fairness", "minimal-pairs", "evaluation", "curate")
_TASKS = ("fill-mask", "text-generation")
_SIZES = (
    (10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"), (10**8, "10M<n<100M"), (10**9, "100M<n<1B"), (10**10, "1B<n<10B"),
)  # fmt: skip
_REPOSITORY = re.compile(r"hub:([\w.-]+/[\w.-]+)(?:@.*)?")


def metadata_yaml(facts: Facts) -> str:
    """The block as YAML, without its fences; every text is quoted where it has to be."""
    return str(
        yaml.safe_dump(metadata(facts), sort_keys=False, allow_unicode=True, width=10**6, indent=2)
    )


def metadata(facts: Facts) -> dict[str, Any]:
    """All fields that the Hub knows and that the facts can fill, in a fixed order."""
    tags = [one.tag for one in facts.languages]
    codes = sorted({langcodes.Language.get(tag).language or tag for tag in tags})
    fields: dict[str, Any] = {
        "pretty_name": facts.title,
        "language": codes,
        "language_details": tags if tags != codes else None,
        **_licence_fields(facts),
        "task_categories": list(_TASKS) if facts.pair_configs else ["other"],
        "size_categories": [size_category(facts.rows)],
        "multilinguality": _multilinguality(facts),
        "annotations_creators": _creators(facts, annotations=True),
        "language_creators": _creators(facts, annotations=False),
        "source_datasets": _source_datasets(facts),
        "tags": [*TAGS, *sorted({one.method for one in facts.configs if one.method})],
        "configs": [_config(one) for one in facts.configs],
        "dataset_info": [_info(one) for one in facts.configs],
    }
    return {key: value for key, value in fields.items() if value not in (None, [])}


def size_category(rows: int) -> str:
    """The Hub's name for a number of rows."""
    return next((name for most, name in _SIZES if rows < most), "10B<n<100B")


def _licence_fields(facts: Facts) -> dict[str, Any]:
    """``license``, and for what the Hub has no name for also ``license_name`` and ``_link``."""
    licences = release_licences(facts)
    names = sorted({one.hub for one in licences})
    fields: dict[str, Any] = {"license": names[0] if len(names) == 1 else names or "unknown"}
    others = [one for one in licences if one.hub == "other"]
    if others:
        joined = "-and-".join(one.id for one in others)
        fields["license_name"] = re.sub(r"[^a-z0-9.-]+", "-", joined).strip("-")[:96] or "other"
    if len(others) == 1 and others[0].url:
        fields["license_link"] = others[0].url
    return fields


def _multilinguality(facts: Facts) -> list[str]:
    found = ["multilingual" if len(facts.languages) > 1 else "monolingual"]
    if any(round_ != "0" for one in facts.configs if one.crows for round_, _ in one.crows.rounds):
        found.append("translation")
    return found


def _creators(facts: Facts, *, annotations: bool) -> list[str]:
    """Who made the labels, or the text: found, machine-generated, or people (``other``: nothing
    says whether they are experts)."""
    found: set[str] = set()
    for config in facts.configs:
        if config.kind in {"pairs", "occupations"}:
            found |= {"machine-generated"} if annotations else {"found", "machine-generated"}
        elif config.crows is not None:
            rounds = {round_ for round_, _ in config.crows.rounds}
            found |= {"found"} if "0" in rounds else set()
            found |= {"other"} if rounds - {"0"} else set()
        elif config.kind == "politicians":
            found.add("found")
    return sorted(found)


def _source_datasets(facts: Facts) -> list[str]:
    """Data sets of the Hub that rows come from; ``original`` where they come from elsewhere."""
    sources = {one.source for config in facts.configs for one in config.sources}
    matches = {source: _REPOSITORY.fullmatch(source) for source in sources}
    named = sorted({match[1] for match in matches.values() if match})
    return named + (["original"] if not all(matches.values()) or not matches else [])


def _config(config: ConfigFacts) -> dict[str, Any]:
    files = [{"split": SPLIT, "path": config.file}]
    return {"config_name": config.name, "data_files": files}


def _info(config: ConfigFacts) -> dict[str, Any]:
    """As `datasets` writes it: sizes in bytes as Arrow, of the download as parquet."""
    split = {"name": SPLIT, "num_bytes": config.memory_bytes, "num_examples": config.rows}
    return {
        "config_name": config.name,
        "features": hub_features(config.schema),
        "splits": [split],
        "download_size": config.file_bytes,
        "dataset_size": config.memory_bytes,
    }


def hub_values(field: str) -> frozenset[str]:
    """The values that the Hub knows for a field: license, task_categories, …"""
    return _values(hub_cards_folder() / "hub_metadata.json")[field]


@lru_cache(maxsize=4)
def _values(path: Path) -> dict[str, frozenset[str]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    return {field: frozenset(values) for field, values in content.items()}

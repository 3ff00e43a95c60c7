"""Where things lie in a release, and the columns of its configurations.

A release is a folder with ``README.md`` (the card), ``manifest.json``, other documents, and
``data/<config>/test-00000-of-00001.parquet``: one configuration a language and method
(``de-lsg``, ``de-crows``, ``de-occupations``), and one each for what belongs to all languages
(``drops``, ``lexicon``, ``politicians``, ``names``). Every configuration is of one of the `KINDS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType

import pyarrow as pa

from curate import schema

__all__ = [
    "CARD", "CITATION", "CONFIG", "CROWS", "DATASHEET", "DROPS_CONFIG", "KINDS", "LEXICON_CONFIG",
    "MANIFEST", "MANY_LANGUAGES", "NAMES", "OCCUPATIONS", "PAIRS", "POLITICIANS", "RELEASE_DROPS",
    "RELEASE_LEXICON", "RELEASE_NAMES", "VERSIONS", "VERSIONS_INDEX", "Kind", "columns_of",
    "config_schema", "data_path", "is_beside", "kind_of", "pair_config",
]  # fmt: skip

CARD = "README.md"
DATASHEET = "DATASHEET.md"
CITATION = "CITATION.cff"
MANIFEST = "manifest.json"
VERSIONS, VERSIONS_INDEX = "versions", "versions.json"
"""What a folder that keeps published versions holds beside the newest release."""
DROPS_CONFIG = "drops"
LEXICON_CONFIG = "lexicon"
PAIRS, CROWS, POLITICIANS, NAMES = "pairs", "crows", "politicians", "names"
OCCUPATIONS = "occupations"

CONFIG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
"""Names of configurations: they are folders, and arguments of a command."""

MANY_LANGUAGES = "mul"
"""The language tag (ISO 639-2, BCP-47) of rows that belong to several languages at once."""

RELEASE_DROPS = pa.schema(
    [
        pa.field("lang", pa.string(), nullable=False),
        pa.field("method", pa.string(), nullable=False),
        *schema.DROPS,
    ]
)

RELEASE_LEXICON = pa.schema(
    [
        pa.field("lang", pa.string(), nullable=False),
        pa.field("version", pa.string(), nullable=False),
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("pair", "masculine", "feminine", "upos", "feats", "gender_m", "gender_f")
        ),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("flags", pa.list_(pa.string()), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("note", pa.string(), nullable=False),
    ]
)

RELEASE_NAMES = pa.schema(
    [
        pa.field("lang", pa.string(), nullable=False),
        pa.field("country", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("gender", pa.string(), nullable=False),
        pa.field("share", pa.float64(), nullable=False),
        pa.field("people", pa.int64()),
        pa.field("source", pa.string(), nullable=False),
    ]
)
"""Given names that one gender bears: `country` is a QID, empty for all countries together; `share`
of the `people` who bear the name are of that gender; `people` is null where it is not told."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table. `keys`: the columns that together name a row, none twice (empty: no such).

    `per_language`: there is a configuration for each language, named after it.
    """

    columns: pa.Schema
    keys: tuple[str, ...] = ()
    per_language: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        PAIRS: Kind(schema.PAIRS, keys=("pair_id",), per_language=True),
        CROWS: Kind(schema.CROWS, keys=("pair_id",), per_language=True),
        DROPS_CONFIG: Kind(RELEASE_DROPS),
        LEXICON_CONFIG: Kind(RELEASE_LEXICON),
        OCCUPATIONS: Kind(
            schema.OCCUPATIONS, keys=("lang", "sent_id", "row", "column"), per_language=True
        ),
        POLITICIANS: Kind(schema.POLITICIANS, keys=("qid", "lang")),
        NAMES: Kind(RELEASE_NAMES, keys=("lang", "country", "name")),
    }
)
"""Every kind that a release may hold; one that is not per language has a single configuration of
its own name."""


def pair_config(lang: str, method: str) -> str:
    """The name of a configuration of a language and method, ``de-lsg`` or ``de-crows``."""
    return f"{lang}-{method}"


def data_path(config: str) -> str:
    """The one file of a configuration, relative to the release."""
    return f"data/{config}/test-00000-of-00001.parquet"


def kind_of(config: str) -> str:
    """The kind of a configuration, told by its name."""
    if config in KINDS and not KINDS[config].per_language:
        return config
    method = config.rpartition("-")[2]
    return method if method in {CROWS, OCCUPATIONS} else PAIRS


def config_schema(config: str) -> pa.Schema:
    """The columns of a configuration."""
    return KINDS[kind_of(config)].columns


def columns_of(columns: pa.Schema) -> dict[str, str]:
    """The Arrow type of every column in words, as the manifest has them."""
    return {field.name: str(field.type) for field in columns}


def is_beside(path: PurePath) -> bool:
    """Whether a relative path in the folder of a release is none of its files: the manifest, what
    is hidden, the versions that a folder of published ones keeps, and what Python leaves behind
    where the release's own scripts were run.
    """
    if path.as_posix() in {MANIFEST, VERSIONS_INDEX} or path.parts[0] == VERSIONS:
        return True
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)

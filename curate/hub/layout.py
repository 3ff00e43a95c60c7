"""Where things lie in a release, and the columns of its configurations.

A release is a folder with ``README.md`` (the card, with a ``configs:`` block), ``manifest.json``
and ``data/<config>/test-00000-of-00001.parquet``: one configuration a language and method, and two
more, ``drops`` and ``lexicon``.
"""

from __future__ import annotations

import pyarrow as pa

from curate import schema

__all__ = [
    "CARD", "DROPS_CONFIG", "LEXICON_CONFIG", "MANIFEST", "RELEASE_DROPS", "RELEASE_LEXICON",
    "config_schema", "data_path", "pair_config",
]  # fmt: skip

CARD = "README.md"
MANIFEST = "manifest.json"
DROPS_CONFIG = "drops"
LEXICON_CONFIG = "lexicon"

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


def pair_config(lang: str, method: str) -> str:
    """The name of a configuration of pairs, ``de-lsg``."""
    return f"{lang}-{method}"


def data_path(config: str) -> str:
    """The one file of a configuration, relative to the release."""
    return f"data/{config}/test-00000-of-00001.parquet"


def config_schema(config: str) -> pa.Schema:
    """The columns of a configuration."""
    special = {DROPS_CONFIG: RELEASE_DROPS, LEXICON_CONFIG: RELEASE_LEXICON}
    return special.get(config, schema.PAIRS)

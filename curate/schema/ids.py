"""Ids that are the same for ever, and the hash of a table."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import pyarrow as pa

__all__ = ["pair_id", "sentence_id", "stable_id", "table_hash"]


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=10)
    for part in parts:
        encoded = unicodedata.normalize("NFC", part).encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()


def sentence_id(lang: str, text: str) -> str:
    """The same language and text give the same id for ever."""
    return "s" + _digest(lang, text)


def stable_id(kind: str, *parts: str) -> str:
    """`kind` and a hash of `parts`: the same parts give the same id for ever."""
    return kind + _digest(*parts)


def pair_id(lang: str, method: str, masculine: str, feminine: str) -> str:
    """The same language, method and texts give the same id for ever."""
    return "p" + _digest(lang, method, masculine, feminine)


def table_hash(table: pa.Table) -> str:
    """SHA-256 of a table's schema and values, whatever its chunks."""
    digest = hashlib.sha256(str(table.schema.remove_metadata()).encode())
    for row in table.combine_chunks().to_pylist():
        digest.update(repr(_plain(row)).encode())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, _plain(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value

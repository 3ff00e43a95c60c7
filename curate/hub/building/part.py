"""What becomes one configuration of a release, and how its folder is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa

from curate.errors import InputError
from curate.hub.layout import CONFIG, MANY_LANGUAGES

__all__ = ["Part", "checked_config", "language_of", "public", "read_json"]

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_PATH = re.compile(r"/|~|\.\.?/|[A-Za-z]:[\\/]|\\\\|file:")


@dataclass(frozen=True, kw_only=True)
class Part:
    """One configuration to be: its rows as a stream, and what the manifest says of it.

    `tables` gives the rows anew at each call, in their order, as the kind's columns. `about` goes
    under ``runs``; `checked` and `reliability`, where there are any, under those keys. `lexicons`
    are the lexicon versions in the rows; `drop_lang` is the language of the drops, if not `lang`.
    """

    config: str
    kind: str
    lang: str
    method: str
    folder: Path
    tables: Callable[[], Iterator[pa.Table]]
    about: dict[str, Any]
    drops: Path | None = None
    drop_lang: str = ""
    lexicons: frozenset[str] = frozenset()
    checked: dict[str, Any] | None = None
    reliability: dict[str, Any] = field(default_factory=dict)


def read_json(path: Path, *, hint: str = "run the same command again") -> dict[str, Any]:
    """A JSON object from a finished folder; InputError for anything else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("missing: the run is not finished", where=path, hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise InputError("not JSON", where=path) from error
    if not isinstance(content, dict):
        raise InputError("not a JSON object", where=path)
    return content


def checked_config(config: str, lang: str, *, where: Path) -> str:
    """`config`, which will be a folder; InputError where it or its language cannot name one."""
    if not CONFIG.fullmatch(config) or not _LANGUAGE.fullmatch(lang):
        raise InputError(f"{lang!r} is no language tag to name a configuration by", where=where)
    return config


def language_of(langs: list[str]) -> str:
    """The one language, or the tag for several."""
    return langs[0] if len(set(langs)) == 1 else MANY_LANGUAGES


def public(value: Any) -> Any:
    """A setting without the folders of the machine it was made on: a path keeps its last name."""
    if isinstance(value, dict):
        return {key: public(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [public(inner) for inner in value]
    if isinstance(value, str) and _PATH.match(value):
        return PurePath(value.replace("\\", "/")).name
    return value

"""The facts of a release: all that its documents print, counted from its data and manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.errors import InputError
from curate.hub.card.about import About, about_of
from curate.hub.card.counting import Counted, count_config
from curate.hub.card.languages import LanguageFacts, language_facts
from curate.hub.card.markdown import plain_line
from curate.hub.card.reliability import AlphaFacts, alpha_facts
from curate.hub.card.shapes import CrowsFacts, DropFacts, PairFacts, PeopleFacts, SourceFacts
from curate.hub.layout import MANIFEST, MANY_LANGUAGES

__all__ = ["ChangeFacts", "CheckFacts", "ConfigFacts", "Facts", "read_facts"]


@dataclass(frozen=True)
class CheckFacts:
    """What the pair checks found in a configuration before it was released: rows by code."""

    curate: str
    pairs: int
    codes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ChangeFacts:
    """One version of the changelog; `configs`: (name, added, removed, changed)."""

    version: str
    date: str
    level: str
    configs: tuple[tuple[str, int, int, int], ...]
    note: str


@dataclass(frozen=True)
class ConfigFacts:
    """One configuration. `file` is relative to the release; `memory_bytes` is its size as Arrow,
    `file_bytes` that of the parquet file; what does not apply to its `kind` is None or empty."""

    name: str
    kind: str
    file: str
    schema: pa.Schema
    rows: int
    file_bytes: int
    memory_bytes: int
    langs: tuple[str, ...]
    method: str
    run: Mapping[str, Any]
    sources: tuple[SourceFacts, ...]
    pairs: PairFacts | None = None
    crows: CrowsFacts | None = None
    people: PeopleFacts | None = None
    drops: DropFacts | None = None
    checked: CheckFacts | None = None
    reliability: tuple[AlphaFacts, ...] = ()

    @property
    def seed(self) -> int | None:
        return self.run.get("seed")

    @property
    def has_pairs(self) -> bool:
        """Whether its rows are pairs of sentences."""
        return self.kind in {"pairs", "crows"}


@dataclass(frozen=True)
class Facts:
    """A whole release; `configs` in order of name, `changes` newest first."""

    name: str
    version: str
    date: str
    repository: str
    curate: str
    about: About
    configs: tuple[ConfigFacts, ...]
    languages: tuple[LanguageFacts, ...]
    changes: tuple[ChangeFacts, ...]

    @property
    def title(self) -> str:
        """What to call it, on one line."""
        return plain_line(self.about.title or self.name)

    @property
    def rows(self) -> int:
        """Rows of all pairs; of all configurations where there are no pairs."""
        return sum(one.rows for one in self.pair_configs or self.configs)

    @property
    def pair_configs(self) -> tuple[ConfigFacts, ...]:
        """The configurations whose rows are pairs of sentences, CrowS-Pairs included."""
        return tuple(one for one in self.configs if one.has_pairs)

    def of_kind(self, kind: str) -> tuple[ConfigFacts, ...]:
        """The configurations of a kind: pairs, crows, drops, lexicon, politicians, …"""
        return tuple(one for one in self.configs if one.kind == kind)


def read_facts(folder: Path, manifest: Mapping[str, Any]) -> Facts:
    """Count everything in one pass over the parquet files, by batches.

    `manifest` is the release's, with or without its ``files``. Nothing is taken from the clock or
    the machine; two equal releases give equal facts. Raises InputError for a file that is missing
    or unreadable, an entry of the manifest without its fields, or an ``about`` that is not sound.
    """
    try:
        return _facts(Path(folder), manifest)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"an entry is not what it should be ({reason})", where=MANIFEST) from error


def _facts(folder: Path, manifest: Mapping[str, Any]) -> Facts:
    about = about_of(manifest.get("about") or {}, where=f"{MANIFEST} about")
    counted = {
        name: count_config(folder, name, entry)
        for name, entry in sorted(manifest["configs"].items())
    }
    drops = {key: one for count in counted.values() for key, one in count.drops_by_run.items()}
    lexicons = {key: one for count in counted.values() for key, one in count.lexicons.items()}
    configs = tuple(_config(one, manifest, drops) for one in counted.values())
    langs = {lang for one in configs for lang in one.langs} | set(manifest.get("lexicons") or {})
    langs.discard(MANY_LANGUAGES)
    return Facts(
        name=str(manifest["name"]),
        version=str(manifest["version"]),
        date=str(manifest.get("date") or ""),
        repository=str(manifest.get("repository") or ""),
        curate=str(manifest.get("curate") or ""),
        about=about,
        configs=configs,
        languages=tuple(
            language_facts(lang, manifest, lexicons.get(lang)) for lang in sorted(langs)
        ),
        changes=tuple(_change(one) for one in manifest.get("changes") or ()),
    )


def _config(
    counted: Counted, manifest: Mapping[str, Any], drops: Mapping[tuple[str, str], DropFacts]
) -> ConfigFacts:
    run = (manifest.get("runs") or {}).get(counted.name) or {}
    method = str(run.get("method") or (counted.methods[0] if len(counted.methods) == 1 else ""))
    langs = counted.langs or ((str(run["lang"]),) if run.get("lang") else ())
    own_drops = drops.get((langs[0], method)) if len(langs) == 1 else None
    return ConfigFacts(
        name=counted.name,
        kind=counted.kind,
        file=counted.file,
        schema=counted.schema,
        rows=counted.rows,
        file_bytes=counted.file_bytes,
        memory_bytes=counted.memory_bytes,
        langs=langs,
        method=method,
        run=run,
        sources=counted.sources,
        pairs=counted.pairs,
        crows=counted.crows,
        people=counted.people,
        drops=own_drops if counted.kind in {"pairs", "crows", "occupations"} else None,
        checked=_checked((manifest.get("checked") or {}).get(counted.name)),
        reliability=alpha_facts((manifest.get("reliability") or {}).get(counted.name)),
    )


def _checked(entry: Mapping[str, Any] | None) -> CheckFacts | None:
    if entry is None:
        return None
    codes = {str(code): int(count) for code, count in (entry.get("codes") or {}).items()}
    ordered = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    return CheckFacts(str(entry.get("curate", "")), int(entry.get("pairs", 0)), tuple(ordered))


def _change(entry: Mapping[str, Any]) -> ChangeFacts:
    configs = entry.get("configs") or {}
    return ChangeFacts(
        version=str(entry["version"]),
        date=str(entry.get("date") or ""),
        level=str(entry.get("level") or ""),
        configs=tuple(
            (name, *(int(one.get(key) or 0) for key in ("added", "removed", "changed")))
            for name, one in sorted(configs.items())
        ),
        note=str(entry.get("note") or ""),
    )

"""What differs between two releases, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

__all__ = ["Change", "ConfigDiff", "Counts", "Diff", "Identity", "ShownRow", "Status"]

Status = Literal["same", "rewritten", "changed", "added", "removed"]
Change = tuple[Any, Any]
"""A value before and after; None where it was not there."""


@dataclass(frozen=True)
class Counts:
    """Numbers of rows."""

    added: int = 0
    removed: int = 0
    changed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.added + other.added, self.removed + other.removed, self.changed + other.changed
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True)
class ShownRow:
    """A row that differs, as an example.

    `key` is its id (of a changed row the new one, and `old_key` the old one). `columns` are those
    that differ; `old` and `new` hold them and the row's texts, None where the row is not there.
    """

    what: Literal["added", "removed", "changed"]
    lang: str
    key: str
    old_key: str
    texts: tuple[str, ...]
    columns: tuple[str, ...] = ()
    old: Mapping[str, Any] | None = None
    new: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ConfigDiff:
    """What differs in one configuration.

    `status` is ``rewritten`` where the file has other bytes and the same rows and columns.
    `columns` counts the changed rows by the columns that differ in them; a row can count in
    several. A column whose type changed is not compared row by row.
    """

    config: str
    kind: str
    status: Status
    rows: tuple[int, int]
    languages: Mapping[str, Counts] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
    columns_added: Mapping[str, str] = field(default_factory=dict)
    columns_removed: Mapping[str, str] = field(default_factory=dict)
    columns_retyped: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    shown: tuple[ShownRow, ...] = ()

    @property
    def counts(self) -> Counts:
        """Over all languages."""
        return sum(self.languages.values(), Counts())

    def only(self, langs: Collection[str]) -> ConfigDiff:
        """The rows of some languages alone.

        Changed rows are counted by column over all languages; these counts go where others differ.
        """
        return replace(
            self,
            languages={tag: counts for tag, counts in self.languages.items() if tag in langs},
            columns=self.columns if self.languages.keys() <= set(langs) else {},
            shown=tuple(row for row in self.shown if row.lang in langs),
        )


@dataclass(frozen=True)
class Identity:
    """Which release this is."""

    name: str
    version: str
    date: str = ""
    repository: str = ""


@dataclass(frozen=True)
class Diff:
    """What differs between release `old` and release `new`.

    `languages_*` are languages of pairs. `lexicons` holds versions by language, `settings` the
    settings and seeds of runs as ``config: name``, `documents` every other file that was added,
    removed or changed by more than the version, date and repository on it.
    """

    old: Identity
    new: Identity
    configs: Mapping[str, ConfigDiff]
    languages_added: tuple[str, ...] = ()
    languages_removed: tuple[str, ...] = ()
    lexicons: Mapping[str, Change] = field(default_factory=dict)
    settings: Mapping[str, Change] = field(default_factory=dict)
    toolkit: Change = ("", "")
    schema: Change = ("", "")
    documents: Mapping[str, Literal["added", "removed", "changed"]] = field(default_factory=dict)

    @property
    def counts(self) -> Counts:
        """Rows over all configurations."""
        return sum((config.counts for config in self.configs.values()), Counts())

    @property
    def differing(self) -> dict[str, ConfigDiff]:
        """The configurations in which something differs."""
        return {name: c for name, c in self.configs.items() if c.status != "same"}

    def __bool__(self) -> bool:
        """Whether anything differs, whatever the versions are."""
        versions = self.toolkit[0] != self.toolkit[1] or self.schema[0] != self.schema[1]
        languages = self.languages_added or self.languages_removed
        beside = self.lexicons or self.settings or self.documents
        return bool(self.differing or languages or beside or versions)

    def only(self, langs: Collection[str]) -> Diff:
        """The rows of some languages alone; everything that is beside the rows stays.

        A configuration whose rows differ in other languages alone is left out.
        """
        configs = {name: config.only(langs) for name, config in self.configs.items()}
        kept = {
            name: config
            for name, config in configs.items()
            if config.languages or not self.configs[name].languages
        }
        return replace(self, configs=kept)

"""Corpora from the Hugging Face Hub: ``hub:REPO[:config[:split]]`` through `datasets`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from curate.errors import InputError, MissingExtraError, RemoteError, UsageError
from curate.sources.formats import OnBytes, TextBlock, arrow_texts

__all__ = ["HubTexts", "is_hub"]

_PREFIX = "hub:"
_ROWS = 4096


def is_hub(spec: str) -> bool:
    return spec.startswith(_PREFIX)


class HubTexts:
    """One split of a dataset repository (or of a local dataset folder), memory-mapped.

    The default split is the only one there is; where there are several one must be named.
    Raises UsageError, InputError or RemoteError; runs no code from the repository.
    """

    def __init__(self, spec: str, *, column: str) -> None:
        parts = spec.removeprefix(_PREFIX).split(":")
        if not parts[0] or len(parts) > 3:
            raise UsageError(f"not a Hub corpus: {spec!r}", hint="write hub:REPO[:config[:split]]")
        self.repo, self.config, self.split = (*parts, "", "")[:3]
        self.column = column
        self._dataset = self._load()

    def _load(self) -> Any:
        try:
            import datasets
        except ImportError as error:
            raise MissingExtraError("datasets", "hub") from error
        name = self.config or None
        try:
            found = datasets.load_dataset(self.repo, name, split=self.split or None)
        except (ConnectionError, TimeoutError) as error:
            if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
                raise InputError(
                    "not in the local cache, and HF_HUB_OFFLINE is set", where=self.repo
                ) from error
            raise RemoteError(f"the Hub did not answer: {_line(error)}", where=self.repo) from error
        except (FileNotFoundError, ValueError, OSError) as error:
            raise InputError(f"no such dataset: {_line(error)}", where=self.repo) from error
        if not isinstance(found, datasets.DatasetDict):
            return self._checked(found)
        if len(found) != 1:
            raise UsageError(
                f"which split? there are: {', '.join(found)}",
                where=self.repo,
                hint=f"write hub:{self.repo}:{self.config}:SPLIT",
            )
        return self._checked(next(iter(found.values())))

    def _checked(self, dataset: Any) -> Any:
        if self.column not in dataset.column_names:
            raise InputError(
                f"no column {self.column!r}; the columns are {', '.join(dataset.column_names)}",
                where=self.repo,
                hint="name the column that holds the text with --column",
            )
        return dataset.select_columns([self.column]).with_format("arrow")

    @property
    def fingerprint(self) -> str:
        """The hash under which `datasets` caches exactly these rows."""
        return str(self._dataset._fingerprint)

    @property
    def rows(self) -> int:
        return int(self._dataset.num_rows)

    def texts(self, on_rows: OnBytes | None = None) -> Iterator[TextBlock]:
        done = 0
        for table in self._dataset.iter(batch_size=_ROWS):
            done += table.num_rows
            if on_rows:
                on_rows(done)
            yield arrow_texts(table.column(self.column).combine_chunks())


def _line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:300]

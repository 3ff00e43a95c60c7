"""Corpora from the Hugging Face Hub: ``hub:REPO[:config[:split]]`` through `datasets`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from curate.errors import InputError, MissingExtraError, RemoteError, UsageError, first_line
from curate.sources.blocks import ORIGINS, TextBlock, arrow_block, is_text, origin_columns
from curate.sources.formats import OnBytes

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
        return self._checked(self._only_split(found)[1])

    def _only_split(self, found: Any) -> tuple[str, Any]:
        """The name and the rows of the only split; UsageError where one must be named."""
        if len(found) != 1:
            raise UsageError(
                f"which split? there are: {', '.join(found)}",
                where=self.repo,
                hint=f"write hub:{self.repo}:{self.config}:SPLIT",
            )
        name, rows = next(iter(found.items()))
        return str(name), rows

    def _checked(self, dataset: Any) -> Any:
        texts = self._text_columns(dataset.features.arrow_schema)
        told = origin_columns(texts, tuple(ORIGINS), self.column)
        return dataset.select_columns([self.column, *told.values()]).with_format("arrow")

    def _text_columns(self, kinds: pa.Schema) -> list[str]:
        """The columns that hold text; InputError where the wanted one does not."""
        if self.column not in kinds.names:
            raise InputError(
                f"no column {self.column!r}; the columns are {', '.join(kinds.names)}",
                where=self.repo,
                hint="name the column that holds the text with --column",
            )
        kind = kinds.field(self.column).type
        if not is_text(kind):
            raise InputError(f"the column {self.column!r} holds {kind}, not text", where=self.repo)
        return [name for name in kinds.names if is_text(kinds.field(name).type)]

    @property
    def fingerprint(self) -> str:
        """The hash under which `datasets` caches exactly these rows."""
        return str(self._dataset._fingerprint)

    @property
    def rows(self) -> int:
        return int(self._dataset.num_rows)

    def texts(
        self, on_rows: OnBytes | None = None, *, carried: Sequence[str] = (), strict: bool = True
    ) -> Iterator[TextBlock]:
        """The rows in blocks; `carried` are the `ORIGINS` that the columns may tell.

        Without `strict` a text that is no UTF-8 is a problem, not an InputError.
        """
        origins = origin_columns(self._dataset.column_names, carried, self.column)
        done = 0
        for table in self._dataset.iter(batch_size=_ROWS):
            done += table.num_rows
            if on_rows:
                on_rows(done)
            yield arrow_block(
                table, self.column, origins, where=self.repo, row=done - table.num_rows,
                strict=strict,
            )  # fmt: skip


def _line(error: BaseException) -> str:
    return first_line(error)[:300]

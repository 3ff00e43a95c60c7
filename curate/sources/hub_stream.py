"""A Hub dataset read as it streams: nothing is downloaded as a whole, one commit is read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.errors import InputError, MissingExtraError, UsageError
from curate.sources.blocks import TextBlock, arrow_block, origin_columns
from curate.sources.files import sha256_file
from curate.sources.formats import OnBytes
from curate.sources.hub import HubTexts
from curate.sources.hub_calls import Calls, short_reason

__all__ = ["HubStream"]

_ROWS = 4096
_WAITS = ("READ", "OPEN", "READ_SERVER_UNAVAILABLE", "READ_RATE_LIMIT")


class HubStream(HubTexts):
    """One split of a dataset repository (or of a local dataset folder), streamed.

    The branch ``main`` is looked up once; all that is read is of the commit it names then. A fault
    on the way is tried again, from the row where the stream stood. Raises UsageError, InputError or
    RemoteError; runs no code from the repository.
    """

    def __init__(self, spec: str, *, column: str, attempts: int = 4, backoff: float = 1.0) -> None:
        self._calls: Calls | None = None
        self._tries = {"attempts": attempts, "backoff": backoff}
        self._commit = ""
        super().__init__(spec, column=column)

    def _load(self) -> Any:
        try:
            import datasets
        except ImportError as error:
            raise MissingExtraError("datasets", "hub") from error
        # the library waits up to a minute a try, twenty times; the waits here are those of `Calls`
        for name in _WAITS:
            setattr(datasets.config, f"STREAMING_{name}_RETRY_INTERVAL", 0)
        for name in ("READ", "OPEN"):
            setattr(datasets.config, f"STREAMING_{name}_MAX_RETRIES", 1)
        self._calls = Calls(self.repo, **self._tries)  # type: ignore[arg-type]
        here = Path(self.repo).is_dir()
        self._commit = _hash_of_folder(Path(self.repo)) if here else self._resolved()
        options = {} if here else {"revision": self._commit}
        found = self._called(
            "read its description", datasets.load_dataset, self.repo, self.config or None,
            split=self.split or None, streaming=True, **options,
        )  # fmt: skip
        if isinstance(found, datasets.IterableDatasetDict):
            self.split, found = self._only_split(found)
        return self._checked(found)

    def _resolved(self) -> str:
        from huggingface_hub import HfApi

        found = self._called("look it up", HfApi().dataset_info, self.repo)
        return str(found.sha)

    def _called(self, what: str, function: Any, *args: Any, **options: Any) -> Any:
        """A call that is tried again; the Hub's answers as errors of ours."""
        from huggingface_hub.errors import HfHubHTTPError

        assert self._calls is not None
        try:
            return self._calls(what, function, *args, **options)
        except HfHubHTTPError as error:
            said = f"no such dataset: {short_reason(error)}"
            raise UsageError(said, where=self.repo, hint="hub:REPO[:config[:split]]") from None
        except (FileNotFoundError, ValueError, OSError, pa.ArrowException) as error:
            said = short_reason(error)
            raise InputError(f"could not {what}: {said}", where=self.repo) from error

    def _checked(self, dataset: Any) -> Any:
        first = self._called("read it", _first_row, dataset)
        self._texts = self._text_columns(first.schema)
        return dataset

    @property
    def fingerprint(self) -> str:
        """The commit (of a folder here: a hash of its files), the configuration and the split."""
        return f"stream-{self._commit}-{self.config or 'default'}-{self.split}"

    @property
    def rows(self) -> int:
        """What the repository says of its rows; 0 where it says nothing."""
        splits = self._dataset.info.splits or {}
        return int(splits[self.split].num_examples or 0) if self.split in splits else 0

    def texts(
        self, on_rows: OnBytes | None = None, *, carried: Sequence[str] = (), strict: bool = True
    ) -> Iterator[TextBlock]:
        """The rows in blocks; `carried` are the `ORIGINS` that the columns may tell."""
        origins = origin_columns(self._texts, carried, self.column)
        chosen = self._dataset.select_columns([self.column, *origins.values()])
        done = 0
        for table in self._tables(chosen.with_format("arrow")):
            yield arrow_block(table, self.column, origins, where=self.repo, row=done, strict=strict)
            done += table.num_rows
            if on_rows:
                on_rows(done)

    def _tables(self, dataset: Any) -> Iterator[pa.Table]:
        """The rows of a stream; after a fault it goes on behind the last table that came."""
        place = dataset.state_dict()
        rows: Iterator[pa.Table] | None = None

        def following() -> pa.Table | None:
            nonlocal rows
            if rows is None:
                dataset.load_state_dict(place)
                rows = iter(dataset.iter(batch_size=_ROWS))
            try:
                return next(rows, None)
            except BaseException:
                rows = None  # what raised is at its end
                raise

        while (table := self._called("read it", following)) is not None:
            place = dataset.state_dict()
            yield table


def _first_row(dataset: Any) -> pa.Table:
    empty = pa.table({})
    return next(iter(dataset.with_format("arrow").iter(batch_size=1)), empty)


def _hash_of_folder(folder: Path) -> str:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if not any(part.startswith(".") for part in Path(name).parts):
            digest.update(f"{name}\t{sha256_file(path)}\n".encode())
    return digest.hexdigest()[:40]

"""Read a commit back as its users will: with `datasets`, by the commit's id."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from curate.errors import CurateError, MissingExtraError, RemoteError
from curate.sources.files import sha256_file
from curate.sources.hub_calls import short_reason

__all__ = ["reload_revision"]


def reload_revision(
    call: Callable[..., Any], api: Any, repository: str, revision: str, manifest: Mapping[str, Any]
) -> None:
    """Load every configuration of a commit; RemoteError where it is not what was built.

    Compared are the hash of every file of data, and of what `datasets` makes of it the rows and
    the features. All of it is downloaded anew: what a cache has proves nothing about the Hub.
    """
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise MissingExtraError("datasets", "hub") from error
    datasets.utils.logging.disable_progress_bar()
    # what `datasets` still maps cannot be deleted on Windows
    with (
        tempfile.TemporaryDirectory(prefix="curate-reload-", ignore_cleanup_errors=True) as scratch,
        _cache(Path(scratch)),
    ):
        for config, entry in sorted(manifest["configs"].items()):
            where = f"{repository}@{revision[:8]} {config}"
            path = call(
                f"read {config} back", api.hf_hub_download, repository, entry["file"],
                repo_type="dataset", revision=revision,
            )  # fmt: skip
            _same_hash(Path(path), manifest["files"][entry["file"]]["sha256"], where)
            with tempfile.TemporaryDirectory(dir=scratch, ignore_cleanup_errors=True) as tables:
                try:
                    loaded = call(
                        f"load {config}", datasets.load_dataset, repository, config,
                        revision=revision, split="test", cache_dir=tables,
                    )  # fmt: skip
                except CurateError:
                    raise
                except Exception as error:
                    what = f"what `datasets` cannot load ({short_reason(error)})"
                    raise _differs(where, what) from error
                if loaded.num_rows != entry["rows"]:
                    raise _differs(where, f"{loaded.num_rows} rows, {entry['rows']} were built")
                wanted = datasets.Features.from_arrow_schema(pq.read_schema(path))
                if loaded.features != wanted:
                    raise _differs(where, "other features than were built")


@contextmanager
def _cache(folder: Path) -> Iterator[None]:
    """An empty cache for the Hub's client, also where `datasets` calls it and names none."""
    from huggingface_hub import constants

    before = constants.HF_HUB_CACHE
    constants.HF_HUB_CACHE = str(folder / "hub")
    try:
        yield
    finally:
        constants.HF_HUB_CACHE = before


def _same_hash(path: Path, wanted: str, where: str) -> None:
    if sha256_file(path) != wanted:
        raise _differs(where, "other bytes than were built")


def _differs(where: str, what: str) -> RemoteError:
    return RemoteError(
        f"the Hub gives back {what}: no tag was set", where=where, hint="run the same command again"
    )

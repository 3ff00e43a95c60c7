"""Read a commit back as its users will: with `datasets`, by the commit's id."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from curate.errors import InputError, MissingExtraError
from curate.sources.files import sha256_file

if TYPE_CHECKING:
    from curate.sources.hub_calls import Calls

__all__ = ["reload_revision"]


def reload_revision(
    call: Calls, api: Any, repository: str, revision: str, manifest: Mapping[str, Any]
) -> None:
    """Load every configuration of a commit; InputError where it is not what was built.

    Compared are the hash of every file of data, and of what `datasets` makes of it the rows and
    the features.
    """
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise MissingExtraError("datasets", "hub") from error
    datasets.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory(prefix="curate-reload-") as scratch:
        for config, entry in sorted(manifest["configs"].items()):
            where = f"{repository}@{revision[:8]} {config}"
            path = call(
                f"read {config} back", api.hf_hub_download, repository, entry["file"],
                repo_type="dataset", revision=revision,
            )  # fmt: skip
            _same_hash(Path(path), manifest["files"][entry["file"]]["sha256"], where)
            loaded = call(
                f"load {config}", datasets.load_dataset, repository, config, revision=revision,
                split="test", cache_dir=scratch,
            )  # fmt: skip
            if loaded.num_rows != entry["rows"]:
                raise _differs(where, f"{loaded.num_rows} rows, {entry['rows']} were built")
            wanted = datasets.Features.from_arrow_schema(pq.read_schema(path))
            if loaded.features != wanted:
                raise _differs(where, "other features than were built")


def _same_hash(path: Path, wanted: str, where: str) -> None:
    if sha256_file(path) != wanted:
        raise _differs(where, "other bytes than were built")


def _differs(where: str, what: str) -> InputError:
    return InputError(
        f"the Hub gives back {what}: no tag was set", where=where, hint="run the same command again"
    )

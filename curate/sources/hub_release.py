"""Releases on the Hugging Face Hub: ``NS/NAME[@TAG]`` wherever a release folder is read.

A name that is no file and no folder here is looked up on the Hub. Of the repository those files
are fetched that are needed, into the Hub's own cache, at the commit of a tag, and compared with
the hashes in the release's manifest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError, MissingExtraError
from curate.sources.hub_repository import HubRepository
from curate.sources.release_files import verify_release

__all__ = ["FoundRelease", "find_release", "is_repository", "release_of"]

_SPEC = re.compile(r"(?P<repo>\w[\w.-]*/\w[\w.-]*)(?:@(?P<tag>[^\s@]+))?", re.ASCII)
_FILES = frozenset(
    ["csv", "tsv", "txt", "json", "jsonl", "parquet", "arrow", "gz", "xz", "zip", "html", "toml"]
)


@dataclass(frozen=True, slots=True)
class FoundRelease:
    """A folder here; of a release on the Hub `repository` (``NS/NAME``) and `version` as well.

    `version` is the tag, or the commit where the release is no tag's.
    """

    folder: Path
    repository: str = ""
    version: str = ""

    @property
    def published(self) -> tuple[str, str] | None:
        """Repository and version; None for a folder of this machine."""
        return (self.repository, self.version) if self.repository else None


def is_repository(spec: str | Path) -> bool:
    """Whether this names a repository: ``NS/NAME[@TAG]``, and nothing here has that name.

    Without a tag, what looks like a file's name, or lies in a folder that is here, is taken for a
    path: it is more likely mistyped.
    """
    text = str(spec)
    found = _SPEC.fullmatch(text)
    if found is None or Path(text).exists():
        return False
    if found["tag"]:
        return True
    ending = text.rpartition(".")[2].lower() if "." in text else ""
    return ending not in _FILES and not Path(text).parent.is_dir()


def release_of(spec: str | Path, *, whole: bool = False) -> Path:
    """The folder of a release: `spec` itself, or a download of it. See `find_release`."""
    return find_release(spec, whole=whole).folder


def find_release(spec: str | Path, *, whole: bool = False) -> FoundRelease:
    """A release on this machine or on the Hub, here `spec` = ``NS/NAME[@TAG]``.

    Without a tag the newest ``vX.Y.Z`` is taken, and said on stderr; where there is none, ``main``.
    Only data, card and manifest are fetched, or with `whole` every file. What the cache has is not
    fetched again; with HF_HUB_OFFLINE, or where the Hub fails, the cache alone is used.

    Raises UsageError (no such repository or tag, no right to it), InputError (not the files that
    the manifest describes, or offline and not in the cache) or RemoteError.
    """
    if not is_repository(spec):
        return FoundRelease(Path(spec))
    found = _SPEC.fullmatch(str(spec))
    assert found is not None
    try:
        import huggingface_hub
        import huggingface_hub.constants
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise MissingExtraError("huggingface_hub", "hub") from error
    repository = HubRepository(found["repo"], huggingface_hub, whole=whole)
    with _quiet(huggingface_hub):
        folder, version = repository.release(found["tag"] or "")
    release = FoundRelease(folder, repository.name, version)
    if not (release.folder / "data").is_dir():
        hint = "a release has data/<config>/test-*.parquet; for a corpus write hub:REPO"
        raise InputError("no data folder in this repository", where=str(spec), hint=hint)
    verify_release(release.folder, whole=whole, where=str(spec))
    return release


@contextmanager
def _quiet(client: Any) -> Iterator[None]:
    """Without the client's own warnings: what matters of them is said by us."""
    logging = client.utils.logging
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)

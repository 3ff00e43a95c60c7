"""Whether a model has the modules of sentence-transformers, and the hash that pins them."""

from __future__ import annotations

import hashlib
import os

from curate.errors import InputError, RemoteError
from curate.models.sentence_modules import MODULE_FILES, MODULES
from curate.models.sources import ModelFolder

__all__ = ["has_modules", "modules_revision"]


def has_modules(folder: ModelFolder, *, ask: bool) -> bool:
    """Whether it is a folder of sentence-transformers; of a Hub model, its files are fetched."""
    if (folder.path / MODULES).is_file() and not _is_fetched(folder):
        return True
    if _is_fetched(folder):
        _fetch(folder, ask=ask)
    return (folder.path / MODULES).is_file()


def _is_fetched(folder: ModelFolder) -> bool:
    return folder.path.name == folder.revision


def _fetch(folder: ModelFolder, *, ask: bool) -> None:
    """Fetch the files of modules of a Hub model, at the revision that is here already."""
    from huggingface_hub import errors as hub
    from huggingface_hub import snapshot_download

    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}
    if not offline:
        try:
            snapshot_download(
                folder.name, revision=folder.revision, allow_patterns=list(MODULE_FILES),
                etag_timeout=10,
            )  # fmt: skip
            return
        except (hub.HfHubHTTPError, OSError) as error:
            if ask and not (folder.path / MODULES).is_file():
                raise RemoteError(
                    f"the Hub did not deliver {folder.name!r}: {type(error).__name__}"
                ) from error
            return
    if ask and not (folder.path / MODULES).is_file():
        raise InputError(
            f"how it pools is not known: {MODULES} is not in the local cache, and HF_HUB_OFFLINE "
            "is set",
            where=folder.name,
            hint="--pooling mean (or cls, max, last)",
        )


def modules_revision(folder: ModelFolder) -> str:
    """The revision of a folder with its modules, which decide its vectors too."""
    if _is_fetched(folder):
        return folder.revision
    digest = hashlib.sha256(folder.revision.encode())
    for file in sorted({f for pattern in MODULE_FILES for f in folder.path.glob(pattern)}):
        digest.update(f"{file.relative_to(folder.path).as_posix()} ".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"sha256:{digest.hexdigest()[:16]}"

"""Find the data folders, in a checkout and in an installed wheel alike."""

from __future__ import annotations

import os
from pathlib import Path

from curate.errors import UsageError

__all__ = ["annotation_folder", "embedded_folder", "hub_cards_folder", "lexicons_folder"]

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise UsageError(
        f"the folder {name}/ is missing from this installation", hint="reinstall gender-curate"
    )


def lexicons_folder() -> Path:
    """The lexicons; ``CURATE_LEXICONS`` names another folder (one's own languages)."""
    own = os.environ.get("CURATE_LEXICONS")
    if not own:
        return _folder("lexicons")
    if not Path(own).is_dir():
        raise UsageError("CURATE_LEXICONS is not a folder", where=own)
    return Path(own)


def annotation_folder() -> Path:
    return _folder("annotation")


def hub_cards_folder() -> Path:
    return _folder("hub_cards")


def embedded_folder() -> Path:
    """The sample corpus (``corpus/``) that the package carries."""
    return _PACKAGE / "embedded"

"""Every file of a release that is not data: written from the data and the manifest alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from curate.hub.card import render_card, render_citation, render_datasheet
from curate.hub.croissant import write_croissant
from curate.hub.exports import write_exports
from curate.hub.layout import CARD, CITATION, DATASHEET

__all__ = ["write_documents"]

_TEXTS: tuple[tuple[str, Callable[[Path, dict[str, Any]], str]], ...] = (
    (CARD, render_card),
    (DATASHEET, render_datasheet),
    (CITATION, render_citation),
)


def write_documents(folder: Path, manifest: dict[str, Any]) -> None:
    """Write card, datasheet, citation, Croissant metadata and exports under `folder`.

    `folder` holds the data; `manifest` says everything else (its ``files`` are not read). Nothing
    depends on the clock or the machine: the same data and manifest give the same bytes.
    """
    for name, render in _TEXTS:
        (folder / name).write_text(render(folder, manifest), encoding="utf-8", newline="\n")
    write_croissant(folder, manifest)
    write_exports(folder, manifest)

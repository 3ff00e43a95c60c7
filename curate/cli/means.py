"""Options that say by what means a swap decides."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["MARGIN", "Margin", "Model", "Parser"]

# the default of curate.models.ranking, here so that --help does not load it
MARGIN = 4.0

Parser = Annotated[
    str,
    typer.Option(
        help="Dependency parser for what the rules leave open: none, auto (the language's spaCy "
        "pipeline if it is installed), spacy[:NAME], stanza[:FOLDER].",
    ),
]
Model = Annotated[
    str,
    typer.Option(
        help="Masked model that ranks open forms: none, auto (the embedded one, for the languages "
        "that it knows), a folder, or a Hub id.",
    ),
]
Margin = Annotated[
    float,
    typer.Option(min=0.0, help="How far ahead (nats) the best form must be, or it is refused."),
]

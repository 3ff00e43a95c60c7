"""By what means a swap decides: rules alone, a parser's structure, a masked model's ranking."""

from __future__ import annotations

import importlib.util
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict

from curate.errors import UsageError
from curate.language.parsers import Parser, load_parser
from curate.lexicon import Lexicon
from curate.models.ranking import MARGIN, TextRanker
from curate.swap import Ranker, Swapper

__all__ = ["AUTO", "RULES", "Means", "load_means", "make_swapper"]


class Means(BaseModel):
    """`parser`: see `load_parser`; `model`: ``none``, ``auto`` (the embedded model, for languages
    that its card lists, where torch is installed), or a model's name; `margin` in nats."""

    model_config = ConfigDict(frozen=True)

    parser: str = "none"
    model: str = "none"
    margin: float = MARGIN


RULES = Means()
AUTO = Means(parser="auto", model="auto")


def make_swapper(lexicon: Lexicon, means: Means = RULES, *, remember: int = 0) -> Swapper:
    """A swapper with these means; see `load_means` for what is missing."""
    parser, ranker = load_means(lexicon, means)
    return Swapper(lexicon, parser=parser, ranker=ranker, remember=remember)


def load_means(lexicon: Lexicon, means: Means) -> tuple[Parser | None, Ranker | None]:
    """The parser and the ranker of a language.

    The model is loaded when a text first needs it, and so is the parser, unless it was asked for
    by name: then it must be there. Raises UsageError, MissingExtraError or InputError.
    """
    parser = load_parser(means.parser, lexicon.config.parsers)
    if parser is not None and means.parser != "auto":
        parser.parse(["."])
    return parser, _ranker(lexicon.lang, means)


def _ranker(lang: str, means: Means) -> Ranker | None:
    """None where no model is wished or, with ``auto``, none knows the language."""
    if means.model == "none":
        return None
    automatic = means.model == "auto"
    if automatic and not importlib.util.find_spec("torch"):
        return None
    from curate.models.info import describe_model

    name = "mini" if automatic else means.model
    known = _languages(describe_model(name))
    if known is not None and lang not in known:
        if automatic:
            return None
        raise UsageError(
            f"the model {name!r} does not know {lang}",
            hint=f"it knows {', '.join(sorted(known))}; --model none leaves open forms refused",
        )
    return TextRanker(partial(_load, name), margin=means.margin)


def _languages(description: dict[str, Any]) -> set[str] | None:
    """The languages of a model's card, where it has a card of ours."""
    card = description.get("card")
    return set(card["languages"]) if card and "languages" in card else None


def _load(name: str) -> Any:
    from curate.models.masked import load_model

    return load_model(name)

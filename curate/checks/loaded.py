"""The checker of a language, made once: building one costs more than reading the lexicon."""

from __future__ import annotations

from curate.checks.pair import PairChecker
from curate.lexicon import Lexicon, available_languages, load_lexicon

__all__ = ["load_checker"]

_MADE: dict[str, tuple[Lexicon | None, PairChecker]] = {}


def load_checker(lang: str) -> PairChecker:
    """The checker of two sides of which nobody says which is the masculine one.

    A language without a lexicon gets the checks that need none. It is made anew when the lexicon
    was loaded anew.
    """
    lexicon = load_lexicon(lang) if lang in available_languages() else None
    known = _MADE.get(lang)
    if known is None or known[0] is not lexicon:
        known = _MADE[lang] = (lexicon, PairChecker(lexicon, labelled=False))
    return known[1]

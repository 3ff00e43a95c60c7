"""Which language a text is in, by py3langid's model of byte sequences (139 languages, 5 MB)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from curate.errors import MissingExtraError, UsageError

__all__ = ["LanguageIdentifier", "Rival", "load_identifier", "too_alike"]

# CLDR's distance between languages (how well readers of one get on with text in the other):
# Danish and Norwegian 12, Indonesian and Malay 14, varieties of Arabic 10 to 14 are under it;
# Basque and Spanish 20, Czech and Slovak 24 are not.
_ALIKE = 15
_SAME = 4
# Characters after which no more is learnt about the language.
_ENOUGH = 4000
# The model's label for text in no language at all.
_NO_LANGUAGE = "zxx"


class Rival(NamedTuple):
    """A language in which a text is likelier than in the expected one.

    `margin` is the natural logarithm of how much likelier.
    """

    lang: str
    margin: float

    @property
    def share(self) -> float:
        """How sure it is if there were only these two languages, from 0.5 to 1."""
        return 1.0 / (1.0 + math.exp(-self.margin))


@lru_cache(maxsize=4096)
def too_alike(lang: str, other: str) -> bool:
    """Whether two languages are too close for a sentence to tell them apart (CLDR distances).

    Only the language subtags count; a wrong tag is like none but itself.
    """
    one, two = _language(lang), _language(other)
    return _distance(one, two) < _ALIKE if one and two else lang == other


def _distance(lang: str, other: str) -> int:
    from langcodes import tag_distance

    return min(tag_distance(lang, other), tag_distance(other, lang))


def _language(tag: str) -> str:
    """The language subtag in its preferred form (``iw-IL`` -> ``he``); empty for a wrong tag."""
    from langcodes import Language
    from langcodes.tag_parser import LanguageTagError

    try:
        return Language.get(tag).language or ""
    except LanguageTagError:
        return ""


class LanguageIdentifier:
    """Tells languages apart by their texts; loads its model once (0.5 s).

    Languages are BCP-47 tags, of which the language subtag counts. Raises MissingExtraError where
    py3langid is not installed.
    """

    def __init__(self) -> None:
        try:
            from py3langid.langid import MODEL_FILE
            from py3langid.langid import LanguageIdentifier as Model
        except ImportError:
            raise MissingExtraError("py3langid", "translate") from None
        self._model: Any = Model.from_model_file(MODEL_FILE)
        labels = [label for label in self._model.labels if label != _NO_LANGUAGE]
        self._language_of = {label: _language(label) for label in labels}
        self._languages = dict.fromkeys(self._language_of.values())
        self._known: dict[str, str] = {}
        self._rivals: dict[str, frozenset[str]] = {}

    @property
    def languages(self) -> list[str]:
        """Every language that the model tells apart."""
        return sorted(self._languages)

    def knows(self, lang: str) -> bool:
        """Whether the model has learnt the language; a wrong tag is no known language."""
        return bool(self.resolve(lang))

    def resolve(self, tag: str) -> str:
        """The model's language for a tag (``nb-NO`` is its ``no``); empty where it has none."""
        if tag not in self._known:
            lang = _language(tag)
            if lang and lang != "und" and lang not in self._languages:
                nearest = min(self._languages, key=lambda other: _distance(lang, other))
                lang = nearest if _distance(lang, nearest) <= _SAME else ""
            self._known[tag] = lang if lang in self._languages else ""
        return self._known[tag]

    def identify(
        self, texts: Sequence[str], candidates: Sequence[str] | None = None
    ) -> list[dict[str, float]]:
        """For each text the likely languages, best first, with shares that sum to 1.

        Only `candidates` are weighed where they are given; they are the keys then, as written.
        Evidence is divided by the square root of the text's bytes, for neighbouring bytes are not
        independent. Shares are equal where the text holds nothing the model has learnt. Raises
        UsageError for no candidate or one that the model does not know.
        """
        wanted = self._wanted(candidates)
        return [_shares(self._scores(text), wanted) for text in texts]

    def rivals(self, text: str, lang: str, *, least: float = 0.0) -> list[Rival]:
        """The languages likelier than `lang` by a margin above `least`, best first.

        Those too alike to `lang` are no rivals. Raises UsageError for a language that the model
        does not know.
        """
        expected = self._wanted([lang])[lang]
        others = self._unlike(expected)
        scores = self._scores(text)
        known = scores[expected]
        return [
            Rival(other, score - known)
            for other, score in scores.items()
            if score - known > least and other in others
        ]

    def foreign(self, texts: Sequence[str], lang: str, *, least: float) -> list[Rival | None]:
        """For each text the language that it is in instead of `lang`, where that is sure.

        That is the likeliest of all, if it is not too alike to `lang` and its share beside `lang`
        is at least `least`; a text too short to tell is None. Raises UsageError for a language
        that the model does not know.
        """
        expected = self._wanted([lang])[lang]
        others = self._unlike(expected)
        found: list[Rival | None] = []
        for text in texts:
            # most texts are in their language: one look at the likeliest is enough
            likeliest = self._language_of.get(self._model.classify(text[:_ENOUGH])[0])
            rival = self._best(text, expected) if likeliest in others else None
            found.append(rival if rival and rival.share >= least else None)
        return found

    def _best(self, text: str, expected: str) -> Rival | None:
        scores = self._scores(text)
        best = max(scores, key=lambda lang: scores[lang])
        margin = scores[best] - scores[expected]
        return Rival(best, margin) if margin > 0.0 else None

    def _unlike(self, expected: str) -> frozenset[str]:
        """The model's languages that a text can tell from this one of them."""
        if expected not in self._rivals:
            others = (other for other in self._languages if not too_alike(expected, other))
            self._rivals[expected] = frozenset(others)
        return self._rivals[expected]

    def _wanted(self, candidates: Sequence[str] | None) -> dict[str, str]:
        """Language of the model by the tag under which it is wanted."""
        if candidates is None:
            return {lang: lang for lang in self._languages}
        wanted = {tag: self.resolve(tag) for tag in candidates}
        unknown = [tag for tag, known in wanted.items() if not known]
        if unknown or not wanted:
            raise UsageError(
                f"language identification does not know {unknown[0]!r}"
                if unknown
                else "language identification needs a candidate",
                hint=f"known: {', '.join(self.languages)}",
            )
        return wanted

    def _scores(self, text: str) -> dict[str, float]:
        text = text[:_ENOUGH]
        scale = math.sqrt(len(text.encode("utf-8", "surrogatepass")) or 1)
        of = self._language_of
        return {of[label]: score / scale for label, score in self._model.rank(text) if label in of}


def _shares(scores: dict[str, float], wanted: dict[str, str]) -> dict[str, float]:
    top = max(scores[lang] for lang in wanted.values())
    raw = {tag: math.exp(scores[lang] - top) for tag, lang in wanted.items()}
    total = math.fsum(raw.values())  # the same in every order
    return {tag: raw[tag] / total for tag in sorted(raw, key=lambda tag: (-raw[tag], tag))}


@lru_cache(maxsize=1)
def load_identifier() -> LanguageIdentifier:
    """The identifier, loaded once in a process."""
    return LanguageIdentifier()

"""What is wrong with the text of a translation, beside its source."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from curate.checks.codes import Finding, finding
from curate.checks.given_names import has_name
from curate.checks.markup import find_formula, find_markup
from curate.language import normalize
from curate.language.identify import load_identifier, too_alike
from curate.language.scripts import letters_by_script, scripts_of, weight
from curate.lexicon import available_languages, load_lexicon

__all__ = ["FIELDS", "TranslationChecker"]

FIELDS = ("sent_more", "sent_less")
"""The fields of the two sides; the evidence of a finding begins with one of them."""

# (letters, margin): from so many letters on, another language must be likelier by that much, and
# by one more if it is neither the source language nor has a lexicon: of 139 languages some small
# one wins by chance. Of real sentences of four words or more in 17 languages, from five sources,
# at most 0.33 % are reported; shorter texts are not judged.
_MARGINS = ((24, 1.0), (12, 2.0))
_UNLIKELY = 1.0

# How much shorter or longer than its source a side may be, each with twelve letters more, for
# short texts vary most. 10,448 pairs of S_JSD and of MT-GenEval in 11 languages lie between
# 0.57 and 2.13, and their sides differ by a factor of 1.29 at most, measured by their sources.
_SHORTEST, _LONGEST, _APART, _MORE = 0.55, 2.0, 1.4, 12

# What people write where they have no translation. Two words or less may be one of these by
# chance (Spanish todo), so it is none where the source is that short.
_DUMMIES = frozenset(
    (
        *("todo", "tbd", "tba", "fixme", "xxx", "na", "none", "null", "nil", "nan", "test", "text"),
        *("same", "idem", "ditto", "same as above", "same as source", "see above", "as above"),
        *("translate", "translation", "no translation", "not translated", "not translatable"),
        *("untranslatable", "cannot translate", "cant translate", "lorem ipsum"),
    )
)
_MARKER = re.compile(r"\W*(?:TODO|FIXME|TBD|XXX)\b(?:\W*$|\s*[:\]>)])")
_SHORT_SOURCE = 2


class TranslationChecker:
    """Checks translations from `source_lang` into `lang`; loads what it needs once.

    The scripts of the language are those of its tag, else of its lexicon, else of CLDR. Raises
    MissingExtraError without py3langid, LexiconError for a broken lexicon.
    """

    def __init__(self, lang: str, *, source_lang: str) -> None:
        self._lang = lang
        declared = load_lexicon(lang).config.script if lang in available_languages() else ""
        self._scripts = scripts_of(lang, declared=declared)
        self._translates = not too_alike(lang, source_lang)
        self._identifier = load_identifier()
        self._likely = frozenset(
            self._identifier.resolve(tag) for tag in (source_lang, *available_languages())
        )
        self.identifies = self._identifier.knows(lang)
        """Whether the language is one that `other-language` can judge."""

    def check_all(
        self, rows: Iterable[tuple[tuple[str, str], tuple[str, str], Sequence[str]]]
    ) -> list[list[Finding]]:
        """`check` for each (source, texts, names), in order."""
        return [self.check(source, texts, names=names) for source, texts, names in rows]

    def check(
        self, source: tuple[str, str], texts: tuple[str, str], *, names: Sequence[str] = ()
    ) -> list[Finding]:
        """Findings on the translation `texts` (more, less) of `source`, side by side.

        `names` are the given names to use, as the lexicon has them. An empty side has no findings
        here. Codes: formula, markup, placeholder, same-as-source, wrong-script, other-language,
        name-missing, length-ratio.
        """
        sources = (normalize(source[0]), normalize(source[1]))
        found: list[Finding] = []
        whole: list[tuple[str, str, str]] = []
        for field, original, written in zip(FIELDS, sources, texts, strict=True):
            text = normalize(written)
            if not text.strip():
                continue
            broken = [*_unsafe(field, text), *_dummy(field, text, original)]
            found += broken
            if any(item.code == "placeholder" for item in broken):
                continue
            found += self._language(field, text, sources)
            if names and not has_name(text, names):
                found.append(finding("name-missing", f"{field}: none of {', '.join(names)}"))
            whole.append((field, original, text))
        return found + _lengths(whole)

    def _language(self, field: str, text: str, sources: tuple[str, str]) -> list[Finding]:
        """The first of same-as-source, wrong-script and other-language that holds."""
        if self._translates and _is_copy(text, sources):
            return [finding("same-as-source", f"{field}: {text}")]
        counts = letters_by_script(text)
        own = sum(count for script, count in counts.items() if script in self._scripts)
        if self._scripts and own * 2 < sum(counts.values()):
            other = _shown(max(counts.items(), key=lambda item: item[1])[0])
            share = 100 * (1 - own / sum(counts.values()))
            wanted = ", ".join(sorted(map(_shown, self._scripts)))
            evidence = f"{field}: {share:.0f} % of the letters are not {wanted}, most are {other}"
            return [finding("wrong-script", evidence)]
        if not self.identifies:
            return []
        letters = sum(counts.values())
        margin = next((margin for least, margin in _MARGINS if letters >= least), math.inf)
        for rival in self._identifier.rivals(text, self._lang, least=margin):
            if rival.lang in self._likely or rival.margin > margin + _UNLIKELY:
                evidence = f"{field}: reads as {rival.lang}, not {self._lang}: {text}"
                return [finding("other-language", evidence)]
        return []


def _shown(script: str) -> str:
    return "Han" if script == "CJK" else script.capitalize()


def _unsafe(field: str, text: str) -> list[Finding]:
    found = []
    formula = find_formula(text)
    if formula:
        # repr, for a tab at the start is what it is about
        found.append(finding("formula", f"{field}: starts {formula[:20]!r}"))
    markup = find_markup(text)
    if markup:
        found.append(finding("markup", f"{field}: {markup}"))
    return found


def _dummy(field: str, text: str, source: str) -> list[Finding]:
    words = _words(text)
    of_source = _words(source)
    if not any(letter.isalpha() for letter in text):
        is_dummy = any(letter.isalpha() for letter in source)
    elif words == of_source or len(of_source) <= _SHORT_SOURCE:
        is_dummy = False
    else:
        # x, xxx; a character that writes a syllable may be a whole answer
        one_letter = len(words) == 1 and len(set(words[0])) == 1 and weight(words[0][0]) <= 1
        known = " ".join(words) in _DUMMIES or "".join(words) in _DUMMIES
        is_dummy = known or one_letter or bool(_MARKER.match(text))
    return [finding("placeholder", f"{field}: {text}")] if is_dummy else []


def _words(text: str) -> list[str]:
    """Letters and digits, folded, cut at white space."""
    folded = ("".join(filter(str.isalnum, word)) for word in text.casefold().split())
    return [word for word in folded if word]


def _is_copy(text: str, sources: tuple[str, str]) -> bool:
    """Whether the text is one of the source sides; a short word may be the same in both."""
    words = _words(text)
    if len(words) < _SHORT_SOURCE and weight(text) < _MORE:
        return False
    return any("".join(words) == "".join(_words(side)) for side in sources)


def _lengths(whole: Sequence[tuple[str, str, str]]) -> list[Finding]:
    """length-ratio for a side far from its source, else for the two sides far from each other."""
    ratios = {
        field: (weight(text) + _MORE) / (weight(source) + _MORE) for field, source, text in whole
    }
    found = [
        finding("length-ratio", f"{field}: {ratio:.2f} of the length of its source")
        for field, ratio in ratios.items()
        if not _SHORTEST <= ratio <= _LONGEST
    ]
    if found or len(ratios) < len(FIELDS):
        return found
    apart = max(ratios.values()) / min(ratios.values())
    if apart <= _APART:
        return []
    field = max(ratios, key=lambda name: abs(math.log(ratios[name])))
    other = next(name for name in ratios if name != field)
    evidence = f"{field}: {ratios[field]:.2f} of the length of its source"
    return [finding("length-ratio", f"{evidence}, {other} {ratios[other]:.2f}")]

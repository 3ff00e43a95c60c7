"""The words that are kept beside a name: adjectives and verbs of treebanks, with their lemmas.

Stańczak et al. (2023, section 3.2) keep the predictions that a Universal Dependencies treebank of
the language has as adjective or verb, and lemmatise them, so that gendered forms become one word.
A form that no treebank has is not kept: there is no guessing of lemmas.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from curate.engine import replacing
from curate.errors import InputError
from curate.language import normalize, shape, without_marks
from curate.sources.delimited import read_delimited
from curate.sources.treebank import TreebankWord

__all__ = [
    "KEPT_UPOS",
    "LEAST_SHARE",
    "KeptForm",
    "Vocabulary",
    "build_vocabulary",
    "read_vocabulary",
    "write_vocabulary",
]

KEPT_UPOS = ("ADJ", "VERB")
"""Adjectives and verbs show how a person is spoken of; auxiliaries (AUX) do not: they stay out."""

LEAST_SHARE = 0.1
"""*no* was once written for *know*, and *so* was once called an adjective: such forms stay out."""

_COLUMNS = ("upos", "form", "lemma", "count")
_INNER = frozenset("'’-\u00b7\u200c\u200d")
# words of another language, misspelt ones and shortened ones have lemmas that say little
_NOT_KEPT = ("Foreign", "Typo", "Abbr")
_NO_LEMMA = frozenset(("", "_"))


@dataclass(frozen=True, slots=True, order=True)
class KeptForm:
    """A form and its lemma; `count` is how often treebanks have it (0: a curator added it)."""

    upos: str
    form: str
    lemma: str
    count: int = 0


@dataclass(frozen=True)
class Vocabulary:
    """Forms with one lemma each, sorted; `left_out` counts the words of a treebank by reason."""

    forms: tuple[KeptForm, ...]
    left_out: Mapping[str, int] = field(default_factory=dict, compare=False)

    def lemmas(self, upos: str) -> dict[str, str]:
        """The lemma of every form with this `upos`, in the order of lemma and form."""
        own = [(one.lemma, one.form) for one in self.forms if one.upos == upos]
        return {form: lemma for lemma, form in sorted(own)}

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the rows but their counts, which change no prediction."""
        digest = hashlib.sha256()
        for one in self.forms:
            digest.update(f"{one.upos}\t{one.form}\t{one.lemma}\n".encode())
        return digest.hexdigest()

    def counts(self) -> dict[str, dict[str, int]]:
        """The number of forms and of lemmas by UPOS."""
        found: dict[str, dict[str, int]] = {}
        for upos in sorted({one.upos for one in self.forms}):
            lemmas = self.lemmas(upos)
            found[upos] = {"forms": len(lemmas), "lemmas": len(set(lemmas.values()))}
        return found


def build_vocabulary(
    sentences: Iterable[list[TreebankWord]],
    *,
    marks: str = "",
    least: int = 1,
    least_share: float = LEAST_SHARE,
) -> Vocabulary:
    """The adjectives and verbs of a treebank.

    A form has the lemma that it has most often with its UPOS (of equally frequent ones the first
    by code points). Forms are written in small letters unless their lemma has capitals
    (*American*), without the optional `marks` of the language, in NFC. Left out are words with
    anything but letters, with the features Foreign, Typo or Abbr, without a lemma, initials, forms
    that occur fewer than `least` times, and forms that are of this UPOS in less than `least_share`
    of their occurrences (0: the paper's rule, once is enough).
    """
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    anywhere: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for sentence in sentences:
        for word in sentence:
            form = without_marks(normalize(word.form), marks).lower()
            anywhere[form] += 1
            if word.upos not in KEPT_UPOS:
                continue
            reason = _reason(word)
            if reason:
                left_out[reason] += 1
            else:
                seen[word.upos, form][_lemma(word.lemma, marks)] += 1
    kept = []
    for (upos, form), lemmas in seen.items():
        count = lemmas.total()
        if count < least or count < least_share * anywhere[form]:
            left_out["rare" if count < least else "mostly another part of speech"] += count
            continue
        lemma = min(lemmas, key=lambda one: (-lemmas[one], one))
        kept.append(KeptForm(upos, _written(form, lemma), lemma, count))
    return Vocabulary(tuple(sorted(kept)), dict(sorted(left_out.items())))


def _reason(word: TreebankWord) -> str:
    """Why a word is not kept; empty if it is."""
    if any(name in word.feats for name in _NOT_KEPT):
        return "foreign, misspelt or shortened"
    if word.lemma in _NO_LEMMA:
        return "no lemma"
    if len(word.form) == 1 and word.lemma.isupper():
        return "initial"
    return "" if _is_word(word.form) else "not only letters"


def _is_word(form: str) -> bool:
    """Letters (with their marks) throughout, single joiners between them at most."""
    kinds = ["-" if one in _INNER else unicodedata.category(one)[0] for one in form]
    if not kinds or kinds[0] != "L" or kinds[-1] == "-":
        return False
    joined = any(kinds[at] == kinds[at + 1] == "-" for at in range(len(kinds) - 1))
    return not joined and set(kinds) <= {"L", "M", "-"}


def _lemma(lemma: str, marks: str) -> str:
    """As a table can hold it: treebanks mark the parts of a compound with ``#``."""
    plain = normalize(lemma)
    if len(plain) > 1:
        plain = plain.replace("#", "")
    return without_marks(plain, marks) or plain


def _written(form: str, lemma: str) -> str:
    """A form in small letters, with the capitals that its lemma has."""
    return {"Lower": form, "Upper": form[:1].upper() + form[1:], "Caps": form.upper()}[shape(lemma)]


def write_vocabulary(vocabulary: Vocabulary, path: Path) -> None:
    """A TSV with the columns upos, form, lemma and count, for a curator to read and change."""
    rows = ["\t".join(_COLUMNS)]
    rows += [f"{one.upos}\t{one.form}\t{one.lemma}\t{one.count}" for one in vocabulary.forms]
    with replacing(path) as temporary:
        temporary.write_text("\n".join(rows) + "\n", encoding="utf-8")


def read_vocabulary(path: Path) -> Vocabulary:
    """A table with the columns upos, form and lemma (and count), as a curator has left it.

    Raises InputError, with ``file:line``, for an unknown UPOS, an empty cell, a count that is no
    number, and for a form that stands twice.
    """
    table = read_delimited(path, wanted=_COLUMNS[:3])
    places = [table.header.index(name) for name in _COLUMNS[:3]]
    count_at = table.header.index("count") if "count" in table.header else None
    kept: dict[tuple[str, str], KeptForm] = {}
    for row, line in zip(table.rows, table.lines, strict=True):
        where = f"{path}:{line}"
        upos, form, lemma = (normalize(_cell(row, at)) for at in places)
        if upos not in KEPT_UPOS:
            raise InputError(f"{upos!r} is none of {', '.join(KEPT_UPOS)}", where=where)
        if not form or not lemma:
            raise InputError("a form or a lemma is missing", where=where)
        if (upos, form) in kept:
            raise InputError(f"{form!r} stands twice as {upos}", where=where)
        count = _cell(row, count_at) if count_at is not None else ""
        if count and not count.isdecimal():
            raise InputError(f"the count {count!r} is no number", where=where)
        kept[upos, form] = KeptForm(upos, form, lemma, int(count or 0))
    return Vocabulary(tuple(sorted(kept.values())))


def _cell(row: list[str], at: int) -> str:
    return row[at].strip() if at < len(row) else ""

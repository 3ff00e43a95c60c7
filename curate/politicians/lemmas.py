"""Lemmas of a vocabulary by a lemmatiser in place of its treebank's: spaCy, stanza or a table.

Stańczak et al. (2023, section 3.2) lemmatise the words with spaCy or stanza, so that gendered forms
are one word. A lemmatiser reads every form alone, as the paper's does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from curate.errors import UsageError
from curate.language import normalize
from curate.language.parsers import Parser, load_parser
from curate.politicians.vocabulary import Vocabulary, read_vocabulary

__all__ = ["TREEBANK", "Lemmatised", "lemmatise"]

TREEBANK = "treebank"
_TABLE = ".tsv"
_LIBRARIES = frozenset({"spacy", "stanza"})
_AT_ONCE = 500


@dataclass(frozen=True)
class Lemmatised:
    """A vocabulary with the lemmas of `name`; `kept`: forms that kept their lemma, for what is
    found is no lemma of a word of theirs."""

    vocabulary: Vocabulary
    name: str
    kept: int = 0


def lemmatise(vocabulary: Vocabulary, wish: str, pipelines: Mapping[str, str]) -> Lemmatised:
    """The vocabulary with the lemmas that `wish` names.

    `wish`: ``treebank`` (as it is); ``spacy`` or ``stanza`` (the language's pipeline among
    `pipelines`, as language.toml has them), ``spacy:NAME`` or ``stanza:FOLDER``; or a TSV with
    upos, form and lemma. A form keeps its lemma where the lemmatiser finds several words in it, one
    of another UPOS or no lemma, and where the table lacks it. Raises UsageError for anything else,
    InputError or MissingExtraError for what cannot be loaded.
    """
    if wish == TREEBANK:
        return Lemmatised(vocabulary, TREEBANK)
    if wish.endswith(_TABLE):
        return _looked_up(vocabulary, Path(wish))
    is_known = wish.partition(":")[0] in _LIBRARIES
    parser = load_parser(wish, pipelines) if is_known else None
    if parser is None:
        raise UsageError(
            f"unknown lemmatiser {wish!r}",
            hint="treebank, spacy[:NAME], stanza[:FOLDER], or a TSV with upos, form, lemma",
        )
    return _parsed(vocabulary, parser)


def _looked_up(vocabulary: Vocabulary, path: Path) -> Lemmatised:
    known = {(one.upos, one.form): one.lemma for one in read_vocabulary(path).forms}
    return _with(vocabulary, known, path.name)


def _parsed(vocabulary: Vocabulary, parser: Parser) -> Lemmatised:
    found: dict[tuple[str, str], str] = {}
    forms = sorted({one.form for one in vocabulary.forms})
    for start in range(0, len(forms), _AT_ONCE):
        some = forms[start : start + _AT_ONCE]
        for form, words in zip(some, parser.parse(some), strict=True):
            if len(words) == 1 and words[0].lemma.strip():
                # a lemmatiser that knows the verb of an auxiliary (AUX) knows the verb
                upos = "VERB" if words[0].upos == "AUX" else words[0].upos
                found[upos, form] = normalize(words[0].lemma).strip()
    return _with(vocabulary, found, parser.name)


def _with(vocabulary: Vocabulary, lemmas: Mapping[tuple[str, str], str], name: str) -> Lemmatised:
    forms = [
        replace(one, lemma=lemmas.get((one.upos, one.form), one.lemma)) for one in vocabulary.forms
    ]
    kept = sum((one.upos, one.form) not in lemmas for one in vocabulary.forms)
    return Lemmatised(replace(vocabulary, forms=tuple(sorted(forms))), name, kept)

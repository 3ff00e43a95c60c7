"""Texts and words that people have given a sentiment, and the words of a lexicon in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError, UsageError
from curate.language.tokens import Tokenizer, fold, make_tokenizer, normalize
from curate.politicians.study.latent_model import SENTIMENTS
from curate.sources.delimited import read_delimited

__all__ = [
    "Finder",
    "Labelled",
    "folded",
    "label_names",
    "read_labelled",
    "tokenizer_of",
    "tokens",
    "without_contradictions",
]


@dataclass(frozen=True)
class Labelled:
    """Texts (or words) and their labels of `SENTIMENTS`; `left_out` counts rows by reason."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    left_out: Mapping[str, int]


def label_names(text: str) -> dict[str, str]:
    """``1=positive,0=negative``: what a table's labels mean, beside the names of `SENTIMENTS`."""
    names = {name: name for name in SENTIMENTS}
    for part in filter(None, (part.strip() for part in text.split(","))):
        label, sign, name = (cell.strip() for cell in part.partition("="))
        if not (label and sign and name in SENTIMENTS):
            hint = f"write LABEL=NAME, NAME one of {', '.join(SENTIMENTS)}"
            raise UsageError(f"{part!r} says what no label means", hint=hint)
        names[label.lower()] = name
    return names


def read_labelled(path: Path, *, column: str, names: Mapping[str, str]) -> Labelled:
    """Rows of a table with `column` (text or word) and label; InputError where none can be used."""
    try:
        table = read_delimited(path, wanted=(column, "label"))
    except InputError as error:
        if "no column" not in error.message:
            raise
        hint = f"the columns are to be called {column} and label"
        raise InputError(error.message, where=error.where, hint=hint) from error
    at, label_at = table.header.index(column), table.header.index("label")
    texts, labels = [], []
    left_out: dict[str, int] = {}
    for row in table.rows:
        text = normalize(row[at]).strip() if at < len(row) else ""
        told = row[label_at].strip().lower() if label_at < len(row) else ""
        label = names.get(told)
        if not text or label is None:
            reason = "empty" if not text else f"label {told!r}"
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        texts.append(text)
        labels.append(label)
    if len(set(labels)) < 2:
        found = f"only {labels[0]} ones" if labels else "none"
        raise InputError(
            f"rows with labels of two sentiments are needed, here are {found}",
            where=path,
            hint="labels are negative, neutral, positive, or what --labels says (0=negative,…)",
        )
    return Labelled(tuple(texts), tuple(labels), left_out)


def without_contradictions(table: Labelled) -> tuple[dict[str, str], int]:
    """Words (whatever their case) with their label; how many had several and were left out."""
    told: dict[str, set[str]] = {}
    for word, label in zip(table.texts, table.labels, strict=True):
        told.setdefault(folded(word), set()).add(label)
    clear = {word: next(iter(labels)) for word, labels in told.items() if len(labels) == 1}
    return clear, len(told) - len(clear)


def folded(word: str) -> str:
    """A word as it is looked up."""
    return fold(normalize(word))


def tokenizer_of(lang: str, words: Iterable[str] = ()) -> Tokenizer:
    """The tokenizer that the language's folder of lexicons/ names; spaces where it has none."""
    from curate.lexicon.load import available_languages, load_lexicon

    known = lang in available_languages()
    segmentation = load_lexicon(lang).config.segmentation if known else "spaces"
    return make_tokenizer(segmentation, sorted(words))


class Finder:
    """Finds a lexicon's words in texts, the longest first, whatever their case."""

    def __init__(self, words: Sequence[str], cut: Tokenizer) -> None:
        self._places: dict[tuple[str, ...], int] = {}
        self._longest = 1
        for at, word in enumerate(words):
            key = tokens(word, cut)
            if key:
                self._places.setdefault(key, at)
                self._longest = max(self._longest, len(key))

    def find(self, text: tuple[str, ...]) -> list[int]:
        """Places in the lexicon of the words of a text (see `tokens`), one after another."""
        found = []
        at = 0
        while at < len(text):
            for size in range(min(self._longest, len(text) - at), 0, -1):
                place = self._places.get(text[at : at + size])
                if place is not None:
                    found.append(place)
                    at += size
                    break
            else:
                at += 1
        return found


def tokens(text: str, cut: Tokenizer) -> tuple[str, ...]:
    """A text's tokens as they are looked up."""
    return tuple(fold(token.text) for token in cut(normalize(text)))

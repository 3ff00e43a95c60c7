"""The classes of agreement.toml: named lists of words, some of them drawn from pairs.tsv."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curate.lexicon.model import PairRow

__all__ = ["read_classes"]

# what a class may ask of the rows of pairs.tsv; all is lower-cased
_QUERIES: dict[str, Callable[[PairRow, str], bool]] = {
    "kind": lambda row, value: row.kind == value,
    "upos": lambda row, value: row.upos.lower() == value,
    "flag": lambda row, value: value in row.flags,
    "pair": lambda row, value: row.pair == value,
}

# says what is wrong: where to look for it in the file, and a message
_Note = Callable[[str, str], None]


def read_classes(
    table: Mapping[str, Any], pairs: Sequence[PairRow], note: _Note
) -> dict[str, frozenset[str]]:
    """The words of each class; `pairs` are the rows that a class may draw on (`<kind=role>`)."""
    classes: dict[str, frozenset[str]] = {}
    for name, forms in table.items():
        words: set[str] = set()
        for word in str(forms).lower().split():
            if word.startswith("<") and len(word) > 1:
                words |= _listed(name, word, pairs, note)
            elif word.startswith(":") and len(word) > 1:
                if word[1:] not in classes:
                    note(name, f"class {name}: {word} is not defined above it")
                words |= classes.get(word[1:], frozenset())
            else:
                words.add(word)
        classes[name] = frozenset(words)
    return classes


def _listed(name: str, query: str, pairs: Sequence[PairRow], note: _Note) -> set[str]:
    """The forms of the rows of pairs.tsv that `<kind=role|flag=epicene>` names."""
    wanted = [part.partition("=")[::2] for part in query.strip("<>").split("|")]
    if not query.endswith(">") or any(key not in _QUERIES for key, _ in wanted):
        note(name, f"class {name}: {query} is not <{'=…|'.join(_QUERIES)}=…>")
        return set()
    rows = pairs
    for key, value in wanted:
        fits = _QUERIES[key]
        rows = [row for row in rows if fits(row, value)]
    if not rows and pairs:
        note(name, f"class {name}: no row of pairs.tsv is {query}")
    return {form.lower() for row in rows for form in (row.masculine, row.feminine) if form}

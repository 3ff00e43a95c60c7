"""contrast.toml: how a name takes a pronoun's place, and which words keep a pair out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import LexiconError
from curate.language import fold
from curate.lexicon.grammar import read_toml
from curate.lexicon.model import Lexicon
from curate.lexicon.tables import Problems
from curate.resources import lexicons_folder

__all__ = ["Contrast", "load_contrast", "read_contrast"]

FILE = "contrast.toml"
_SECTIONS = {"possessive", "anywhere", "contrasted", "names"}

Key = tuple[str, ...]


@dataclass(frozen=True)
class Contrast:
    """What the file says; all empty for a language without one.

    `possessive`: (ending of the name, suffix), first come, first taken; `anywhere` and
    `contrasted`: the reason by word, as the lower-cased tokens of the word; `names`: by gender,
    those of names.tsv that are taken first.
    """

    possessive: tuple[tuple[re.Pattern[str], str], ...] = ()
    anywhere: Mapping[Key, str] = field(default_factory=dict)
    contrasted: Mapping[Key, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def possessive_of(self, name: str) -> str | None:
        """The name as a possessive, or None where the language has no such form."""
        for ending, suffix in self.possessive:
            if ending.search(name):
                return name + suffix
        return None


def load_contrast(lexicon: Lexicon) -> Contrast:
    """The ``contrast.toml`` of a language; LexiconError where it is broken."""
    problems = Problems(lexicon.lang)
    contrast = read_contrast(lexicon, lexicons_folder() / lexicon.lang, problems)
    if problems.found:
        raise LexiconError(
            str(problems.found[0]), hint=f"curate lexicon check {lexicon.lang} lists all of it"
        )
    return contrast


def read_contrast(lexicon: Lexicon, folder: Path, problems: Problems) -> Contrast:
    """Read ``contrast.toml`` of a folder, if it has one; what is broken is noted in `problems`."""
    if not (folder / FILE).is_file():
        return Contrast()
    data = read_toml(folder / FILE, problems) or {}
    for section in sorted(set(data) - _SECTIONS):
        problems.add(FILE, 0, f"unknown section [{section}]")
    try:
        contrast = Contrast(
            tuple(_rule(rule) for rule in data.get("possessive", [])),
            _words(lexicon, data.get("anywhere", {})),
            _words(lexicon, data.get("contrasted", {})),
            {gender: tuple(names) for gender, names in data.get("names", {}).items()},
        )
    except (AttributeError, KeyError, TypeError, re.error) as error:
        problems.add(FILE, 0, f"not in the form that lexicons/README.md shows ({error})")
        return Contrast()
    listed = {(name.name, name.gender) for name in lexicon.names}
    for gender, names in contrast.names.items():
        for name in names:
            if (name, gender) not in listed:
                problems.add(FILE, 0, f"{name} ({gender}) is not in names.tsv")
    return contrast


def _rule(rule: Mapping[str, Any]) -> tuple[re.Pattern[str], str]:
    return re.compile(f"(?:{rule.get('ending', '')})$"), str(rule["suffix"])


def _words(lexicon: Lexicon, reasons: Mapping[str, list[str]]) -> dict[Key, str]:
    return {
        tuple(fold(token.text) for token in lexicon.tokenizer(word)): reason
        for reason, words in reasons.items()
        for word in words
    }

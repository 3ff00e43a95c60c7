"""The pattern language of agreement.toml: parse a pattern into elements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from curate.language import parse_features

__all__ = ["Atom", "Element", "Pattern", "parse_pattern"]

UPOS = frozenset(
    ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
     "PUNCT", "SCONJ", "SYM", "VERB", "X")
)  # fmt: skip
SHAPES = frozenset({"Word", "Upper", "Lower", "Num", "Punct", "Head", "Out"})

_QUANTIFIERS = {"": (1, 1), "?": (0, 1), "*": (0, 99), "+": (1, 99)}
# parentheses and the bar stand alone (a quantifier may follow the closing one)
_SPLIT = re.compile(r"(?:'[^']*'|\[[^\]]*\]|[^\s()'|\[])+|\(|\)(?:[?*+]|\{\d+,\d+\})?|\|")
_ELEMENT = re.compile(
    r"""(?P<mark>[@=&])?(?P<negated>!)?
        (?P<atoms>(?:'[^']*'|[^\s'?*+{])+?)
        (?P<quantifier>[?*+]|\{\d+,\d+\})?(?=\s|$)""",
    re.VERBOSE,
)
_ATOM = re.compile(
    r"(?:(?P<name>[A-Za-z]+)|:(?P<cls>[\w-]+)|'(?P<word>[^']+)'|(?P<any>\.))?(?:\[(?P<feats>[^\]]+)\])?"
)


@dataclass(frozen=True, slots=True)
class Atom:
    """One alternative: a UPOS or shape name, a class, a word, or anything; with features."""

    name: str = ""
    cls: str = ""
    word: str = ""
    feats: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_shape(self) -> bool:
        return self.name in SHAPES


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: alternative atoms, or a group of alternative sequences.

    `mark` is ``@``, ``=``, ``&`` or empty; `edge` is ``^`` or ``$``.
    """

    atoms: tuple[Atom, ...] = ()
    group: tuple[tuple[Element, ...], ...] = ()
    mark: str = ""
    negated: bool = False
    least: int = 1
    most: int = 1
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """`left` (nearest first), the anchor, and `right`.

    `needs`: of each set, a word must stand somewhere in a text, or the pattern cannot match.
    """

    source: str
    left: tuple[Element, ...]
    anchor: Element
    right: tuple[Element, ...]
    needs: tuple[frozenset[str], ...] = ()

    def with_needs(
        self, classes: Mapping[str, frozenset[str]], open_classes: Collection[str]
    ) -> Pattern:
        """The same pattern with `needs` worked out from the closed classes."""
        found = (_needed(e, classes, open_classes) for e in (*self.left, *self.right))
        return replace(self, needs=tuple(words for words in found if words is not None))


def parse_pattern(source: str, classes: Collection[str]) -> Pattern:
    """Parse `source`; raises ValueError that says which element is wrong and why."""
    parts = _SPLIT.findall(source)
    elements, rest = _sequence(parts, classes)
    if rest:
        raise ValueError(f"pattern {source!r}: unmatched parenthesis")
    anchors = [i for i, element in enumerate(elements) if element.mark == "@"]
    if len(anchors) != 1:
        raise ValueError(f"pattern {source!r} needs exactly one element marked @, in no group")
    anchor = elements[anchors[0]]
    if (anchor.least, anchor.most) != (1, 1):
        raise ValueError(f"pattern {source!r}: the element marked @ cannot repeat")
    left = _reversed(elements[: anchors[0]])
    return Pattern(source, left, anchor, tuple(elements[anchors[0] + 1 :]))


def _needed(
    element: Element, classes: Mapping[str, frozenset[str]], open_classes: Collection[str]
) -> frozenset[str] | None:
    """The words of which an element must find one, or None where it can do without."""
    if element.negated or element.edge or element.least == 0:
        return None
    if element.group:
        choices = [
            next((w for w in (_needed(e, classes, open_classes) for e in choice) if w), None)
            for choice in element.group
        ]
        return None if None in choices else frozenset().union(*(c for c in choices if c))
    words: set[str] = set()
    for atom in element.atoms:
        if atom.word:
            words.add(atom.word)
        elif atom.cls in classes and atom.cls not in open_classes:
            words |= classes[atom.cls]
        else:
            return None
    return frozenset(words)


def _sequence(parts: list[str], classes: Collection[str]) -> tuple[list[Element], list[str]]:
    """Elements up to a closing parenthesis or bar, and what is left."""
    elements: list[Element] = []
    while parts and parts[0] != "|" and not parts[0].startswith(")"):
        part, parts = parts[0], parts[1:]
        if part != "(":
            elements.append(_element(part, classes))
            continue
        choices = []
        while True:
            choice, parts = _sequence(parts, classes)
            choices.append(tuple(choice))
            if not parts:
                raise ValueError("a parenthesis is not closed")
            closing, parts = parts[0], parts[1:]
            if closing != "|":
                break
        least, most = _counts(closing[1:])
        elements.append(Element(group=tuple(choices), least=least, most=most))
    return elements, parts


def _reversed(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements right to left, groups included."""
    return tuple(
        replace(element, group=tuple(_reversed(choice) for choice in element.group))
        for element in reversed(elements)
    )


def _counts(quantifier: str) -> tuple[int, int]:
    if quantifier.startswith("{"):
        least, most = (int(n) for n in quantifier[1:-1].split(","))
        return least, most
    if quantifier not in _QUANTIFIERS:
        raise ValueError(f"{quantifier!r} is no quantifier")
    return _QUANTIFIERS[quantifier]


def _element(text: str, classes: Collection[str]) -> Element:
    if text in {"^", "$"}:
        return Element(edge=text)
    if text[0] in "@=&" and (len(text) == 1 or text[1] in "[?*+{"):
        text = f"{text[0]}.{text[1:]}"  # a bare mark: any token
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a pattern element")
    least, most = _counts(match["quantifier"] or "")
    atoms = tuple(_atom(part, classes) for part in _alternatives(match["atoms"]))
    return Element(
        atoms=_SHARED.setdefault(atoms, atoms),
        mark=match["mark"] or "",
        negated=bool(match["negated"]),
        least=least,
        most=most,
    )


# equal atoms are one object, so that what fits where is worked out once for all patterns
_SHARED: dict[tuple[Atom, ...], tuple[Atom, ...]] = {}


def _alternatives(text: str) -> list[str]:
    return re.findall(r"(?:'[^']*'|\[[^\]]*\]|[^/])+", text)


def _atom(text: str, classes: Collection[str]) -> Atom:
    match = _ATOM.fullmatch(text)
    if match is None or not text:
        raise ValueError(f"{text!r} is not a pattern element")
    if match["name"] and match["name"] not in UPOS | SHAPES:
        raise ValueError(f"{match['name']!r} is neither a UPOS nor one of {sorted(SHAPES)}")
    if match["cls"] and match["cls"] not in classes:
        raise ValueError(f"class :{match['cls']} is not defined")
    feats = tuple(parse_features(match["feats"] or "").items())
    return Atom(match["name"] or "", match["cls"] or "", (match["word"] or "").lower(), feats)

"""The pattern language of agreement.toml: parse a pattern into elements."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from curate.language import parse_features

__all__ = ["Atom", "Element", "Pattern", "PatternReader"]

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
    """One alternative: a UPOS or shape name, a class, a word, or anything; with features.

    `also`: what must hold of the same token besides.
    """

    name: str = ""
    cls: str = ""
    word: str = ""
    feats: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shapes: tuple[str, ...] = ()
    also: tuple[Atom, ...] = ()

    @property
    def is_shape(self) -> bool:
        return self.name in SHAPES


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: alternative atoms, or a group of alternative sequences.

    `mark` is ``@``, ``=``, ``&`` or empty; `edge` is ``^`` or ``$``; `words`: those that it may
    stand for, where it names them; `closed`: the same, where nothing else is asked of the token;
    `is_any`: it takes every token.
    """

    atoms: tuple[Atom, ...] = ()
    group: tuple[tuple[Element, ...], ...] = ()
    mark: str = ""
    negated: bool = False
    least: int = 1
    most: int = 1
    edge: str = ""
    words: frozenset[str] | None = None
    closed: frozenset[str] | None = None
    is_any: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """`left` (nearest first), the anchor, and `right`.

    `opening`: what the first unit of a text must fit.
    """

    source: str
    left: tuple[Element, ...]
    anchor: Element
    right: tuple[Element, ...]
    opening: Element | None = None


class PatternReader:
    """Reads the patterns of one file, which may name its classes.

    `classes`: those with a list of words; `open_classes`: those with none. An element that stands
    in several patterns is read once.
    """

    def __init__(
        self, classes: Mapping[str, frozenset[str]], open_classes: Collection[str]
    ) -> None:
        self._classes = classes
        self._open = frozenset(open_classes)
        self._known = classes.keys() | self._open
        self._elements: dict[str, Element] = {}

    def read(self, source: str) -> Pattern:
        """Parse `source`; raises ValueError that says which element is wrong and why."""
        elements, rest = self._sequence(_SPLIT.findall(source))
        if rest:
            raise ValueError(f"pattern {source!r}: unmatched parenthesis")
        anchors = [i for i, element in enumerate(elements) if element.mark == "@"]
        if len(anchors) != 1:
            raise ValueError(f"pattern {source!r} needs exactly one element marked @, in no group")
        anchor = elements[anchors[0]]
        if (anchor.least, anchor.most) != (1, 1):
            raise ValueError(f"pattern {source!r}: the element marked @ cannot repeat")
        left = _reversed(elements[: anchors[0]])
        right = tuple(elements[anchors[0] + 1 :])
        return Pattern(source, left, anchor, right, _opening(left))

    def _sequence(self, parts: list[str]) -> tuple[list[Element], list[str]]:
        """Elements up to a closing parenthesis or bar, and what is left."""
        elements: list[Element] = []
        while parts and parts[0] != "|" and not parts[0].startswith(")"):
            part, parts = parts[0], parts[1:]
            if part != "(":
                elements.append(self._element(part))
                continue
            choices = []
            while True:
                choice, parts = self._sequence(parts)
                choices.append(tuple(choice))
                if not parts:
                    raise ValueError("a parenthesis is not closed")
                closing, parts = parts[0], parts[1:]
                if closing != "|":
                    break
            least, most = _counts(closing[1:])
            elements.append(Element(group=tuple(choices), least=least, most=most))
        return elements, parts

    def _element(self, text: str) -> Element:
        known = self._elements.get(text)
        if known is None:
            known = self._elements[text] = self._new_element(text)
        return known

    def _new_element(self, text: str) -> Element:
        if text in {"^", "$"}:
            return Element(edge=text)
        if text[0] in "@=&" and (len(text) == 1 or text[1] in "[?*+{"):
            text = f"{text[0]}.{text[1:]}"  # a bare mark: any token
        match = _ELEMENT.fullmatch(text)
        if match is None or "&!" in text:
            raise ValueError(f"{text!r} is not a pattern element{_advice(text)}")
        least, most = _counts(match["quantifier"] or "")
        atoms = tuple(_atom(part, self._known) for part in _alternatives(match["atoms"]))
        words = self._words(atoms)
        exact = not any(atom.feats or atom.shapes or atom.also for atom in atoms)
        return Element(
            atoms=_SHARED.setdefault(atoms, atoms),
            mark=match["mark"] or "",
            is_any=atoms == (Atom(),) and not match["negated"] and match["mark"] != "=",
            negated=bool(match["negated"]),
            least=least,
            most=most,
            words=words,
            closed=words if exact else None,
        )

    def _words(self, atoms: Sequence[Atom]) -> frozenset[str] | None:
        """The words of which the token must be one; None where it may be any."""
        words: set[str] = set()
        for atom in atoms:
            if not (atom.word or atom.cls in self._classes) or atom.cls in self._open:
                return None
            words |= {atom.word} if atom.word else self._classes[atom.cls]
        return frozenset(words) if atoms else None


def _opening(left: Sequence[Element]) -> Element | None:
    """The element that stands at the beginning of a text, where exactly one can."""
    if len(left) < 2 or left[-1].edge != "^":
        return None
    first = left[-2]
    return first if first.least and not first.group and not first.edge else None


def _reversed(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements right to left, groups included."""
    return tuple(
        replace(element, group=tuple(map(_reversed, element.group))) if element.group else element
        for element in reversed(elements)
    )


def _counts(quantifier: str) -> tuple[int, int]:
    if quantifier.startswith("{"):
        least, most = (int(n) for n in quantifier[1:-1].split(","))
        return least, most
    if quantifier not in _QUANTIFIERS:
        raise ValueError(f"{quantifier!r} is no quantifier")
    return _QUANTIFIERS[quantifier]


def _advice(text: str) -> str:
    if "&!" in text:
        return "; ! stands before a whole element, never after &"
    if {"^", "$"} & set(re.sub(r"'[^']*'|\[[^\]]*\]", "", text)):
        return "; ^ and $ stand alone: write ( ^ | Punct )"
    return ""


# equal atoms are one object, so that what fits where is worked out once for all patterns
_SHARED: dict[tuple[Atom, ...], tuple[Atom, ...]] = {}


def _alternatives(text: str) -> list[str]:
    return re.findall(r"(?:'[^']*'|\[[^\]]*\]|[^/])+", text)


def _atom(text: str, classes: Collection[str]) -> Atom:
    first, *others = re.findall(r"(?:'[^']*'|\[[^\]]*\]|[^&])+", text) or [""]
    atom = _single_atom(first, classes)
    if not others:
        return atom
    return replace(atom, also=tuple(_single_atom(other, classes) for other in others))


def _single_atom(text: str, classes: Collection[str]) -> Atom:
    match = _ATOM.fullmatch(text)
    if match is None or not text:
        raise ValueError(f"{text!r} is not a pattern element{_advice(text)}")
    if match["name"] and match["name"] not in UPOS | SHAPES:
        raise ValueError(f"{match['name']!r} is neither a UPOS nor one of {sorted(SHAPES)}")
    if match["cls"] and match["cls"] not in classes:
        raise ValueError(f"class :{match['cls']} is not defined")
    feats = parse_features(match["feats"] or "")
    shapes = feats.pop("Shape", ())
    return Atom(
        name=match["name"] or "",
        cls=match["cls"] or "",
        word=(match["word"] or "").lower(),
        feats=tuple(feats.items()),
        shapes=shapes,
    )

"""Rules of agreement.toml that can never do anything, found without running them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curate.language import fold
from curate.lexicon.index import FormIndex
from curate.lexicon.model import NAME_CLASSES, Lexicon, Reading, Rule
from curate.lexicon.patterns import Atom, Element

__all__ = ["dead_rules"]

# the mark without which a kind of rule ties nothing to its anchor
_NEEDED_MARK = {"agree": ("=", "what agrees"), "same": ("&", "the other gender word")}
_NOT_FEATURES = {"upos", "Pair", "Referent"}
_ANCHORED_ON_GENDER_WORDS = frozenset({"select", "agree", "same", "refuse"})


def dead_rules(lexicon: Lexicon) -> Iterator[tuple[str, int, str]]:
    """(kind, number among its kind from 0, what is wrong and what to do)."""
    vocabulary = _Vocabulary(lexicon)
    for kind, rules in lexicon.grammar.rules.items():
        for number, rule in enumerate(rules):
            fault = vocabulary.fault(rule)
            if fault:
                yield kind, number, f"{rule.name!r} {fault}"


Features = tuple[tuple[str, tuple[str, ...]], ...]


class _Vocabulary:
    """All that a token can be in one language, as far as its files say."""

    def __init__(self, lexicon: Lexicon) -> None:
        index = FormIndex(lexicon)
        self._index = index
        self._tokenizer = lexicon.tokenizer
        self._grammar = lexicon.grammar
        self._gender_words = [r for readings in index.words.values() for r in readings]
        self._gender_words += index.open_readings()
        self._readings = [*self._gender_words, *index.agreeing_readings()]
        self._found: dict[tuple[str, Features], bool] = {}
        self._pairs = {r.row.pair for r in self._gender_words if r.row is not None}
        self._pairs |= {row.pair for row in lexicon.pairs}
        self._features = {name for reading in self._gender_words for name in reading.feats}

    def fault(self, rule: Rule) -> str:
        mark, what = _NEEDED_MARK.get(rule.kind, ("", ""))
        elements = [*rule.pattern.left, *rule.pattern.right]
        if mark and not any(element.mark == mark for element in _flat(elements)):
            return f"does nothing: mark {what} with {mark}"
        for element in _flat(elements):
            if element.group and element.most > 1 and any(map(_may_be_empty, element.group)):
                return "loops: a group that repeats may be empty; give it an element that is not"
        impossible = next((e for e in elements if not self._possible(e)), None)
        if impossible is not None:
            return f"never fires: no word of the lexicon is {_written(impossible)}; mend or drop it"
        return self._anchor_fault(rule)

    def _anchor_fault(self, rule: Rule) -> str:
        unknown = sorted(set(rule.kept.get("Pair", ())) - self._pairs)
        if unknown:
            return f"keeps the pair {unknown[0]!r}, which pairs.tsv does not have"
        strange = sorted(rule.kept.keys() - self._features - _NOT_FEATURES)
        if strange:
            return f"keeps by the feature {strange[0]!r}, which no row of pairs.tsv has"
        if rule.kind not in _ANCHORED_ON_GENDER_WORDS:
            possible = self._possible(rule.pattern.anchor)
        elif rule.forms:
            possible = any(self._anchors(rule, self._read(form)) for form in rule.forms)
        else:
            possible = self._anchors(rule, self._gender_words)
        if possible:
            return ""
        where = "pairs.tsv" if rule.kind in _ANCHORED_ON_GENDER_WORDS else "the lexicon"
        return f"never fires: no word of {where} can be its anchor (@); mend or drop it"

    def _read(self, form: str) -> Sequence[Reading]:
        key = tuple(token.text for token in self._tokenizer(form))
        if len(key) > 1:
            return self._index.words.get(key, ())
        return self._index.word(form) or self._index.word(form[:1].upper() + form[1:])

    def _anchors(self, rule: Rule, readings: Sequence[Reading]) -> bool:
        anchor = rule.pattern.anchor
        if anchor.negated or not readings:
            return bool(readings)
        if anchor.closed is not None:
            if any(fold(reading.form) in anchor.closed for reading in readings):
                return True
            return any(self._read(word) for word in anchor.closed - rule.forms)
        return any(self._reads(atom, readings) for atom in anchor.atoms)

    def _possible(self, element: Element) -> bool:
        """Whether a token can be what the element asks for; what may be left out always can."""
        if element.negated or element.edge or element.least == 0:
            return True
        if element.group:
            return any(all(map(self._possible, choice)) for choice in element.group)
        return any(self._reads(atom, self._readings) for atom in element.atoms)

    def _reads(self, atom: Atom, readings: Sequence[Reading]) -> bool:
        if atom.cls:
            open_class = atom.cls in {*self._grammar.shapes, *self._grammar.written, *NAME_CLASSES}
            if not open_class and not self._grammar.classes.get(atom.cls):
                return False
        if not atom.feats and (not atom.name or atom.is_shape):
            return True
        upos = "" if atom.is_shape else atom.name
        if readings is not self._readings:
            return _some_reading_is(upos, atom.feats, readings)
        key = (upos, atom.feats)
        if key not in self._found:
            self._found[key] = _some_reading_is(upos, atom.feats, readings)
        return self._found[key]


def _some_reading_is(upos: str, feats: Features, readings: Iterable[Reading]) -> bool:
    return any(
        (not upos or reading.upos == upos)
        and all(reading.feature(name) in values for name, values in feats)
        for reading in readings
    )


def _flat(elements: Iterable[Element]) -> Iterator[Element]:
    for element in elements:
        yield element
        for choice in element.group:
            yield from _flat(choice)


def _may_be_empty(choice: Sequence[Element]) -> bool:
    return all(
        element.least == 0 or (element.group and any(map(_may_be_empty, element.group)))
        for element in choice
        if not element.edge
    ) and not any(element.edge for element in choice)


def _written(element: Element) -> str:
    """An element as a pattern writes it, without repetitions."""
    if element.group:
        choices = (" ".join(map(_written, choice)) for choice in element.group)
        return f"( {' | '.join(choices)} )"
    return "/".join(map(_written_atom, element.atoms)) or element.edge


def _written_atom(atom: Atom) -> str:
    text = atom.name or (f":{atom.cls}" if atom.cls else f"'{atom.word}'" if atom.word else "")
    feats = "|".join(f"{name}={','.join(values)}" for name, values in atom.feats)
    return f"{text}[{feats}]" if feats else text

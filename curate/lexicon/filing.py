"""The rules of agreement.toml, filed by the words that they can be about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from curate.lexicon.model import Rule
from curate.lexicon.patterns import Element

__all__ = ["FiledRules", "NumberedRule"]


class NumberedRule(NamedTuple):
    """A rule with its number among those of its kind."""

    number: int
    rule: Rule


# what an anchor asks of its token, and the rules whose anchors ask just that
_Asked = tuple[int, bool]
_SameAnchor = tuple[Element, list[NumberedRule]]
_Group = dict[_Asked, _SameAnchor]
_ANY_WORD = frozenset({""})


class FiledRules:
    """Finds the rules that may have a word as their anchor."""

    def __init__(self, rules: Mapping[str, Sequence[Rule]]) -> None:
        self._filed = {kind: _file(own) for kind, own in rules.items()}

    def rules(self, kind: str, word: str) -> Iterator[_SameAnchor]:
        """The rules of a kind that may have this word as their anchor, by what the anchor asks."""
        filed = self._filed[kind]
        for key in ("", word) if word else ("",):
            for group in filed.get(key, ()):
                yield from group.values()


def _file(rules: Sequence[Rule]) -> dict[str, list[_Group]]:
    """The groups of rules under each word that can be their anchor; "": any word.

    The rules of a group are about the same words: many rules share a class of thousands.
    """
    groups: dict[frozenset[str], _Group] = {}
    for number, rule in enumerate(rules):
        anchor = rule.pattern.anchor
        closed = anchor.closed if not anchor.negated else None
        group = groups.setdefault(rule.forms or closed or _ANY_WORD, {})
        _, same = group.setdefault((id(anchor.atoms), anchor.negated), (anchor, []))
        same.append(NumberedRule(number, rule))
    filed: dict[str, list[_Group]] = defaultdict(list)
    for words, group in groups.items():
        for word in words:
            filed[word].append(group)
    return dict(filed)

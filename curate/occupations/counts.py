"""How many sentences the paper's rule keeps, how many ours, and why the two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from curate.lexicon import Lexicon
from curate.lexicon.occupation_rules import OccupationRules
from curate.occupations.paper import PaperRule

__all__ = ["Sentence", "count_rules"]


class Sentence(NamedTuple):
    """A sentence of a set and its row there."""

    row: int
    text: str


def count_rules(
    sentences: Sequence[Sentence],
    lexicon: Lexicon,
    rules: OccupationRules,
    kept: Collection[int],
    reasons: Mapping[int, str],
) -> dict[str, Any]:
    """Both rules' counts. `kept` and the keys of `reasons` are places in `sentences`: what our
    rule keeps, and why it left out the others that begin so.

    ``paper``: sentences that begin with the words, those without another listed gender word, and
    how many of these are distinct; the last two also when possessives are let pass. ``differences``
    says by which code we leave out what the paper keeps, and for which listed word the paper leaves
    out what we keep.
    """
    paper = PaperRule(lexicon, rules)
    begin = [at for at, one in enumerate(sentences) if paper.begins(one.text)]
    words = {at: paper.words(sentences[at].text) for at in begin}
    strict = [at for at in begin if not words[at]]
    lenient = [at for at in begin if not paper.words(sentences[at].text, possessives=False)]

    def distinct(places: Sequence[int]) -> int:
        return len({sentences[at].text for at in places})

    left_out = Counter(reasons.get(at, "not-the-subject") for at in strict if at not in kept)
    added = Counter(word for at in begin if at in kept for word in words[at])
    return {
        "sentences": len(sentences),
        "paper": {
            "begin": len(begin),
            "kept": len(strict),
            "distinct": distinct(strict),
            "kept_with_possessives": len(lenient),
            "distinct_with_possessives": distinct(lenient),
        },
        "ours": {
            "kept": len(kept),
            "drops": _sorted(Counter(reasons.values())),
        },
        "differences": {"only_paper": _sorted(left_out), "only_ours": _sorted(added)},
    }


def _sorted(counter: Counter[str]) -> dict[str, int]:
    """Most first, then by name."""
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))

"""Gender pairs of CrowS-Pairs made fit for translation: filtered, and with names for pronouns.

Steinborn et al. (2022), section 3.1. What a person does there by hand and rules cannot (mending
typing errors, new words for a culture) is left; every row that is kept carries notes on what to
look at, every other one goes to the drops with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from curate import schema
from curate.lexicon import load_lexicon
from curate.lexicon.contrast import load_contrast
from curate.pairs.contrast import CrowsContrast, Judge
from curate.pairs.name_lists import NameList, choose_names, slot_of
from curate.pairs.naming import Named, lone_pronoun, put_names, put_over, rename, shared_name
from curate.swap.results import Refusal

__all__ = ["STAGE", "GivenNames", "NamedCrows", "NamedRow", "name_crows"]

STAGE = "crows-names"

GivenNames = Literal["keep", "replace"]
Action = Literal["none", "pronoun", "shared-name", "given-name"]


@dataclass(frozen=True, slots=True)
class NamedRow:
    """What was done to one kept pair; `slot` is None where it got no names."""

    source_id: str
    pair_id: str
    action: Action
    slot: int | None
    notes: tuple[str, ...]


@dataclass
class NamedCrows:
    """`table` is `schema.CROWS`, `drops` is `schema.DROPS`, `names` has a list for each language.

    The first list is that of the pairs' own language.
    """

    names: tuple[NameList, ...]
    table: pa.Table = field(default_factory=schema.CROWS.empty_table)
    drops: pa.Table = field(default_factory=schema.DROPS.empty_table)
    rows: list[NamedRow] = field(default_factory=list)

    def counts(self) -> dict[str, Any]:
        """Pairs, what was done to them, and why the others were dropped."""
        return {
            "pairs": self.table.num_rows,
            "actions": dict(sorted(Counter(row.action for row in self.rows).items())),
            "drops": dict(Counter(self.drops.column("code").to_pylist()).most_common()),
        }


def name_crows(
    table: pa.Table,
    *,
    lang: str,
    targets: Sequence[str] = (),
    count: int = 2,
    seed: int = 0,
    given_names: GivenNames = "keep",
) -> NamedCrows:
    """Filter a table of `schema.CROWS` in one language to gender, and put names for lone pronouns.

    A pronoun that alone shows a person's gender becomes one of `count` names of either gender, the
    same for the same `source_id` and `seed`; later pronouns, gender nouns and (unless `given_names`
    is ``replace``) names stay. `targets` are the languages whose names are listed beside. Codes of
    the drops: those of `Judge.judge`, ``no-name-form``, ``names-taken``, ``duplicate``.

    Raises UsageError for a language without a lexicon, or with fewer names than `count`.
    """
    namer = _Namer(lang, targets, count=count, seed=seed, given_names=given_names)
    rows: list[dict[str, Any]] = []
    drops: list[dict[str, Any]] = []
    seen: dict[str, str] = {}
    for number, row in enumerate(table.to_pylist()):
        try:
            kept, done = namer.name(row)
            if kept["pair_id"] in seen:
                raise Refusal("duplicate", f"the same two texts as id {seen[kept['pair_id']]}")
        except Refusal as refusal:
            drops.append(_drop(number, row, refusal))
            continue
        seen[kept["pair_id"]] = row["source_id"]
        rows.append(kept)
        namer.result.rows.append(done)
    namer.result.table = pa.Table.from_pylist(rows, schema=schema.CROWS)
    namer.result.drops = pa.Table.from_pylist(drops, schema=schema.DROPS)
    return namer.result


def _drop(number: int, row: Mapping[str, Any], refusal: Refusal) -> dict[str, Any]:
    return {
        "sent_id": schema.sentence_id(row["lang"], row["sent_more"]),
        "row": number,
        "stage": STAGE,
        "code": refusal.code,
        "detail": f"id {row['source_id']}: {refusal.detail}",
    }


class _Namer:
    def __init__(
        self, lang: str, targets: Sequence[str], *, count: int, seed: int, given_names: GivenNames
    ) -> None:
        self._lexicon = load_lexicon(lang)
        self._contrast = load_contrast(self._lexicon)
        self._judge = Judge(self._lexicon, self._contrast)
        self._given = {name.name.lower() for name in self._lexicon.names}
        self._count, self._seed, self._given_names = count, seed, given_names
        lists = [choose_names(self._lexicon, self._contrast, count)]
        for target in dict.fromkeys(targets):
            lexicon = load_lexicon(target)
            if target != lang:
                lists.append(choose_names(lexicon, load_contrast(lexicon), count))
        self._names = lists[0]
        self.result = NamedCrows(tuple(lists))

    def name(self, row: Mapping[str, Any]) -> tuple[dict[str, Any], NamedRow]:
        """The pair as it is kept, and what was done; Refusal where it is left out."""
        more, less = row["sent_more"], row["sent_less"]
        pair = self._judge.judge(more, less, bias_type=row["bias_type"])
        slot = self._slot(pair, row["source_id"])
        action, named = self._named(pair, slot)
        if named.sides[0] == named.sides[1]:
            raise Refusal("no-pair", "both sides are the same once they have names")
        more, less = named.sides
        pair_id = schema.pair_id(row["lang"], "import", more, less)
        sides: dict[str, str | None] = {"masculine": None, "feminine": None}
        if pair.masculine is not None:
            ordered = named.sides if pair.masculine == 0 else named.sides[::-1]
            sides = dict(zip(schema.GENDERS, ordered, strict=True))
        kept = {
            **row,
            "pair_id": pair_id,
            "sent_more": more,
            "sent_less": less,
            **sides,
            "round": 0,
        }
        notes = (*named.notes, *(f"{item.code}: {item.evidence}" for item in pair.findings))
        used = None if action == "none" else slot
        return kept, NamedRow(row["source_id"], pair_id, action, used, notes)

    def _named(self, pair: CrowsContrast, slot: int | None) -> tuple[Action, Named]:
        cue = lone_pronoun(pair)
        if cue is None and self._given_names == "keep":
            return "none", Named(pair.sides)
        if slot is None:
            raise Refusal("names-taken", ", ".join((*self._names.masculine, *self._names.feminine)))
        if cue is None:
            renamed = rename(pair, self._names, slot)
            return ("none", Named(pair.sides)) if renamed is None else ("given-name", renamed)
        shared = shared_name(pair, cue, self._given.__contains__)
        if shared is not None:
            return "shared-name", put_over(pair, cue, shared, self._names, slot)
        return "pronoun", put_names(pair, cue, self._names, slot, self._contrast)

    def _slot(self, pair: CrowsContrast, source_id: str) -> int | None:
        """The pair's slot, or the next one none of whose names both sides hold already."""
        words = {pair.alignment.a[i].text for i, _ in pair.alignment.same}
        first = slot_of(source_id, seed=self._seed, count=self._count)
        for step in range(self._count):
            slot = (first + step) % self._count
            if not words & set(self._names.of(slot).values()):
                return slot
        return None

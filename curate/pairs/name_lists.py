"""A few common names of one gender in each language, and which two a pair gets."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass

from curate.errors import UsageError
from curate.genders import GENDERS
from curate.lexicon import Lexicon
from curate.lexicon.contrast import Contrast

__all__ = ["NameList", "choose_names", "slot_of"]


@dataclass(frozen=True)
class NameList:
    """`masculine` and `feminine` names of a language, the most common first, equally many."""

    lang: str
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]

    def of(self, slot: int) -> dict[str, str]:
        """The two names of a slot, by gender."""
        return {"masculine": self.masculine[slot], "feminine": self.feminine[slot]}


def choose_names(lexicon: Lexicon, contrast: Contrast, count: int) -> NameList:
    """The `count` most common names of either gender that only this gender bears.

    Those that contrast.toml names, then those with the largest share in names.tsv, then the first
    of that list. Of names that are one but for an ending (*Johan*, *Johans*; *Мария*, *Марии*) the
    first alone is taken. Raises UsageError where the lexicon has too few.
    """
    genders: dict[str, set[str]] = defaultdict(set)
    for name in lexicon.names:
        genders[name.name.lower()].add(name.gender)
    chosen: dict[str, tuple[str, ...]] = {}
    for gender in GENDERS:
        listed = [
            name
            for name in lexicon.names
            if name.gender == gender and len(genders[name.name.lower()]) == 1
        ]
        listed.sort(key=lambda name: -(name.share or 0.0))
        first = contrast.names.get(gender, ())
        chosen[gender] = _distinct([*first, *(name.name for name in listed)], count)
        if len(chosen[gender]) < count:
            raise UsageError(
                f"{lexicon.lang} has {len(chosen[gender])} {gender} names, --names {count} is more",
                hint=f"add names to lexicons/{lexicon.lang}/names.tsv",
            )
    return NameList(lexicon.lang, chosen["masculine"], chosen["feminine"])


def _distinct(names: list[str], count: int) -> tuple[str, ...]:
    kept: list[str] = []
    for name in names:
        if len(kept) == count:
            break
        if not any(_same_stem(name, other) for other in kept):
            kept.append(name)
    return tuple(kept)


def _same_stem(one: str, other: str) -> bool:
    """Whether the names are equal but for what follows a stem of two letters or more."""
    if one.startswith(other) or other.startswith(one):
        return True
    return len(one) == len(other) and len(one) > 2 and one[:-1] == other[:-1]


def slot_of(source_id: str, *, seed: int, count: int) -> int:
    """The slot (from 0) of a pair: the same for its translations, which keep its id."""
    digest = hashlib.blake2b(f"{seed}\0{source_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % count

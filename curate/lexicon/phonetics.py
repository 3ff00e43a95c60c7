"""Forms that follow the sound of the next word: a/an, le/l', il/lo/l', ma/mon."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from curate.language import fold
from curate.lexicon.model import Phonetic

__all__ = ["Sounds"]


class Sounds:
    """The `[[phonetic]]` sections of a language; forms and following words are folded."""

    def __init__(self, phonetics: Sequence[Phonetic]) -> None:
        self._by_base: dict[str, list[Phonetic]] = defaultdict(list)
        self._by_alternate: dict[str, list[Phonetic]] = defaultdict(list)
        for phonetic in phonetics:
            self._by_base[fold(phonetic.other)].append(phonetic)
            self._by_alternate[fold(phonetic.before_sound)].append(phonetic)

    def __bool__(self) -> bool:
        return bool(self._by_base)

    def is_base(self, form: str) -> bool:
        return form in self._by_base

    def written(self, base: str, following: str) -> str:
        """How `base` (or the last word of it) is written before the word `following`."""
        for phonetic in self._by_base.get(base, ()):
            if phonetic.sound.match(following):
                return phonetic.before_sound
        first, space, last = base.rpartition(" ")
        return f"{first} {self.written(last, following)}" if space else base

    def bases(self, form: str, following: str | None = None) -> list[str]:
        """What `form` may stand for: before the word `following`, or at all."""
        return [
            fold(phonetic.other)
            for phonetic in self._by_alternate.get(form, ())
            if following is None or phonetic.sound.match(following)
        ]

"""From text with a hole to token ids, by the tokenizer's own offsets; text is never rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curate.models.tokens import read_tokenizer

__all__ = ["Body", "Context", "Encoder", "MaskedText"]

_PIECES_KEPT = 200_000


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text and the stretch of it to mask; `start` and `end` count code points."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Context:
    """Token ids with one mask token, at position `at`; `before` is the character run before it."""

    ids: tuple[int, ...]
    at: int
    before: str

    def masks(self, count: int) -> tuple[int, ...]:
        """The ids with `count` mask tokens in the place of one."""
        return self.ids[: self.at] + (self.ids[self.at],) * count + self.ids[self.at + 1 :]

    def filled(self, pieces: Sequence[int], count: int) -> tuple[int, ...]:
        """The ids with `pieces` and then masks, `count` tokens in all."""
        masks = (self.ids[self.at],) * (count - len(pieces))
        return (*self.ids[: self.at], *pieces, *masks, *self.ids[self.at + 1 :])


@dataclass(frozen=True, slots=True)
class Body:
    """Token ids of a whole text; `own` are the positions that are no special token.

    `words`: for each position in `own` the number of its word, counted from 0 (see
    `curate.models.words`); empty where words were not asked for.
    """

    ids: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int, ...] = ()


class Encoder:
    """Token ids for one model. Refusals are codes: too-long, special-token, no-tokens.

    `mask_id` is the id of the mask token.
    """

    def __init__(self, tokenizer: Any, *, max_length: int) -> None:
        self._tokens = read_tokenizer(tokenizer)
        self._mask = str(tokenizer.mask_token)
        self.mask_id = int(tokenizer.mask_token_id)
        self._unknown = tokenizer.unk_token_id
        self._special = frozenset(tokenizer.all_special_ids) - {self._unknown}
        self._max_length = max_length
        self._pieces: dict[tuple[str, str], tuple[int, ...] | None] = {}

    def contexts(self, texts: Sequence[MaskedText]) -> list[Context | str]:
        """Each text with its stretch as one mask token, or the code of a refusal."""
        written = [f"{t.text[: t.start]}{self._mask}{t.text[t.end :]}" for t in texts]
        found: list[Context | str] = []
        for text, encoded in zip(texts, self._tokens.encode(written), strict=True):
            ids = encoded.ids
            inner = [place for place in encoded.own if ids[place] in self._special]
            if len(inner) != 1 or ids[inner[0]] != self.mask_id:
                found.append("special-token")
            elif len(ids) > self._max_length:
                found.append("too-long")
            else:
                found.append(Context(ids, inner[0], _before(text)))
        return found

    def bodies(self, texts: Sequence[str], *, words: bool = False) -> list[Body | str]:
        """Each text with nothing masked, or the code of a refusal; `words` fills `Body.words`."""
        found: list[Body | str] = []
        for encoded in self._tokens.encode(texts, words=words):
            ids, own = encoded.ids, encoded.own
            if not own:
                found.append("no-tokens")
            elif any(ids[place] in self._special for place in own):
                found.append("special-token")
            elif len(ids) > self._max_length:
                found.append("too-long")
            else:
                found.append(Body(ids, own, encoded.words))
        return found

    def pieces(self, before: str, word: str) -> tuple[int, ...] | None:
        """Token ids of `word` where it follows `before`; None if the vocabulary cannot write it."""
        key = (before, word)
        if key not in self._pieces:
            if len(self._pieces) >= _PIECES_KEPT:
                self._pieces.clear()
            self._pieces[key] = self._cut(before, word) or self._cut("", word)
        return self._pieces[key]

    def _cut(self, before: str, word: str) -> tuple[int, ...] | None:
        pieces = self._tokens.tail(before, word) or ()
        if any(piece == self._unknown or piece in self._special for piece in pieces):
            return None
        return pieces or None


def _before(text: MaskedText) -> str:
    """What a word at the mask follows, shortened to what a tokenizer minds."""
    if text.start == 0:
        return ""
    last = text.text[text.start - 1]
    return "a " if last.isspace() else last

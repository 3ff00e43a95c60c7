"""Tokenizers behind one interface: those of the tokenizers library, and those in plain Python."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from curate.models.words import Span, character_kinds, word_numbers

__all__ = ["Encoded", "FastTokens", "SlowTokens", "Tokens", "read_tokenizer"]

_WINDOW = 64  # characters in which a token is looked for behind one that could not be placed


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of a text; `own` are the positions that no template put there.

    `words` has, for each position in `own`, the number of its word (`curate.models.words`), or is
    empty where words were not asked for.
    """

    ids: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int, ...] = ()


class Tokens(Protocol):
    """What an encoder needs of a tokenizer."""

    def encode(self, texts: Sequence[str], *, words: bool = False) -> list[Encoded]:
        """Every text with the special tokens that the model expects around it."""
        ...

    def tail(self, before: str, word: str) -> tuple[int, ...] | None:
        """Token ids of `word` behind `before`; None where a token covers parts of both."""
        ...


def read_tokenizer(tokenizer: Any) -> Tokens:
    """The interface to a tokenizer of transformers; truncation and padding are switched off."""
    return FastTokens(tokenizer) if getattr(tokenizer, "is_fast", False) else SlowTokens(tokenizer)


class FastTokens:
    """A tokenizer of the tokenizers library, which knows the characters of every token."""

    def __init__(self, tokenizer: Any) -> None:
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_truncation()
        self._backend.no_padding()

    def encode(self, texts: Sequence[str], *, words: bool = False) -> list[Encoded]:
        """See `Tokens.encode`."""
        backend = self._backend
        encodings = (backend.encode_batch if words else backend.encode_batch_fast)(list(texts))
        found = []
        for text, encoding in zip(texts, encodings, strict=True):
            marks = encoding.special_tokens_mask
            own = tuple(place for place, special in enumerate(marks) if not special)
            numbers: tuple[int, ...] = ()
            if words:
                tokens, spans = encoding.tokens, encoding.offsets
                numbers = word_numbers(text, [tokens[i] for i in own], [spans[i] for i in own])
            found.append(Encoded(tuple(encoding.ids), own, numbers))
        return found

    def tail(self, before: str, word: str) -> tuple[int, ...] | None:
        """See `Tokens.tail`."""
        encoding = self._backend.encode(before + word, add_special_tokens=False)
        first = len(before.rstrip())  # a space that is a token of its own is written with the word
        pieces = []
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            if end <= first:
                continue
            if before[start:].strip():
                return None
            pieces.append(token)
        return tuple(pieces)


class SlowTokens:
    """A tokenizer in plain Python, which gives no offsets: tokens are found again in the text."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode(self, texts: Sequence[str], *, words: bool = False) -> list[Encoded]:
        """See `Tokens.encode`."""
        return [self._encode(text, words=words) for text in texts]

    def _encode(self, text: str, *, words: bool) -> Encoded:
        tokens = self._tokenizer.tokenize(text)
        inner = self._ids(tokens)
        ids = tuple(self._tokenizer.build_inputs_with_special_tokens(list(inner)))
        size = len(inner)
        before = next(i for i in range(len(ids) - size + 1) if ids[i : i + size] == inner)
        own = tuple(range(before, before + size))
        if not words:
            return Encoded(ids, own)
        unknown = str(self._tokenizer.unk_token)
        return Encoded(ids, own, word_numbers(text, tokens, _placed(text, tokens, unknown)))

    def tail(self, before: str, word: str) -> tuple[int, ...] | None:
        """See `Tokens.tail`."""
        first = self._ids(self._tokenizer.tokenize(before.rstrip()))
        whole = self._ids(self._tokenizer.tokenize(before + word))
        return whole[len(first) :] if whole[: len(first)] == first else None

    def _ids(self, tokens: list[str]) -> tuple[int, ...]:
        return tuple(self._tokenizer.convert_tokens_to_ids(tokens))


class _Folds(dict[int, str]):
    """Every character as one plain small letter, as tokenizers may write it."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKD", chr(code)).lower()
        # accents go; what is several letters in one, or a Korean syllable, stays as it is
        accents = all(unicodedata.category(mark)[0] == "M" for mark in plain[1:])
        self[code] = found = plain[0] if accents else chr(code)
        return found


_FOLDS = _Folds()


def _placed(text: str, tokens: Sequence[str], unknown: str) -> list[Span]:
    """The characters of each token, found from left to right; None where a token is not there."""
    folded, kinds = text.translate(_FOLDS), character_kinds(text)
    spans: list[Span] = []
    at, lost, inside = 0, False, False
    for token in tokens:
        surface, begins, goes_on = _surface(token)
        while kinds.startswith(" ", at):
            at += 1
        if lost:
            start = _next(folded, kinds, surface, at, begins=begins and not inside)
        else:
            start = at if folded.startswith(surface, at) else None
        inside = goes_on
        if token == unknown or not surface or start is None:
            lost = lost or token == unknown or bool(surface)
            spans.append(None)
            continue
        lost = False
        at = start + len(surface)
        spans.append((start, at))
    return spans


def _surface(token: str) -> tuple[str, bool, bool]:
    """A token without its marks; whether it may begin a word, and whether its word goes on."""
    goes_on = len(token) > 2 and token.endswith("@@")
    plain = token[:-2] if goes_on else token.removesuffix("</w>")
    begins = not (len(plain) > 2 and plain.startswith("##"))
    plain = plain if begins else plain[2:]
    return plain.strip("▁ ").translate(_FOLDS), begins, goes_on


def _next(folded: str, kinds: str, surface: str, at: int, *, begins: bool) -> int | None:
    """Where the token next stands; if it begins a word, not behind a letter."""
    found = folded.find(surface, at, at + _WINDOW)
    while begins and found > 0 and kinds[found - 1] in "LM" and kinds[found] == "L":
        found = folded.find(surface, found + 1, at + _WINDOW)
    return found if found >= 0 else None

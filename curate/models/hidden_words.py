"""Which tokens of a text are those of a word, by the characters that the word takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curate.models.tokens import read_tokenizer

__all__ = ["Located", "WordInText", "locate_words"]


@dataclass(frozen=True, slots=True)
class WordInText:
    """A word and the text that it stands in; `start` and `end` count code points."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Located:
    """Token ids of a whole text, positions of the word's tokens among them, and the text's last.

    `last` is the position of the last token that no template put there.
    """

    ids: tuple[int, ...]
    places: tuple[int, ...]
    last: int


def locate_words(
    tokenizer: Any, words: Sequence[WordInText], *, max_length: int
) -> list[Located | str]:
    """Each word's tokens, or the code of a refusal, in order.

    Codes: ``too-long`` (more tokens than the model has positions), ``special-token`` (the text
    holds one itself), ``unknown-word`` (the vocabulary cannot write it), ``no-token`` (none covers
    it) and ``shared-token`` (one covers letters of a neighbour too).
    """
    tokens = read_tokenizer(tokenizer)  # truncation and padding are off from here on
    if getattr(tokenizer, "is_fast", False):
        backend = tokenizer.backend_tokenizer
        found = [
            _by_offsets(word, encoding)
            for word, encoding in zip(
                words, backend.encode_batch([word.text for word in words]), strict=True
            )
        ]
    else:
        found = [_by_parts(word, tokens) for word in words]
    unknown = tokenizer.unk_token_id
    special = frozenset(tokenizer.all_special_ids) - {unknown}
    return [_checked(one, own, unknown, special, max_length) for one, own in found]


_Found = tuple[Located | str, tuple[int, ...]]
"""What was found, and the text's own token ids."""


def _checked(
    found: Located | str,
    own: tuple[int, ...],
    unknown: int | None,
    special: frozenset[int],
    max_length: int,
) -> Located | str:
    if any(token in special for token in own):
        return "special-token"
    if isinstance(found, str):
        return found
    if len(found.ids) > max_length:
        return "too-long"
    if any(found.ids[place] == unknown for place in found.places):
        return "unknown-word"
    return found


def _by_offsets(word: WordInText, encoding: Any) -> _Found:
    """By the characters that a tokenizer of the tokenizers library lays each token on."""
    ids = tuple(encoding.ids)
    own = [at for at, mark in enumerate(encoding.special_tokens_mask) if not mark]
    ids_own = tuple(ids[at] for at in own)
    places = []
    for at in own:
        start, end = _trimmed(word.text, encoding.offsets[at])
        # the mark of a space is no part of the word, though laid on its first letter
        if not encoding.tokens[at].strip("▁") or min(end, word.end) <= max(start, word.start):
            continue
        if start < word.start or end > word.end:
            return "shared-token", ids_own
        places.append(at)
    if not places:
        return "no-token", ids_own
    return Located(ids, tuple(places), own[-1]), ids_own


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _by_parts(word: WordInText, tokens: Any) -> _Found:
    """Without offsets: the text up to the word has so many tokens, and the word these behind."""
    encoded = tokens.encode([word.text])[0]
    ids_own = tuple(encoded.ids[at] for at in encoded.own)
    before = word.text[: word.start]
    pieces = tokens.tail(before, word.text[word.start : word.end])
    if not pieces:
        return ("no-token" if pieces == () else "shared-token"), ids_own
    lead = tokens.encode([before.rstrip()])[0]
    first = len(lead.own)
    if ids_own[first : first + len(pieces)] != pieces or ids_own[:first] != tuple(
        lead.ids[at] for at in lead.own
    ):
        return "shared-token", ids_own
    places = tuple(encoded.own[first : first + len(pieces)])
    return Located(encoded.ids, places, encoded.own[-1]), ids_own

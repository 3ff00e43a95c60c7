"""Blanks at the end of a text, as a causal model reads them: from left to right, without masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curate.models.causal import text_opening
from curate.models.encoding import Context, Encoder, MaskedText
from curate.models.loading import Network
from curate.models.tokens import read_tokenizer

__all__ = ["CausalContext", "CausalEncoder"]


@dataclass(frozen=True, slots=True)
class CausalContext(Context):
    """The tokens before a blank; `at` is the last of them, whose successor is what is read."""

    def masks(self, count: int) -> tuple[int, ...]:
        """The same tokens: nothing tells a causal model how many are to come."""
        return self.ids

    def filled(self, pieces: Sequence[int], count: int) -> tuple[int, ...]:
        """The tokens and the `pieces` behind them."""
        return (*self.ids, *pieces)


class CausalEncoder(Encoder):
    """Token ids before a blank at the end of a text.

    With it a `Filler` reads P(w | C) = Π_i P(t_i | C, t_1 … t_(i-1)), the chain rule itself; that
    the word ends behind t_n is not asked. In front stands what the tokenizer puts there, or else
    the model's token for the beginning of a text.
    """

    def __init__(self, network: Network) -> None:
        tokenizer = network.tokenizer
        self._tokens = read_tokenizer(tokenizer)
        self._unknown = tokenizer.unk_token_id
        self._special = frozenset(tokenizer.all_special_ids) - {self._unknown}
        self._max_length = network.max_length
        self._pieces = {}
        self._opening = text_opening(network, self._tokens)

    def contexts(self, texts: Sequence[MaskedText]) -> list[Context | str]:
        """The tokens before each blank, or the code of a refusal."""
        found: list[Context | str] = []
        for text, encoded in zip(
            texts, self._tokens.encode([_name(t) for t in texts]), strict=True
        ):
            own = [encoded.ids[place] for place in encoded.own]
            ids = (*self._opening, *own)
            if not own:
                found.append("no-tokens")
            elif any(token in self._special for token in own):
                found.append("special-token")
            elif len(ids) > self._max_length:
                found.append("too-long")
            else:
                before = "a " if text.text[text.start - 1].isspace() else text.text[text.start - 1]
                found.append(CausalContext(ids, len(ids) - 1, before))
        return found


def _name(text: MaskedText) -> str:
    """What stands before the blank; the space belongs to the word that comes."""
    return text.text[: text.start].rstrip()

"""What the swap answers with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from curate.language import Features

__all__ = ["Edit", "Mention", "Ranker", "Refusal", "SwapResult"]


class Ranker(Protocol):
    """Chooses among the few texts that are left where a form is ambiguous."""

    def choose(self, candidates: Sequence[str]) -> int | None:
        """The index of the best candidate, or None where no margin separates it."""
        ...


class Refusal(Exception):
    """A sentence that is left alone; `code` is stable, `detail` is for people."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


class Edit(NamedTuple):
    """One replacement: `start` and `end` count code points in the text before it."""

    start: int
    end: int
    old: str
    new: str
    rule: str
    entry: str


class Mention(NamedTuple):
    """A gender word of a text, with the gender of the person it names."""

    start: int
    end: int
    form: str
    gender: str
    entry: str
    upos: str
    kind: str
    feats: Features
    ambiguous: bool


class SwapResult(NamedTuple):
    """`counterpart` and `edits`, or the code of a refusal.

    `text` is the input in NFC; `edits` count in it, `target_edits` in the counterpart; `mentions`
    are the gender words that were read as the person's; `means`: what decided, ``rules`` and, where
    they were needed, the parser's name and ``model``; `aside`: words that look like gender words
    and are none here, with the rule that says so.
    """

    text: str
    counterpart: str | None
    source: str | None
    edits: tuple[Edit, ...] = ()
    target_edits: tuple[Edit, ...] = ()
    refused: str | None = None
    detail: str = ""
    mentions: tuple[Mention, ...] = ()
    means: tuple[str, ...] = ()
    aside: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, object]:
        """The line that `curate swap` prints."""
        return {
            "text": self.text,
            "counterpart": self.counterpart,
            "from": self.source,
            "edits": [
                {
                    "start": e.start,
                    "end": e.end,
                    "old": e.old,
                    "new": e.new,
                    "rule": e.rule,
                    "entry": e.entry,
                }
                for e in self.edits
            ],
            "refused": self.refused,
            "detail": self.detail,
        }

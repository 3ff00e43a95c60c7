"""How a row that differs is shown: its texts with the changed words marked, then other columns."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

from curate.hub.diff.model import ShownRow
from curate.hub.diff.words import Piece, marked_words

__all__ = ["Text", "other_columns", "shown_texts", "value_text", "without_controls"]

_LONGEST = 120
_IDS = frozenset({"pair_id"})


@dataclass(frozen=True)
class Text:
    """A text before and after, in pieces; None where the row was not there."""

    name: str
    old: tuple[Piece, ...] | None
    new: tuple[Piece, ...] | None

    @property
    def changed(self) -> bool:
        return self.old != self.new


def shown_texts(row: ShownRow) -> list[Text]:
    """The row's texts that are not empty; of a row that was added or removed, unmarked."""
    found = []
    for name in row.texts:
        old, new = (_text(side[name]) if side is not None else None for side in (row.old, row.new))
        if not old and not new:
            continue
        if old is None or new is None:
            pieces = [(Piece(text, changed=False),) if text is not None else None
                      for text in (old, new)]  # fmt: skip
            found.append(Text(name, *pieces))
        else:
            before, now = marked_words(old, new)
            found.append(Text(name, tuple(before), tuple(now)))
    return found


def other_columns(row: ShownRow) -> list[tuple[str, str, str]]:
    """(column, before, after) of what differs beside the texts and ids, long values cut."""
    if row.old is None or row.new is None:
        return []
    return [
        (name, value_text(row.old[name]), value_text(row.new[name]))
        for name in row.columns
        if name not in row.texts and name not in _IDS
    ]


def without_controls(text: str) -> str:
    """The text as a terminal may print it: a control character would be obeyed, not shown."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _controls(c) else c for c in text)


def _controls(character: str) -> bool:
    return unicodedata.category(character) == "Cc"


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def value_text(value: Any) -> str:
    """A value that is no text of a row, as it is printed: cut where it is long, a dash for none."""
    if value is None:
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

"""What reviewers are shown of a lexeme: plain values, and HTML in which every word is escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence

from curate import schema
from curate.annotation.studio.compare import Wanted
from curate.lexicon.model import Lexicon
from curate.lexicon.review import Lexeme, lexemes

__all__ = ["JUDGED", "wanted_lexemes"]

JUDGED = ("hash", "masculine_html", "feminine_html")
"""Keys of a task's data that an answer is about: with others it says nothing of the lexeme now."""

_FLAGS = {
    "epicene": "epicene: one form for both genders, told by what stands beside it",
    "ambiguous": "ambiguous: a form is also read in a way that says nothing of gender",
    "archaic": "archaic: an old word",
    "plural-only": "plural only",
}
"""The flags that say something to a person; the others are for the program alone."""
_REGION = "region="
_SHOWN_ROWS = 8
_NONE = "—"


def wanted_lexemes(lexicon: Lexicon) -> dict[str, Wanted]:
    """The tasks as they should stand, by task_id, in the order of their names."""
    found = lexemes(lexicon)
    tasks = [
        Wanted(data["task_id"], data, {})
        for number, one in enumerate(found, start=1)
        for data in (_shown(one, f"{number} / {len(found)}"),)
    ]
    return {one.task_id: one for one in tasks}


def _shown(one: Lexeme, number: str) -> dict[str, str]:
    """The ``data`` of a task; keys that end in ``_html`` hold our own HTML around escaped text.

    The hash is of what is voted on, the words and what their flags say: a note may change.
    """
    sides = list(dict.fromkeys((row.masculine, row.feminine) for row in one.rows))
    flags = _flags(one)
    digest = schema.stable_id("h", *(form for side in sides for form in side), *flags)
    return {
        "task_id": f"{one.pair}.{digest}",
        "pair": one.pair,
        "hash": digest,
        "pair_number": number,
        "kind": one.first.kind or _NONE,
        "masculine_html": _first(one.forms("masculine")),
        "feminine_html": _first(one.forms("feminine")),
        "forms_html": _table(one),
        "remarks_html": "<br>".join(map(html.escape, filter(None, (*flags, one.first.note)))),
    }


def _flags(one: Lexeme) -> list[str]:
    """What the flags of its rows say, in words."""
    own = {flag for row in one.rows for flag in row.flags}
    return [meaning for flag, meaning in _FLAGS.items() if flag in own] + [
        f"region: {flag.removeprefix(_REGION)}" for flag in sorted(own) if flag.startswith(_REGION)
    ]


def _first(forms: Sequence[str]) -> str:
    return html.escape(next(filter(None, forms), _NONE))


def _table(one: Lexeme) -> str:
    """A few rows of forms with the grammar that both share; empty where it would say nothing."""
    rows = list(dict.fromkeys((row.masculine, row.feminine, row.feats) for row in one.rows))
    if len(rows) == 1 and not rows[0][2]:
        return ""
    lines = [
        "".join(f"<td>{html.escape(cell or _NONE)}</td>" for cell in (*words, _spaced(feats)))
        for *words, feats in rows[:_SHOWN_ROWS]
    ]
    more = len(rows) - _SHOWN_ROWS
    lines += [f"<td>… {more} more</td>"] if more > 0 else []
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _spaced(feats: str) -> str:
    """``Case=Nom|Number=Sing`` so that it may break into lines."""
    return feats.replace("|", ", ")

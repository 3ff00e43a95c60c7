"""Text that a machine would take for more than text: markup, and formulas of spreadsheets."""

from __future__ import annotations

import re
from html.entities import html5

__all__ = ["find_formula", "find_markup"]

_MARKUP = re.compile(
    r"""
      </?[A-Za-z][\w:.-]*\s*/?>                          # <b>, </b>, <br/>
    | <[A-Za-z][\w:.-]*[\s/][^<>=]*(?<=[\w:-])=[^\s<>=]      # <img src=x, closed or not
    | <!--|-->|<!\[CDATA\[|<!DOCTYPE\b|<\?[A-Za-z]          # comment, CDATA, doctype, <?xml
    | <(?:https?|ftp|mailto):[^<>\s]+>                      # a link in angle brackets
    | !?\[[^\[\]]*\]\((?=[^()\s]*[:/.\#])[^()]*\)             # [words](address)
    | \{\{[^{}]*\}\}|(?<![\w$])\$[a-z][a-z_]*\b             # {{words}}, $text_more
    | &\#(?:[0-9]{1,7}|[xX][0-9A-Fa-f]{1,6});               # &#39;
    """,
    re.VERBOSE,
)
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")

# Excel takes the wide forms of East Asian keyboards for the plain ones.
_WIDE = str.maketrans("＝＋－＠（）", "=+-@()")
_UNSEEN = " \u00a0\u200b\ufeff\u3000\n"

_SIGNS = r"[+@-]*\s*"
_NUMBER = r"\d[\d.,]*(?:[eE][+-]?\d+)?%?"
_CELL = r"(?:'[^']+'!|\w+!)?\$?[A-Za-z]{1,3}\$?[0-9]{1,7}"
_OPERAND = rf"{_SIGNS}(?:{_CELL}(?::{_CELL})?|{_NUMBER})"
_THEN = r"\s*(?:<=|>=|<>|[-+*/^&=<>])\s*"
_CALL = rf"{_SIGNS}(?:[A-Za-z][\w.]*)?\(.*\)(?:{_THEN}{_OPERAND})*"
_EXPRESSION = re.compile(rf"(?:{_OPERAND}{_THEN})*(?:{_OPERAND}|{_CALL})\s*", re.DOTALL)
_LONGEST = 1000
# A call of another program: cmd|' /C calc'!A0
_OTHER_PROGRAM = re.compile(r"[-+*/@\d\s.,()]*[\w.]+\|.*!", re.DOTALL)
_AMOUNT = re.compile(r"\+\s?[\d(]")


def find_markup(text: str) -> str:
    """The first HTML or XML tag, entity, Markdown link or placeholder; empty if there is none.

    ``<3`` and ``a < b`` are none, nor is an ampersand that begins no entity of HTML.
    """
    found = [match for match in (_MARKUP.search(text),) if match]
    found += [match for match in _ENTITY.finditer(text) if f"{match.group(1)};" in html5][:1]
    return min(found, key=lambda match: match.start()).group() if found else ""


def find_formula(text: str) -> str:
    """The start of a text that a spreadsheet would run; empty if it would not.

    What begins with ``=``, ``@``, a tab or a carriage return counts as it stands; with ``+``
    too, but for a number and words behind it (``+49 30 …``); with ``-`` only if all that follows
    is an expression or calls a program, so a dash that opens direct speech and ``-5 degrees``
    are text.
    """
    shown = text[:40]
    if text.startswith(("\t", "\r")):
        return shown
    text = text.lstrip(_UNSEEN).translate(_WIDE)
    if text.startswith(("=", "@")):
        return shown
    rest = text[1:_LONGEST]
    runs = bool(_OTHER_PROGRAM.match(rest) or _EXPRESSION.fullmatch(rest))
    if text.startswith("+") and (runs or not _AMOUNT.match(text)):
        return shown
    return shown if runs and text.startswith("-") else ""

"""Put any text into Markdown so that it stays text: no markup, no HTML, no broken table.

What a character could start is written as a character reference. Such references mean the same to
every reader of Markdown, also inside a table, where backslashes do not. (GitHub's reader still
makes a link of an e-mail address, whatever its @ is written as; nothing else survives.)
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence

__all__ = ["cell", "code", "count", "in_words", "plain_line", "quoted", "tex"]

# Everything that starts markup somewhere: HTML, references, code, emphasis, links, tables, lists
# and headings at the start of a line, mathematics, mentions. The colon and www make links by
# themselves only in "scheme:" and "www."; both are met below.
_MARKUP = re.compile(r"[&<>|`\\*_\[\]~#$@{}]")
_LINKS = re.compile(r"(?i)(?<=www)\.|:(?=//)")
_STARTS = re.compile(r"^(?:[-+=]|\d+(?=[.)](?:\s|$)))", re.ASCII)
# Marks that turn the direction of what follows; a page must not be turned by its data.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LONGEST = 400


def cell(text: object, longest: int = _LONGEST) -> str:
    """`text` on one line, as nothing but text; cut after `longest` characters, with an ellipsis.

    Other white space becomes a space; other control characters, and marks that turn the direction
    of writing, become U+FFFD, so that they are seen to have been there.
    """
    line = plain_line(text)
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    shown = _MARKUP.sub(_reference, line)
    shown = _LINKS.sub(_reference, shown)
    return _STARTS.sub(_first, shown)


def plain_line(text: object) -> str:
    """`text` on one line, with U+FFFD for what cannot be seen and for what turns the direction."""
    line = " ".join(str(text).split())
    return "".join("\ufffd" if _hidden(one) else one for one in line)


def code(text: object) -> str:
    """`text` as code where it is a plain name, else as `cell` has it."""
    plain = str(text)
    return f"`{plain}`" if re.fullmatch(r"[A-Za-z0-9._/+:-]+", plain) else cell(plain)


def count(number: int) -> str:
    """A number with a comma between thousands."""
    return f"{number:,}"


def in_words(texts: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def quoted(text: object) -> str:
    """A string literal of Python (and of JSON)."""
    return json.dumps(str(text), ensure_ascii=False)


_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#",
    "$": r"\$", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}", '"': "''",
}  # fmt: skip


def tex(text: object) -> str:
    """`text` on one line for a field of BibTeX."""
    return "".join(_TEX.get(one, one) for one in plain_line(text))


def _hidden(character: str) -> bool:
    return character in _TURNING or unicodedata.category(character) in {"Cc", "Cs"}


def _reference(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def _first(found: re.Match[str]) -> str:
    """What would start a list or a heading: its first character as a reference."""
    return f"&#{ord(found[0][0])};{found[0][1:]}"

"""CoNLL-U treebanks, read as Universal Dependencies defines them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from curate.errors import InputError
from curate.sources.files import decoded_lines

__all__ = ["TreebankWord", "read_treebank"]

_COLUMNS = 10


class TreebankWord(NamedTuple):
    """A syntactic word; `head` is the governor's place in the sentence, -1 for the root."""

    form: str
    lemma: str
    upos: str
    feats: dict[str, str]
    head: int
    relation: str


def read_treebank(path: Path) -> Iterator[list[TreebankWord]]:
    """The sentences of a .conllu file (.gz, .xz too), without ranges and empty nodes.

    Raises InputError with ``file:line`` for a line that is no CoNLL-U.
    """
    sentence: list[TreebankWord] = []
    for number, line in enumerate(decoded_lines(path), start=1):
        text = line.rstrip("\r\n")
        if not text:
            if sentence:
                yield sentence
            sentence = []
        elif not text.startswith("#"):
            cells = text.split("\t")
            if len(cells) != _COLUMNS:
                raise InputError(
                    f"{len(cells)} columns, {_COLUMNS} expected", where=f"{path}:{number}"
                )
            if cells[0].isdigit():
                sentence.append(_word(cells, f"{path}:{number}"))
    if sentence:
        yield sentence


def _word(cells: list[str], where: str) -> TreebankWord:
    if not cells[6].isdigit():
        raise InputError(f"head {cells[6]!r} is not a number", where=where)
    feats = dict(part.split("=", 1) for part in cells[5].split("|") if "=" in part)
    return TreebankWord(cells[1], cells[2], cells[3], feats, int(cells[6]) - 1, cells[7])

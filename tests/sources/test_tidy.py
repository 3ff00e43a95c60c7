"""Rows made fit in bulk are the rows made fit one by one, character by character."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate import schema
from curate.sources.blocks import TextBlock, text_block
from curate.sources.sentences import SentenceTables
from curate.sources.tidy import recut, tidied

SPACES = [chr(code) for code in range(0x10000) if chr(code).isspace()]
ODD = ["\x00", "\x07", "\x7f", "\x80", "\x9f", "\xa1", "\xad", "\u200b", "\ufeff", "\u2028"]
MARKS = ["\u0301", "\u0308", "e\u0301", "é", "\u212b", "\u2000", "가", "\u1100\u1161", "\u0374",
         "\u0387", "\u05b4\u05b0", "\u0653", "क़", "👩\u200d🚀", "。", "は", "„", "ß"]  # fmt: skip
texts = st.lists(
    st.lists(
        st.one_of(
            st.sampled_from([*SPACES, *ODD, *MARKS, "a", "b ", "c.", "d\t"]),
            st.characters(codec="utf-8"),
        ),
        max_size=6,
    ).map("".join),
    max_size=25,
)


def one_by_one(text: str) -> tuple[str, str | None]:
    """What becomes of a text, and its problem."""
    text = unicodedata.normalize("NFC", text.strip()).replace("\n", " ")
    if not text:
        return "", "empty-line"
    found = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    return text, f"U+{ord(found[0]):04X} at {found.start()}" if found else None


@settings(deadline=None)
@given(texts)
def test_in_bulk_as_one_by_one(rows: list[str]) -> None:
    block = text_block(rows, {})
    assert block.count == len(rows)
    tidy = tidied(block)
    expected = [one_by_one(text) for text in rows]
    assert [row.decode() for row in tidy.rows] == [text for text, _ in expected]
    seen = {place: detail or code for place, (code, detail) in tidy.problems.items()}
    assert seen == {place: problem for place, (_, problem) in enumerate(expected) if problem}
    plain = [text.strip().replace("\n", " ") for text in rows]
    changed = [text for text in plain if unicodedata.normalize("NFC", text) != text]
    assert tidy.normalised == len(changed)


@pytest.mark.parametrize("space", [*SPACES, "\u0301", "\x80"])
def test_each_character_at_either_end(space: str) -> None:
    rows = [f"{space}a", "b", f"c{space}", "d", f"e{space}e", space, "f"]
    tidy = tidied(text_block(rows, {}))
    assert [row.decode() for row in tidy.rows] == [one_by_one(text)[0] for text in rows]


@settings(deadline=None)
@given(texts, st.integers(1, 9), st.integers(1, 12))
def test_cutting_anew_changes_no_row(rows: list[str], block_rows: int, size: int) -> None:
    blocks = [
        tidied(text_block(rows[at : at + block_rows], {})) for at in range(0, len(rows), block_rows)
    ]
    cut = list(recut(blocks, size))
    assert [row for part in cut for row in part.rows] == [r for block in blocks for r in block.rows]
    assert all(len(part.rows) == size for part in cut[:-1])
    places = [at * size + place for at, part in enumerate(cut) for place in part.problems]
    before = [at * block_rows + place for at, b in enumerate(blocks) for place in b.problems]
    assert sorted(places) == sorted(before)


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=80), max_size=20))
def test_ids_in_bulk_are_the_ids_for_ever(rows: list[str]) -> None:
    tidy = tidied(text_block(rows, {}))
    kept = [row.decode() for row in tidy.rows]
    problems = set(tidy.problems)
    table = SentenceTables("de", {"source": "s", "licence": "l"}).table(tidy, 0)
    for place, found in enumerate(table.column("sent_id").to_pylist()):
        assert found == ("" if place in problems else schema.sentence_id("de", kept[place]))


def test_a_row_longer_than_the_table_of_sizes() -> None:
    rows = ["x" * size for size in (4095, 4096, 70_000)]
    tables = SentenceTables("de", {"source": "s", "licence": "l"})
    table = tables.table(tidied(text_block(rows, {})), 7)
    expected = [schema.sentence_id("de", row) for row in rows]
    assert table.column("sent_id").to_pylist() == expected
    assert table.column("row").to_pylist() == [7, 8, 9]


def test_a_block_without_rows() -> None:
    assert tidied(TextBlock(b"", 0)).rows == []
    assert list(recut([tidied(TextBlock(b"", 0))], 3)) == []
    assert np.array_equal(tidied(TextBlock(b"", 1)).rows, [b""])

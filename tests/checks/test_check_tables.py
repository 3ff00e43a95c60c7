"""Whole tables: rows, duplicates, exports, and every language's own golden sentences."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate import schema
from curate.checks import (
    CODES,
    PairChecker,
    check_pairs,
    count_codes,
    has_findings,
    is_finding,
    known_codes,
    rows_with_findings,
    verdicts_csv,
    verdicts_json,
)
from curate.checks.alignment import align
from curate.checks.pieces import pieces
from curate.errors import UsageError
from curate.language import tokenize
from curate.lexicon import Lexicon, available_languages, load_lexicon
from curate.sources import read_pairs
from curate.sources.delimited import guarded
from curate.swap import Swapper


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    rows = [
        ("m", "f"),
        ("el rey", "la reina"),
        ("el rey", "la reina"),
        ("", "la reina"),
        ("la  reina", "el rey"),
        ("=el rey duerme", "la reina come"),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
        file.write("broken\n")
    return path


def test_rows_keep_their_numbers(table_file: Path, spanish_like: Lexicon) -> None:
    table = read_pairs(table_file, columns=("m", "f"), lang="es")
    verdicts = check_pairs(table, labelled=False, lexicon_of=lambda _: spanish_like)
    assert verdicts.schema == schema.VERDICTS
    found = list(
        zip(verdicts.column("row").to_pylist(), verdicts.column("code").to_pylist(), strict=True)
    )
    assert sorted(found) == [
        (1, "duplicate"),
        (2, "empty-side"),
        (3, "changed-whitespace"),
        (3, "duplicate"),
        (4, "changed-punctuation"),
        (4, "not-minimal"),
        (5, "bad-row"),
        (5, "empty-side"),
    ]
    assert count_codes(verdicts)["duplicate"] == 2
    assert rows_with_findings(verdicts) == 5
    assert has_findings(verdicts)


def test_csv_and_json(table_file: Path) -> None:
    table = read_pairs(table_file, columns=("m", "f"))
    verdicts = check_pairs(table, labelled=False)
    rows = list(csv.DictReader(io.StringIO(verdicts_csv(verdicts))))
    assert rows[0].keys() == {"row", "code", "detail"}
    assert [int(row["row"]) for row in rows] == verdicts.column("row").to_pylist()
    content = json.loads(verdicts_json(verdicts, verdicts, rows=table.num_rows))
    assert content["rows"] == 6
    assert {item["level"] for item in content["verdicts"]} == {"error"}


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"
    assert guarded(f"x{cell}") == f"x{cell}"


def test_notes_are_no_findings_unless_strict(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("m,f\ncafé on,cafe\u0301 off\n", encoding="utf-8")
    verdicts = check_pairs(read_pairs(path, columns=("m", "f")))
    assert verdicts.column("code").to_pylist() == ["not-nfc"]
    assert not has_findings(verdicts)
    assert has_findings(verdicts, strict=True)


def test_codes_are_documented_and_closed() -> None:
    for code in CODES.values():
        assert code.meaning
        assert code.example
        assert is_finding(code.code) is (code.level != "note")
    assert known_codes(["duplicate"]) == {"duplicate"}
    with pytest.raises(UsageError, match="no-such"):
        known_codes(["duplicate", "no-such"])


@pytest.mark.parametrize("lang", available_languages())
def test_golden_pairs_have_no_errors(lang: str) -> None:
    """Pairs written by hand from grammar: an error that the checks see in them is a false alarm."""
    lexicon = load_lexicon(lang)
    checker = PairChecker(lexicon, labelled=False)
    wrong = {}
    for row in lexicon.golden:
        if not row.expected.startswith("REFUSE") and row.expected != row.sentence:
            found = [f for f in checker.check(row.sentence, row.expected) if f.level == "error"]
            if found:
                wrong[row.sentence] = found
    assert len(wrong) <= len(lexicon.golden) // 100, wrong


@pytest.mark.parametrize("lang", available_languages())
def test_an_edit_taken_back_is_found(lang: str) -> None:
    """Where one of several edits of a golden pair is undone, the checks must say so."""
    lexicon = load_lexicon(lang)
    checker, swapper = PairChecker(lexicon), Swapper(lexicon)
    tried, missed = 0, []
    for row in lexicon.golden:
        result = swapper.swap(row.sentence)
        if result.counterpart != row.expected or len(result.edits) < 2:
            continue
        for edit in result.target_edits:
            broken = row.expected[: edit.start] + edit.new + row.expected[edit.end :]
            sides = (row.sentence, broken)
            a, b = sides if result.source == "masculine" else sides[::-1]
            tried += 1
            if not any(is_finding(f.code) for f in checker.check(a, b)):
                missed.append((a, b))
    assert tried
    assert len(missed) <= tried // 50, missed


WORDS = st.lists(st.sampled_from(["a", "b", "c", "B", ",", "."]), max_size=12)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS)
def test_an_alignment_accounts_for_every_piece(one: list[str], other: list[str]) -> None:
    a, b = (pieces(" ".join(words), tokenize) for words in (one, other))
    result = align(a, b)
    used_a = [i for i, _ in result.same] + [i for c in result.changes for i in range(c.a0, c.a1)]
    used_b = [j for _, j in result.same] + [j for c in result.changes for j in range(c.b0, c.b1)]
    assert sorted(used_a) == list(range(len(a)))
    assert sorted(used_b) == list(range(len(b)))
    assert all(a[i].text == b[j].text for i, j in result.same)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS)
def test_exchanging_the_sides_exchanges_the_verdict(one: list[str], other: list[str]) -> None:
    """Without a lexicon the two sides are alike: faulty either way or not at all."""
    a, b = " ".join(one), " ".join(other)
    checker = PairChecker(None)
    codes = [sorted(f.code for f in checker.check(*sides)) for sides in ((a, b), (b, a))]
    assert bool(codes[0]) == bool(codes[1])
    assert ("changed-punctuation" in codes[0]) == ("changed-punctuation" in codes[1])


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_a_verdict(a: str, b: str) -> None:
    found = PairChecker(None).check(a, b)
    assert all(len(item.evidence) <= 200 for item in found)
    assert all("\n" not in item.evidence for item in found)

"""The quick look at the rows of pairs.tsv finds a fault just where the slow one does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import LexiconError
from curate.lexicon import available_languages, load_lexicon
from curate.lexicon.model import PairRow
from curate.lexicon.structure import is_sound, pair_problems
from curate.lexicon.tables import Problems, read_cells, read_rows
from tests.conftest import write_lexicon

FORMS = st.sampled_from(["", "rey", "Rey", "reina", "juez"])
FLAGS = st.frozensets(
    st.sampled_from(["epicene", "ambiguous", "opaque-m", "opaque-f", "region=mx", "odd"]),
    max_size=2,
)
ROWS = st.lists(
    st.builds(
        PairRow,
        pair=st.sampled_from(["king", "judge", "King", "a king", ""]),
        masculine=FORMS,
        feminine=FORMS,
        upos=st.sampled_from(["NOUN", "NOUN", "PRON", "N"]),
        feats=st.sampled_from(["", "Number=Sing"]),
        gender_m=st.sampled_from(["", "", "Neut", "neut"]),
        gender_f=st.sampled_from(["", "", "Masc", "x"]),
        kind=st.sampled_from(["noun", "noun", "role", "odd"]),
        flags=FLAGS,
        source=st.just("own"),
        votes=st.just(""),
        note=st.just(""),
        line=st.integers(min_value=2, max_value=99),
    ),
    max_size=4,
)
SOUND = ROWS.map(
    lambda rows: [
        row._replace(pair="king", upos="NOUN", gender_m="", gender_f="", kind="noun")
        for row in rows
    ]
)


@given(rows=st.one_of(ROWS, SOUND))
def test_the_quick_look_says_what_the_slow_one_says(rows: list[PairRow]) -> None:
    problems = Problems("es")
    pair_problems(rows, problems)
    assert is_sound(rows) == (not problems.found), [str(problem) for problem in problems.found]


@pytest.mark.parametrize("lang", available_languages())
def test_every_language_passes_the_quick_look(lang: str) -> None:
    assert is_sound(load_lexicon(lang).pairs)


def test_cells_come_in_the_order_that_was_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("b\ta\n# a remark\n2\t1\n\n4\t 3\n5\t6\t7\n", "utf-8")
    problems = Problems("es")
    found = list(read_cells(table, ("a", "b"), problems, optional=("c",)))
    assert found == [(3, ["1", "2", ""]), (5, ["3", "4", ""])]
    assert [str(problem) for problem in problems.found] == [
        "es/table.tsv:5: a cell begins or ends with white space",
        "es/table.tsv:6: 3 cells, 2 expected",
    ]
    rows = list(read_rows(table, ("a", "b"), Problems("es"), optional=("c",)))
    assert rows[0] == (3, {"a": "1", "b": "2", "c": ""})


GOOD = {"pair": "king", "masculine": "rey", "feminine": "reina"}
ODD_PAIR = {"pair": "judge", "masculine": "juez", "feminine": "jueza"}


@pytest.mark.parametrize(
    ("change", "agreement", "grammar", "expected"),
    [
        ({"upos": "N"}, "", "", r"pairs\.tsv:3: 'N'"),
        ({"kind": "k"}, "", "", r"pairs\.tsv:3: kind"),
        ({"flags": "f"}, "", "", r"pairs\.tsv:3: unknown flags"),
        ({"feats": "Sing"}, "", "", r"pairs\.tsv:3: 'Sing'"),
        ({"votes": "two"}, "", "", r"pairs\.tsv:3: votes"),
        ({"gender_f": "F"}, "", "", r"pairs\.tsv:3: grammatical"),
        ({"feminine": "juez"}, "", "", r"pairs\.tsv:3: both forms"),
        ({"masculine": "Reina", "feminine": "x"}, "", "", r"pairs\.tsv:3: contradiction"),
        ({"note": " x"}, "", "", r"pairs\.tsv:3: a cell"),
        ({}, "DET el - -", "", r"agreement\.tsv:2: needs a form"),
        ({}, "", '[[agree]]\npattern = "@BLA"', r"agreement\.toml:1: agree 1: 'BLA'"),
        ({}, "", '[shapes]\nx = "("', r"agreement\.toml:2: shape x"),
    ],
)
def test_a_lexicon_with_a_fault_is_not_loaded(
    *,
    change: dict[str, str],
    agreement: str,
    grammar: str,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_lexicon(tmp_path / "es", [GOOD, ODD_PAIR | change], agreement, grammar)
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    load_lexicon.cache_clear()
    with pytest.raises(LexiconError, match=expected):
        load_lexicon("es")
    load_lexicon.cache_clear()

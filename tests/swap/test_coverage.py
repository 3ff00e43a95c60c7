"""Coverage on parallel text: what counts, what is missed, what the command writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curate.cli.main import app
from curate.lexicon import Lexicon, load_lexicon
from curate.resources import lexicons_folder
from curate.swap import Swapper
from curate.swap.coverage import measure_coverage

ROWS = [
    ("The king sleeps.", "El rey duerme."),
    ("The king rests.", "La corona descansa."),
    ("She saw the woman.", "Vio a la persona."),
    ("A writer sleeps.", "El rey duerme."),
    ("The woman writes.", "Una periodista escribe."),
]


def test_counts_and_misses(spanish_like: Lexicon) -> None:
    found = measure_coverage(Swapper(load_lexicon("en")), Swapper(spanish_like), ROWS)
    assert (found.rows, found.n, found.covered) == (5, 4, 1)
    assert found.share == 0.25
    low, high = found.interval()
    assert 0.04 < low < 0.05
    assert 0.69 < high < 0.70
    assert [(m.word, m.missed, m.seen) for m in found.misses] == [
        ("woman", 2, 2), ("king", 1, 2), ("she", 1, 1)
    ]  # fmt: skip
    assert found.misses[1].other == "La corona descansa."


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(lexicons_folder() / "en", tmp_path / "lex" / "en")
    shutil.copytree(lexicons_folder() / "es", tmp_path / "lex" / "es")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path / "lex"))
    load_lexicon.cache_clear()
    table = tmp_path / "talks.tsv"
    lines = ["en\tes", *("\t".join(row) for row in ROWS)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments = ["lexicon", "coverage", "es", "--parallel", str(table), "--write", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["n"] == 4
    load_lexicon.cache_clear()
    written = load_lexicon("es").config
    assert written.coverage == {
        "share": round(record["share"], 4), "sentences": 4, "corpus": "talks.tsv"
    }  # fmt: skip
    assert written.review["go"] is True
    load_lexicon.cache_clear()


def test_uneven_texts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("The king.\nThe queen.\n", encoding="utf-8")
    (tmp_path / "b").write_text("El rey.\n", encoding="utf-8")
    arguments = ["--english", str(tmp_path / "a"), "--other", str(tmp_path / "b")]
    result = CliRunner().invoke(app, ["lexicon", "coverage", "es", *arguments])
    assert result.exit_code != 0
    assert "more lines" in str(result.exception)

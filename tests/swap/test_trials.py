"""Samples to read and swaps swapped back: `curate lexicon sample` and `undo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curate.cli.lexicon import app
from curate.lexicon import available_languages, load_lexicon
from curate.sources.files import decoded_lines
from curate.swap import Swapper
from curate.swap.trials import sample_swaps, swap_twice, wilson

TEXTS = [
    "The king slept.", "The queen slept.", "It rained.", "He and she slept.", "The actor left.",
    "Ms Smith slept.", "=The king",
]  # fmt: skip
CLI = CliRunner()


@pytest.fixture(scope="module")
def english() -> Swapper:
    return Swapper(load_lexicon("en"))


def test_a_sample_holds_counterparts_and_counts_refusals(english: Swapper) -> None:
    found, refusals = sample_swaps(english, TEXTS, 10, seed=3)
    assert sorted(result.text for result in found) == sorted({*TEXTS} - {TEXTS[2], TEXTS[3]})
    assert refusals == {"two-referents": 1}
    again, _ = sample_swaps(english, TEXTS, 2, seed=3)
    assert again == found[:2]


def test_swapping_twice_tells_what_came_back(english: Swapper) -> None:
    found = swap_twice(english, TEXTS, 10)
    assert (found.matched, found.attempted, found.same, found.refused) == (6, 5, 4, 0)
    assert found.other == (("Ms Smith slept.", "Mr Smith slept.", "Mrs Smith slept."),)
    assert found.share == 0.8
    assert swap_twice(english, TEXTS, 10, same_letters="r").share == 0.8
    assert swap_twice(english, ["Ms Smith slept."], 1, same_letters="r ").matched == 1
    assert wilson(0, 0) == (0.0, 1.0)


def test_sheets_are_written_and_scored(tmp_path: Path) -> None:
    corpus, sheet = tmp_path / "c.txt", tmp_path / "out" / "sheet.tsv"
    corpus.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    done = CLI.invoke(app, ["sample", "en", "--corpus", str(corpus), "--out", str(sheet)])
    assert done.exit_code == 0, done.output
    assert "5 swaps" in done.output
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "sentence\tcounterpart\tedits\tverdict\tfault"
    assert "'=The king\t'=The queen\tking > queen\t\t" in lines
    verdicts = ["ok\t", "ok\t", "half\the stayed", "ok\t", "unnatural\twho says so?"]
    rows = [f"{line[:-1]}{said}" for line, said in zip(lines[1:], verdicts, strict=True)]
    sheet.write_text("\n".join([lines[0], *rows]) + "\n", encoding="utf-8")
    scored = CLI.invoke(app, ["sample", "en", "--score", str(sheet)])
    assert scored.output.splitlines() == [
        "half\the stayed", "unnatural\twho says so?", "en: 3 of 5 ok (95 % 23.1% to 88.2%)",
    ]  # fmt: skip
    sheet.write_text("\n".join([lines[0], f"{lines[1][:-1]}fine\t"]) + "\n", encoding="utf-8")
    wrong = CLI.invoke(app, ["sample", "en", "--score", str(sheet)])
    assert "verdict 'fine'" in str(wrong.exception)


def test_undo_prints_the_share_and_the_failures(tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    text = CLI.invoke(app, ["undo", "en", "--corpus", str(corpus)]).output
    assert "Mrs Smith slept." in text
    assert "en: 80.00% of 5 swaps came back (4) or were refused (0)" in text
    record = json.loads(CLI.invoke(app, ["undo", "en", "--corpus", str(corpus), "--json"]).output)
    assert (record["attempted"], record["same"], record["other"]) == (5, 4, 1)


@pytest.mark.parametrize("lang", available_languages())
def test_swapping_twice_undoes_or_refuses(lang: str, shared_data: Path) -> None:
    corpus = shared_data / "tatoeba" / f"{lang}.txt.gz"
    if not corpus.is_file():
        pytest.skip(f"no corpus of {lang}")
    found = swap_twice(Swapper(load_lexicon(lang)), list(decoded_lines(corpus)), 1000)
    assert found.attempted > 100
    assert found.share >= 0.98, found.other[:10]

"""The tutorial "Add a language" works: its edits applied and its commands run, in order."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.lexicon.review import REVIEW_COLUMNS
from curate.sources.delimited import read_delimited

ROOT = Path(__file__).resolve().parents[1]
DATA = Path("tests/data/ia")
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TUTORIAL = TEXT.partition("## Add a language\n")[2].partition("\n## ")[0]
# a block, and the line above it, which says what to do with the block
BLOCKS = re.findall(r"([^\n]*)\n```(\w+)\n(.*?)```", TUTORIAL, flags=re.DOTALL)
EDIT = re.compile(r"(Add to|Replace the rows of these pairs in) `(my/ia/[\w.]+)`:$")
FAILED = "(exit status 1)"


def words(text: str) -> str:
    """The text without its layout: how a table is spaced depends on the width of the terminal."""
    return " ".join(text.split())


def run(command: str, folder: Path) -> tuple[int, str]:
    program, *arguments = shlex.split(command)
    assert program == "curate"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "curate.cli", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "CURATE_LEXICONS": "my", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def edit(introduction: str, block: str, folder: Path) -> None:
    """What the tutorial asks the reader to do to a file."""
    found = EDIT.search(introduction)
    assert found is not None, f"nothing says what to do with this block: {block}"
    path = folder / found[2]
    text = path.read_text(encoding="utf-8")
    if found[1] != "Add to":
        mended = {line.partition("\t")[0] for line in block.splitlines()}
        lines = text.splitlines(keepends=True)
        old = [line.partition("\t")[0] for line in lines]
        assert mended <= set(old), "the draft has no such pair"
        kept = zip(lines, old, strict=True)
        text = "".join(line for line, pair in kept if pair not in mended)
    path.write_text(text + block, encoding="utf-8")


def session(block: str, folder: Path) -> None:
    """Run the commands of a block; the lines under each must be in its output, in order."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        status, output = run(command, folder)
        assert status == (FAILED in shown), f"{command}\n{output}"
        rest = words(output)
        for line in shown:
            if line != FAILED:
                assert words(line) in rest, f"{command}\n{line!r} is not (or not here) in\n{output}"
                rest = rest.partition(words(line))[2]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder after the whole tutorial."""
    folder = tmp_path_factory.mktemp("tutorial")
    shutil.copytree(ROOT / "lexicons", folder / "my")
    shutil.copytree(ROOT / DATA, folder / DATA)
    for introduction, kind, block in BLOCKS:
        if kind == "console":
            session(block, folder)
        elif kind != "sh":
            edit(introduction, block, folder)
    return folder


def test_the_tutorial_has_every_step() -> None:
    commands = re.findall(r"^\$ curate (.*)$", TUTORIAL, flags=re.MULTILINE)
    steps = ["lexicon new", "lexicon check", "lexicon check", "swap", "swap", "swap"]
    steps += [
        "lexicon sample",
        "lexicon undo",
        "lexicon coverage",
        "lexicon export-review",
        "lexicon import-review",
    ]
    steps += ["pairs lsg", "pairs check"]
    assert len(commands) == len(steps)
    for command, step in zip(commands, steps, strict=True):
        assert command.startswith(step)
    parts = re.split(r"^### (?=\d)", TUTORIAL.partition("### How far")[0], flags=re.MULTILINE)[1:]
    assert len(parts) == 11
    assert all("Good: " in part and "Bad: " in part for part in parts)
    assert len(TUTORIAL.splitlines()) < 150


def test_the_tutorial_works(walked: Path) -> None:
    table = pq.read_table(walked / "out/ia-lsg/pairs.parquet", columns=["masculine", "feminine"])
    # written by hand from the sentences of corpus.txt
    assert {(row["masculine"], row["feminine"]) for row in table.to_pylist()} == {
        ("Le rege es vetulo.", "Le regina es vetula."),
        ("Le rege novo vide le casa.", "Le regina nova vide le casa."),
        ("Mi patre bono labora hic.", "Mi matre bona labora hic."),
        ("Su fratre dormi.", "Su soror dormi."),
        ("Le viro es fatigato.", "Le femina es fatigata."),
        ("Le oncle lege un libro.", "Le amita lege un libro."),
        ("Le puero bono mangia.", "Le puera bona mangia."),
        ("Le patre es alto.", "Le matre es alta."),
    }


def test_the_worklist_begins_with_what_the_systems_dispute(walked: Path) -> None:
    work = (walked / "my/ia/worklist.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[3] for line in work[1:3]] == ["man-woman", "uncle-aunt"]


def test_the_filled_in_review_is_the_exported_table(walked: Path) -> None:
    asked, answered = (
        read_delimited(walked / path, wanted=REVIEW_COLUMNS)
        for path in (Path("out/review.csv"), DATA / "review.csv")
    )
    assert asked.header == answered.header
    given = REVIEW_COLUMNS.index("natural")
    assert [row[:given] for row in asked.rows] == [row[:given] for row in answered.rows]


def test_the_lexicon_still_checks_after_the_votes(walked: Path) -> None:
    status, output = run("curate lexicon check ia", walked)
    assert status == 0, output
    assert "share = 0.77" in (walked / "my/ia/language.toml").read_text(encoding="utf-8")

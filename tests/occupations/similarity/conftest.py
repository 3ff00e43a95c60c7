"""A small table of occupations and tiny models to score it."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.cli.occupations import app
from tests.commands import Run, runner_of
from tests.models.conftest import model_folders  # noqa: F401 (a fixture)
from tests.models.tiny_t5 import save_tiny_t5

SET = "sentence1,sentence2,score\n" + "".join(
    f"A {person} is {verb}.,A dog runs.,1.0\n"
    for person, verb in zip(
        ["man", "woman"] * 5,
        ["singing", "cooking", "running", "dancing", "reading a book", "playing a guitar",
         "walking", "slicing an onion", "riding a horse", "driving a car"],
        strict=True,
    )
)  # fmt: skip


@pytest.fixture(scope="session")
def call() -> Run:
    return runner_of(app)


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory, call: Run) -> Path:
    """Ten sentences about four occupations."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "set.csv").write_text(SET, encoding="utf-8")
    (folder / "wanted.txt").write_text("nurse\nengineer\njudge\ndancer\n", encoding="utf-8")
    out = folder / "en"
    call("build", "--lang", "en", "--sts", folder / "set.csv", "--out", out,
         "--limit-occupations", folder / "wanted.txt")  # fmt: skip
    return out


@pytest.fixture(scope="session")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_t5(tmp_path_factory.mktemp("t5") / "t5-tiny")

"""`curate release diff` as it is called, and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from curate.cli import release_diff
from curate.errors import InputError, UsageError
from tests.hub.diff.made_releases import pair, write_release
from tests.report.parsed_page import ParsedPage

app = typer.Typer()
app.command()(release_diff.diff)

OLD = {
    "en-lsg": [pair("The king slept.", "The queen slept."), pair("A king.", "A queen.")],
    "ar-lsg": [pair("وصل الملك.", "وصلت الملكة.", lang="ar")],
}
NEW = {
    "en-lsg": [
        pair("The king slept.", "The <b>lady</b>\x1b[31m slept."),
        pair("No king.", "No queen."),
    ],
    "ar-lsg": [pair("وصل الملك.", "وصلت الأميرة.", lang="ar")],
}


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def releases(tmp_path: Path) -> tuple[Path, Path]:
    old = write_release(tmp_path / "old", OLD)
    return old, write_release(tmp_path / "new", NEW, version="1.1.0", lexicons={"en": "v2"})


def test_the_table(releases: tuple[Path, Path]) -> None:
    result = run(*releases)
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "made 1.0.0 → made 1.1.0" in lines
    assert "ar-lsg ar 0 0 1 1 1" in lines and "en-lsg en 1 1 1 2 2" in lines
    assert "- The [queen] slept." in lines
    assert "lexicon of en: v1 → v2" in lines
    assert "major change; after 1.0.0 comes 2.0.0" in lines
    assert "\x1b" not in result.stdout


def test_a_manifest_cannot_command_the_terminal(tmp_path: Path) -> None:
    old = write_release(tmp_path / "old", OLD, lexicons={"en\x1b[2J": "v1\x07"}, name="a\x1b[31m")
    new = write_release(tmp_path / "new", NEW, lexicons={"en\x1b[2J": "v2"})
    result = run(old, new)
    assert result.exit_code == 0 and "[2J: v1" in result.stdout
    assert not {"\x1b", "\x07"} & set(result.stdout)


def test_one_language_and_no_rows(releases: tuple[Path, Path]) -> None:
    result = run(*releases, "--lang", "ar")
    assert "الأميرة" in result.stdout and "queen" not in result.stdout
    # What the change asks for is told by all rows.
    assert "en-lsg: 1 removed, 1 changed" in result.stdout
    assert "الأميرة" not in run(*releases, "--limit", "0").stdout


def test_json(releases: tuple[Path, Path]) -> None:
    content = json.loads(run(*releases, "--json").stdout)
    assert content["differs"] is True
    assert content["proposed"]["version"] == "2.0.0" and content["proposed"]["level"] == "major"
    config = content["configs"]["en-lsg"]
    assert config["languages"] == {"en": {"added": 1, "removed": 1, "changed": 1}}
    assert {row["what"] for row in config["shown"]} == {"added", "removed", "changed"}
    assert content["lexicons"] == {"en": ["v1", "v2"]}


def test_exit_codes(releases: tuple[Path, Path]) -> None:
    assert run(*releases, "--exit-code").exit_code == 1
    result = run(releases[0], releases[0], "--exit-code")
    assert result.exit_code == 0 and "nothing differs" in result.stdout


def test_bad_usage(releases: tuple[Path, Path], tmp_path: Path) -> None:
    assert isinstance(run(tmp_path, releases[0]).exception, InputError)
    assert isinstance(run(*releases, "--html", tmp_path).exception, UsageError)
    assert run(*releases, "--limit", "-1").exit_code == 2


def test_the_page(releases: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "pages" / "diff.html"
    assert run(*releases, "--html", out).exit_code == 0
    html = out.read_text(encoding="utf-8")
    page = ParsedPage(html)
    assert not page.open and len(page.ids) == len(set(page.ids)) and not page.links
    assert ["ar-lsg", "ar", "0", "0", "1", "1", "1"] in page.rows
    assert "<b>lady" not in html and "&lt;" in html
    assert "<script" not in html and not re.search(r"(?:src|href)=\"(?!#)", html)
    assert '<p lang="ar" dir="rtl">' in html and '<p lang="en" dir="auto">' in html
    assert "<del>queen</del>" in html and "<ins>الأميرة</ins>" in html
    assert str(tmp_path) not in html
    again = tmp_path / "again.html"
    run(*releases, "--html", again)
    assert again.read_bytes() == out.read_bytes()


def test_a_page_of_nothing(releases: tuple[Path, Path], tmp_path: Path) -> None:
    run(releases[0], releases[0], "--html", tmp_path / "same.html")
    assert "Nothing differs." in (tmp_path / "same.html").read_text(encoding="utf-8")

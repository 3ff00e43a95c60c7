"""`curate swap`, `curate lexicon check` and `curate languages`, run as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


def curate(
    *args: str, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "curate.cli", *args],
        input=stdin,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


def test_one_json_line_for_each_input_line_in_order() -> None:
    text = "The king sleeps.\n\nIt rains.\n"
    done = curate("swap", "--lang", "en", "--to", "feminine", stdin=text.encode())
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [line["text"] for line in lines] == text.splitlines()
    assert lines[0]["counterpart"] == "The queen sleeps."
    assert lines[0]["from"] == "masculine"
    (edit,) = lines[0]["edits"]
    assert {"start", "end", "old", "new", "rule", "entry"} == set(edit)
    assert (edit["start"], edit["end"], edit["new"]) == (4, 8, "queen")
    assert (lines[2]["counterpart"], lines[2]["refused"]) == (None, "no-gender-word")


def test_output_file_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "out.jsonl"
    done = curate("swap", "The king", "--lang", "en", "--output", str(target), "--explain")
    assert done.returncode == 0, done.stderr
    assert json.loads(target.read_text("utf-8"))["counterpart"] == "The queen"
    assert b"king -> queen" in done.stderr
    assert [p.name for p in target.parent.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize(
    ("args", "content", "message"),
    [
        (("--lang", "xx"), b"a\n", b"unknown language 'xx'"),
        (("--lang", "en"), b"good\n\xff\xfe\n", b":2: not UTF-8"),
        (("--lang", "en"), b"", b"the file is empty"),
        (("--lang", "en"), None, b"no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    tmp_path: Path, args: tuple[str, ...], content: bytes | None, message: bytes
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.jsonl"
    if content is not None:
        source.write_bytes(content)
    done = curate("swap", *args, "--input", str(source), "--output", str(target))
    assert done.returncode == 2
    first, *hints = done.stderr.splitlines()
    assert first.startswith(b"curate: ")
    assert message in first
    assert len(hints) <= 1
    assert not target.exists()


def test_a_control_character_is_a_refusal_not_the_end() -> None:
    done = curate("swap", "--lang", "en", stdin=b"The king\x07\nThe king\n")
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [line["refused"] for line in lines] == ["bad-text", None]


def test_a_broken_lexicon_stops_other_commands(tmp_path: Path) -> None:
    (tmp_path / "es").mkdir()
    (tmp_path / "es" / "language.toml").write_text("tag = 1\n", "utf-8")
    checked = curate("lexicon", "check", CURATE_LEXICONS=str(tmp_path))
    assert checked.returncode == 1
    assert b"es/pairs.tsv: file is missing" in checked.stdout
    swapped = curate("swap", "rey", "--lang", "es", CURATE_LEXICONS=str(tmp_path))
    assert swapped.returncode == 2
    assert b"curate lexicon check es" in swapped.stderr


def test_languages_reports_computed_status() -> None:
    done = curate("languages", "--json")
    assert done.returncode == 0, done.stderr
    by_tag = {status["tag"]: status for status in json.loads(done.stdout)}
    assert {"de", "en", "es", "pt", "zh"} <= set(by_tag)
    assert all(status["golden_passed"] <= status["golden"] for status in by_tag.values())


def test_help_is_fast_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['curate', '--help']\n"
        "from curate.cli.main import app\n"
        "try: app()\nexcept SystemExit: pass\n"
        "heavy = {'torch', 'transformers', 'pyarrow', 'datasets', 'scipy', 'numpy', 'altair'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    best = 9.9
    for _ in range(3):
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        best = min(best, time.monotonic() - started)
        assert done.returncode == 0, done.stderr
    assert best < 1.5  # 0.5 s on an idle machine: tests/bench measures it

"""Verdicts beside a run: counted, stale, or a reason not to release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from curate import __version__, schema
from curate.checks import check_pairs
from curate.checks.stored import read_stamp, write_verdicts
from curate.cli.pairs import app
from curate.errors import InputError, UsageError
from curate.hub import build_release
from curate.sources import read_pairs
from tests.hub.made_folders import row, write_run


def check(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


def test_what_was_found_is_counted(tmp_path: Path, runs: list[Path]) -> None:
    assert check(runs[0], "--write").exit_code == 0
    manifest = build_release(runs, tmp_path / "release")
    found = check_pairs(read_pairs(runs[0]))
    assert manifest["checked"] == {
        "en-lsg": {"curate": __version__, "pairs": 2, "codes": _counts(found)}
    }
    assert read_stamp(runs[0] / "verdicts.parquet") is not None
    assert pq.read_table(runs[0] / "verdicts.parquet").equals(found)


def _counts(verdicts: pa.Table) -> dict[str, int]:
    rows = {(one["code"], one["row"]) for one in verdicts.to_pylist()}
    return {code: sum(one == code for one, _ in rows) for code, _ in rows}


def broken(folder: Path) -> Path:
    rows = [
        row("A king came.", "A queen came.", "masculine"),
        row("A king slept.", "A queen works.", "feminine"),
        row("A king sat!", "A queen sat?", "feminine"),
    ]
    return write_run(folder, rows)


def test_a_broken_pair_is_not_released(tmp_path: Path, lexicons: Path) -> None:
    run = broken(tmp_path / "run")
    assert check(run, "--write").exit_code == 1
    with pytest.raises(InputError, match=r"not-minimal.*\(rows 1\), and 1 other code") as caught:
        build_release([run], tmp_path / "release")
    assert "curate pairs check" in caught.value.hint
    assert not (tmp_path / "release").exists()


def test_what_is_left_out_of_the_print_is_kept(tmp_path: Path, lexicons: Path) -> None:
    run = broken(tmp_path / "run")
    check(run, "--write", "--ignore", "not-minimal", "--ignore", "changed-punctuation")
    with pytest.raises(InputError, match="not-minimal"):
        build_release([run], tmp_path / "release")


def test_warnings_and_notes_do_not_forbid(tmp_path: Path, runs: list[Path]) -> None:
    verdicts = [
        {"pair_id": None, "row": 0, "check": "x", "code": code, "ok": False, "evidence": ""}
        for code in ("not-nfc", "not-nfc", "context-word")
    ]
    from curate.checks import CODES

    code = next(name for name, one in CODES.items() if one.level == "warning")
    verdicts[2]["code"] = code
    table = pa.Table.from_pylist(verdicts, schema=schema.VERDICTS)
    write_verdicts(table, runs[0] / "pairs.parquet")
    manifest = build_release(runs, tmp_path / "release")
    assert manifest["checked"]["en-lsg"]["codes"] == {"not-nfc": 1, code: 1}


def test_verdicts_on_other_pairs_do_not_count(tmp_path: Path, runs: list[Path]) -> None:
    check(runs[0], "--write")
    path = runs[0] / "pairs.parquet"
    pq.write_table(pq.read_table(path).take([1, 0]), path)
    assert "checked" not in build_release(runs, tmp_path / "release")


def test_verdicts_without_a_stamp_do_not_count(tmp_path: Path, runs: list[Path]) -> None:
    pq.write_table(schema.VERDICTS.empty_table(), runs[0] / "verdicts.parquet")
    assert "checked" not in build_release(runs, tmp_path / "release")


def test_a_code_that_nobody_gives_is_refused(tmp_path: Path, runs: list[Path]) -> None:
    verdict = {"pair_id": None, "row": 0, "check": "", "code": "mine", "ok": True, "evidence": ""}
    table = pa.Table.from_pylist([verdict], schema=schema.VERDICTS)
    write_verdicts(table, runs[0] / "pairs.parquet")
    with pytest.raises(InputError, match="no check gives: mine"):
        build_release(runs, tmp_path / "release")


def test_only_our_checks_of_a_whole_run_are_kept(tmp_path: Path, runs: list[Path]) -> None:
    for options in (["--lang", "en"], ["--columns", "masculine,feminine"], ["--rule", "fort2024"]):
        assert isinstance(check(runs[0], "--write", *options).exception, UsageError)
    assert isinstance(check(runs[0] / "pairs.parquet", "--write").exception, UsageError)
    assert not (runs[0] / "verdicts.parquet").exists()


def test_the_stamp_is_checked(tmp_path: Path, runs: list[Path]) -> None:
    path = runs[0] / "verdicts.parquet"
    bad = schema.VERDICTS.with_metadata({b"curate.verdicts": json.dumps({"curate": 1}).encode()})
    pq.write_table(bad.empty_table(), path)
    with pytest.raises(InputError, match="stamp"):
        read_stamp(path)

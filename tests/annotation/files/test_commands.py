"""`curate translate export | import` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.annotation.campaign import Campaign, locked
from curate.cli.translate import app
from curate.errors import InputError, UsageError
from tests.annotation.conftest import GERMAN, open_task, translated
from tests.annotation.files.filling import fill
from tests.commands import Run, runner_of


@pytest.fixture
def run() -> Run:
    return runner_of(app)


def test_out_and_in(run: Run, campaign: Campaign, tmp_path: Path) -> None:
    out = tmp_path / "new" / "de.csv"
    result = run("export", campaign.folder, "--lang", "de", "--out", out)
    assert result.exit_code == 0 and result.output.startswith("4 tasks written to")
    with pytest.raises(UsageError, match="there already"):
        run("export", campaign.folder, "--lang", "de", "--out", out)
    fill(out, {
        open_task(campaign, "3").task_id: {"verdict": "accept"},
        open_task(campaign, "1").task_id: translated("1"),
    })  # fmt: skip
    result = run("import", campaign.folder, out, "--person", "Bea@Example.org", "--json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.output)
    assert record["answers"] == {"valid": 2} and record["closed"] == {"accepted": 1}
    rows = pq.read_table(campaign.folder / "de" / "crows.parquet").to_pylist()
    assert [(row["sent_more"], row["sent_less"]) for row in rows] == [GERMAN["3"]]
    answers = pq.read_table(campaign.folder / "answers.parquet").to_pylist()
    assert {row["ref"] for row in answers} == {"de.csv:2", "de.csv:4"}
    assert {row["channel"] for row in answers} == {"csv"}
    assert "example" not in json.dumps(answers)
    result = run("import", campaign.folder, out, "--person", "bea@example.org", "--json")
    assert json.loads(result.output)["repeated"] == 2 and result.exit_code == 0


def test_findings_exit_with_one_and_stand_in_a_file(
    run: Run, campaign: Campaign, tmp_path: Path
) -> None:
    out = tmp_path / "de.csv"
    run("export", campaign.folder, "--lang", "de", "--stage", "translate", "--out", out)
    same = {"sent_more": "=1+1", "sent_less": "=1+1", "outcome": "translated"}
    fill(out, {
        open_task(campaign, "1").task_id: same,
        open_task(campaign, "4").task_id: {"outcome": "perhaps"},
    })  # fmt: skip
    result = run("import", campaign.folder, out, "--person", "bea")
    assert result.exit_code == 1
    findings = (campaign.folder / "findings.tsv").read_text(encoding="utf-8")
    assert "identical-sides" in findings and "de.csv:3" in findings and "'perhaps'" in findings
    assert "formula" in findings


def test_nothing_is_taken_half(run: Run, campaign: Campaign, tmp_path: Path) -> None:
    out = tmp_path / "de.csv"
    run("export", campaign.folder, "--lang", "de", "--out", out)
    fill(out, {open_task(campaign, "1").task_id: translated("1")})
    before = {file.name: file.read_bytes() for file in campaign.folder.glob("*.*")}
    out.write_text(out.read_text(encoding="utf-8").replace("translate,4 of", "translate,x,4 of"))
    with pytest.raises(InputError):
        run("import", campaign.folder, out, "--person", "bea")
    after = {file.name: file.read_bytes() for file in campaign.folder.glob("*.*")}
    assert {name: after[name] for name in before} == before


def test_a_replaced_file_and_no_tasks(run: Run, campaign: Campaign, tmp_path: Path) -> None:
    out = tmp_path / "ar.xlsx"
    for _ in range(2):
        result = run("export", campaign.folder, "--lang", "ar", "--out", out, "--replace")
        assert result.output.startswith("4 tasks written")
    none = tmp_path / "none.xlf"
    result = run("export", campaign.folder, "--lang", "ar", "--stage", "correct", "--out", none)
    assert "no open tasks to correct in ar" in result.output and not none.exists()


def test_wrong_places(run: Run, campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no campaign here"):
        run("import", tmp_path / "nowhere", "x.csv", "--person", "bea")
    assert not (tmp_path / "nowhere").exists()
    with pytest.raises(UsageError, match="names a folder"):
        run("export", campaign.folder, "--lang", "de", "--out", tmp_path)
    with locked(campaign.folder), pytest.raises(UsageError, match="another command"):
        run("import", campaign.folder, "x.csv", "--person", "bea")

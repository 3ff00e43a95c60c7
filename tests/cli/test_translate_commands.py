"""`curate translate push | status | export | import | pull` as commands, without a server."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate.annotation.campaign import Campaign
from curate.cli.translate import app
from curate.errors import InputError, RemoteError, UsageError
from tests.commands import Run, runner_of

TEXT = (
    ",sent_more,sent_less,stereo_antistereo,bias_type\n"
    "4,The king slept.,The queen slept.,stereo,gender\n"
    "5,The aunt cannot park.,The uncle cannot park.,antistereo,gender\n"
)
GERMAN = {"4": ("Der König schlief.", "Die Königin schlief.")}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("LABEL_STUDIO_URL", raising=False)
    monkeypatch.delenv("LABEL_STUDIO_API_KEY", raising=False)
    return runner_of(app)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "crows.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def folder(run: Run, pairs: Path, tmp_path: Path) -> Path:
    """A campaign that was prepared and never sent."""
    folder = tmp_path / "round"
    result = run(
        "push", folder, "--pairs", pairs, "--source-lang", "en", "--lang", "de", "--prepare"
    )
    assert result.exit_code == 0, result.output
    return folder


def _states(run: Run, folder: Path) -> dict[str, int]:
    record = json.loads(run("status", folder, "--json").stdout)
    return dict(record["states"]["de"])


def test_a_round_through_a_file(run: Run, folder: Path, tmp_path: Path) -> None:
    assert _states(run, folder) == {"to-translate": 2}
    out = tmp_path / "de.csv"
    assert run("export", folder, "--lang", "de", "--out", out).exit_code == 0
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["source_more"] for row in rows] == ["The king slept.", "The aunt cannot park."]
    rows[0] |= dict(zip(("sent_more", "sent_less"), GERMAN["4"], strict=True))
    rows[0]["outcome"] = "translated"
    with out.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    result = run("import", folder, out, "--person", "ana@example.org")
    assert result.exit_code == 0, result.output
    assert _states(run, folder) == {"to-translate": 1, "to-validate": 1}
    draft = pq.read_table(folder / "de" / "draft.parquet").to_pylist()
    assert [(row["sent_more"], row["sent_less"]) for row in draft] == [GERMAN["4"]]
    assert run("import", folder, out, "--person", "ana@example.org").exit_code == 0
    assert _states(run, folder) == {"to-translate": 1, "to-validate": 1}
    assert len(Campaign.open(folder).answers) == 1


def test_pushing_again_keeps_what_was_set(run: Run, folder: Path, pairs: Path) -> None:
    run("push", folder, "--prepare", "--lang", "fi", "--overlap", "2", "--passes", "1")
    settings = Campaign.open(folder).settings
    assert (settings.langs, settings.overlap, settings.passes) == (["de", "fi"], 2, 1)
    run("push", folder, "--prepare")
    assert Campaign.open(folder).settings == settings
    pairs.write_text(TEXT.replace("slept", "sang"), encoding="utf-8")
    result = run("push", folder, "--pairs", pairs, "--source-lang", "en", "--prepare", "--json")
    assert json.loads(result.stdout)["changed"] == {"de": 1, "fi": 1}


def test_names_and_suggestions_reach_the_tasks(run: Run, pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(
        "source_id\tmasculine_de\tfeminine_de\n4\tLukas\tAnna\n5\t\t\n", encoding="utf-8"
    )
    machine = tmp_path / "machine.csv"
    machine.write_text("source_id,sent_more,sent_less\n4,Er schlief.,Sie schlief.\n", "utf-8")
    run(
        "push", tmp_path / "r", "--pairs", pairs, "--source-lang", "en", "--lang", "de",
        "--suggest", f"de={machine}", "--prepare",
    )  # fmt: skip
    first, second = Campaign.open(tmp_path / "r").sources("de").values()
    assert first.names == ("Lukas", "Anna") and second.names == ()
    assert first.suggestion == ("Er schlief.", "Sie schlief.") and first.origin == "machine"


def test_a_dry_run_writes_nothing(run: Run, pairs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dry"
    run("push", folder, "--pairs", pairs, "--source-lang", "en", "--lang", "de", "--prepare",
        "--dry-run")  # fmt: skip
    assert not (folder / "campaign.json").exists()


def test_what_makes_no_sense_is_refused(
    run: Run, folder: Path, pairs: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="which pairs"):
        run("push", tmp_path / "new", "--lang", "de", "--prepare")
    with pytest.raises(UsageError, match="which pairs"):
        run("push", tmp_path / "new", "--pairs", pairs, "--source-lang", "en", "--prepare")
    with pytest.raises(UsageError, match="LANG=FILE"):
        run("push", folder, "--suggest", f"fi={pairs}", "--prepare")
    with pytest.raises(UsageError, match="no campaign here"):
        run("status", tmp_path / "new")
    with pytest.raises(UsageError, match="no Label Studio is named"):
        run("pull", folder)
    with pytest.raises(UsageError, match="no folder of"):
        run("push", folder, "--server", tmp_path)
    (folder / "tasks.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError):
        run("status", folder)


def test_a_server_that_is_not_there(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "0" * 40)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(RemoteError, match="cannot be reached"):
        run("pull", folder, "--server", "http://127.0.0.1:9")
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == before


def test_a_campaign_stays_on_its_server(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "0" * 40)
    campaign = Campaign.open(folder)
    campaign.settings.server, campaign.settings.projects = "http://127.0.0.1:9", {"de/translate": 3}
    campaign.save()
    with pytest.raises(UsageError, match="given out at http://127"):
        run("pull", folder, "--server", "http://127.0.0.1:10")
    with pytest.raises(UsageError, match="neither a folder nor an address"):
        run("pull", folder, "--server", "127.0.0.1:9")
    assert Campaign.open(folder).settings == campaign.settings
    with pytest.raises(RemoteError, match="cannot be reached"):
        run("push", folder, "--server", "http://127.0.0.1:10", "--elsewhere")


def test_a_campaign_has_the_name_of_its_folder(run: Run, folder: Path) -> None:
    assert Campaign.open(folder).settings.name == "round"


def test_the_command_for_suggestions_reads_them_strictly(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    short = tmp_path / "short.csv"
    short.write_text("source_id,sent_more,sent_less\n4,Er schlief.\n", "utf-8")
    assert run("push", folder, "--suggest", f"de={short}", "--prepare").exit_code == 0
    short.write_text("source_id,sent_more,sent_less\nx,Er schlief.,Sie schlief.\n", "utf-8")
    with pytest.raises(UsageError, match="no suggestion for de"):
        run("push", folder, "--suggest", f"de={short}", "--prepare")
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    with pytest.raises(UsageError, match="campaign is a folder"):
        run("push", file, "--prepare")

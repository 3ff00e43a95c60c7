"""`curate crows import | names | stats` as commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.cli.crows import app
from curate.errors import InputError, UsageError
from tests.commands import Run, runner_of

TEXT = (
    ",sent_more,sent_less,stereo_antistereo,bias_type\n"
    "4,He mends roofs.,She mends roofs.,antistereo,gender\n"
    "5,The aunt cannot park.,The uncle cannot park.,stereo,gender\n"
    "6,The poor cannot cook.,The rich cannot cook.,stereo,socioeconomic\n"
    "7,She left.,,stereo,gender\n"
)


@pytest.fixture
def run() -> Run:
    return runner_of(app)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "crows.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_from_the_file_to_names_and_counts(run: Run, file: Path, tmp_path: Path) -> None:
    table = tmp_path / "new" / "crows.parquet"
    done = run("import", file, "--lang", "en", "--out", table, "--licence", "CC BY-SA 4.0")
    assert done.exit_code == 0, done.output
    assert "3 pairs of 4 rows (crows), 2 with a masculine and a feminine side" in done.output
    assert "dropped: empty-cell 1" in done.output
    read = pq.read_table(table)
    assert read.schema == schema.CROWS
    assert read.column("licence").to_pylist() == ["CC BY-SA 4.0"] * 3
    assert read.column("masculine").to_pylist() == [
        "He mends roofs.",
        "The uncle cannot park.",
        None,
    ]
    drops = pq.read_table(tmp_path / "new" / "crows.drops.parquet")
    assert drops.column("code").to_pylist() == ["empty-cell"]

    out = tmp_path / "names"
    done = run("names", table, "--target-lang", "de", "--names", "1", "--out", out)
    assert done.exit_code == 0, done.output
    assert "2 pairs that contrast gender alone" in done.output
    assert pq.read_table(out / "crows.parquet").column("sent_more").to_pylist() == [
        "James mends roofs.",
        "The aunt cannot park.",
    ]
    assert pq.read_table(out / "drops.parquet").column("code").to_pylist() == ["other-bias-type"]
    with (out / "names.tsv").open(encoding="utf-8", newline="") as lines:
        first, second = csv.DictReader(lines, delimiter="\t")
    assert (first["source_id"], first["action"], first["slot"]) == ("4", "pronoun", "1")
    assert (first["masculine_en"], first["feminine_en"]) == ("James", "Mary")
    assert (second["action"], second["masculine_de"]) == ("none", "")
    about = json.loads((out / "names.json").read_text(encoding="utf-8"))
    assert about["names"]["de"] == {
        "masculine": [first["masculine_de"]],
        "feminine": [first["feminine_de"]],
    }
    assert (about["seed"], about["pairs"]) == (0, 2)

    counted = run("stats", out, file, "--lang", "en", "--json")
    (record,) = json.loads(counted.stdout)
    assert (record["pairs"], record["words"]) == (2 + 3, 6 + 8 + 6 + 8 + 8)
    assert record["gendered"] == 4
    assert "words per sentence" in run("stats", out).output


def test_json_and_repetition(run: Run, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "folder"
    arguments = ("import", file, "--lang", "en", "--out", out, "--json")
    counts = json.loads(run(*arguments).stdout)
    assert counts["drops"] == {"empty-cell": 1}
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert set(before) == {"crows.parquet", "drops.parquet"}
    run(*arguments)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    about = json.loads(run("names", out, "--out", tmp_path / "names", "--json").stdout)
    assert about["actions"] == {"none": 1, "pronoun": 1}


def test_bad_input_names_the_place_and_writes_nothing(run: Run, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match=r"row 3: empty-cell: id 7: sent_less"):
        run("import", file, "--lang", "en", "--out", out, "--on-error", "stop")
    with pytest.raises(UsageError, match="does not name its language"):
        run("import", file, "--out", out)
    with pytest.raises(InputError, match="in the layout 'sjsd'"):
        run("import", file, "--lang", "en", "--format", "sjsd", "--out", out)
    with pytest.raises(UsageError, match="unknown language 'xx'"):
        run("names", file, "--lang", "en", "--target-lang", "xx", "--out", out)
    with pytest.raises(InputError, match="no such file"):
        run("stats", tmp_path / "none.csv")
    assert not out.exists()


def test_mended_texts_are_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(TEXT.replace("mends roofs", "mends cafÃ©s"), encoding="utf-8")
    done = run("import", path, "--lang", "en", "--out", tmp_path / "m", "--json")
    assert json.loads(done.stdout)["mended"] == 2
    assert "2 texts held mojibake and were mended" in done.stderr

"""Tables 1, 9 and 10, counted by hand on a small fetch."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from curate import schema
from curate.cli.politicians import app
from curate.engine import write_parquet
from curate.errors import InputError
from curate.politicians.stats import gender_stats

MALE, FEMALE, TRANS_FEMALE, NON_BINARY, ANIMAL = (
    "Q6581097", "Q6581072", "Q1052281", "Q48270", "Q44148",
)  # fmt: skip
PEOPLE = {
    "Q1": ((MALE,), "en fr"),
    "Q2": ((MALE,), "en"),
    "Q3": ((FEMALE,), "en fr"),
    "Q4": ((TRANS_FEMALE,), "en fr"),
    "Q5": ((NON_BINARY,), "fr"),
    "Q6": ((TRANS_FEMALE, MALE), "en"),
}
DROPPED = {"Q7": ("no-gender", (), "en fr"), "Q8": ("animal", (ANIMAL,), "fr"),
           "Q9": ("born-later", (MALE,), "en fr"), "Q10": ("no-gender", (), "")}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"qid": qid, "lang": lang, "name": "N", "gender_qids": list(genders), "gender": "x",
         "birth_years": [1950], "country_qids": [], "occupation_qids": ["Q82955"],
         "sitelinks": None, "retrieved": "2026-01-02"}
        for qid, (genders, langs) in PEOPLE.items() for lang in langs.split()
    ]  # fmt: skip
    drops = [
        {"sent_id": qid, "row": row, "stage": "politicians-fetch", "code": code,
         "detail": json.dumps({"gender_qids": genders, "langs": langs.split()})}
        for row, (qid, (code, genders, langs)) in enumerate(DROPPED.items())
    ]  # fmt: skip
    for name, kind, records in (("politicians", schema.POLITICIANS, rows),
                                ("drops", schema.DROPS, drops)):  # fmt: skip
        write_parquet(tmp_path / f"{name}.parquet", kind, [pa.Table.from_pylist(records, kind)])
    return tmp_path


def test_groups(folder: Path) -> None:
    assert gender_stats(folder).groups == {
        "male": {"en": 2, "fr": 1},
        "female": {"en": 3, "fr": 2},
        "non-binary": {"fr": 1},
    }
    assert gender_stats(folder, scheme="paper").groups == {
        "male": {"en": 2, "fr": 1},
        "female": {"en": 1, "fr": 1},
        "non-binary": {"en": 2, "fr": 2},
    }


def test_what_a_group_is_made_of(folder: Path) -> None:
    assert gender_stats(folder, scheme="paper").filed["non-binary"] == {
        "non-binary": 1, "transgender female": 1, "transgender female+male": 1,
    }  # fmt: skip
    assert gender_stats(folder).filed["female"] == {
        "female": 1, "transgender female": 1, "transgender female+male": 1,
    }  # fmt: skip


def test_values_count_those_left_out_too(folder: Path) -> None:
    counts = gender_stats(folder)
    assert counts.values == gender_stats(folder, scheme="paper").values
    assert counts.values == {
        "male": {"en": 2, "fr": 1},
        "female": {"en": 1, "fr": 1},
        "transgender female": {"en": 1, "fr": 1},
        "transgender female+male": {"en": 1},
        "non-binary": {"fr": 1},
        "male organism": {"fr": 1},
        "unknown": {"en": 1, "fr": 1},
    }
    assert list(counts.values)[-1] == "unknown"
    assert counts.drops == {"animal": 1, "born-later": 1, "no-gender": 2}
    assert counts.langs == ("en", "fr")


def test_raw_groups_are_the_values_of_those_kept(folder: Path) -> None:
    counts = gender_stats(folder, scheme="raw")
    kept = {name: by for name, by in counts.values.items()
            if name not in {"male organism", "unknown"}}  # fmt: skip
    assert counts.groups == kept


def test_no_fetch_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the folder of a finished fetch"):
        gender_stats(tmp_path)


def test_imported_people_are_counted(folder: Path) -> None:
    (folder / "drops.parquet").unlink()
    told = {"source": "p.csv", "left_out": {"no name": 2}}
    (folder / "import.json").write_text(json.dumps(told), encoding="utf-8")
    counts = gender_stats(folder)
    assert counts.groups["female"] == {"en": 3, "fr": 2}
    assert counts.drops == {"no name": 2}
    assert "male organism" not in counts.values
    result = CliRunner().invoke(app, ["stats", str(folder)])
    assert "dropped: no name 2" in result.stdout


def test_those_left_out_of_a_table_for_their_gender_are_in_table_10(folder: Path) -> None:
    (folder / "drops.parquet").unlink()
    said = {"": 2, "unsure": 1, "Male Organism": 4, "q43445": 1}
    told = {"lang": "en", "left_out": {"unknown gender": 8}, "unknown_genders": said}
    (folder / "import.json").write_text(json.dumps(told), encoding="utf-8")
    values = gender_stats(folder).values
    assert values["unknown"] == {"en": 3}
    assert (values["male organism"], values["female organism"]) == ({"en": 4}, {"en": 1})
    assert values["male"] == {"en": 2, "fr": 1}


def test_genders_that_are_not_listed_are_told(folder: Path) -> None:
    assert gender_stats(folder).unlisted == {}
    path = folder / "politicians.parquet"
    rows = pq.read_table(path).to_pylist()
    for row in rows:
        if row["qid"] in {"Q1", "Q5"}:
            row["gender_qids"] = [*row["gender_qids"], "Q101352"]
    write_parquet(path, schema.POLITICIANS, [pa.Table.from_pylist(rows, schema.POLITICIANS)])
    counts = gender_stats(folder)
    assert counts.unlisted == {"Q101352": 2}
    assert counts.groups["non-binary"] == {"en": 1, "fr": 2}
    result = CliRunner().invoke(app, ["stats", str(folder)])
    assert "a gender that is not listed: Q101352 2" in result.stdout


def test_the_command(folder: Path) -> None:
    arguments = ["stats", str(folder), "--gender-scheme", "paper"]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert json.loads(result.stdout) == gender_stats(folder, scheme="paper").as_json()
    shown = CliRunner().invoke(app, arguments).stdout
    assert "transgender female+male" in shown  # whole, though the terminal is narrow
    assert "dropped: no-gender 2" in shown

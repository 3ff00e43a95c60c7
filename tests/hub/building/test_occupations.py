"""Folders of `curate occupations build` in a release, by the command's own writer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError
from curate.hub.building import build_release
from curate.hub.check import check_release
from curate.hub.layout import data_path, kind_of
from curate.occupations.build import Built
from curate.occupations.folder import write_table

COUNTS = {"paper": {"begin": 1}}


def said_of(column: str, **other: Any) -> dict[str, Any]:
    return {
        "sent_id": "s1", "row": 3, "lang": "sv", "kind": "occupation", "occupation": column,
        "form": "common", "column": column, "gender": "Com", "subject": f"En {column}",
        "start": 3, "end": 3 + len(column), "text": f"En {column} sover.",
        "original": "masculine", "source_text": "En man sover.", "isco": "221", "status": "high",
        "share_women": 0.5, "source": "sts.csv", "licence": "CC BY-SA 4.0",
        "lexicon_version": "l", "occupations_version": "o", **other,
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, lexicons: Path) -> Path:
    rows = [said_of("kirurg"), said_of("pilot", share_women=None)]
    long = pa.Table.from_pylist(rows, schema=schema.OCCUPATIONS)
    wide = pa.Table.from_pylist(
        [{**{name: rows[0][name] for name in schema.OCCUPATION_PLACES}, "he": "a", "she": "b"}],
        schema=schema.occupations_wide(["he", "she"]),
    )
    dropped = {"sent_id": "s2", "row": 4, "stage": "occupations", "code": "low", "detail": ""}
    drops = pa.Table.from_pylist([dropped], schema=schema.DROPS)
    built = Built(long=long, wide=wide, drops=drops, counts=COUNTS)
    write_table(built, tmp_path / "sv", {"lang": "sv", "sts": "/home/me/sts.csv"})
    return tmp_path / "sv"


def test_they_are_a_configuration_of_their_language(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    manifest = build_release([folder], out)
    assert set(manifest["configs"]) == {"sv-occupations", "drops"}
    assert manifest["runs"]["sv-occupations"]["config"]["sts"] == "sts.csv"
    table = pq.read_table(out / data_path("sv-occupations"))
    assert table.equals(pq.read_table(folder / "occupations.parquet"))
    assert check_release(out) == []
    card = (out / "README.md").read_text()
    assert "| `sv-occupations` | 2 |" in card
    assert "**Occupations** (Katsarou et al. 2022)" in card
    assert "cmsf2022003003" in (out / "CITATION.cff").read_text()
    croissant = (out / "croissant.json").read_text()
    assert "sv-occupations: 1 rows of the source were left out (low 1)" in croissant
    assert not (out / "score.py").exists()


@pytest.mark.parametrize("name", ["occupations", "drops"])
def test_a_table_that_was_changed_since_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    path = folder / f"{name}.parquet"
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    with pytest.raises(InputError, match="changed since it was built"):
        build_release([folder], tmp_path / "release")


def test_an_unfinished_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(InputError, match="not finished"):
        build_release([folder], tmp_path / "release")


def test_rows_of_another_language_are_found(folder: Path, tmp_path: Path) -> None:
    record = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(record | {"lang": "en"}))
    with pytest.raises(InputError, match="rows of another language than 'en'"):
        build_release([folder], tmp_path / "release")


def test_a_configuration_is_told_by_its_name() -> None:
    names = {"sv-occupations": "occupations", "sv-crows": "crows", "sv-lsg": "pairs"}
    assert {name: kind_of(name) for name in names} == names
    assert kind_of("names") == "names"

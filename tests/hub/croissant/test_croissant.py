"""Croissant metadata, read by mlcroissant itself: valid, complete, and true to the tables."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import InputError
from curate.hub.croissant import CROISSANT, write_croissant
from curate.hub.croissant.fields import fields_of
from curate.hub.layout import KINDS, data_path
from curate.sources.files import sha256_file
from tests.hub.exports.small_release import TABLES, write_small_release

ABOUT = {
    "title": 'Pairs {of} "two"',
    "authors": [{"name": "Ada Example", "orcid": "0000-0002-1825-0097", "affiliation": "U"}],
    "doi": "10.5281/zenodo.1234567",
    "annotators": "Six students",
}


def written(folder: Path, **manifest: Any) -> dict[str, Any]:
    write_croissant(folder, write_small_release(folder, **manifest))
    return document(folder)


def document(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / CROISSANT).read_text(encoding="utf-8")))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    written(tmp_path / "release", date="2026-11-01", about=ABOUT)
    return tmp_path / "release"


def plain(value: Any) -> Any:
    """A record of mlcroissant as the row of a table: text, own names, no numpy."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {key.rpartition("/")[2]: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value.item() if hasattr(value, "item") else value


def records(release: Path, config: str) -> list[Any]:
    dataset = mlcroissant.Dataset(str(release / CROISSANT))
    rows = [plain(record) for record in dataset.records(config)]
    for row in rows:
        if "fill" in row and not any(row["fill"].values()):
            row["fill"] = None  # a struct that is null reads as one whose parts are
    return rows


def refused(release: Path, config: str) -> str:
    """Why the records cannot be read: the errors, from the last to the first."""
    with pytest.raises(Exception, match="operation") as caught:
        records(release, config)
    error: BaseException | None = caught.value
    reasons = []
    while error is not None:
        reasons.append(str(error))
        error = error.__cause__ or error.__context__
    return "; ".join(reasons)


def test_it_is_valid_without_a_warning(release: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        dataset = mlcroissant.Dataset(str(release / CROISSANT))
    issues = dataset.metadata.ctx.issues
    assert (set(issues.errors), set(issues.warnings), caplog.text) == (set(), set(), "")


def test_the_command_of_mlcroissant_accepts_it(release: Path) -> None:
    command = [sys.executable, "-m", "mlcroissant.scripts.cli", "validate"]
    done = subprocess.run(
        [*command, f"--jsonld={release / CROISSANT}"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not [line for line in done.stderr.splitlines() if line.startswith(("W", "E", "F"))]


@pytest.mark.parametrize("config", list(TABLES))
def test_the_records_are_the_rows(release: Path, config: str) -> None:
    assert records(release, config) == pq.read_table(release / data_path(config)).to_pylist()


def test_changed_bytes_are_noticed(release: Path) -> None:
    path = release / data_path("de-lsg")
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    assert "is not identical" in refused(release, "de-lsg")


def test_a_renamed_column_is_noticed(release: Path) -> None:
    path = release / data_path("en-crows")
    table = pq.read_table(path)
    pq.write_table(table.rename_columns(["id", *table.schema.names[1:]]), path)
    content = document(release)
    for file in content["distribution"]:
        file["sha256"] = sha256_file(release / file["contentUrl"])
    (release / CROISSANT).write_text(json.dumps(content), encoding="utf-8")
    assert "pair_id" in refused(release, "en-crows")


def test_the_same_wherever_it_lies(tmp_path: Path, release: Path) -> None:
    written(tmp_path / "elsewhere" / "copy", date="2026-11-01", about=ABOUT)
    first, second = (path / CROISSANT for path in (release, tmp_path / "elsewhere" / "copy"))
    assert first.read_bytes() == second.read_bytes()
    assert str(tmp_path) not in first.read_text(encoding="utf-8")


def test_files_are_named_relative_and_on_the_hub(tmp_path: Path) -> None:
    files = written(tmp_path / "r", repository="ns/name")["distribution"]
    assert {file["contentUrl"] for file in files} == {data_path(config) for config in TABLES}
    assert files[0]["sameAs"] == (
        f"https://huggingface.co/datasets/ns/name/resolve/v1.2.3/{files[0]['contentUrl']}"
    )
    assert len(records(tmp_path / "r", "drops")) == 1
    assert "sameAs" not in written(tmp_path / "local")["distribution"][0]


def test_what_it_says_of_the_release(release: Path) -> None:
    content = document(release)
    assert content["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    assert content["version"] == "1.2.3"
    assert content["datePublished"] == "2026-11-01"
    assert content["inLanguage"] == ["de", "en"]
    assert "https://spdx.org/licenses/CC-BY-SA-4.0" in content["license"]
    assert content["creator"][0]["url"] == "https://orcid.org/0000-0002-1825-0097"
    assert content["citeAs"].startswith("@misc{small-1-2-3,")
    assert "Ada Example" in content["citeAs"]
    assert content["rai:annotatorDemographics"] == ["Six students"]
    assert "de-lsg: 5 rows from corpus.txt" in content["rai:dataCollection"]
    assert "no-gender-word 1" in content["rai:dataCollectionMissingData"]
    assert any("mini, revision r1" in tool for tool in content["rai:machineAnnotationTools"])
    for name in ("dataBiases", "dataUseCases", "dataLimitations", "personalSensitiveInformation"):
        assert content[f"rai:{name}"]


def test_mlcroissant_reads_the_responsible_ai_fields(release: Path) -> None:
    read = mlcroissant.Dataset(str(release / CROISSANT)).metadata
    content = document(release)
    assert read.data_collection == content["rai:dataCollection"]
    assert sorted(read.data_limitations) == sorted(content["rai:dataLimitations"])
    assert sorted(read.data_biases) == sorted(content["rai:dataBiases"])


def test_nothing_is_said_of_people_where_there_are_none(tmp_path: Path) -> None:
    manifest = write_small_release(tmp_path)
    for config in ("en-crows", "politicians"):
        del manifest["configs"][config]
    write_croissant(tmp_path, manifest)
    content = document(tmp_path)
    assert "rai:annotatorDemographics" not in content
    assert "rai:dataAnnotationProtocol" not in content
    assert not any("Wikidata" in text for text in content["rai:personalSensitiveInformation"])
    assert "datePublished" not in content


def leaves(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for field in fields:
        found += leaves(field["subField"]) if "subField" in field else [field]
    return found


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_column_is_described(kind: str) -> None:
    fields = fields_of("c", "f", KINDS[kind].columns)
    assert all(field.get("description") for field in [*fields, *leaves(fields)])


SCALARS = st.sampled_from(
    [pa.string(), pa.int8(), pa.int32(), pa.int64(), pa.float64(), pa.bool_()]
)
STRUCTS = st.lists(SCALARS, min_size=1, max_size=3).map(
    lambda kinds: pa.struct([(f"part{n}", kind) for n, kind in enumerate(kinds)])
)
KIND = SCALARS | SCALARS.map(pa.list_) | STRUCTS | STRUCTS.map(pa.list_)


@given(st.lists(KIND, max_size=6))
def test_every_leaf_has_one_source_type_and_id(kinds: list[pa.DataType]) -> None:
    columns = pa.schema([(f"column{n}", kind) for n, kind in enumerate(kinds)])
    fields = fields_of("config", "file", columns)
    found = leaves(fields)
    assert [field["name"] for field in fields] == columns.names
    assert len({leaf["@id"] for leaf in found}) == len(found)
    assert all(leaf["source"]["extract"]["column"] in columns.names for leaf in found)
    assert all(leaf["dataType"].startswith(("sc:", "cr:")) for leaf in found)


def test_a_type_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="column day"):
        fields_of("c", "f", pa.schema([("day", pa.date32())]))

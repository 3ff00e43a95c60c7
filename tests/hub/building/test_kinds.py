"""Folders of translations, people and names as configurations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.engine import write_json
from curate.errors import InputError, UsageError
from curate.hub import build_release
from curate.hub.building.kinds import read_parts
from curate.hub.layout import data_path
from curate.politicians.names import GivenName, write_names
from tests.hub.made_folders import (
    contents,
    crow,
    person,
    write_campaign,
    write_crows,
    write_people,
    write_run,
)

WIKIDATA = "https://query.wikidata.org/sparql"
GERMAN = [crow("de", "Er ist grob.", "Sie ist grob."), crow("de", "Der da.", "Die da.")]


def rows_of(release: Path, config: str) -> list[dict[str, Any]]:
    return pq.read_table(release / data_path(config), partitioning=None).to_pylist()


def test_a_campaign_gives_what_people_settled(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "c", {"de": GERMAN, "fr": [crow("fr", "Il.", "Elle.")]})
    manifest = build_release([folder], tmp_path / "release")
    assert sorted(manifest["configs"]) == ["de-crows", "drops", "fr-crows"]  # no pairs, no lexicon
    assert rows_of(tmp_path / "release", "de-crows") == GERMAN  # and no draft
    run = manifest["runs"]["de-crows"]
    assert (run["lang"], run["method"], run["pairs"], run["drops"]) == ("de", "crows", 2, 1)
    assert run["config"] == {"source_lang": "en", "passes": 2, "overlap": 1, "max_rounds": 3}
    assert run["annotators"] == {"translators": 1, "validators": 1}
    assert run["states"] == {"accepted": 2}
    drops = rows_of(tmp_path / "release", "drops")
    assert [(one["lang"], one["method"]) for one in drops] == [("de", "crows"), ("fr", "crows")]


def test_nobody_is_named(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "c", {"de": GERMAN})
    settings = json.loads((folder / "campaign.json").read_text())
    write_json(folder / "campaign.json", settings | {"server": "http://studio.example.org"})
    write_json(folder / "reliability.json", RELIABILITY)
    build_release([folder], tmp_path / "release")
    for content in contents(tmp_path / "release").values():
        for secret in (b"ana@example.org", b"studio.example.org", b'"p1"', b'"p2"'):
            assert secret not in content


RELIABILITY = {
    "agreement": [
        {"lang": "de", "stage": "validate", "field": "verdict", "people": [], "tasks": 9,
         "alpha": {"value": 0.7, "ci_low": 0.5, "ci_high": 0.9, "units": 9, "coders": 2}},
        {"lang": "de", "stage": "validate", "field": "verdict", "people": ["p1", "p2"]},
        {"lang": "mul", "stage": "validate", "field": "verdict", "people": []},
    ],
    "verdicts": [
        {"lang": "de", "translator": "", "validator": "", "n": 9},
        {"lang": "de", "translator": "p1", "validator": "p2", "n": 9},
    ],
    "corrections": [{"lang": "fr", "pairs": 3}],
    "seed": 4,
}  # fmt: skip


def test_reliability_is_that_of_all_people(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "c", {"de": GERMAN})
    write_json(folder / "reliability.json", RELIABILITY)
    manifest = build_release([folder], tmp_path / "release")
    assert manifest["reliability"] == {
        "de-crows": {
            "agreement": RELIABILITY["agreement"][:1],
            "verdicts": RELIABILITY["verdicts"][:1],
            "seed": 4,
        }
    }
    write_json(folder / "reliability.json", {"agreement": {"de": 1}})
    with pytest.raises(InputError, match="agreement is no list"):
        build_release([folder], tmp_path / "other")


def test_a_language_that_is_not_settled_waits(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "c", {"de": GERMAN, "fr": []})
    manifest = build_release([folder], tmp_path / "release")
    assert sorted(manifest["configs"]) == ["de-crows", "drops"]
    (folder / "de" / "crows.parquet").unlink()
    with pytest.raises(InputError, match="settled no pair"):
        build_release([folder], tmp_path / "other")


def test_an_imported_table_is_parted_by_language(tmp_path: Path) -> None:
    rows = [GERMAN[0], crow("fr", "Il.", "Elle."), GERMAN[1]]
    manifest = build_release([write_crows(tmp_path / "c", rows)], tmp_path / "release")
    assert rows_of(tmp_path / "release", "de-crows") == GERMAN
    assert manifest["configs"]["fr-crows"]["rows"] == 1
    (drop,) = rows_of(tmp_path / "release", "drops")
    assert drop["lang"] == "mul"  # the file does not say of which language it was


def test_pairs_never_get_the_columns_of_judgement(tmp_path: Path, runs: list[Path]) -> None:
    manifest = build_release([*runs, write_crows(tmp_path / "c", GERMAN)], tmp_path / "release")
    judged = {"sent_more", "sent_less", "stereo_antistereo", "bias_type"}
    for entry in manifest["configs"].values():
        assert judged <= entry["columns"].keys() or not judged & entry["columns"].keys()
        assert bool(judged & entry["columns"].keys()) == (entry["kind"] == "crows")


def test_people_of_a_fetch(tmp_path: Path) -> None:
    people = [person("Q2", "Ada"), person("Q1", "Bo", "non-binary"), person("Q1", "بو", lang="ar")]
    folder = write_people(tmp_path / "p", people, endpoint=WIKIDATA)
    manifest = build_release([folder], tmp_path / "release")
    assert rows_of(tmp_path / "release", "politicians") == people
    run = manifest["runs"]["politicians"]
    assert (run["langs"], run["lang"]) == (["ar", "en"], "mul")
    assert (run["input"], run["licence"]) == ({"name": "Wikidata"}, "CC0 1.0")
    assert run["config"]["endpoint"] == WIKIDATA
    assert rows_of(tmp_path / "release", "drops")[0]["method"] == "politicians"


def test_a_server_at_home_stays_at_home(tmp_path: Path) -> None:
    folder = write_people(tmp_path / "p", [person("Q1", "A")], endpoint="http://127.0.0.1:7878/q")
    build_release([folder], tmp_path / "release")
    assert all(b"127.0.0.1" not in content for content in contents(tmp_path / "release").values())


def test_people_without_an_origin_are_refused(tmp_path: Path) -> None:
    folder = write_people(tmp_path / "p", [person("Q1", "A")], endpoint=WIKIDATA)
    (folder / "fetch.json").unlink()
    with pytest.raises(InputError, match="not finished"):
        build_release([folder], tmp_path / "release")


def test_names_of_a_fetch(tmp_path: Path) -> None:
    found = [
        GivenName("en", "", "Ada", "feminine", 1.0, 12),
        GivenName("en", "Q30", "Ada", "feminine", 0.95, 10),
    ]
    write_names(found, tmp_path / "n", source="Wikidata")
    manifest = build_release([tmp_path / "n"], tmp_path / "release")
    common = {"lang": "en", "name": "Ada", "gender": "feminine", "source": "Wikidata"}
    assert rows_of(tmp_path / "release", "names") == [
        common | {"country": "", "share": 1.0, "people": 12},
        common | {"country": "Q30", "share": 0.95, "people": 10},
    ]
    assert manifest["runs"]["names"]["licence"] == "CC0 1.0"
    path = tmp_path / "n" / "names_by_country.tsv"
    path.write_text(path.read_text().replace("0.9500", "most"))
    with pytest.raises(InputError, match=r"names_by_country\.tsv:2: 'most' is no number"):
        build_release([tmp_path / "n"], tmp_path / "other")


def test_a_folder_may_be_of_two_kinds(tmp_path: Path) -> None:
    folder = write_people(tmp_path / "p", [person("Q1", "A")], endpoint=WIKIDATA)
    write_names([GivenName("en", "", "Ada", "feminine", 1.0, 12)], folder, source="Wikidata")
    assert [part.config for part in read_parts([folder])] == ["names", "politicians"]


def test_two_folders_of_people_are_refused(tmp_path: Path) -> None:
    folders = [
        write_people(tmp_path / name, [person("Q1", "A")], endpoint=WIKIDATA) for name in "ab"
    ]
    with pytest.raises(UsageError, match=r"two folders make politicians: .*a and .*b"):
        build_release(folders, tmp_path / "release")


def test_tables_of_other_columns_are_refused(tmp_path: Path, lexicons: Path) -> None:
    folder = write_crows(tmp_path / "c", GERMAN)
    table = pq.read_table(folder / "crows.parquet").drop_columns(["bias_type"])
    pq.write_table(table, folder / "crows.parquet")
    with pytest.raises(InputError, match="no column 'bias_type'"):
        build_release([folder], tmp_path / "release")
    run = write_run(tmp_path / "run", [])
    pq.write_table(schema.DROPS.empty_table(), run / "pairs.parquet")
    with pytest.raises(InputError, match="no column 'lang'"):
        build_release([run], tmp_path / "release")

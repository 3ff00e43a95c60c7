"""Releases: built twice alike, opened by `datasets`, whole or not there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError, UsageError
from curate.hub import build_release, check_release
from curate.hub.layout import KINDS, config_schema, data_path
from curate.lexicon import load_lexicon
from curate.lexicon.load import load_lexicon as cached_load
from tests.hub.made_folders import (
    contents,
    crow,
    person,
    row,
    write_campaign,
    write_people,
    write_run,
)

WIKIDATA = "https://query.wikidata.org/sparql"


@pytest.fixture
def folders(tmp_path: Path, runs: list[Path]) -> list[Path]:
    """A folder of every kind that a release can hold with ease."""
    german = [crow("de", "Er ist grob.", "Sie ist grob.")]
    people = [person("Q1", "Ada Byron"), person("Q1", "آدا", lang="ar")]
    return [
        *runs,
        write_campaign(tmp_path / "campaign", {"de": german, "fr": [crow("fr", "Il.", "Elle.")]}),
        write_people(tmp_path / "people", people, endpoint=WIKIDATA),
    ]


def test_what_lies_where(release: Path) -> None:
    assert sorted(path for path in contents(release) if path.endswith((".parquet", ".json"))) == [
        "croissant.json",
        "data/drops/test-00000-of-00001.parquet",
        "data/en-lsg/test-00000-of-00001.parquet",
        "data/en-msg/test-00000-of-00001.parquet",
        "data/lexicon/test-00000-of-00001.parquet",
        "manifest.json",
    ]
    assert not [path for path in release.parent.iterdir() if path.name.startswith(".")]


def test_the_same_folders_give_the_same_bytes(tmp_path: Path, folders: list[Path]) -> None:
    """Whatever their order and their place."""
    elsewhere = [Path(shutil.copytree(one, tmp_path / "x" / one.name)) for one in folders]
    build_release(folders, tmp_path / "1")
    build_release(elsewhere[::-1], tmp_path / "2")
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert [one for one in check_release(tmp_path / "1") if one.level == "error"] == []


def test_rows_keep_the_order_of_the_run(release: Path, runs: list[Path]) -> None:
    own = pq.read_table(runs[0] / "pairs.parquet")
    assert own.column("pair_id").to_pylist() != sorted(own.column("pair_id").to_pylist())
    assert pq.read_table(release / data_path("en-lsg")).equals(own)


def test_every_kind_is_opened_by_datasets(tmp_path: Path, folders: list[Path]) -> None:
    """Whole and streamed, each row and each type as it lies there."""
    datasets = pytest.importorskip("datasets", reason="needs the extra gender-curate[hub]")
    out = tmp_path / "release"
    configs = build_release(folders, out)["configs"]
    assert sorted(datasets.get_dataset_config_names(str(out))) == sorted(configs)
    for config in configs:
        own = pq.read_table(out / data_path(config), partitioning=None)
        wanted = datasets.Features.from_arrow_schema(config_schema(config))
        opened = datasets.load_dataset(
            str(out), config, split="test", cache_dir=str(tmp_path / "cache")
        )
        assert opened.features == wanted
        assert opened.to_list() == own.to_pylist()
        streamed = datasets.load_dataset(str(out), config, split="test", streaming=True)
        assert streamed.features == wanted
        assert list(streamed) == own.to_pylist()


def test_what_has_no_rows_is_no_configuration(tmp_path: Path, runs: list[Path]) -> None:
    """`datasets` fails on a table without rows; a run may well have dropped nothing."""
    for run in runs:
        pq.write_table(schema.DROPS.empty_table(), run / "drops.parquet")
    manifest = build_release(runs, tmp_path / "release")
    assert sorted(manifest["configs"]) == ["en-lsg", "en-msg", "lexicon"]
    empty = write_run(tmp_path / "empty", [])
    with pytest.raises(InputError, match="no row for en-lsg"):
        build_release([empty], tmp_path / "other")


def test_the_manifest(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("gender-minimal-pairs", "1.2.3")
    assert manifest["schema"] == 2
    assert manifest["configs"]["en-lsg"] == {
        "file": data_path("en-lsg"), "rows": 2, "kind": "pairs",
        "columns": {field.name: str(field.type) for field in schema.PAIRS},
    }  # fmt: skip
    assert manifest["configs"]["drops"]["kind"] == "drops"
    assert manifest["runs"]["en-lsg"]["seed"] == 3
    assert manifest["runs"]["en-lsg"]["models"] == []
    assert manifest["runs"]["en-msg"]["models"] == [{"model": "toy", "revision": "r1"}]
    assert manifest["runs"]["en-lsg"]["config"]["where"] == "model"  # no folder of this machine
    assert manifest["lexicons"] == {"en": load_lexicon("en").version}
    assert set(manifest["files"]) == set(contents(release)) - {"manifest.json"}
    assert manifest["changes"] == []
    assert manifest["languages"]["en"]["version"] == manifest["lexicons"]["en"]
    assert not {"date", "checked", "reliability", "about"} & manifest.keys()


def test_what_is_given_is_written(tmp_path: Path, runs: list[Path]) -> None:
    about = {"title": "A title of ours"}
    manifest = build_release(runs, tmp_path / "dated", date="2026-01-31", about=about)
    assert manifest["date"] == "2026-01-31"
    assert manifest["about"] == about
    assert "A title of ours" in (tmp_path / "dated" / "README.md").read_text(encoding="utf-8")


def test_only_the_same_release_gives_way(tmp_path: Path, release: Path, runs: list[Path]) -> None:
    before = contents(release)
    build_release(runs, release, version="1.2.3")
    assert contents(release) == before
    for other in ({"version": "2.0.0"}, {"version": "1.2.3", "name": "mine"}):
        with pytest.raises(UsageError, match=r"gender-minimal-pairs 1\.2\.3 lies here"):
            build_release(runs[:1], release, **other)
    assert contents(release) == before
    build_release(runs[:1], release, version="2.0.0", replace=True)
    assert not (release / "data/en-msg").exists()


def test_what_is_no_release_never_gives_way(tmp_path: Path, runs: list[Path]) -> None:
    other = tmp_path / "mine"
    other.mkdir()
    for name in ("thesis.txt", "manifest.json"):
        (other / name).write_text('{"name": "a", "version": "b"}')
        with pytest.raises(UsageError, match="no release"):
            build_release(runs, other, replace=True)
        with pytest.raises(UsageError, match="no release"):
            build_release(runs, other / name, replace=True)
    assert (other / "thesis.txt").exists()


def test_a_release_of_the_old_form_gives_way_when_told(tmp_path: Path, runs: list[Path]) -> None:
    old = tmp_path / "old"
    old.mkdir()
    manifest = {"name": "gender-minimal-pairs", "version": "0.1.0", "schema": 1, "files": {}}
    (old / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="form 1") as caught:
        check_release(old)
    assert "release build" in caught.value.hint
    build_release(runs, old)
    assert json.loads((old / "manifest.json").read_text())["schema"] == 2


def test_a_failed_build_leaves_nothing(
    tmp_path: Path, runs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import curate.hub.documents as module

    monkeypatch.setattr(module, "write_documents", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build_release(runs, tmp_path / "out")
    assert not [path for path in tmp_path.iterdir() if "out" in path.name]


def test_bad_runs_are_refused(tmp_path: Path, runs: list[Path], lexicons: Path) -> None:
    with pytest.raises(UsageError, match="two folders make en-lsg"):
        build_release([runs[0], runs[0]], tmp_path / "out")
    with pytest.raises(InputError, match=r"no pairs\.parquet"):
        build_release([tmp_path], tmp_path / "out")
    with pytest.raises(UsageError, match="needs a run"):
        build_release([], tmp_path / "out")
    (runs[1] / "manifest.json").unlink()
    with pytest.raises(InputError, match="not finished"):
        build_release(runs, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_that_was_changed_is_refused(tmp_path: Path, lexicons: Path) -> None:
    rows = [row("A king sat.", "A queen sat.", "masculine")]
    run = write_run(tmp_path / "run", rows, hashed=True)
    build_release([run], tmp_path / "out")
    pq.write_table(pa.Table.from_pylist(rows * 2, schema=schema.PAIRS), run / "pairs.parquet")
    with pytest.raises(InputError, match="changed since the run wrote it"):
        build_release([run], tmp_path / "other")


def test_rows_of_another_language_are_refused(tmp_path: Path, lexicons: Path) -> None:
    rows = [row("A king sat.", "A queen sat.", "masculine", lang="de")]
    with pytest.raises(InputError, match="another language or method"):
        build_release([write_run(tmp_path / "run", rows)], tmp_path / "out")


@pytest.mark.parametrize("lang", ["../../etc", "en/x", "", "e n", ".en"])
def test_a_language_cannot_leave_the_folder(tmp_path: Path, lexicons: Path, lang: str) -> None:
    run = write_run(tmp_path / "run", [row("A king", "A queen", "masculine", lang=lang)])
    manifest = json.loads((run / "manifest.json").read_text()) | {"lang": lang}
    (run / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="no language tag"):
        build_release([run], tmp_path / "out")


def test_another_lexicon_is_refused(tmp_path: Path, runs: list[Path], lexicons: Path) -> None:
    path = lexicons / "en" / "pairs.tsv"
    path.write_text(path.read_text().replace("woman", "lady"))
    cached_load.cache_clear()
    with pytest.raises(UsageError, match="made with lexicon"):
        build_release(runs, tmp_path / "out")


def test_a_source_that_may_not_be_passed_on_is_refused(tmp_path: Path, lexicons: Path) -> None:
    rows = [row("A king", "A queen", "masculine", licence="CC BY-NC-ND 4.0")]
    with pytest.raises(InputError, match="licence"):
        build_release([write_run(tmp_path / "run", rows)], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options", [{"name": "a b"}, {"name": ""}, {"version": "1"}, {"version": "v1.0.0"}]
)
def test_bad_names_and_versions_are_refused(
    tmp_path: Path, runs: list[Path], options: dict[str, Any]
) -> None:
    with pytest.raises(UsageError):
        build_release(runs, tmp_path / "out", **options)


def test_kinds_are_told_by_the_names_of_configurations() -> None:
    from curate.hub.layout import kind_of

    names = {kind: f"de-{kind}" if about.per_language else kind for kind, about in KINDS.items()}
    assert {kind: kind_of(name) for kind, name in names.items()} == {kind: kind for kind in KINDS}
    assert [kind_of(name) for name in ("de-lsg", "de-names", "pt-BR-crows")] == [
        "pairs", "pairs", "crows",
    ]  # fmt: skip
    assert all(set(about.keys) <= set(about.columns.names) for about in KINDS.values())

"""Releases: built twice alike, opened by `datasets`, verified, refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError, UsageError
from curate.hub import build_release, check_release
from curate.hub.card import card_licences
from curate.hub.front_matter import card_configs, front_matter
from curate.hub.layout import config_schema
from curate.hub.runs import read_runs
from curate.lexicon import load_lexicon
from curate.lexicon.load import load_lexicon as cached_load
from tests.conftest import write_lexicon

FILL = {
    "model": "toy", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
    "word_m": "king", "p_m": 0.5, "word_f": "queen", "p_f": 0.25, "kind": "both",
}  # fmt: skip


@pytest.fixture
def lexicons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder of lexicons that holds one small language, English."""
    pairs = [
        {"pair": "king", "masculine": "king", "feminine": "queen", "feats": "Number=Sing"},
        {"pair": "man", "masculine": "man", "feminine": "woman", "feats": "Number=Sing"},
    ]
    write_lexicon(tmp_path / "lexicons" / "en", pairs, "", "")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path / "lexicons"))
    cached_load.cache_clear()
    yield tmp_path / "lexicons"
    cached_load.cache_clear()


def row(m: str, f: str, original: str, method: str = "lsg", **more: Any) -> dict[str, Any]:
    return {
        "pair_id": schema.pair_id("en", method, m, f), "lang": "en", "masculine": m, "feminine": f,
        "original": original, "method": method, "entries": ["king"],
        "edits_m": [{"start": 2, "end": 6, "rule": "pair"}],
        "edits_f": [{"start": 2, "end": 7, "rule": "pair"}], "fill": None, "sent_id": "s1",
        "source": "corpus.txt", "licence": "CC BY 2.0 FR",
        "lexicon_version": load_lexicon("en").version, "folds": [0], **more,
    }  # fmt: skip


def write_run(folder: Path, rows: list[dict[str, Any]], method: str = "lsg") -> Path:
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), folder / "pairs.parquet")
    drops = [
        {"sent_id": f"d{i}", "row": i, "stage": method, "code": code, "detail": ""}
        for i, code in enumerate(["no-gender-word", "no-gender-word", "duplicate"])
    ]
    pq.write_table(pa.Table.from_pylist(drops, schema=schema.DROPS), folder / "drops.parquet")
    manifest = {
        "method": method, "lang": "en", "curate": "0", "stage": f"{method} 1", "seed": 3,
        "config": {"lang": "en", "where": "/home/me/model"}, "config_hash": "c", "folds": 1,
        "input": {"name": "corpus.txt", "fingerprint": "f"}, "rows": 5, "files": {},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "stats.json").write_text(json.dumps({"method": method, "lang": "en"}))
    return folder


@pytest.fixture
def runs(tmp_path: Path, lexicons: Path) -> list[Path]:
    lsg = [
        row("A king came.", "A queen came.", "masculine"),
        row("The king | slept.", "The queen | slept.", "feminine"),
    ]
    msg = [row("A king sat.", "A queen sat.", "masculine", "msg", fill=FILL)]
    return [
        write_run(tmp_path / "runs" / "en-lsg", lsg),
        write_run(tmp_path / "runs" / "en-msg", msg, "msg"),
    ]


@pytest.fixture
def release(tmp_path: Path, runs: list[Path]) -> Path:
    build_release(runs, tmp_path / "release", version="1.2.3")
    return tmp_path / "release"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_lies_where(release: Path) -> None:
    assert sorted(contents(release)) == [
        "README.md",
        "data/drops/test-00000-of-00001.parquet",
        "data/en-lsg/test-00000-of-00001.parquet",
        "data/en-msg/test-00000-of-00001.parquet",
        "data/lexicon/test-00000-of-00001.parquet",
        "manifest.json",
    ]
    assert not [path for path in release.parent.iterdir() if path.name.startswith(".")]


def test_the_same_runs_give_the_same_bytes(tmp_path: Path, release: Path, runs: list[Path]) -> None:
    """Whatever their order and their place."""
    elsewhere = [Path(shutil.copytree(run, tmp_path / "x" / run.name)) for run in runs]
    build_release(elsewhere[::-1], tmp_path / "again", version="1.2.3")
    assert contents(tmp_path / "again") == contents(release)


def test_pairs_may_come_in_any_order(tmp_path: Path, release: Path, runs: list[Path]) -> None:
    path = runs[0] / "pairs.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take([1, 0]), path)
    build_release(runs, tmp_path / "again", version="1.2.3")
    assert contents(tmp_path / "again") == contents(release)


def test_datasets_opens_every_configuration(release: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="needs the extra gender-curate[hub]")
    cache = str(tmp_path / "cache")
    for config in ("en-lsg", "en-msg", "drops", "lexicon"):
        opened = datasets.load_dataset(str(release), config, split="test", cache_dir=cache)
        own = pq.read_table(release / f"data/{config}/test-00000-of-00001.parquet")
        assert opened.column_names == config_schema(config).names
        assert opened.to_list() == own.to_pylist()
    assert sorted(datasets.get_dataset_config_names(str(release))) == [
        "drops", "en-lsg", "en-msg", "lexicon",
    ]  # fmt: skip


def test_the_manifest(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("gender-minimal-pairs", "1.2.3")
    assert manifest["configs"]["en-lsg"]["rows"] == 2
    assert manifest["runs"]["en-lsg"]["seed"] == 3
    assert manifest["runs"]["en-msg"]["models"] == [{"model": "toy", "revision": "r1"}]
    assert manifest["runs"]["en-lsg"]["config"]["where"] == "model"  # no folder of this machine
    assert manifest["lexicons"] == {"en": load_lexicon("en").version}
    assert set(manifest["files"]) == set(contents(release)) - {"manifest.json"}
    assert "date" not in manifest


def test_the_card(release: Path, runs: list[Path]) -> None:
    card = (release / "README.md").read_text(encoding="utf-8")
    metadata = front_matter(release / "README.md")
    assert metadata["language"] == ["en"]
    assert metadata["license"] == ["cc-by-2.0", "cc-by-sa-4.0"]
    assert metadata["size_categories"] == ["n<1K"]
    assert set(card_configs(release / "README.md")) == {"en-lsg", "en-msg", "drops", "lexicon"}
    body = card.split("---\n", 2)[2].lstrip()
    assert body.startswith("> **Content warning.**")
    assert "| `en-lsg` | 2 | 1 | 1 | 1 | 1 | 3 |" in card
    assert "`no-gender-word` 2, `duplicate` 1" in card
    assert "Do not train on it" in card
    assert "\\|" in card or "slept" not in card
    assert card_licences(read_runs(runs)) == ["cc-by-2.0", "cc-by-sa-4.0"]


def test_an_unknown_licence_is_other(tmp_path: Path, lexicons: Path) -> None:
    rows = [row("A king", "A queen", "masculine", licence="my own")]
    runs = read_runs([write_run(tmp_path / "r", rows)])
    assert card_licences(runs) == ["cc-by-sa-4.0", "other"]


def test_a_date_only_where_it_is_given(tmp_path: Path, runs: list[Path]) -> None:
    manifest = build_release(runs, tmp_path / "dated", date="2026-01-31")
    assert manifest["date"] == "2026-01-31"
    assert "(built 2026-01-31)" in (tmp_path / "dated" / "README.md").read_text()


def test_a_sound_release_has_no_problems(release: Path) -> None:
    assert [p for p in check_release(release) if p.level == "error"] == []


def rewrite_pairs(release: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    path = release / "data/en-lsg/test-00000-of-00001.parquet"
    rows = pq.read_table(path).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), path)


def _drop_a_row(release: Path) -> None:
    rewrite_pairs(release, lambda rows: rows.pop())


def _edit_a_text(release: Path) -> None:
    rewrite_pairs(release, lambda rows: rows[0].update(feminine="A queen left!"))


def _remove_a_file(release: Path) -> None:
    (release / "data/drops/test-00000-of-00001.parquet").unlink()


def _add_a_file(release: Path) -> None:
    (release / "notes.txt").write_text("x")


def _break_parquet(release: Path) -> None:
    (release / "data/en-lsg/test-00000-of-00001.parquet").write_bytes(b"no parquet")


def _rename_a_column(release: Path) -> None:
    path = release / "data/en-lsg/test-00000-of-00001.parquet"
    table = pq.read_table(path)
    pq.write_table(table.rename_columns(["id", *table.schema.names[1:]]), path)


def _edit_the_card(release: Path) -> None:
    path = release / "README.md"
    text = path.read_text()
    path.write_text(text.replace('config_name: "en-msg"', 'config_name: "en-other"'))


def _break_the_card(release: Path) -> None:
    (release / "README.md").write_text("---\nconfigs: [\n---\n")


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        (_drop_a_row, {"hash-mismatch", "row-count", "unbalanced-fold"}),
        (_edit_a_text, {"hash-mismatch", "pair-id", "not-minimal", "changed-punctuation"}),
        (_remove_a_file, {"missing-file"}),
        (_add_a_file, {"unlisted-file"}),
        (_break_parquet, {"not-parquet"}),
        (_rename_a_column, {"hash-mismatch", "wrong-columns"}),
        (_edit_the_card, {"hash-mismatch", "card"}),
        (_break_the_card, {"hash-mismatch", "card"}),
    ],
)
def test_damage_is_found(release: Path, damage: Callable[[Path], None], codes: set[str]) -> None:
    damage(release)
    assert {p.code for p in check_release(release) if p.level == "error"} == codes


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no manifest\.json"):
        check_release(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="not the manifest"):
        check_release(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        check_release(tmp_path)


def test_only_a_release_gives_way(tmp_path: Path, release: Path, runs: list[Path]) -> None:
    build_release(runs[:1], release, version="2.0.0")
    assert not (release / "data/en-msg").exists()
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("x")
    with pytest.raises(UsageError, match="no release"):
        build_release(runs, other)
    assert (other / "thesis.txt").read_text() == "x"


def test_a_failed_build_leaves_nothing(
    tmp_path: Path, runs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import curate.hub.release as module

    monkeypatch.setattr(module, "render_card", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build_release(runs, tmp_path / "out")
    assert not [path for path in tmp_path.iterdir() if "out" in path.name]


def test_bad_runs_are_refused(tmp_path: Path, runs: list[Path], lexicons: Path) -> None:
    with pytest.raises(UsageError, match="two runs are en-lsg"):
        build_release([runs[0], runs[0]], tmp_path / "out")
    with pytest.raises(InputError, match=r"no pairs\.parquet"):
        build_release([tmp_path], tmp_path / "out")
    with pytest.raises(UsageError, match="needs a run"):
        build_release([], tmp_path / "out")
    (runs[1] / "manifest.json").unlink()
    with pytest.raises(InputError, match="not finished"):
        build_release(runs, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_another_lexicon_is_refused(tmp_path: Path, runs: list[Path], lexicons: Path) -> None:
    path = lexicons / "en" / "pairs.tsv"
    path.write_text(path.read_text().replace("woman", "lady"))
    cached_load.cache_clear()
    with pytest.raises(UsageError, match="made with lexicon"):
        build_release(runs, tmp_path / "out")


@pytest.mark.parametrize(
    "options", [{"name": "a b"}, {"name": ""}, {"version": "1"}, {"version": "v1.0.0"}]
)
def test_bad_names_and_versions_are_refused(
    tmp_path: Path, runs: list[Path], options: dict[str, str]
) -> None:
    with pytest.raises(UsageError):
        build_release(runs, tmp_path / "out", **options)

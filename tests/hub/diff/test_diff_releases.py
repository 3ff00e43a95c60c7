"""What differs between releases: rows, columns, languages, settings, documents."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate import schema
from curate.errors import InputError
from curate.hub.diff import Counts, Diff, diff_releases
from tests.hub.diff.made_releases import crow, drop, entry, pair, person, write_release

KING = pair("The king slept.", "The queen slept.")
SAT = pair("A king sat.", "A queen sat.", "feminine")
Tables = dict[str, Any]


def compare(folder: Path, old: Tables, new: Tables, **options: Any) -> Diff:
    """`options`: ``old`` and ``new`` are more of a manifest; the rest goes to `diff_releases`."""
    more_old, more_new = options.pop("old_manifest", {}), options.pop("new_manifest", {})
    a = write_release(folder / "old", old, **more_old)
    b = write_release(folder / "new", new, **{"version": "2.0.0", **more_new})
    return diff_releases(a, b, **options)


def test_the_same_release_twice(tmp_path: Path) -> None:
    tables = {"en-lsg": [KING, SAT], "drops": [drop("s1", 0)]}
    found = compare(tmp_path, tables, tables)
    assert not found and not found.differing and found.counts == Counts()
    assert found.old.version == "1.0.0" and found.new.version == "2.0.0"


def test_added_removed_and_changed_pairs(tmp_path: Path) -> None:
    other = pair("The king slept.", "The princess slept.")
    come = pair("No king.", "No queen.")
    found = compare(tmp_path, {"en-lsg": [KING, SAT]}, {"en-lsg": [other, come]})
    config = found.configs["en-lsg"]
    assert config.status == "changed" and config.rows == (2, 2)
    assert config.languages == {"en": Counts(added=1, removed=1, changed=1)}
    assert config.columns == {"pair_id": 1, "feminine": 1}
    by_sort = {row.what: row for row in config.shown}
    changed = by_sort["changed"]
    assert (changed.old_key, changed.key) == (KING["pair_id"], other["pair_id"])
    assert changed.old and changed.old["feminine"] == "The queen slept."
    assert changed.new and changed.new["feminine"] == "The princess slept."
    assert by_sort["removed"].old == {"masculine": "A king sat.", "feminine": "A queen sat."}
    assert by_sort["added"].old is None and by_sort["added"].key == come["pair_id"]


def test_another_sentence_or_side_is_no_change_of_a_pair(tmp_path: Path) -> None:
    """The original side has to be the same text, of the same sentence, by the same method."""
    turned = pair("The king slept.", "The lady slept.", "feminine", sent_id=KING["sent_id"])
    moved = pair("A king sat.", "A lady sat.", "feminine", sent_id="s-other")
    found = compare(tmp_path, {"en-lsg": [KING, SAT]}, {"en-lsg": [turned, moved]})
    assert found.counts == Counts(added=2, removed=2)


FILL = {field.name: None for field in schema.pairs.FILL} | {"model": "toy", "p_m": 0.5}
EDIT = {"start": 4, "end": 8, "rule": "pair"}
COLUMNS = {
    "entries": ["king", "queen"], "edits_m": [EDIT, {**EDIT, "rule": "agreement"}], "edits_f": [],
    "fill": FILL, "sent_id": "s-other", "source": "else", "licence": "CC0-1.0",
    "lexicon_version": "v2", "folds": [0, 1], "original": "feminine",
}  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_of_a_pair_counts(tmp_path: Path, column: str) -> None:
    new = {**KING, column: COLUMNS[column]}
    found = compare(tmp_path, {"en-lsg": [KING, SAT]}, {"en-lsg": [SAT, new]})
    config = found.configs["en-lsg"]
    assert config.columns == {column: 1} and config.counts == Counts(changed=1)
    shown = config.shown[0]
    assert shown.old and shown.new
    assert shown.columns == (column,) and shown.old[column] != shown.new[column]


def test_the_order_of_rows_and_the_bytes_of_a_file_are_no_change(tmp_path: Path) -> None:
    rows = [KING, SAT, KING | {"pair_id": "p-other"}]
    table = pa.Table.from_pylist(rows[::-1], schema=schema.PAIRS)
    found = compare(tmp_path, {"en-lsg": rows}, {"en-lsg": table})
    assert found.configs["en-lsg"].status == "rewritten" and found.counts == Counts()
    assert found  # the file is another one


def test_other_kinds_are_known_by_their_own_keys(tmp_path: Path) -> None:
    old = {
        "en-crows": [crow("Men work.", "Women work.", "7"), crow("A", "B", "8")],
        "drops": [drop("s1", 0), drop("s1", 1), drop("s2", 2)],
        "lexicon": [entry("king", "queen"), entry("man", "woman")],
        "politicians": [person("Q1", "en", "Ann"), person("Q1", "ar", "آن")],
    }
    new = {
        "en-crows": [crow("Men work.", "The women work.", "7"), crow("A", "B", "8")],
        "drops": [drop("s1", 0), drop("s1", 1, "duplicate"), drop("s3", 2)],
        "lexicon": [entry("king", "queen", "a note"), entry("man", "lady")],
        "politicians": [person("Q1", "en", "Anne"), person("Q2", "en", "Bea")],
    }
    found = compare(tmp_path, old, new)
    assert found.configs["en-crows"].languages == {"en": Counts(changed=1)}
    assert found.configs["drops"].counts == Counts(added=1, removed=1, changed=1)
    assert found.configs["lexicon"].counts == Counts(added=1, removed=1, changed=1)
    assert found.configs["politicians"].languages == {
        "ar": Counts(removed=1),
        "en": Counts(added=1, changed=1),
    }


def test_ids_that_nobody_gave_match_nothing(tmp_path: Path) -> None:
    old, new = [crow("Men work.", "Women work.", "")], [crow("A", "B", "")]
    found = compare(tmp_path, {"en-crows": old}, {"en-crows": new})
    assert found.counts == Counts(added=1, removed=1)


def test_configurations_and_languages_come_and_go(tmp_path: Path) -> None:
    german = pair("Ein König.", "Eine Königin.", lang="de")
    old = {"en-lsg": [KING], "fi-lsg": [pair("a", "b", lang="fi")]}
    found = compare(tmp_path, old, {"en-lsg": [KING], "de-lsg": [german]})
    statuses = {name: config.status for name, config in found.configs.items()}
    assert statuses == {"en-lsg": "same", "fi-lsg": "removed", "de-lsg": "added"}
    assert found.languages_added == ("de",) and found.languages_removed == ("fi",)
    assert found.counts == Counts(added=1, removed=1)
    assert [row.what for row in found.configs["de-lsg"].shown] == ["added"]


def test_columns_come_go_and_change_their_type(tmp_path: Path) -> None:
    old = pa.Table.from_pylist([KING], schema=schema.PAIRS)
    new = old.drop_columns(["licence"]).append_column("more", pa.array(["x"]))
    place = new.schema.get_field_index("lexicon_version")
    new = new.set_column(place, "lexicon_version", pa.array([1], pa.int64()))
    config = compare(tmp_path, {"en-lsg": old}, {"en-lsg": new}).configs["en-lsg"]
    assert config.status == "changed" and config.counts == Counts()
    assert config.columns_removed == {"licence": "string"}
    assert config.columns_added == {"more": "string"}
    assert config.columns_retyped == {"lexicon_version": ("string", "int64")}


def test_a_key_of_another_type_matches_nothing(tmp_path: Path) -> None:
    old = pa.table({"pair_id": ["a"], "lang": ["en"]})
    new = pa.table({"pair_id": pa.array([1]), "lang": ["en"]})
    found = compare(tmp_path, {"en-lsg": old}, {"en-lsg": new})
    assert found.counts == Counts(added=1, removed=1)


def test_texts_of_another_type_make_no_changed_pair(tmp_path: Path) -> None:
    old = pa.Table.from_pylist([KING], schema=schema.PAIRS)
    new = pa.Table.from_pylist([KING | {"pair_id": "p-other"}], schema=schema.PAIRS)
    place = new.schema.get_field_index("original")
    new = new.set_column(place, "original", pa.array([1]))
    found = compare(tmp_path, {"en-lsg": old}, {"en-lsg": new})
    assert found.counts == Counts(added=1, removed=1)
    assert set(found.configs["en-lsg"].columns_retyped) == {"original"}


def test_settings_lexicons_and_versions(tmp_path: Path) -> None:
    """Of runs that both have: those that came or went are told as configurations."""
    run = {"lang": "en", "seed": 1, "config": {"k": 10, "deep": {"x": 1}}, "stats": {"n": 1}}
    other = {"lang": "en", "seed": 2, "config": {"k": 10, "deep": {"x": 2}}, "stats": {"n": 2}}
    gone = {"lang": "fi", "seed": 1}
    found = compare(
        tmp_path, {"en-lsg": [KING]}, {"en-lsg": [KING]},
        old_manifest={"runs": {"en-lsg": run, "fi-lsg": gone}, "curate": "0.1.0"},
        new_manifest={"runs": {"en-lsg": other}, "lexicons": {"en": "v2"}, "curate": "0.2.0"},
    )  # fmt: skip
    assert found.settings == {"en-lsg: config.deep.x": (1, 2), "en-lsg: seed": (1, 2)}
    assert found.lexicons == {"en": ("v1", "v2")} and found.toolkit == ("0.1.0", "0.2.0")
    assert found and not found.differing and not found.documents


@pytest.mark.parametrize(
    ("before", "now", "version", "expected"),
    [
        ("# card", "# card", "1.0.0", {}),
        ("# card", "# other", "1.0.0", {"README.md": "changed"}),
        ("# of 1.0.0", "# of 2.0.0", "2.0.0", {}),
        ("@misc{made-1-0-0, v1.0.0", "@misc{made-2-0-0, v2.0.0", "2.0.0", {}),
        ("# of 1.0.0", "# more of 2.0.0", "2.0.0", {"README.md": "changed"}),
    ],
)
def test_documents(
    tmp_path: Path, before: str, now: str, version: str, expected: dict[str, str]
) -> None:
    tables = {"en-lsg": [KING]}
    old, new = {"card": before}, {"card": now, "version": version}
    found = compare(tmp_path, tables, tables, old_manifest=old, new_manifest=new)
    assert found.documents == expected and bool(found) == bool(expected)


def test_what_the_manifest_says_beside_the_data(tmp_path: Path) -> None:
    tables, about = {"en-lsg": [KING]}, {"about": {"title": "Pairs"}}
    found = compare(tmp_path, tables, tables, new_manifest=about)
    assert found.documents == {"manifest.json: about": "changed"}


def test_files_with_the_same_hash_are_not_read(tmp_path: Path) -> None:
    old = write_release(tmp_path / "old", {"en-lsg": [KING], "en-msg": [SAT]})
    new = write_release(tmp_path / "new", {"en-lsg": [KING], "en-msg": [KING]})
    for folder in (old, new):
        (folder / "data/en-lsg/test-00000-of-00001.parquet").unlink()
    found = diff_releases(old, new)
    assert found.configs["en-lsg"].status == "same"
    assert found.configs["en-msg"].counts == Counts(added=1, removed=1)


def test_a_removed_file_that_was_not_fetched_is_told_by_the_manifest(tmp_path: Path) -> None:
    old = write_release(tmp_path / "old", {"en-lsg": [KING, SAT]})
    new = write_release(tmp_path / "new", {"en-names": [KING, SAT]})
    (old / "data/en-lsg/test-00000-of-00001.parquet").unlink()
    assert diff_releases(old, new).configs["en-lsg"].languages == {"en": Counts(removed=2)}


def test_examples_are_limited_by_language_and_sort(tmp_path: Path) -> None:
    tables = [
        {"politicians": [person(f"Q{i}", lang, mark) for i in range(9) for lang in ("ar", "en")]}
        for mark in ("a", "b")
    ]
    found = compare(tmp_path, *tables, limit=2)
    shown = Counter((row.lang, row.what) for row in found.configs["politicians"].shown)
    assert shown == {("ar", "changed"): 2, ("en", "changed"): 2}
    assert [row.lang for row in found.only(["ar"]).configs["politicians"].shown] == ["ar", "ar"]
    assert found.only(["ar"]).counts == Counts(changed=9)
    again = diff_releases(tmp_path / "old", tmp_path / "new", limit=0)
    assert again.counts == found.counts and not again.configs["politicians"].shown


@pytest.mark.parametrize("large", [0, 60, 100, 150])
def test_texts_too_large_for_plain_strings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    """Some columns, on one side or both, are read with 64-bit offsets."""
    monkeypatch.setattr("curate.hub.diff.datafile._LARGE", large)
    new = [pair("The king slept.", "The princess slept so very long."), SAT | {"folds": [9]}]
    found = compare(tmp_path, {"en-lsg": [KING, SAT]}, {"en-lsg": [*new, pair("a", "b")]})
    assert found.counts == Counts(added=1, changed=2)
    assert found.configs["en-lsg"].columns == {"pair_id": 1, "feminine": 1, "folds": 1}


def test_rows_of_many_row_groups(tmp_path: Path) -> None:
    """Row numbers go over the whole file; examples are found in any of its parts."""
    people = [person(f"Q{number}", "en", f"n{number}") for number in range(70_000)]
    changed = [{**p, "name": "x"} if n in {0, 66_000} else p for n, p in enumerate(people)]
    found = compare(tmp_path, {"politicians": people}, {"politicians": changed[::-1]})
    config = found.configs["politicians"]
    assert config.counts == Counts(changed=2) and config.columns == {"name": 2}
    assert {row.key for row in config.shown} == {"Q0 · en", "Q66000 · en"}
    assert all(row.new and row.new["name"] == "x" for row in config.shown)


def test_empty_tables(tmp_path: Path) -> None:
    found = compare(tmp_path, {"en-lsg": []}, {"en-lsg": [KING]})
    assert found.counts == Counts(added=1) and found.languages_added == ("en",)
    (tmp_path / "b").mkdir()
    found = compare(tmp_path / "b", {"en-lsg": [KING]}, {"en-lsg": []})
    assert found.counts == Counts(removed=1) and found.languages_removed == ("en",)


def test_progress_ends_with_all_rows(tmp_path: Path) -> None:
    told: list[int] = []
    new = {"en-lsg": [KING, SAT], "drops": [drop("s1", 0)]}
    compare(tmp_path, {"en-lsg": [SAT], "drops": []}, new, on_progress=told.append)
    assert told == sorted(told) and told[-1] == 3


class TestRefused:
    def test_no_release(self, tmp_path: Path) -> None:
        release = write_release(tmp_path / "a", {"en-lsg": [KING]})
        with pytest.raises(InputError, match="no release"):
            diff_releases(release, tmp_path)

    def test_a_missing_file(self, tmp_path: Path) -> None:
        old, new = self.releases(tmp_path)
        (new / "data/en-lsg/test-00000-of-00001.parquet").unlink()
        with pytest.raises(InputError, match="missing"):
            diff_releases(old, new)

    def test_a_file_that_is_no_parquet(self, tmp_path: Path) -> None:
        old, new = self.releases(tmp_path)
        (new / "data/en-lsg/test-00000-of-00001.parquet").write_text("no")
        with pytest.raises(InputError, match="not a parquet file"):
            diff_releases(old, new)

    def test_a_damaged_file(self, tmp_path: Path) -> None:
        old, new = self.releases(tmp_path)
        path = new / "data/en-lsg/test-00000-of-00001.parquet"
        content = bytearray(path.read_bytes())
        content[4:400] = bytes(396)
        path.write_bytes(bytes(content))
        with pytest.raises(InputError, match=r"damaged|not a parquet"):
            diff_releases(old, new)

    @pytest.mark.parametrize("place", ["../old/README.md", "/etc/hostname", "data/../../x"])
    def test_a_path_that_leaves_the_folder(self, tmp_path: Path, place: str) -> None:
        old, new = self.releases(tmp_path)
        manifest = json.loads((new / "manifest.json").read_text())
        manifest["configs"]["en-lsg"]["file"] = place
        (new / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(InputError, match="leaves the release"):
            diff_releases(old, new)

    @staticmethod
    def releases(folder: Path) -> tuple[Path, Path]:
        tables = ({"en-lsg": [KING]}, {"en-lsg": [SAT]})
        return write_release(folder / "old", tables[0]), write_release(folder / "new", tables[1])


NUMBERS = st.integers(0, 5)
ROWS = st.dictionaries(NUMBERS, st.tuples(NUMBERS, NUMBERS), max_size=6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ROWS, ROWS)
def test_pairs_against_a_naive_comparison(
    tmp_path_factory: pytest.TempPathFactory, old: dict[int, Any], new: dict[int, Any]
) -> None:
    """A sentence a number; its counterpart and its folds are drawn."""

    def rows(drawn: dict[int, Any]) -> list[dict[str, Any]]:
        return [
            pair(f"king {n}", f"queen {n} {word}", folds=[fold])
            for n, (word, fold) in drawn.items()
        ]

    found = compare(tmp_path_factory.mktemp("r"), {"en-lsg": rows(old)}, {"en-lsg": rows(new)})
    both = old.keys() & new.keys()
    expected = Counts(
        added=len(new.keys() - old.keys()),
        removed=len(old.keys() - new.keys()),
        changed=sum(old[n] != new[n] for n in both),
    )
    assert found.counts == expected
    columns = found.configs["en-lsg"].columns
    assert columns.get("folds", 0) == sum(old[n][1] != new[n][1] for n in both)
    assert columns.get("feminine", 0) == sum(old[n][0] != new[n][0] for n in both)
    assert "masculine" not in columns

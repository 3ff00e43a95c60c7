"""A release that was changed after it was built: what is wrong is found, and nothing else is said.

"Restamped" means that whoever changed it wrote the new hash into the manifest as well.
"""

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
from curate.errors import InputError
from curate.hub import check_release
from curate.hub.building.parquet import write_stream
from curate.hub.check import CODES
from curate.hub.layout import data_path
from curate.hub.manifest import describe_files
from tests.hub.made_folders import row

LSG = data_path("en-lsg")


def errors(release: Path, **options: Any) -> set[str]:
    return {one.code for one in check_release(release, **options) if one.level == "error"}


def manifest_of(release: Path) -> dict[str, Any]:
    return dict(json.loads((release / "manifest.json").read_text()))


def change_manifest(release: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    content = manifest_of(release)
    change(content)
    (release / "manifest.json").write_text(json.dumps(content))


def restamp(release: Path) -> None:
    """Let the manifest list what lies there."""
    change_manifest(release, lambda manifest: manifest.update(files=describe_files(release)))


def rewrite(release: Path, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Other rows in ``en-lsg``, written as the build writes them."""
    rows = pq.read_table(release / LSG).to_pylist()
    change(rows)
    write_stream(release / LSG, schema.PAIRS, [pa.Table.from_pylist(rows, schema=schema.PAIRS)])


def test_a_sound_release_has_no_problems(release: Path) -> None:
    assert errors(release) == set()


def _drop_all_rows(release: Path) -> None:
    rewrite(release, lambda rows: rows.clear())


def _drop_a_row(release: Path) -> None:
    rewrite(release, lambda rows: rows.pop())


def _edit_a_text(release: Path) -> None:
    rewrite(release, lambda rows: rows[0].update(feminine="A queen left!"))


def _remove_a_file(release: Path) -> None:
    (release / data_path("drops")).unlink()


def _add_a_file(release: Path) -> None:
    (release / "notes.txt").write_text("x")


def _break_parquet(release: Path) -> None:
    (release / LSG).write_bytes(b"no parquet")


def _cut_parquet(release: Path) -> None:
    data = bytearray((release / LSG).read_bytes())
    data[10:200] = bytes(190)
    (release / LSG).write_bytes(bytes(data))


def _rename_a_column(release: Path) -> None:
    table = pq.read_table(release / LSG)
    table = table.rename_columns(["id", *table.schema.names[1:]])
    write_stream(release / LSG, table.schema, [table])


def _edit_the_card(release: Path) -> None:
    path = release / "README.md"
    path.write_text(path.read_text() + "\nIt is the best data set.\n")


def _break_the_card(release: Path) -> None:
    (release / "README.md").write_text("---\nconfigs: [\n---\n")


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        (_drop_a_row, {"hash-mismatch", "row-count", "unbalanced-fold"}),
        (_edit_a_text, {"hash-mismatch", "pair-id", "not-minimal", "changed-punctuation"}),
        (_remove_a_file, {"missing-file"}),
        (_add_a_file, {"unlisted-file"}),
        (_break_parquet, {"hash-mismatch", "not-parquet"}),
        (_cut_parquet, {"hash-mismatch", "not-parquet"}),
        (_rename_a_column, {"hash-mismatch", "wrong-columns"}),
        (_edit_the_card, {"hash-mismatch"}),
        (_break_the_card, {"hash-mismatch"}),
    ],
)
def test_damage_is_found(release: Path, damage: Callable[[Path], None], codes: set[str]) -> None:
    damage(release)
    assert errors(release) == codes


def test_one_byte_is_enough(release: Path) -> None:
    """Wherever it lies: every file is covered by its hash."""
    for name in manifest_of(release)["files"]:
        before = (release / name).read_bytes()
        middle = len(before) // 2
        (release / name).write_bytes(
            before[:middle] + bytes([before[middle] ^ 1]) + before[middle + 1 :]
        )
        found = check_release(release, pairs=False)
        assert ("hash-mismatch", name) in {(one.code, one.where) for one in found}
        (release / name).write_bytes(before)
    assert errors(release) == set()


def _repeat_a_row(release: Path) -> None:
    rewrite(release, lambda rows: rows.append(rows[0]))


def _another_method(release: Path) -> None:
    own = row("A king sang.", "A queen sang.", "masculine", "msg")
    rewrite(release, lambda rows: rows.append(own))


def _infinite(release: Path) -> None:
    fill = {
        "model": "m", "revision": "r", "k": 1, "threshold": 0.1, "context": "original",
        "word_m": "a", "p_m": float("inf"), "word_f": "b", "p_f": float("nan"), "kind": "both",
    }  # fmt: skip
    rewrite(release, lambda rows: rows[0].update(fill=fill, folds=[]))


def _plain_parquet(release: Path) -> None:
    pq.write_table(pq.read_table(release / LSG), release / LSG)


def _edit_the_datasheet(release: Path) -> None:
    (release / "DATASHEET.md").write_text("It is all right.\n")


def _remove_a_document(release: Path) -> None:
    (release / "CITATION.cff").unlink()


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        (_drop_all_rows, {"no-rows", "row-count"}),
        (_repeat_a_row, {"duplicate-id", "row-count", "unbalanced-fold"}),
        (_another_method, {"wrong-config", "row-count", "unbalanced-fold"}),
        (_infinite, {"not-finite", "unbalanced-fold"}),
        (_plain_parquet, {"no-page-index"}),
        (_edit_the_datasheet, {"stale-document"}),
        (_remove_a_document, {"missing-file"}),
        (_add_a_file, {"unlisted-file"}),
        (_edit_the_card, {"stale-document"}),
    ],
)
def test_a_new_hash_hides_nothing(
    release: Path, damage: Callable[[Path], None], codes: set[str]
) -> None:
    damage(release)
    restamp(release)
    found = errors(release, pairs=False)
    assert codes <= found
    assert found - codes <= {"card", "stale-document"}  # they tell figures of the data as it was


def test_a_release_of_another_version_of_curate_is_no_fault(release: Path) -> None:
    change_manifest(release, lambda manifest: manifest.update(curate="0.0.9"))
    notes = [one for one in check_release(release) if one.code == "other-version"]
    assert [one.level for one in notes] == ["note"]
    assert errors(release) == set()


def test_a_manifest_without_a_configuration(release: Path) -> None:
    change_manifest(release, lambda manifest: manifest["configs"].pop("en-msg"))
    assert "wrong-manifest" in errors(release)


def test_other_columns_than_the_manifest_says(release: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["configs"]["en-lsg"]["columns"]["source"] = "int64"

    change_manifest(release, change)
    assert errors(release) == {"wrong-columns"}


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../other", "data/../../x", "a//b", "C:/x", "a\\b", "", "./README.md", "a\0b"],
)
def test_a_path_that_leaves_the_folder(release: Path, name: str) -> None:
    entry = {"bytes": 1, "sha256": "0" * 64}
    change_manifest(release, lambda manifest: manifest["files"].update({name: entry}))
    found = [one for one in check_release(release) if one.level == "error"]
    assert {one.code for one in found} == {"path-leaves-folder"}
    assert len(found) == 1  # one line says it


def test_a_table_that_leaves_the_folder(release: Path, tmp_path: Path) -> None:
    shutil.copy(release / LSG, tmp_path / "outside.parquet")

    def change(manifest: dict[str, Any]) -> None:
        manifest["configs"]["en-lsg"]["file"] = "../outside.parquet"

    change_manifest(release, change)
    assert errors(release) == {"path-leaves-folder"}
    change_manifest(release, lambda manifest: manifest["configs"].update({"../x": {
        "file": LSG, "rows": 1, "kind": "pairs", "columns": {},
    }}))  # fmt: skip
    assert errors(release) == {"path-leaves-folder"}


def test_a_table_in_the_place_of_another(release: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["configs"]["en-lsg"]["file"] = data_path("en-msg")

    change_manifest(release, change)
    assert "wrong-manifest" in errors(release)


def test_links_are_not_followed(release: Path, tmp_path: Path) -> None:
    (release / LSG).rename(tmp_path / "elsewhere.parquet")
    (release / LSG).symlink_to(tmp_path / "elsewhere.parquet")
    assert errors(release) == {"link"}
    (release / LSG).unlink()
    (tmp_path / "elsewhere.parquet").rename(release / LSG)
    assert errors(release) == set()
    (release / "data").rename(tmp_path / "data")
    (release / "data").symlink_to(tmp_path / "data")
    assert errors(release) == {"link"}


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no manifest\.json"):
        check_release(tmp_path)
    for text, message in (
        ("{}", "not the manifest"),
        ("{", "not JSON"),
        ("[]", "not the manifest"),
        ("[" * 100_000, "not JSON"),
        ("\ufeff{}", "not JSON"),
    ):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(InputError, match=message):
            check_release(tmp_path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda manifest: manifest.update(version=1), "version"),
        (lambda manifest: manifest.update(configs=[]), "configs"),
        (lambda manifest: manifest["configs"]["en-lsg"].update(rows="2"), "configs.en-lsg.rows"),
        (lambda manifest: manifest["configs"]["en-lsg"].update(rows=-1), "configs.en-lsg.rows"),
        (lambda manifest: manifest["configs"]["en-lsg"].pop("kind"), "configs.en-lsg.kind"),
        (lambda manifest: manifest["files"].update(x=None), "files.x"),
        (lambda manifest: manifest["files"]["README.md"].update(sha256="x"), "sha256"),
        (lambda manifest: manifest["runs"].update(x=3), "runs.x"),
        (lambda manifest: manifest.pop("lexicons"), "lexicons"),
        (lambda manifest: manifest.update(checked=[]), "checked"),
        (lambda manifest: manifest.update(changes={}), "changes"),
    ],
)
def test_a_manifest_of_another_shape_is_refused(
    release: Path, change: Callable[[dict[str, Any]], Any], place: str
) -> None:
    change_manifest(release, change)
    with pytest.raises(InputError, match="not the manifest of a release") as caught:
        check_release(release)
    assert place in str(caught.value)


def test_pairs_that_were_checked_need_not_be_again(release: Path) -> None:
    seen: list[int] = []
    check_release(release, on_progress=seen.append)
    assert seen[-1] == 3
    checked = {"en-lsg": {"curate": "0", "pairs": 2, "codes": {}}}
    change_manifest(release, lambda manifest: manifest.update(checked=checked))
    seen.clear()
    check_release(release, pairs="unchecked", on_progress=seen.append)
    assert seen[-1] == 1


def test_every_code_has_a_level_and_a_meaning() -> None:
    assert {level for level, _ in CODES.values()} <= {"error", "warning", "note"}
    assert all(meaning and not meaning.endswith(".") for _, meaning in CODES.values())

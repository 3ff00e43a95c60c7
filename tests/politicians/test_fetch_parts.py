"""What is finished stays finished, and nothing else counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from curate.errors import InputError, UsageError
from curate.politicians.fetch_settings import Fetch, finished
from curate.politicians.parts import NO_LABELS, Parts
from curate.politicians.parts_lock import held

SETTINGS = {"langs": ["en", "mt"], "endpoint": "http://a"}
TABLE = pa.table({"number": pa.array([1, 2, 3], pa.int64())})


def opened(folder: Path, *, restart: bool = False, **changed: Any) -> Parts:
    parts = Parts(folder / "parts", {**SETTINGS, **changed})
    parts.open(restart=restart)
    return parts


def test_what_is_finished_is_found_again(tmp_path: Path) -> None:
    parts = opened(tmp_path)
    assert parts.keep("answer", lambda: {"a": 1}) == {"a": 1}
    parts.split("Q30")
    parts.write("members/Q30.-1799", TABLE)
    for kind, outcome in (("people", "ok"), ("people", "504"), ("facts", "ok")):
        parts.log(kind, outcome, 0.5)
    again = opened(tmp_path)
    assert again.keep("answer", lambda: pytest.fail("asked again")) == {"a": 1}
    assert again.was_split("Q30")
    assert not again.was_split("Q31")
    assert again.rows("members/Q30.-1799") == 3
    assert again.read("members/Q30.-1799").equals(TABLE)
    assert again.names("members") == ["members/Q30.-1799"]
    assert again.started == parts.started
    assert again.requests() == {
        "total": 3, "failed": 1, "seconds": 1.5, "by_kind": {"facts": 1, "people": 2},
        "by_outcome": {"504": 1, "ok": 2},
    }  # fmt: skip


def test_a_table_counts_once_the_state_names_it(tmp_path: Path) -> None:
    parts = opened(tmp_path)
    parts.write("people/000000", TABLE)
    (tmp_path / "parts" / "people" / "000001.parquet").write_bytes(b"half")
    again = opened(tmp_path)
    assert again.rows("people/000001") is None
    assert again.names("people") == ["people/000000"]


def test_damage_is_told(tmp_path: Path) -> None:
    opened(tmp_path).write("people/000000", TABLE)
    (tmp_path / "parts" / "people" / "000000.parquet").write_bytes(b"half")
    with pytest.raises(InputError, match="cannot be read"):
        opened(tmp_path).read("people/000000")
    (tmp_path / "parts" / "state.json").write_text("{}")
    with pytest.raises(InputError, match="not the state of a fetch"):
        opened(tmp_path)
    assert opened(tmp_path, restart=True).names("people") == []


def test_another_fetch_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).keep("answer", lambda: 1)
    with pytest.raises(UsageError, match="endpoint http://a, not http://b"):
        opened(tmp_path, endpoint="http://b")
    with pytest.raises(UsageError, match="langs en,mt, not en"):
        opened(tmp_path, langs=["en"])
    assert opened(tmp_path, restart=True, langs=["en"]).keep("answer", lambda: 2) == 2


def test_before_the_first_answer_anything_may_change(tmp_path: Path) -> None:
    opened(tmp_path).log("subclasses", "connection", 0.1)
    opened(tmp_path, endpoint="http://b")


def test_languages_without_labels_may_go(tmp_path: Path) -> None:
    opened(tmp_path).keep(NO_LABELS, lambda: ["mt"])
    with pytest.raises(UsageError):
        opened(tmp_path, langs=["mt"])
    with pytest.raises(UsageError):
        opened(tmp_path, langs=["en"], endpoint="http://b")
    assert opened(tmp_path, langs=["en"]).keep(NO_LABELS, lambda: []) == ["mt"]


def test_no_query_depends_on_the_scheme(tmp_path: Path) -> None:
    opened(tmp_path, scheme="default").keep("answer", lambda: 1)
    again = opened(tmp_path, scheme="paper")
    assert again.keep("answer", lambda: pytest.fail("asked again")) == 1
    with pytest.raises(UsageError, match="endpoint http://a, not http://b"):
        opened(tmp_path, scheme="raw", endpoint="http://b")


def test_a_key_in_the_address_is_not_kept() -> None:
    settings = Fetch(langs=("en",), endpoint="http://a.b/c?apikey=SECRET").settings()
    assert settings["endpoint"] == "http://a.b/c?apikey=…"
    with pytest.raises(UsageError, match="no http address"):
        Fetch(langs=("en",), endpoint="http://[").settings()


def test_one_at_a_time(tmp_path: Path) -> None:
    with (
        held(tmp_path),
        pytest.raises(UsageError, match="another fetch is at work here"),
        held(tmp_path),
    ):
        pass
    with held(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="no folder to write to"), held(tmp_path / "file"):
        pass


def test_a_record_that_is_none(tmp_path: Path) -> None:
    assert finished(tmp_path, {}) is None
    (tmp_path / "fetch.json").write_text("[]")
    with pytest.raises(InputError, match="not the record of a fetch"):
        finished(tmp_path, {})


BAD: dict[str, dict[str, Any]] = {
    "no language": {"langs": ()},
    "is no language tag": {"langs": ("xx",)},
    "is no QID": {"langs": ("en",), "occupations": ("82955",)},
    "no occupation": {"langs": ("en",), "occupations": ()},
    "unknown gender scheme": {"langs": ("en",), "scheme": "mine"},
}


@pytest.mark.parametrize("text", BAD)
def test_settings_are_checked(text: str) -> None:
    with pytest.raises(UsageError, match=text):
        Fetch(**BAD[text]).settings()


def test_settings_have_one_order() -> None:
    one = Fetch(langs=("fr", "en", "fr"), occupations=("Q2", "Q1"))
    assert one.settings() == Fetch(langs=("en", "fr"), occupations=("Q1", "Q2")).settings()
    assert one.settings()["langs"] == ["en", "fr"]

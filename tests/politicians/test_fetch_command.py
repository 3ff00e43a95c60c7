"""The command before an endpoint that answers oddly, and the folder it writes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.cli.politicians import _Bars
from curate.engine import write_parquet
from curate.errors import RemoteError, UsageError
from curate.politicians.fetch import Fetch, fetch
from curate.politicians.fetch_members import country_names, fetch_countries
from curate.politicians.parts import Parts
from curate.sources.wikidata import Binding

MALE, FEMALE, TRANS_FEMALE = "Q6581097", "Q6581072", "Q1052281"


class Answers:
    """In place of an endpoint: the same rows to whatever is asked."""

    url = "http://127.0.0.1:9/?apikey=SECRET"

    def __init__(self, rows: list[Binding]) -> None:
        self.rows = rows

    def select(self, query: str, *, kind: str) -> list[Binding]:
        return self.rows


def item(qid: str) -> dict[str, str]:
    return {"type": "uri", "value": f"http://www.wikidata.org/entity/{qid}"}


@pytest.mark.parametrize("reason", ["overloaded [/sparql]", "[red]busy :warning:"])
def test_the_words_of_an_endpoint_are_no_markup(
    reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with _Bars() as bars:
        bars.progress().on_wait(1.0, reason)
    assert capsys.readouterr().err == f"{reason}: waiting 1 s\n"


def test_the_name_of_a_country_is_no_markup() -> None:
    bars = _Bars()
    heard = bars.progress()
    heard.on_countries({"[/x]": 1})
    heard.on_listed("[/x]", 1)
    heard.on_people("[/x] :warning:", 1, 2)
    shown = [
        column.render(task).plain
        for task in bars._bars.tasks for column in bars._bars.columns[-1:]
    ]  # fmt: skip
    assert shown == ["[/x] 1", "[/x] :warning:"]


@pytest.mark.parametrize("people", [None, "many", "-1", "1.5"])
def test_a_country_without_a_count_is_one_line(tmp_path: Path, people: str | None) -> None:
    row = {"country": item("Q30")} | ({"people": {"value": people}} if people else {})
    parts = Parts(tmp_path, {})
    parts.open(restart=False)
    with pytest.raises(RemoteError, match="the people of Q30 are not counted") as raised:
        fetch_countries(Answers([row]), parts, ["Q1"])  # type: ignore[arg-type]
    assert "SECRET" not in str(raised.value)


def test_rows_that_say_nothing_count_for_nothing(tmp_path: Path) -> None:
    parts = Parts(tmp_path, {})
    parts.open(restart=False)
    rows: list[Binding] = [{}, {"country": item("Q30"), "people": {"value": "3"}}]
    assert fetch_countries(Answers(rows), parts, ["Q1"]) == {"Q30": 3}  # type: ignore[arg-type]
    assert country_names(Answers(rows), ["Q30"], ["en"]) == {}  # type: ignore[arg-type]


def test_imported_people_are_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "import.json").write_text("{}")
    with pytest.raises(UsageError, match="an imported table lie here"):
        fetch(Fetch(langs=("en",)), tmp_path, contact="me@example.org")
    assert [path.name for path in tmp_path.iterdir()] == ["import.json"]


def finished_fetch(folder: Path, scheme: str) -> Fetch:
    """A whole fetch of three people, two of them in two languages."""
    wanted = Fetch(langs=("en", "fr"), endpoint="http://127.0.0.1:9/", scheme=scheme)
    people = {"Q1": (MALE, "male", "en"), "Q2": (FEMALE, "female", "en fr"),
              "Q3": (TRANS_FEMALE, {"default": "female", "paper": "non-binary",
                                    "raw": "transgender female"}[scheme], "en fr")}  # fmt: skip
    rows: list[dict[str, Any]] = [
        {"qid": qid, "lang": lang, "name": "N", "gender_qids": [value], "gender": gender,
         "birth_years": [1950], "country_qids": [], "occupation_qids": ["Q82955"],
         "sitelinks": None, "retrieved": "2026-01-02"}
        for qid, (value, gender, langs) in people.items() for lang in langs.split()
    ]  # fmt: skip
    folder.mkdir(exist_ok=True)
    table = pa.Table.from_pylist(rows, schema.POLITICIANS)
    write_parquet(folder / "politicians.parquet", schema.POLITICIANS, [table])
    write_parquet(folder / "drops.parquet", schema.DROPS, [schema.DROPS.empty_table()])
    genders: dict[str, dict[str, int]] = {}
    for row in sorted(rows, key=lambda row: (row["lang"], row["gender"])):
        own = genders.setdefault(row["lang"], {})
        own[row["gender"]] = own.get(row["gender"], 0) + 1
    record = {"settings": wanted.settings(), "counts": {"people": 3, "genders": genders}}
    (folder / "fetch.json").write_text(json.dumps(record), encoding="utf-8")
    return wanted


@pytest.mark.parametrize("scheme", ["paper", "raw"])
def test_another_scheme_asks_for_nothing(tmp_path: Path, scheme: str) -> None:
    """The folder is that of a fetch with this scheme, and back again; nobody listens there."""
    here, there = tmp_path / "here", tmp_path / "there"
    first = finished_fetch(here, "default")
    before = (here / "politicians.parquet").read_bytes()
    other = finished_fetch(there, scheme)
    record = fetch(other, here, contact="me@example.org")
    assert record == json.loads((there / "fetch.json").read_text(encoding="utf-8"))
    assert record == json.loads((here / "fetch.json").read_text(encoding="utf-8"))
    assert pq.read_table(here / "politicians.parquet").equals(
        pq.read_table(there / "politicians.parquet")
    )
    fetch(first, here, contact="me@example.org")
    assert (here / "politicians.parquet").read_bytes() == before


def test_a_kill_between_table_and_record_leaves_no_wrong_genders(tmp_path: Path) -> None:
    wanted = finished_fetch(tmp_path, "paper")
    text = (tmp_path / "fetch.json").read_text(encoding="utf-8")
    (tmp_path / "fetch.json").write_text(text.replace('"scheme": "paper"', '"scheme": ""'))
    default = Fetch(langs=wanted.langs, endpoint=wanted.endpoint)
    assert fetch(default, tmp_path, contact="me@example.org")["settings"]["scheme"] == "default"
    genders = pq.read_table(tmp_path / "politicians.parquet").column("gender").to_pylist()
    assert genders == ["male", "female", "female", "female", "female"]


def test_another_language_is_another_fetch(tmp_path: Path) -> None:
    finished_fetch(tmp_path, "default")
    with pytest.raises(UsageError, match="langs en,fr, not en"):
        fetch(Fetch(langs=("en",), endpoint="http://127.0.0.1:9/", scheme="raw"),
              tmp_path, contact="me@example.org")  # fmt: skip

"""Given names that one gender bears."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from curate import schema
from curate.cli.politicians import app
from curate.engine import write_parquet
from curate.errors import InputError
from curate.politicians.names import given_name, given_names, write_names
from curate.politicians.people_origin import source_of

LABELS = [
    ("en", "Mary Ann Smith", "Mary"),
    ("en", "Jean-Luc Picard", "Jean-Luc"),
    ("en", "J. R. Smith", ""),
    ("en", "J Smith", ""),
    ("en", "Sir Winston Churchill", ""),
    ("en", "Cher", ""),
    ("en", "Tab\tbed Smith", "Tab"),
    ("en", "=HYPER Smith", ""),
    ("zh", "安格\n拉·默克尔", ""),
    ("fa", "می\u200cنا احمدی", "می\u200cنا"),
    ("en", "Q42 Person", ""),
    ("ar", "عبد الله صالح", "عبد الله"),
    ("ar", "محمد مرسي", "محمد"),
    ("hi", "इंदिरा गांधी", "इंदिरा"),
    ("zh", "安格拉·默克尔", "安格拉"),
    ("zh", "毛泽东", ""),
    ("hu", "Orbán Viktor", "Viktor"),
    ("ru", "Иван Петров", "Иван"),
]


@pytest.mark.parametrize(("lang", "label", "name"), LABELS)
def test_where_a_name_stands(lang: str, label: str, name: str) -> None:
    assert given_name(label, lang) == name


def write(folder: Path, people: list[tuple[str, str, str]]) -> Path:
    """(label, gender, country) of each."""
    rows = [
        {"qid": f"Q{index}", "lang": "en", "name": label, "gender_qids": [], "gender": gender,
         "birth_years": [1950], "country_qids": [country] if country else [],
         "occupation_qids": ["Q82955"], "sitelinks": None, "retrieved": "2026-01-02"}
        for index, (label, gender, country) in enumerate(people, start=1)
    ]  # fmt: skip
    table = pa.Table.from_pylist(rows, schema.POLITICIANS)
    write_parquet(folder / "politicians.parquet", schema.POLITICIANS, [table])
    return folder


def crowd() -> list[tuple[str, str, str]]:
    """As many men as women in two countries: John, Mary, Kim of both, Lee of twelve."""
    people = [("John Smith", "male", "Q30")] * 30 + [("John Smith", "female", "Q30")]
    people += [("Mary Smith", "female", "Q30")] * 20 + [("Mary Smith", "female", "Q145")] * 20
    people += [("Kim Smith", "male", "Q145"), ("Kim Smith", "female", "Q145")] * 15
    people += [("Ann Smith", "female", "Q30")] * 4
    return [*people, *[("Xi Smith", "male", "Q148")] * 50]


def test_by_hand(tmp_path: Path) -> None:
    found = {(one.country, one.name): one for one in given_names(write(tmp_path, crowd()))}
    assert set(found) == {("", "John"), ("", "Mary"), ("Q30", "John"), ("Q30", "Mary"),
                          ("Q145", "Mary")}  # fmt: skip
    assert (found["", "John"].people, found["", "John"].gender) == (31, "masculine")
    assert found["", "John"].share == pytest.approx(30 / 31)
    assert (found["", "Mary"].people, found["", "Mary"].share) == (40, 1.0)
    assert found["", "Mary"].gender == "feminine"


def test_exchanging_the_genders_exchanges_the_names(tmp_path: Path) -> None:
    other = {"male": "female", "female": "male"}
    swapped = [(label, other[gender], country) for label, gender, country in crowd()]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here = {(o.country, o.name, o.gender) for o in given_names(write(tmp_path / "a", crowd()))}
    there = {(o.country, o.name, o.gender) for o in given_names(write(tmp_path / "b", swapped))}
    genders = {"masculine": "feminine", "feminine": "masculine"}
    assert there == {(country, name, genders[gender]) for country, name, gender in here}


def test_words_that_say_nothing_seldom_pass(tmp_path: Path) -> None:
    """Nine in ten are men and two hundred words say nothing: many are one-sided by chance."""
    chance = random.Random(1)  # noqa: S311
    people = [
        (f"Word{chr(97 + n % 20)}{chr(97 + n // 20)} Smith",
         "male" if chance.random() < 0.9 else "female", "Q30")
        for n in range(200) for _ in range(15)
    ]  # fmt: skip
    one_sided = sum(
        len({gender for label, gender, _ in people if label == word}) == 1
        for word in {label for label, *_ in people}
    )
    assert one_sided > 20
    found = [name for name in given_names(write(tmp_path, people)) if not name.country]
    assert len(found) <= 6


def test_files(tmp_path: Path) -> None:
    names = given_names(write(tmp_path, crowd()))
    record = write_names(names, tmp_path / "out", source="Wikidata")
    with (tmp_path / "out" / "en" / "names.tsv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert rows == [
        ["name", "gender", "share", "source"],
        ["John", "masculine", "0.9677", "Wikidata, 31 people"],
        ["Mary", "feminine", "1.0000", "Wikidata, 40 people"],
    ]
    text = (tmp_path / "out" / "names_by_country.tsv").read_text(encoding="utf-8")
    assert "en\tQ145\tMary\tfeminine\t1.0000\t20\n" in text
    assert record["names"] == {"en": {"masculine": 1, "feminine": 1}}


def test_no_fetch_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the folder of a finished fetch"):
        given_names(tmp_path)


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["names", str(write(tmp_path, crowd())), "--out", str(out)])
    assert result.exit_code == 0
    assert "en: 1 feminine, 1 masculine" in result.stdout
    assert (out / "names.json").is_file()


SOURCES = {
    "import.json": ('{"source": "mps\\t2024.csv"}', "mps 2024.csv"),
    "fetch.json": ('{"settings": {"endpoint": "https://query.wikidata.org/sparql"}}', "Wikidata"),
    "other": ("", "source not recorded"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_source_is_that_of_the_people(tmp_path: Path, name: str) -> None:
    text, source = SOURCES[name]
    write(tmp_path, crowd())
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert source_of(tmp_path) == source
    CliRunner().invoke(app, ["names", str(tmp_path), "--out", str(tmp_path / "out")])
    rows = (tmp_path / "out" / "en" / "names.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[1] == f"John\tmasculine\t0.9677\t{source}, 31 people"


def test_another_endpoint_and_a_damaged_record(tmp_path: Path) -> None:
    record = tmp_path / "fetch.json"
    record.write_text('{"settings": {"endpoint": "http://a.b/c"}}', encoding="utf-8")
    assert source_of(tmp_path) == "Wikidata at http://a.b/c"
    for text in ("{", "[]"):
        record.write_text(text, encoding="utf-8")
        with pytest.raises(InputError):
            source_of(tmp_path)

"""People from tables of others, and the choice among them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.errors import InputError, UsageError
from curate.politicians.people import choose_people, qid_order, read_people
from curate.politicians.people_import import import_people, write_people

TABLE = (
    "id,full,sex,born\n"
    "Q30,Ada Rowe,F,1971-02-03\n"
    "Q4,Bo Lind,Male,1950\n"
    "Q201,Cy Frost,non-binary,1988-05-01\n"
    "Q5,Di Marsh,trans woman,\n"
    "Q6,Ed Pike,Q2449503,about 1960\n"
    "Q7,Flo Hart,x,1990\n"
    "Q8,,F,1990\n"
    "Q9,Gus Kerr,,1990\n"
    "Q4,Bo Lind,M,1950\n"
    "Q10,Hal Moor,genderfluid,+1962-00-00T00:00:00Z\n"
    "Q11,Rex,male organism,2001\n"
)
COLUMNS = ("full", "sex", "id", "born")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_people_by_number_with_their_genders_and_years(table: Path) -> None:
    found = import_people(table, lang="en", columns=COLUMNS, retrieved="2026-01-02")
    assert found.table.schema == schema.POLITICIANS
    rows = [(r["qid"], r["gender_qids"], r["gender"], r["birth_years"])
            for r in found.table.to_pylist()]  # fmt: skip
    assert rows == [
        ("Q4", ["Q6581097"], "male", [1950]),
        ("Q5", ["Q1052281"], "female", []),
        ("Q6", ["Q2449503"], "male", []),
        ("Q10", ["Q18116794"], "non-binary", [1962]),
        ("Q30", ["Q6581072"], "female", [1971]),
        ("Q201", ["Q48270"], "non-binary", [1988]),
    ]
    first = found.table.to_pylist()[0]
    assert (first["lang"], first["name"], first["retrieved"]) == ("en", "Bo Lind", "2026-01-02")
    assert first["sitelinks"] is None
    assert first["country_qids"] == first["occupation_qids"] == []


def test_whoever_is_left_out_is_counted(table: Path) -> None:
    found = import_people(table, lang="en", columns=COLUMNS)
    assert found.counts() == {
        "rows": 11,
        "people": 6,
        "genders": {"female": 2, "male": 2, "non-binary": 2},
        "left_out": {"id that stands twice": 1, "no name": 1, "unknown gender": 3},
        "unknown_genders": {"": 1, "male organism": 1, "x": 1},
        "unread_births": 1,
    }


def test_the_scheme_of_the_paper_files_trans_people_as_non_binary(table: Path) -> None:
    found = import_people(table, lang="en", columns=COLUMNS, scheme="paper")
    assert found.counts()["genders"] == {"female": 1, "male": 1, "non-binary": 4}


def test_words_of_ones_own_for_genders(table: Path, tmp_path: Path) -> None:
    own = tmp_path / "genders.tsv"
    own.write_text("value\tgender_qid\nX\tQ48270\n", encoding="utf-8")
    found = import_people(table, lang="en", columns=COLUMNS, genders=own)
    people = {row["name"]: row["gender"] for row in found.table.to_pylist()}
    assert people["Flo Hart"] == "non-binary"
    assert found.unknown == {"": 1, "male organism": 1}


def test_rows_without_ids_are_numbered_from_0(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    lines = [f"Name {n}\tm" for n in range(12)]
    path.write_text("\n".join(["name\tgender", *lines]) + "\n", encoding="utf-8")
    found = import_people(path, lang="de", columns=("name", "gender"))
    ids = [row["qid"] for row in found.table.to_pylist()]
    assert ids == [f"row-{n}" for n in range(12)]


def test_names_are_composed(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,gender\n Rene\u0301e Roy ,f\nBad\x07Name,f\n", encoding="utf-8")
    found = import_people(path, lang="fr", columns=("name", "gender"))
    assert found.table.column("name").to_pylist() == ["Ren\u00e9e Roy"]
    assert found.left_out == {"name that is no text": 1}


def test_a_name_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text('name,gender\n"Ada\r\nRowe",f\n"Bo\tLind",m\n', encoding="utf-8", newline="")
    found = import_people(path, lang="en", columns=("name", "gender"))
    assert found.table.column("name").to_pylist() == ["Ada Rowe", "Bo Lind"]


BIRTHS = {
    "1990": [1990], "1990-01-02": [1990], "19900102": [1990], "+1962-00-00T00:00:00Z": [1962],
    "1950.0": [1950], "-0044-03-15": [-44], "99999999999": [], "199001": [], "19901301": [],
    "-44": [], "nan": [], "03/04/1990": [],
}  # fmt: skip


@pytest.mark.parametrize("birth", BIRTHS)
def test_years(tmp_path: Path, birth: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(f"n,g,i,b\nAda,f,Q1,{birth}\n", encoding="utf-8")
    found = import_people(path, lang="en", columns=("n", "g", "i", "b"))
    assert found.table.column("birth_years").to_pylist() == [BIRTHS[birth]]
    assert found.unread_births == (not BIRTHS[birth])


@pytest.mark.parametrize("lang", ["no_such", "xx", "", "e n"])
def test_a_language_that_is_none_is_refused(table: Path, lang: str) -> None:
    with pytest.raises(UsageError, match="is no language tag"):
        import_people(table, lang=lang, columns=COLUMNS)


@pytest.mark.parametrize("name", ["fetch.json", "parts"])
def test_no_fetch_is_written_over(table: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).touch()
    found = import_people(table, lang="en", columns=COLUMNS)
    with pytest.raises(UsageError, match="a fetch lies here"):
        write_people(found, out, about={"source": table.name})
    assert [path.name for path in out.iterdir()] == [name]


@pytest.mark.parametrize("columns", [("full",), ("full", "full"), (*COLUMNS, "more")])
def test_columns_that_make_no_sense_are_refused(table: Path, columns: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="--columns wants name, gender, qid, birth"):
        import_people(table, lang="en", columns=columns)


def test_a_column_that_is_not_there_is_refused(table: Path) -> None:
    with pytest.raises(InputError, match="no column 'gender'"):
        import_people(table, lang="en", columns=("full", "gender"))


def test_nobody_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,gender\nAda,unsure\n", encoding="utf-8")
    found = import_people(path, lang="en", columns=("name", "gender"))
    with pytest.raises(InputError, match="nobody could be read") as caught:
        write_people(found, tmp_path / "out", about={"source": path.name})
    assert "'unsure': 1" in caught.value.hint
    assert not (tmp_path / "out").exists()


def test_a_folder_with_people_and_counts(table: Path, tmp_path: Path) -> None:
    found = import_people(table, lang="en", columns=COLUMNS)
    write_people(found, tmp_path / "out", about={"source": table.name})
    assert pq.read_table(tmp_path / "out" / "politicians.parquet").equals(found.table)
    told = json.loads((tmp_path / "out" / "import.json").read_text(encoding="utf-8"))
    assert (told["source"], told["people"]) == ("people.csv", 6)
    read = read_people(tmp_path / "out", lang="en")
    assert read.column("qid").to_pylist() == ["Q4", "Q5", "Q6", "Q10", "Q30", "Q201"]


def test_ids_sort_by_number() -> None:
    ids = ["row-10", "Q10", "Q9", "ada", "row-2", "Q100"]
    assert sorted(ids, key=qid_order) == ["Q9", "Q10", "Q100", "ada", "row-2", "row-10"]


def write_table(path: Path, qids: list[str], langs: list[str]) -> Path:
    count = len(qids)
    pq.write_table(
        pa.table({"qid": qids, "lang": langs, "name": ["Ada"] * count, "gender": ["male"] * count}),
        path,
    )
    return path


def test_one_language_of_a_table_is_read(tmp_path: Path) -> None:
    path = write_table(tmp_path / "p.parquet", ["Q10", "Q9", "Q10"], ["en", "en", "fr"])
    assert read_people(path, lang="en").column("qid").to_pylist() == ["Q9", "Q10"]
    with pytest.raises(InputError, match="nobody has a name in 'de' here; there are: en, fr"):
        read_people(path, lang="de")


def test_a_person_stands_once(tmp_path: Path) -> None:
    path = write_table(tmp_path / "p.parquet", ["Q10", "Q10"], ["en", "en"])
    with pytest.raises(InputError, match="Q10 stands twice in 'en'"):
        read_people(path, lang="en")


def test_what_is_no_table_of_people_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_people(tmp_path, lang="en")
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"qid": ["Q1"]}), path)
    with pytest.raises(InputError, match="no column 'lang'"):
        read_people(path, lang="en")
    path.write_text("text", encoding="utf-8")
    with pytest.raises(InputError, match="not a parquet file"):
        read_people(path, lang="en")


def test_a_larger_draw_adds_people_and_the_order_of_the_table_is_nothing() -> None:
    qids = [f"Q{n}" for n in range(300)]
    people = pa.table({"qid": qids})
    draws = [set(choose_people(people, limit=n, seed=5).column("qid").to_pylist())
             for n in (10, 50, 0, 999)]  # fmt: skip
    assert [len(draw) for draw in draws] == [10, 50, 300, 300]
    assert draws[0] < draws[1]
    turned = choose_people(pa.table({"qid": qids[::-1]}), limit=50, seed=5)
    assert set(turned.column("qid").to_pylist()) == draws[1]
    other = choose_people(people, limit=50, seed=6)
    assert set(other.column("qid").to_pylist()) != draws[1]
    with pytest.raises(UsageError):
        choose_people(people, limit=-1, seed=0)


def test_the_real_table_of_legislators(shared_data: Path) -> None:
    found = import_people(
        shared_data / "politicians" / "legislators_current.csv", lang="en",
        columns=("name_en", "gender", "wikidata", "birth_date"),
    )  # fmt: skip
    counts = found.counts()
    assert counts["rows"] == 537
    assert counts["genders"] == {"female": 153, "male": 382}
    assert counts["left_out"] == {"no name": 2}
    assert not counts["unknown_genders"]
    assert counts["unread_births"] == 0

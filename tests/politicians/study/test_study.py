"""A whole study: what is read, parts of the people, the tables, the page, the command."""

from __future__ import annotations

import hashlib
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner

from curate import schema
from curate.cli.politicians_study import study
from curate.errors import InputError, UsageError
from curate.politicians.study.counts import gather
from curate.politicians.study.model_facts import ModelFacts
from curate.politicians.study.reading import Group, WordTable
from curate.politicians.study.results import TABLES, as_table
from curate.politicians.study.run import run_study
from curate.politicians.study.settings import Settings
from curate.politicians.study.subsets import official_languages, parse_subset, read_people
from curate.politicians.study.word_files import word_files

WORDS = [
    "good", "bad", "happy", "awful", "lovely", "weak", "old", "table", "brave", "cruel",
    "rich", "poor", "dead", "new", "red", "blue", "tall", "quick", "slow", "plain",
]  # fmt: skip
LEXICON = {
    "good": 0.9, "bad": -0.9, "happy": 0.9, "awful": -0.9, "lovely": 0.8, "weak": -0.5,
    "old": 0.0, "table": 0.0, "brave": 0.7, "cruel": -0.9, "rich": 0.3, "poor": -0.4,
    "dead": -0.8, "new": 0.1, "red": 0.0, "blue": 0.0, "plain": 0.0,
}  # fmt: skip
MODELS = ("bert-base-uncased", "bert-large-uncased", "roberta-base")


def word_row(qid: str, gender: str, word: str, rank: int, **other: Any) -> dict[str, Any]:
    return {
        "qid": qid, "lang": "en", "gender": gender, "upos": "ADJ", "position": "before",
        "rank": rank, "word": word, "lemma": word, "probability": 0.5 / rank,
        "model": "m", "revision": "r", **other,
    }  # fmt: skip


def write_words(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.POLITICIAN_WORDS), path)
    return path


def write_people(path: Path, rows: list[dict[str, Any]]) -> Path:
    fixed = {"lang": "en", "name": "N", "gender_qids": [], "occupation_qids": ["Q82955"],
             "retrieved": "2026-01-01"}  # fmt: skip
    table = pa.Table.from_pylist([{**fixed, **row} for row in rows], schema=schema.POLITICIANS)
    pq.write_table(table, path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """People of three genders; *lovely* is likelier beside women, by every model."""
    out = tmp_path_factory.mktemp("study")
    random = np.random.default_rng(0)
    words, people = [], []
    for n in range(240):
        gender = "unknown" if n < 2 else "non-binary" if n < 7 else ("female", "male")[n % 3 > 0]
        people.append(
            {"qid": f"Q{n}", "gender": gender, "birth_years": [1900 + n % 90],
             "country_qids": ["Q30" if n % 2 else "Q142"], "sitelinks": n}
        )  # fmt: skip
        for model in MODELS:
            pull = np.array([1.5 * (w == "lovely" and gender == "female") for w in WORDS])
            order = np.argsort(-(pull + random.gumbel(size=len(WORDS))))[:6]
            words += [
                word_row(f"Q{n}", gender, WORDS[at], rank, model=model)
                for rank, at in enumerate(order, start=1)
            ]
    write_words(out / "words.parquet", words)
    write_people(out / "politicians.parquet", people)
    lexicon = "".join(f"{word}\t{value}\t-1..1\n" for word, value in LEXICON.items())
    (out / "lexicon.tsv").write_text(f"word\tvalue\tscale\n{lexicon}")
    (out / "senses.tsv").write_text(
        "word\tsupersense\ngood\tquality\nbad\tquality\nhappy\tfeeling\nbrave\tmind\ncruel\tmind\n"
        "tall\tbody\nweak\tbody\nold\ttime\nnew\ttime\n"
    )
    return out


@pytest.fixture(scope="module")
def done(folder: Path) -> Path:
    """What the command writes of it."""
    app = typer.Typer()
    app.command()(study)
    out = folder / "out"
    result = CliRunner().invoke(
        app,
        [
            str(folder), "--people", str(folder), "--lexicon", f"en={folder / 'lexicon.tsv'}",
            "--supersenses", f"en={folder / 'senses.tsv'}", "--subset", "born=1946..",
            "--subset", "official-language", "--representations", "mini", "--steps", "80",
            "--latent-draws", "2", "--draws", "99", "--out", str(out), "--seed", "3",
        ],
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    (out / "said.txt").write_text(result.output)
    return out


def read(done: Path, name: str, **wanted: Any) -> list[dict[str, Any]]:
    rows = pq.read_table(done / f"{name}.parquet").to_pylist()
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def test_words_of_several_forms_count_once_a_person(tmp_path: Path) -> None:
    rows = [word_row("Q1", "female", "kind", 1), word_row("Q1", "female", "kind", 2),
            word_row("Q2", "male", "kind", 1)]  # fmt: skip
    table = WordTable([write_words(tmp_path / "words.parquet", rows)])
    use, unknown = table.use([Group("en", "ADJ", "m")])
    assert use.counts.tolist() == [[1, 1]]
    assert (unknown.unknown, unknown.absent) == (0, 0)
    use, _ = table.use([Group("en", "ADJ", "m")], weigh="probability")
    assert use.counts.tolist() == [[0.75, 0.5]]
    use, _ = table.use([Group("en", "ADJ", "m")], weigh="probability", top=1)
    assert use.counts.tolist() == [[0.5, 0.5]]


def test_models_add_up_and_other_parts_stay_out(tmp_path: Path) -> None:
    rows = [word_row("Q1", "female", "kind", 1), word_row("Q1", "female", "kind", 1, model="n"),
            word_row("Q1", "female", "run", 1, upos="VERB"),
            word_row("Q1", "female", "gentil", 1, lang="fr")]  # fmt: skip
    table = WordTable([write_words(tmp_path / "words.parquet", rows)])
    groups = table.groups()
    assert len(groups) == 4
    use, _ = table.use([group for group in groups if (group.lang, group.upos) == ("en", "ADJ")])
    assert use.words == ("kind",)
    assert use.counts.tolist() == [[2]]
    assert use.holders.tolist() == [[1]]


def test_the_people_table_says_the_gender(tmp_path: Path) -> None:
    rows = [word_row("Q1", "female", "kind", 1), word_row("Q2", "male", "kind", 1),
            word_row("Q3", "unknown", "kind", 1), word_row("Q4", "animal", "kind", 1)]  # fmt: skip
    path = write_words(tmp_path / "words.parquet", rows)
    use, unknown = WordTable([path]).use([Group("en", "ADJ", "m")])
    assert use.genders == ("female", "male")
    assert (unknown.unknown, unknown.absent) == (2, 0)
    use, unknown = WordTable([path], genders={"Q1": "non-binary"}).use([Group("en", "ADJ", "m")])
    assert use.genders == ("non-binary",)
    assert (unknown.unknown, unknown.absent) == (0, 3)


def test_order_of_files_and_rows_changes_nothing(folder: Path, tmp_path: Path) -> None:
    whole = pq.read_table(folder / "words.parquet")
    random = np.random.default_rng(0).permutation(whole.num_rows)
    half = whole.num_rows // 2
    mixed = whole.take(random)
    pq.write_table(mixed.slice(half), tmp_path / "1.parquet")
    pq.write_table(mixed.slice(0, half), tmp_path / "2.parquet")
    one, _ = WordTable([folder / "words.parquet"]).use([Group("en", "ADJ", MODELS[0])])
    two, _ = WordTable([tmp_path / "1.parquet", tmp_path / "2.parquet"]).use(
        [Group("en", "ADJ", MODELS[0])]
    )
    assert one.people == two.people
    assert one.words == two.words
    assert np.array_equal(one.weights.toarray(), two.weights.toarray())


def test_what_are_no_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no words\.parquet"):
        word_files([tmp_path])
    pq.write_table(pa.table({"qid": ["Q1"]}), tmp_path / "words.parquet")
    with pytest.raises(InputError, match="no column"):
        word_files([tmp_path])


@pytest.mark.parametrize(
    ("subset", "inside"),
    [
        ("country=Q30", {"Q1", "Q2"}),
        ("official-language=fr", {"Q3"}),
        ("official-language", {"Q1", "Q2"}),
        ("born=..1945", {"Q1", "Q3"}),
        ("born=1946..", {"Q2", "Q3"}),
        ("born=1946..1950", {"Q3"}),
        ("sitelinks=50..", {"Q2"}),
    ],
)
def test_subsets(tmp_path: Path, subset: str, inside: set[str]) -> None:
    path = write_people(
        tmp_path / "politicians.parquet",
        [
            {"qid": "Q1", "gender": "male", "birth_years": [1900], "country_qids": ["Q30"],
             "sitelinks": 3},
            {"qid": "Q2", "gender": "male", "birth_years": [1960], "country_qids": ["Q30", "Q183"],
             "sitelinks": 90},
            {"qid": "Q3", "gender": "male", "birth_years": [1940, 1948],
             "country_qids": ["Q142"], "sitelinks": None},
        ],
    )  # fmt: skip
    people = read_people(path, lang="en")
    use = gather([f"Q{n}" for n in range(1, 5)], ["male"] * 4, ["kind"] * 4)
    held = people.members(use, parse_subset(subset), lang="en")
    assert {qid for qid, own in zip(use.people, held, strict=True) if own} == inside


@pytest.mark.parametrize("text", ["born=x..", "born=2000..1900", "party=x", "country", "born=1946"])
def test_what_is_no_subset(text: str) -> None:
    with pytest.raises(UsageError):
        parse_subset(text)


def test_official_languages_are_tags_of_items() -> None:
    found = official_languages()
    assert found["Q39"] == {"de", "fr", "it", "rm"}
    assert all(re.fullmatch(r"Q\d+", country) for country in found)
    assert all(re.fullmatch(r"[a-z]{2,3}", lang) for own in found.values() for lang in own)


def test_models_of_the_paper_are_known() -> None:
    factors = ModelFacts.known().factors(
        [Group("en", "ADJ", "roberta-large"), Group("fr", "A", "x")]
    )
    assert factors == {
        "architecture": ["RoBERTa", "x"], "size": ["large", "unknown"], "language": ["en", "fr"]
    }  # fmt: skip


def test_everyone_is_counted_and_who_is_left_out_is_told(done: Path) -> None:
    rows = read(done, "people", model="all", subset="everyone")
    told = {row["gender"]: (row["n"], row["in_two_genders"]) for row in rows}
    assert told["non-binary"] == (5, False)
    assert told["female"][0] + told["male"][0] == 233
    said = (done / "said.txt").read_text()
    assert "5 people of other genders are in the PMI" in said
    assert "2 people of unknown gender were left out" in said


def test_every_gender_has_pmi_with_n_and_interval(done: Path) -> None:
    rows = read(done, "pmi", model=MODELS[0], subset="everyone", word="lovely")
    assert {row["gender"] for row in rows} == {"female", "male", "non-binary"}
    female = next(row for row in rows if row["gender"] == "female")
    assert 0 < female["n"] <= female["n_gender"]
    assert female["ci_low"] < female["pmi"] < female["ci_high"]
    assert female["draws"] == 99
    assert female["seed"] == 3
    # by the table's own counts, half a one added: all words of the model stand in it
    every = read(done, "pmi", model=MODELS[0], subset="everyone")
    women = sum(r["weight"] + 0.5 for r in every if r["gender"] == "female")
    given = (female["weight"] + 0.5) / women
    alone = sum(r["weight"] + 0.5 for r in rows) / sum(r["weight"] + 0.5 for r in every)
    assert female["pmi"] == pytest.approx(math.log(given / alone), abs=1e-6)


def test_the_planted_word_comes_first(done: Path) -> None:
    first = read(done, "differences", model="all", subset="everyone")[0]
    assert first["word"] == "lovely"
    assert first["p_bonferroni"] < 0.001
    assert first["ci_low"] > 0
    positive = read(
        done, "deviations", model="all", subset="everyone", gender="female", sentiment="positive"
    )
    assert positive[0]["word"] == "lovely"
    assert [row["rank"] for row in positive] == list(range(1, len(positive) + 1))
    assert positive[0]["ci_low"] < positive[0]["deviation"] < positive[0]["ci_high"]


def test_the_grid_is_written(done: Path) -> None:
    rows = read(done, "grid", model="all", subset="everyone")
    assert len(rows) == 40
    assert all(row["n_known"] == len(LEXICON) for row in rows)


def test_shares_of_sentiments_add_up(done: Path) -> None:
    rows = read(done, "sentiment", model="all", subset="everyone")
    assert sum(row["mean_first"] for row in rows) == pytest.approx(1.0, abs=1e-4)
    assert all(row["n_first"] == len(LEXICON) // 2 for row in rows)


def test_variance_compares_models(done: Path) -> None:
    rows = read(done, "anova", gender="male", sentiment="negative")
    assert [(row["factor"], row["level"]) for row in rows] == [
        ("intercept", ""), ("architecture", "BERT"), ("architecture", "RoBERTa"),
        ("size", "base"), ("size", "large"),
    ]  # fmt: skip
    assert rows[0]["n"] == 3 * (len(LEXICON) // 2)


def test_clusters_hold_every_word_once(done: Path) -> None:
    rows = read(done, "clusters", gender="female", of_gender="female")
    assert sum(row["n"] for row in rows) == len(WORDS)
    for cluster in {row["cluster"] for row in rows}:
        shares = read(done, "clusters", gender="female", cluster=cluster)
        assert sum(row["share"] for row in shares) == pytest.approx(1.0)


def test_subsets_are_of_fewer_people(done: Path) -> None:
    everyone = read(done, "people", model="all", subset="everyone", gender="male")[0]["n"]
    young = read(done, "people", model="all", subset="born=1946..", gender="male")[0]["n"]
    english = read(done, "people", model="all", subset="official-language", gender="male")[0]["n"]
    assert 0 < young < everyone
    assert 0 < english < everyone


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.scripts += tag == "script"
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_warns_first_and_is_well_formed(done: Path) -> None:
    html = (done / "study.html").read_text(encoding="utf-8")
    body = html.split("<body>")[1]
    assert body.index("Content warning") < body.index("lovely")
    page = _Page()
    page.feed(html)
    assert not page.open
    assert not page.scripts
    for table in ("Table 3", "Tables 4 and 6", "Tables 5 and 8", "Table 7", "Figure 3"):
        assert table in html


def test_the_summary_records_how(done: Path) -> None:
    about = json.loads((done / "study.json").read_text())
    assert about["settings"]["seed"] == 3
    assert about["settings"]["subsets"] == ["born=1946..", "official-language"]
    assert about["inputs"]["lexica"]["en"] == {"lexica": {"lexicon": 17}, "words": 17}
    files = {own["kind"]: own for own in about["inputs"]["files"]}
    assert set(files) == {"words", "people", "lexicon", "supersenses"}
    assert files["people"]["name"] == "politicians.parquet"
    assert files["people"]["rows"] == 240
    assert files["words"]["rows"] == 240 * 6 * 3
    assert files["lexicon"]["lang"] == "en"
    written = (done.parent / "lexicon.tsv").read_bytes()
    assert files["lexicon"]["sha256"] == hashlib.sha256(written).hexdigest()
    assert str(done.parent) not in (done / "study.json").read_text()
    assert str(done.parent) not in (done / "study.html").read_text()
    assert not (done / "study_parts").exists()
    for name in ("pmi.parquet", "deviations.tsv", "study.html"):
        assert name in about["files"]
        assert (done / name).is_file()


def test_same_seed_gives_the_same_tables(folder: Path) -> None:
    settings = Settings(draws=20, latent_draws=0)
    one, two = (run_study([folder], settings=settings) for _ in range(2))
    for name in TABLES:
        assert as_table(name, one.rows[name]).equals(as_table(name, two.rows[name]))
    assert any("no sentiment lexicon" in note for note in one.notes)


def test_one_gender_alone_has_pmi_and_a_note(tmp_path: Path) -> None:
    rows = [word_row(f"Q{n}", "female", "kind", 1) for n in range(8)]
    path = write_words(tmp_path / "words.parquet", rows)
    found = run_study([path], settings=Settings(draws=20))
    assert found.rows["pmi"]
    assert not found.rows["differences"]
    assert any("'male'" in note for note in found.notes)


def test_a_subset_needs_people(folder: Path) -> None:
    with pytest.raises(InputError, match="table of people"):
        run_study([folder], settings=Settings(draws=20, subsets=("country=Q30",)))

"""occupations.tsv and occupations.toml: what is wrong with them is found, with its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from curate import schema
from curate.errors import LexiconError
from curate.lexicon import available_languages, check_lexicon, load_lexicon
from curate.lexicon.occupations import load_occupations
from curate.lexicon.tables import Problem
from curate.resources import lexicons_folder

LANGS = ["en", "sv", "de", "es", "fr", "it"]


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the German lexicon that may be broken."""
    folder = tmp_path / "de"
    shutil.copytree(lexicons_folder() / "de", folder)
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def found(folder: Path) -> list[Problem]:
    return [p for p in check_lexicon(folder) if p.file.startswith("occupations")]


@pytest.mark.parametrize("lang", LANGS)
def test_the_files_of_each_language_are_whole(lang: str) -> None:
    assert found(lexicons_folder() / lang) == []


def test_status_follows_the_major_group() -> None:
    rows = {row.key: row for row in load_occupations(load_lexicon("en")).rows}
    status = {key: rows[key].status for key in ("nurse", "pilot", "cook", "cleaner", "officer")}
    assert status == {
        "nurse": "high", "pilot": "high", "cook": "middle", "cleaner": "low", "officer": "",
    }  # fmt: skip
    assert rows["homemaker"].isco == rows["homemaker"].status == ""


def test_every_share_has_a_source() -> None:
    for lang in LANGS:
        occupations = load_occupations(load_lexicon(lang))
        for row in occupations.rows:
            assert (row.share_women is None) == (row.share_source == "") == (row.share_year is None)
            assert row.share_women is None or 0 <= row.share_women <= 1
            assert not row.share_source or row.share_source in occupations.rules.sources
        # shares of several years would be set beside each other as if they were of one
        assert len({row.share_year for row in occupations.rows} - {None}) <= 1
        assert set(occupations.rules.sources) == {r.share_source for r in occupations.rows} - {""}


@pytest.mark.parametrize("lang", ["de", "es", "fr", "it"])
def test_forms_agree_with_the_gender_words_of_the_language(lang: str) -> None:
    """A noun that pairs.tsv has for one gender only is listed here for the other with a reason."""
    lexicon = load_lexicon(lang)
    by_form: dict[str, set[str]] = {}
    for row in lexicon.pairs:
        genders = schema.GENDERS if "epicene" in row.flags else ()
        by_form.setdefault(row.masculine, set()).update({"masculine", *genders})
        by_form.setdefault(row.feminine, set()).update({"feminine", *genders})
    unexplained = [
        form.noun
        for occupation in load_occupations(lexicon).rows
        for form in occupation.forms
        if form.noun in by_form and form.form not in by_form[form.noun] and not occupation.note
    ]
    assert unexplained == []


BROKEN = [
    ("occupations.tsv", "\tMasc\tFem\t\t", "\tMasc\t\t\t", "'Ingenieurin' has no gender"),
    ("occupations.tsv", "\tMasc\tFem\t\t", "\tMasc\tNone\t\t", "has gender 'None', and"),
    ("occupations.tsv", "\tChirurgin\t", "\t\t", "masculine and feminine are both wanted"),
    ("occupations.tsv", "surgeon\t", "Surgeon\t", "must be lower-case"),
    ("occupations.tsv", "surgeon\t", "engineer\t", "stands on line"),
    ("occupations.tsv", "\t2212\t", "\tdoctor\t", "isco 'doctor' is not a code"),
    ("occupations.tsv", "\t2212\t\t\t", "\t2212\t0.5\t\t", "go together"),
    ("occupations.tsv", "\t2212\t\t\t", "\t2212\t1.5\tx\t2020", "is not a share"),
    ("occupations.tsv", "\t2212\t\t\t", "\t2212\t0.5\tx\t2020", "not under [sources]"),
    ("occupations.tsv", "\tgender_n", "\tgender_x", "wrong header"),
    ("occupations.toml", 'Fem = "eine"', "", "no article for that"),
    ("occupations.toml", 'Fem = "eine"', 'Female = "eine"', "no such article"),
    ("occupations.toml", '["Ein Mann"]', '"Ein Mann"', "not in the form"),
    ("occupations.toml", '["Ein Mann"]', "[]", "at least one beginning"),
    ("occupations.toml", '["Ein Mann"]', '["Eine Frau"]', "under both genders"),
    ("occupations.toml", "[pronouns]", "[pronoun]", "unknown section [pronoun]"),
    ("occupations.toml", "after = '''", "after = '''(", "not in the form"),
    ("occupations.toml", "after = ", "behind = ", "not in the form"),
    ("occupations.toml", "[subjects]", "[subjects", "not TOML"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), BROKEN)
def test_what_is_broken_is_found_and_stops_a_build(
    german: Path, file: str, old: str, new: str, message: str
) -> None:
    edit(german / file, old, new)
    problems = found(german)
    assert any(message in problem.message and problem.file == file for problem in problems) or any(
        message in problem.message for problem in problems
    )
    load_lexicon.cache_clear()
    with pytest.raises(LexiconError) as caught:
        load_occupations(load_lexicon("de"))
    assert caught.value.exit_code == 2 and "\n" not in str(caught.value)


def test_one_file_without_the_other_is_a_finding(german: Path) -> None:
    (german / "occupations.toml").unlink()
    assert any(p.message == "file is missing" for p in found(german))


def test_a_language_without_occupations_says_so(german: Path) -> None:
    for name in ("occupations.tsv", "occupations.toml"):
        (german / name).unlink()
    assert found(german) == []
    load_lexicon.cache_clear()
    with pytest.raises(LexiconError, match="no occupations are listed for 'de'"):
        load_occupations(load_lexicon("de"))


@pytest.fixture(autouse=True)
def _fresh_lexicons() -> object:
    yield
    load_lexicon.cache_clear()


def test_languages_are_still_found() -> None:
    assert set(LANGS) <= set(available_languages())

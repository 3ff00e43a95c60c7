"""Gender pairs of CrowS-Pairs with names for pronouns that alone show gender."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from curate import schema
from curate.errors import LexiconError, UsageError
from curate.lexicon import available_languages, check_lexicon, load_lexicon
from curate.lexicon.contrast import Contrast, load_contrast
from curate.pairs.crows_names import NamedCrows, name_crows
from curate.pairs.crows_sides import fill_sides
from curate.pairs.crows_stats import crows_stats
from curate.pairs.name_lists import choose_names, slot_of
from curate.resources import lexicons_folder
from curate.sources.crows import read_crows


def crows(
    *sides: tuple[str, str], lang: str = "en", bias: str = "gender", first: int = 0
) -> pa.Table:
    rows = [
        {
            "pair_id": schema.pair_id(lang, "import", more, less),
            "lang": lang,
            "sent_more": more,
            "sent_less": less,
            "stereo_antistereo": "stereo",
            "bias_type": bias,
            "source_id": str(number),
            "round": 0,
            "source": "test",
            "licence": "unstated",
        }
        for number, (more, less) in enumerate(sides, start=first)
    ]
    return pa.Table.from_pylist(rows, schema=schema.CROWS)


def named(more: str, less: str, **options: object) -> NamedCrows:
    """One pair with one name of either gender: James and Mary."""
    settings: dict[str, object] = {"lang": "en", "count": 1} | options
    return name_crows(crows((more, less), lang=str(settings["lang"])), **settings)  # type: ignore[arg-type]


def sides(more: str, less: str, **options: object) -> tuple[str, str]:
    (row,) = named(more, less, **options).table.to_pylist()
    return row["sent_more"], row["sent_less"]


@pytest.mark.parametrize(
    ("more", "less", "wanted"),
    [
        ("He is a pilot.", "She is a pilot.", ("James is a pilot.", "Mary is a pilot.")),
        ("She is a pilot.", "He is a pilot.", ("Mary is a pilot.", "James is a pilot.")),
        (
            "He lost his key and blamed himself.",
            "She lost her key and blamed herself.",
            ("James lost his key and blamed himself.", "Mary lost her key and blamed herself."),
        ),
        (
            "Nobody believed her or her plan.",
            "Nobody believed him or his plan.",
            ("Nobody believed Mary or her plan.", "Nobody believed James or his plan."),
        ),
        (
            "His desk was tidy, so he smiled.",
            "Her desk was tidy, so she smiled.",
            ("James's desk was tidy, so he smiled.", "Mary's desk was tidy, so she smiled."),
        ),
        ("It was his.", "It was hers.", ("It was James's.", "It was Mary's.")),
    ],
)
def test_the_first_pronoun_becomes_a_name(more: str, less: str, wanted: tuple[str, str]) -> None:
    assert sides(more, less) == wanted


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("My aunt lost her key.", "My uncle lost his key."),
        ("Robert lost his key.", "Linda lost her key."),
        ("Women cannot park.", "Men cannot park."),
        ("She is a good mother.", "He is a good father."),
    ],
)
def test_nouns_and_names_stay(more: str, less: str) -> None:
    result = named(more, less)
    assert [row.action for row in result.rows] == ["none"]
    (row,) = result.table.to_pylist()
    assert (row["sent_more"], row["sent_less"]) == (more, less)


def test_given_names_are_replaced_on_demand() -> None:
    pair = ("Robert's aunt said Robert lost his key.", "Linda's aunt said Linda lost her key.")
    wanted = ("James's aunt said James lost his key.", "Mary's aunt said Mary lost her key.")
    assert sides(*pair, given_names="replace") == wanted
    assert sides("Women cannot park.", "Men cannot park.", given_names="replace") == (
        "Women cannot park.",
        "Men cannot park.",
    )


def test_a_name_that_both_sides_share_is_read_as_the_person() -> None:
    result = named("Brad forgot his keys.", "Brad forgot her keys.")
    (row,) = result.table.to_pylist()
    assert (row["sent_more"], row["sent_less"]) == (
        "James forgot his keys.",
        "Mary forgot her keys.",
    )
    assert result.rows[0].action == "shared-name"
    assert "the same person?" in result.rows[0].notes[0]


def test_two_people_who_exchange_their_genders_have_no_masculine_side() -> None:
    result = named("He obeys his wife.", "She obeys her husband.")
    (row,) = result.table.to_pylist()
    assert (row["sent_more"], row["sent_less"]) == (
        "James obeys his wife.",
        "Mary obeys her husband.",
    )
    assert (row["masculine"], row["feminine"]) == (None, None)
    assert any(note.startswith("double-switch") for note in result.rows[0].notes)


def test_masculine_and_feminine_are_the_new_texts() -> None:
    (row,) = named("She is a pilot.", "He is a pilot.").table.to_pylist()
    assert (row["masculine"], row["feminine"]) == ("James is a pilot.", "Mary is a pilot.")
    assert row["pair_id"] == schema.pair_id("en", "import", "Mary is a pilot.", "James is a pilot.")
    assert row["source_id"] == "0"


@pytest.mark.parametrize(
    ("more", "less", "code"),
    [
        ("The poor cannot cook.", "The rich cannot cook.", "other-contrast"),
        ("A trans woman sang.", "A cis woman sang.", "non-binary"),
        ("Women cannot park.", "Men park well.", "not-minimal"),
        ("She wore her best dress.", "He wore his best dress.", "clothing"),
        ("Sam took off his trunks.", "Sam took off his bikini.", "clothing"),
        ("He put on a suit and tie.", "She put on a suit and tie.", "clothing"),
        ("Somebody hurt himself.", "Somebody hurt herself.", "no-name-form"),
        ("Ann met James and he ran.", "Ann met James and she ran.", "names-taken"),
    ],
)
def test_what_is_dropped(more: str, less: str, code: str) -> None:
    result = named(more, less, given_names="replace")
    assert result.table.num_rows == 0
    (drop,) = result.drops.to_pylist()
    assert (drop["code"], drop["row"], drop["stage"]) == (code, 0, "crows-names")
    assert drop["detail"].startswith("id 0: ")


def test_a_tie_in_a_game_is_no_clothing() -> None:
    assert sides("He saw the tie.", "She saw the tie.") == (
        "James saw the tie.",
        "Mary saw the tie.",
    )


def test_other_bias_types_and_repeated_pairs_are_dropped() -> None:
    other = name_crows(crows(("He ran.", "She ran."), bias="age"), lang="en")
    assert other.drops.column("code").to_pylist() == ["other-bias-type"]
    twice = crows(("He ran.", "She ran."), ("James ran.", "Mary ran."))
    result = name_crows(twice, lang="en", count=1)
    assert result.table.num_rows == 1
    assert result.drops.column("code").to_pylist() == ["duplicate"]


def test_names_hang_on_the_id_and_the_seed_alone() -> None:
    pairs = [(f"He saw {n} cats.", f"She saw {n} cats.") for n in range(2, 42)]
    whole = name_crows(crows(*pairs), lang="en", targets=["de"], seed=3)
    again = name_crows(crows(*pairs[20:], first=20), lang="en", seed=3)
    slots = {row.source_id: row.slot for row in whole.rows}
    assert {row.source_id: row.slot for row in again.rows} == {
        str(n): slots[str(n)] for n in range(20, 40)
    }
    assert set(slots.values()) == {0, 1}
    other = name_crows(crows(*pairs), lang="en", seed=4)
    assert slots != {row.source_id: row.slot for row in other.rows}
    german = name_crows(
        crows(*((f"Er sah {n} Katzen.", f"Sie sah {n} Katzen.") for n in range(2, 42)), lang="de"),
        lang="de",
        seed=3,
    )
    assert {row.source_id: row.slot for row in german.rows} == slots
    names = whole.names[1]
    first = german.table.to_pylist()[0]
    assert first["sent_more"] == f"{names.masculine[slots['0'] or 0]} sah 2 Katzen."


def test_a_name_that_stands_in_the_pair_is_not_given_twice() -> None:
    pairs = [(f"He saw James {n} times.", f"She saw James {n} times.") for n in range(2, 22)]
    result = name_crows(crows(*pairs), lang="en", count=2)
    james = result.names[0].masculine.index("James")
    assert {row.slot for row in result.rows} == {1 - james}


def test_possessives_follow_the_file() -> None:
    german, swedish = (load_contrast(load_lexicon(lang)) for lang in ("de", "sv"))
    assert german.possessive_of("Anna") == "Annas"
    assert german.possessive_of("Lukas") == "Lukas’"
    assert swedish.possessive_of("Lars") == "Lars"
    assert swedish.possessive_of("Anna") == "Annas"
    assert Contrast().possessive_of("Anna") is None


@pytest.mark.parametrize("lang", available_languages())
def test_every_language_has_four_names(lang: str) -> None:
    lexicon = load_lexicon(lang)
    names = choose_names(lexicon, load_contrast(lexicon), 2)
    both = [*names.masculine, *names.feminine]
    assert len({name.lower() for name in both}) == 4
    by_gender = {g: {n.name for n in lexicon.names if n.gender == g} for g in schema.GENDERS}
    assert set(names.masculine) <= by_gender["masculine"] - by_gender["feminine"]
    assert set(names.feminine) <= by_gender["feminine"] - by_gender["masculine"]


def test_the_largest_share_comes_first_and_endings_are_one_name() -> None:
    english, russian = load_lexicon("en"), load_lexicon("ru")
    shares = {"Peter": 0.01, "Mark": 0.04, "Paul": 0.02}
    shared = [name._replace(share=shares.get(name.name)) for name in english.names]
    stated = replace(english, names=shared)
    assert choose_names(stated, Contrast(), 3).masculine == ("Mark", "Paul", "Peter")
    listed = choose_names(russian, Contrast(), 3).masculine
    assert not any(one != two and one.startswith(two) for one in listed for two in listed)
    with pytest.raises(UsageError, match="masculine names, --names 9999 is more"):
        choose_names(english, Contrast(), 9999)


def test_slots_are_spread_evenly() -> None:
    slots = [slot_of(str(n), seed=0, count=2) for n in range(1000)]
    assert 430 < sum(slots) < 570  # 500, give or take four standard deviations


@pytest.mark.parametrize(
    "text",
    [
        "[other]\na = 1\n",
        "[[possessive]]\nending = '('\nsuffix = 's'\n",
        "[names]\nmasculine = ['Zz']\n",
    ],
)
def test_a_broken_contrast_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    lexicon, lexicons = load_lexicon("en"), lexicons_folder() / "en"
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "contrast.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    with pytest.raises(LexiconError, match=r"contrast\.toml"):
        load_contrast(lexicon)
    shutil.copytree(
        lexicons, tmp_path / "en", dirs_exist_ok=True, ignore=lambda *_: ["contrast.toml"]
    )
    assert [problem.file for problem in check_lexicon(tmp_path / "en")] == ["contrast.toml"]


def test_sides_are_told_by_the_lexicon() -> None:
    table = crows(
        ("The queen ran.", "The king ran."),
        ("She saw him.", "He saw her."),
        ("The poor ran.", "The rich ran."),
    )
    rows = fill_sides(table).to_pylist()
    assert (rows[0]["masculine"], rows[0]["feminine"]) == ("The king ran.", "The queen ran.")
    assert [row["masculine"] for row in rows[1:]] == [None, None]
    unknown = fill_sides(crows(("Ea manĝis.", "Li manĝis."), lang="eo")).to_pylist()
    assert unknown[0]["masculine"] is None


def test_words_are_counted_between_spaces() -> None:
    (record,) = crows_stats(
        crows(("The queen, aged 9, ran.", "The king ran."), ("He ran.", "She ran."))
    )
    assert (record["pairs"], record["words"]) == (2, 5 + 3 + 2 + 2)
    assert record["words_per_sentence"] == 12 / 4
    assert record["bias_type"] == {"gender": 2}
    assert record["stereo_antistereo"] == {"stereo": 2}


@pytest.mark.parametrize(("lang", "words"), [("de", 5470), ("en", 5548), ("fi", 4151)])
def test_table_1_of_the_paper(shared_data: Path, lang: str, words: int) -> None:
    table = read_crows(shared_data / f"s_jsd/cps_translated_{lang}_formatted.csv", lang=lang).table
    (record,) = crows_stats(table)
    assert (record["pairs"], record["words"]) == (212, words)


def test_the_english_original_comes_near_the_papers_pairs(shared_data: Path) -> None:
    read = read_crows(shared_data / "crows_pairs/crows_pairs_anonymized.csv", lang="en")
    kept = {row.source_id for row in name_crows(read.table, lang="en").rows}
    with (shared_data / "s_jsd/cps_translated_en_formatted.csv").open(encoding="utf-8") as file:
        papers = {row["ID"] for row in csv.DictReader(file)}
    assert len(papers) == 212
    assert len(kept & papers) >= 190
    assert len(kept - papers) <= 15

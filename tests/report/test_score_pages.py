"""Pages of scores alone: every kind of metric, groups, several models, and hostile folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.errors import InputError
from curate.report import write_report
from curate.report.panels import panels
from curate.report.scores import read_scores
from tests.report.parsed_page import ParsedPage
from tests.report.score_folders import (
    CROWS,
    GENDERS,
    compared,
    quantiles,
    record,
    write,
    write_values,
)


def page_of(folder: Path) -> ParsedPage:
    html = write_report(folder, folder / "report.html").read_text(encoding="utf-8")
    page = ParsedPage(html)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "nan" not in page.text.lower().split()
    return page


def words(page: ParsedPage) -> str:
    return " ".join(page.text.split())


def test_a_page_of_scores_speaks_of_no_pairs(tmp_path: Path) -> None:
    page = page_of(write(tmp_path / "mbert", [record("cps", 61.25)]))
    text = words(page)
    assert text.startswith("mbert: model scores")
    assert "Model scores: mbert" in text
    assert "Read with care" in text
    for absent in ("Content warning", "Gender minimal pairs", "The pairs", "Counts", "LSG"):
        assert absent not in text
    assert not {"counts", "pairs", "words", "drops"} & set(page.ids)


def test_a_share(tmp_path: Path) -> None:
    made = record(
        "cps", 61.25, std_error=2.346, n=212, n_tied=3, n_dropped=5,
        dropped={"too-long": 4, "no-shared-token": 1}, folds=5, fold_mean=61.5, fold_std=0.75,
    )  # fmt: skip
    page = page_of(write(tmp_path, [made]))
    assert [
        "en", "mini", "61.25 %", "56.2 to 66.2", "", "2.35", "212", "3",
        "5 no-shared-token 1 too-long 4", "61.50 ± 0.75 (5)",
    ] in page.rows  # fmt: skip
    text = words(page)
    assert "the model prefers the more stereotypical side to the less stereotypical one" in text
    assert "50 % is no preference" in text
    assert page.rows[0][3:5] == ["95 % interval", "← less stereotypical more stereotypical →"]
    assert "masculine" not in text


def test_the_columns_of_other_crows_files(tmp_path: Path) -> None:
    made = record("cps", 60.0, sides=["sent_more_en_US", "sent_less_en_US"])
    inner = {**made, "group": "stereo_antistereo_en_US=stereo"}
    page = page_of(write(tmp_path, [made, inner, {**made, "group": "round_no="}]))
    assert "prefers the more stereotypical side" in words(page)
    assert [row[1] for row in page.rows if row[:1] == ["en"]] == [
        "mini", "round_no: –", "direction: stereo",
    ]  # fmt: skip


def test_the_names_of_the_sides(tmp_path: Path) -> None:
    titled = record("cps", 60.0, title="first side likelier", sides=list(GENDERS))
    text = words(page_of(write(tmp_path, [titled])))
    assert "CPS · masculine side likelier" in text
    assert "prefers the masculine side to the feminine one" in text
    assert "stereotypical" not in text


def test_a_mean_of_distances_is_in_thousandths_and_its_sides_are_turned(tmp_path: Path) -> None:
    """-0.00345 ± 0.002: −3.45, from −5.45 to −1.45; below 0 the first side is preferred."""
    page = page_of(write(tmp_path, [record("sjsd", -0.00345, std_error=0.001)]))
    assert page.rows[1][2:6] == ["−3.45", "−5.45 to −1.45", "", "1.00"]
    text = words(page)
    assert page.rows[0][2] == "value ×10⁻³"
    assert "0 is no preference (dashed); below it the model prefers the more stereotypical" in text
    assert page.rows[0][4] == "← more stereotypical less stereotypical →"


def test_accuracy_has_no_line_of_no_preference(tmp_path: Path) -> None:
    html = (write(tmp_path, [record("acc", 70.0)]) and page_of(tmp_path)).text
    assert "no value of no preference" in html
    assert "half" not in page_of(tmp_path).classes
    assert "half" in page_of(write(tmp_path, [record("cps", 70.0)])).classes


def test_a_weighted_share_says_what_is_compared(tmp_path: Path) -> None:
    text = words(page_of(write(tmp_path, [record("mbe", 55.0, sides=list(GENDERS))])))
    assert "share of comparisons in which the model prefers the masculine side" in text
    assert "weighs as much as the two sentences are alike" in text


def test_groups_stand_beneath_their_total(tmp_path: Path) -> None:
    groups = ("bias_type=race-color", "all", "bias_type=gender")
    made = [record("cps", 60.0, lang=lang, group=g) for g in groups for lang in ("fr", "de")]
    page = page_of(write(tmp_path, made))
    table = [row[:2] for row in page.rows if row[:1] in (["de"], ["fr"]) and "%" in row[2]]
    expected = ["mini", "bias type: gender", "bias type: race-color"]
    assert table == [[lang, name] for lang in ("de", "fr") for name in expected]
    assert page.classes.count("inner") == 4
    # the map and its two cells are of the totals only
    assert ["mini", "60.0 55.0 to 65.0", "60.0 55.0 to 65.0"] in page.rows


def test_several_models_are_compared(tmp_path: Path) -> None:
    folder = compared(tmp_path / "scores", models=["xlmr", "mbert"], langs=["fi", "de"])
    page = page_of(folder)
    accuracy = [row[:2] for row in page.rows if len(row) == 9 and row[2].endswith("%")]
    assert [row for row in accuracy if row[1] in {"mbert", "xlmr"}][:4] == [
        ["de", "mbert"], ["de", "xlmr"], ["fi", "mbert"], ["fi", "xlmr"],
    ]  # fmt: skip
    assert page.text.index("ACC ·") < page.text.index("CPS ·") < page.text.index("SJSD ·")
    assert page.classes.count("heat") == 2  # CPS and SJSD, not accuracy
    assert page.classes.count("density") == 8  # CPS and SJSD of two models and languages
    assert words(page).count("Ring: the median") == 1  # explained once


def test_an_unclear_cell_is_marked_by_more_than_its_colour(tmp_path: Path) -> None:
    """58 ± 5 is clear, 52 ± 5 holds 50."""
    page = page_of(write(tmp_path, [record("cps", 58.0), record("cps", 52.0, lang="de")]))
    assert ["mini", "≈ 52.0 47.0 to 57.0", "58.0 53.0 to 63.0"] in page.rows
    assert page.classes.count("unclear") == 1


def test_one_model_and_language_draw_no_map(tmp_path: Path) -> None:
    assert "heat" not in page_of(write(tmp_path, [record("cps", 58.0)])).classes


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    """One model in two precisions, another in two revisions, and one record twice."""
    write(tmp_path / "a", [record("cps", 50.0), record("cps", 51.0, model="big", revision="r1")])
    write(
        tmp_path / "b",
        [
            record("cps", 52.0, precision="bf16"),
            record("cps", 53.0, model="big", revision="r2"),
            record("cps", 54.0, model="big", revision="r2"),
        ],
    )
    names = [row[1] for row in page_of(tmp_path).rows if row[:1] == ["en"]]
    assert names == [
        "big (r1)",
        "big (r2)",
        "big (r2) #2",
        "mini (precision bf16)",
        "mini (precision fp32)",
    ]


def test_what_the_scores_rest_on_is_said_once(tmp_path: Path) -> None:
    made = [record("cps", 50.0), record("acc", 60.0), record("cps", 50.0, lang="de")]
    settings = {"precision": "bf16", "perturb": "last-character"}
    page = page_of(write(tmp_path, [*made, record("ppl", 50.0, model="gpt", **settings)]))
    rows = [row for row in page.rows if len(row) == 6][1:]
    tail = "percentile bootstrap, 9,999 draws, seed 7"
    assert rows == [
        ["gpt", "r1", "pairs 1.0.0", "PPL", "perturb last-character; precision bf16", tail],
        ["mini", "r1", "pairs 1.0.0", "ACC, CPS", "precision fp32", tail],
    ]


def test_data_are_named_where_they_differ(tmp_path: Path) -> None:
    other = record("cps", 51.0, lang="fr", dataset="fr.tsv", version="abc")
    page = page_of(write(tmp_path, [record("cps", 50.0), other]))
    assert not any("fr.tsv" in cell for row in page.rows if row[:1] == ["fr"] for cell in row)
    page = page_of(write(tmp_path, [record("cps", 50.0), {**other, "lang": "en"}]))
    assert [row[-1] for row in page.rows if row[:1] == ["en"]] == ["fr.tsv abc", "pairs 1.0.0"]
    assert [row[1] for row in page.rows if row[:1] == ["en"]] == [
        "mini (fr.tsv abc)", "mini (pairs 1.0.0)",
    ]  # fmt: skip


def test_scores_beside_pairs_of_another_table(tmp_path: Path) -> None:
    """A release whose tables hold no masculine and feminine text is shown for its scores."""
    data = tmp_path / "data" / "en-crows"
    data.mkdir(parents=True)
    write_values(data, {"cps": [(1.0, 2.0)]})
    (data / "scores.parquet").rename(data / "test-00000-of-00001.parquet")
    write(tmp_path / "scores", [record("cps", 61.0)])
    assert "Model scores" in page_of(tmp_path).text


def test_the_same_scores_give_the_same_bytes(tmp_path: Path) -> None:
    folder = compared(tmp_path, models=["b", "a"], langs=["de", "en"])
    first = write_report(folder, tmp_path / "1.html").read_bytes()
    assert write_report(folder, tmp_path / "2.html").read_bytes() == first


def test_an_old_summary(tmp_path: Path) -> None:
    """Records of the first releases: no sides, no kind, no value of no preference."""
    old = {
        "metric": "sbm", "lang": "de", "group": "lsg", "model": "mini", "revision": "r", "n": 113,
        "dataset": "d", "version": "1", "value": 37.25, "ci_low": 28.0, "ci_high": 46.0,
        "n_tied": 0, "n_dropped": 0, "seed": 0, "fold_std": None,
    }  # fmt: skip
    page = page_of(write(tmp_path, [old]))
    assert ["de", "mini · LSG", "37.25 %", "28.0 to 46.0", "", "–", "113", "0", "0"] in page.rows
    assert "prefers the masculine side" in words(page)
    foreign = words(page_of(write(tmp_path, [{**old, "group": "all"}])))
    assert "prefers the first side to the second one" in foreign


# Hostile folders


def test_names_with_html(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>\"'&<img src=x>"
    made = record(
        "cps", 60.0, model=bad, lang=bad, group=f"{bad}={bad}", sides=[bad, bad], title=bad,
        definition=bad, dataset=bad, revision=bad, dropped={bad: 1}, n_dropped=1,
        differences=quantiles([1.0, 2.0, 3.0]),
    )  # fmt: skip
    page = page_of(write(tmp_path, [made, {**made, "lang": "de", bad: bad}]))
    assert not page.tags & {"script", "img"}
    assert bad in page.text


def test_a_name_that_no_file_can_hold(tmp_path: Path) -> None:
    """A lone surrogate is valid in JSON and no text."""
    (tmp_path / "summary.json").write_text(
        json.dumps([record("cps", 60.0, model="a\ud800b")]), encoding="utf-8"
    )
    assert "a?b" in page_of(tmp_path).text


def test_forty_models(tmp_path: Path) -> None:
    models = [f"organisation/model-{number:02}-with-a-long-name" for number in range(40)]
    page = page_of(compared(tmp_path, models=models, langs=["de", "en"]))
    cps = [row for row in page.rows if len(row) == 3 and row[0] in models]
    assert [row[0] for row in cps[:40]] == models


def test_a_record_without_a_value(tmp_path: Path) -> None:
    nothing = record("cps", None, n_dropped=9, dropped={"too-long": 9})
    page = page_of(write(tmp_path, [nothing, record("cps", 60.0, lang="de"), record("cps", 60.0)]))
    assert ["en", "mini (r1)"] not in [row[:2] for row in page.rows]
    row = next(row for row in page.rows if "no pair to compare" in row)
    assert row[2:] == ["–", "–", "no pair to compare", "–", "0", "0", "9 too-long 9"]


def test_a_metric_that_no_pair_was_made_for(tmp_path: Path) -> None:
    """DBM on LSG: hidden beside DBM on MSG, shown where it is all that there is."""
    lsg = record("cps", None, group="lsg", n_dropped=9, dropped={"no-fill": 9})
    assert "no pair to compare" in page_of(write(tmp_path, [lsg])).text
    page = page_of(write(tmp_path, [lsg, record("cps", 60.0, group="msg")]))
    assert "no pair to compare" not in page.text


def test_violins_from_the_table_of_scores(tmp_path: Path) -> None:
    """Differences 1 … 9: median 5, middle half 3 to 7; NaN, null and infinity do not count."""
    pairs: list[tuple[float | None, float | None]] = [(float(n), 0.0) for n in range(1, 10)]
    pairs += [(float("nan"), 1.0), (None, 1.0), (float("inf"), 1.0), (1.0, float("nan"))]
    write_values(tmp_path, {"cps": pairs, "ppl": [(100.0, 1.0)] * 50})
    page = page_of(write(tmp_path, [record("cps", 60.0, n=9)]))
    violin = next(row for row in page.rows if row[:2] == ["en", "mini"] and len(row) == 7)
    assert violin[2:] == ["", "9", "5.00", "3.00 to 7.00", "1.08 to 8.92"]
    assert page.classes.count("density") == 1


def test_a_table_of_several_languages_makes_no_violin(tmp_path: Path) -> None:
    """The table does not know which row is of which language."""
    write_values(tmp_path, {"cps": [(1.0, 0.0)] * 9})
    page = page_of(write(tmp_path, [record("cps", 60.0), record("cps", 60.0, lang="de")]))
    assert "violin" not in page.classes


def test_groups_do_not_take_the_differences_of_all(tmp_path: Path) -> None:
    write_values(tmp_path, {"cps": [(1.0, 0.0), (0.0, 3.0)] * 9})
    made = [record("cps", 60.0), record("cps", 60.0, group="bias_type=gender")]
    assert page_of(write(tmp_path, made)).classes.count("violin") == 1


@pytest.mark.filterwarnings("error")
def test_enormous_and_impossible_numbers(tmp_path: Path) -> None:
    wild = record(
        "sjsd", 1e300, ci_low=-1e300, ci_high=float("inf"), std_error=float("nan"),
        differences=[float("nan"), -1e300, 1e300],
    )  # fmt: skip
    page_of(write(tmp_path, [wild, record("cps", -5.0, ci_low=-9.0, ci_high=105.0)]))


def test_an_empty_summary(tmp_path: Path) -> None:
    write(tmp_path, [])
    with pytest.raises(InputError, match="no pairs here and no scores"):
        write_report(tmp_path, tmp_path / "report.html")
    write(tmp_path / "full", [record("cps", 60.0)])
    assert "Model scores" in page_of(tmp_path).text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("{}", "not the list of records"),
        ("[1]", "not the list of records"),
        ('[{"lang": "en"}]', "not the list of records"),
        ('[{"metric": "cps", "model": "m", "value": "60"}]', "record 0: 'value' is not a number"),
        ('[{"metric": "cps", "model": "m", "sides": ["a"]}]', "'sides' are not two names"),
        ('[{"metric": "cps", "model": "m", "dropped": [1]}]', "record 0"),
        ('[{"metric": "cps", "model": "m", "interval": "wide"}]', "record 0"),
        ('[{"metric": "cps", "model": "m", "differences": ["x"]}]', "record 0"),
        ('[{"metric": "cps", "model": "m", "n": true}]', "'n' is not a number"),
    ],
)
def test_a_summary_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "summary.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        write_report(tmp_path, tmp_path / "report.html")
    assert "summary.json" in caught.value.where
    assert not (tmp_path / "report.html").exists()


def test_a_broken_table_of_scores(tmp_path: Path) -> None:
    write(tmp_path, [record("cps", 60.0)])
    (tmp_path / "scores.parquet").write_bytes(b"no parquet")
    with pytest.raises(InputError, match="not a parquet file"):
        write_report(tmp_path, tmp_path / "report.html")


def test_exchanging_the_sides_turns_the_page(tmp_path: Path) -> None:
    """A share of 61 % for a of (a, b) and of 39 % for b of (b, a) are mirrored places."""
    sides = (CROWS, CROWS[::-1])
    made = [
        write(tmp_path / str(share), [record("cps", share, sides=list(names))])
        for share, names in zip((61.0, 39.0), sides, strict=True)
    ]
    assert page_of(made[0]).rows[0][4] == "← less stereotypical more stereotypical →"
    assert page_of(made[1]).rows[0][4] == "← more stereotypical less stereotypical →"
    (one,), (other,) = ([panel.rows[0].place for panel in panels(read_scores(f))] for f in made)
    assert (one, other) == (61.0, 39.0)

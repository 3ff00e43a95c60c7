"""What the documents say in words holds for the release at hand, whatever it is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate import schema
from curate.hub.card import metadata, read_facts, render_card, render_datasheet
from curate.hub.card.markdown import in_words
from curate.hub.croissant import croissant_document
from tests.hub.card.conftest import FILL, Release, crows, pair, person


def texts(release: Release) -> tuple[str, str]:
    """Card and datasheet, on one line each."""
    return tuple(
        " ".join(render(release.folder, release.manifest).split())
        for render in (render_card, render_datasheet)
    )  # type: ignore[return-value]


def said(release: Release, field: str) -> str:
    """A field of Croissant as one text."""
    value: Any = croissant_document(release.folder, release.manifest).get(field, "")
    return value if isinstance(value, str) else " | ".join(map(str, value))


def only(release: Release, *configs: str) -> Release:
    for part in ("configs", "runs"):
        release.manifest[part] = {name: release.manifest[part][name] for name in configs}
    return release


def test_a_side_that_a_model_filled_is_not_called_natural(empty: Release) -> None:
    empty.pairs([pair("A king sat.", "A queen sat.", method="msg", fill=FILL)], "en-msg")
    card, sheet = texts(empty)
    assert "**Both sides may be made** (`msg`)" in card
    assert "is natural, the other" not in card
    assert "a natural and a made side" not in sheet
    assert "a model may have filled both sides" in sheet
    assert "natural text" not in said(empty, "rai:dataBiases")
    empty.pairs([pair("A king came.", "A queen came.")])
    card, sheet = texts(empty)
    assert "**One side is natural, the other is made** (`lsg`)" in card
    assert "made by `lsg` is the sentence of its source" in sheet
    assert "natural text" in said(empty, "rai:dataBiases")


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        ("default", "trans women are filed as female"),
        ("paper", "trans women and trans men too"),
        ("raw", "every value stands for itself"),
        (None, "how the values are filed is not stated"),
    ],
)
def test_people_come_from_where_they_come(empty: Release, scheme: str | None, words: str) -> None:
    empty.add(
        "politicians", "politicians", schema.POLITICIANS, [person("row-0", "male", ["Q6581097"])],
        method="politicians", input={"name": "members.csv"},
    )  # fmt: skip
    empty.manifest["runs"]["politicians"] |= {"config": {"scheme": scheme}} if scheme else {}
    card, sheet = texts(empty)
    assert words in card
    assert "(members.csv)" in card
    assert "public office" not in card + sheet
    assert words in said(empty, "rai:dataLimitations")
    assert "members.csv" in said(empty, "rai:personalSensitiveInformation")
    assert "Wikidata" not in said(empty, "rai:personalSensitiveInformation")
    assert "members.csv (licence not known)" in said(empty, "rai:dataCollection")
    assert said(empty, "rai:dataSocialImpact") == ""
    assert "pair" not in said(empty, "rai:dataUseCases") + said(empty, "rai:dataLimitations")


def test_judged_pairs_alone_are_not_called_made_by_rules(release: Release) -> None:
    only(release, "en-crows")
    assert "program made" not in said(release, "rai:dataLimitations")
    assert "Two genders" not in said(release, "rai:dataLimitations")
    assert "or in the group they speak of" in said(release, "description")
    assert said(release, "description").startswith("Content warning")


def test_how_to_score_is_on_the_card(release: Release) -> None:
    card, _ = texts(release)
    assert "python score.py --model MODEL" in card
    assert "lm_eval --include_path lm_eval --tasks toy --model hf" in card
    assert "hf download me/toy --repo-type dataset --revision v1.0.0" in card
    assert "`inspect eval hf/me/toy`" in card
    assert "masculine or more stereotypical side" in card
    del release.manifest["repository"]
    local, _ = texts(release)
    assert "hf download" not in local
    assert "`PATH_OR_REPOSITORY` is the folder" in local
    card, _ = texts(only(release, "politicians"))
    assert "How to score" not in card


def test_a_licence_that_the_makers_state(empty: Release) -> None:
    empty.pairs([pair("A king", "A queen", licence="unstated", source="a.txt")])
    assert metadata(read_facts(empty.folder, empty.manifest))["license"] == "unknown"
    card, _ = texts(empty)
    assert "| `en-lsg` | not stated |" in card
    one = {"source": "a.txt", "licence": "CC BY 4.0", "evidence": "https://example.org/terms"}
    empty.manifest["about"] = {"licences": [one]}
    assert "from a.txt (CC-BY-4.0)" in said(empty, "rai:dataCollection")
    assert metadata(read_facts(empty.folder, empty.manifest))["license"] == "cc-by-4.0"


def test_a_language_without_a_lexicon_in_the_release(empty: Release) -> None:
    """Its status at the build is told, but never that of another lexicon than the pairs'."""
    record = {
        "name": "Thai", "version": "v9", "coverage": 0.5, "coverage_sentences": 40,
        "coverage_corpus": "c.tsv", "golden": 7, "golden_passed": None, "go": None,
    }  # fmt: skip
    row = crows("A", "B") | {"lang": "th"}
    empty.manifest["lexicons"] = {}
    empty.manifest["languages"] = {"th": record}
    empty.add("th-crows", "crows", schema.CROWS, [row], lang="th", method="crows")
    cells = ["Thai (`th`)", *["not in this release"] * 2, "50.0 % of 40 sentences of c.tsv"]
    line = f"| {' | '.join(cells)} | 7, not run | 0 |"
    assert line in texts(empty)[0]
    empty.manifest["lexicons"] = {"th": "v8"}
    assert "50.0 %" not in texts(empty)[0]


@pytest.mark.parametrize(
    ("names", "words"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_in_words(names: list[str], words: str) -> None:
    assert in_words(names) == words


def test_no_word_of_a_card_depends_on_the_folder(release: Release, tmp_path: Path) -> None:
    assert str(tmp_path) not in "".join(texts(release))

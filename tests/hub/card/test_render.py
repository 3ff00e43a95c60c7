"""The card: what it says, and that no text in the data becomes markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate import schema
from curate.hub.card import check_card, front_matter, render_card, render_citation, render_datasheet
from curate.hub.card.front_matter import split_card
from curate.hub.card.markdown import cell, code, plain_line, tex
from tests.hub.card.conftest import FILL, Release, crows, pair

HOSTILE = [
    "a | b", "\\| c", "`code`", "``` \n# not a heading", "<script>alert(1)</script>", "&lt;b&gt;",
    "[link](https://evil.example)", "![x](y)", "https://evil.example", "www.evil.example",
    "*a* _b_ ~~c~~ **d**", "# heading", "- list", "1. list", "> quote", "---", "--- \na: b", "...",
    "$x^2$", "@somebody", "{{ 7 * 7 }}", "{% raw %}", "key: value", "- [x] done", "\u202eback",
    "a\u2028b", "a\x00b", "a\tb", "'\"", "null", "no", "!!python/object", "%YAML", "&anchor", "*",
    "<!-- ", "-->", "a\n\n| b |", "|---|", "\u0645\u0631\u062d\u0628\u0627 \u2067x",
]  # fmt: skip
MARKS = "|`*_[]<>#-+.:\n\r\t \\{}$@!&~=\"'%"


def body_of(release: Release) -> str:
    path = release.folder / "README.md"
    path.write_text(render_card(release.folder, release.manifest), encoding="utf-8")
    return split_card(path)[1]


def test_what_the_card_says(release: Release) -> None:
    body = body_of(release)
    assert body.lstrip().startswith("> **Content warning.**")
    assert "| `en-lsg` | 3 | 2 | 1 | 2 | 1 | 3 | 1 | 3 |" in body
    assert "| `en-lsg` | `no-gender-word` 2, `duplicate` 1 |" in body
    assert "| `en-lsg` | 3 of 3 | `not-nfc` 2, `not-minimal` 1 |" in body
    assert "**Not checked** by these rules: `en-crows`, `en-msg`." in body
    assert "| `en-crows` | validate: verdict (en) | 0.81 | 0.70 to 0.90 (95 %) | 40 | 3 |" in body
    assert "| `en` | non-binary | 1 |" in body
    assert "**Do not train on it.**" in body
    assert 'load_dataset("me/toy", "en-lsg", split="test", revision="v1.0.0")' in body
    assert "author = {{Ada Example}}" in body
    assert "`en-lsg`: 3 added, 0 removed, 0 changed" in body
    assert "Jeongrok Yu" in body
    assert "| `edits_m` | list of record of start, end, rule |" in body
    assert "Who the people are: not stated" in body


def test_it_counts_anew(release: Release) -> None:
    """No figure is taken from the manifest's own words about the tables."""
    before = body_of(release)
    release.manifest["configs"]["en-lsg"]["rows"] = 999
    release.manifest["runs"]["en-lsg"]["pairs"] = 999
    assert body_of(release) == before


def test_a_release_that_says_nothing(empty: Release) -> None:
    """No about, no checks, no date, no changes: the card says so instead of inventing."""
    empty.pairs([pair("A king", "A queen")])
    body = body_of(empty)
    assert "**Not checked** by these rules: `en-lsg`." in body
    assert "Contact: not stated. Funding: not stated." in body
    assert "The makers of toy" in body
    assert "No earlier version is stated." in body
    assert "How far people agree" not in body
    assert "None" not in body
    assert check_card(empty.folder, empty.manifest) == []


def test_people_without_reliability(release: Release) -> None:
    del release.manifest["reliability"]
    assert "- `en-crows`: no agreement between people is stated." in body_of(release)


def test_politicians_alone(release: Release) -> None:
    keep = release.manifest["configs"]["politicians"]
    release.manifest["configs"] = {"politicians": keep}
    body = body_of(release)
    assert body.lstrip().startswith("> **Content warning.**")
    assert "4 rows for measuring" in body
    assert "Jeongrok Yu" not in body
    assert check_card(release.folder, release.manifest) == []


def poisoned(release: Release, text: str) -> Release:
    """`text` in every place that data can come from."""
    release.pairs(
        [pair(f"{text} he", f"{text} she", source=text, licence=text, fill=FILL | {"model": text})]
    )
    release.add(
        "en-crows", "crows", schema.CROWS, [crows(text, f"{text} x", bias_type=text, source=text)],
        lang="en", method="crows",
    )  # fmt: skip
    release.manifest |= {
        "date": text, "curate": text, "repository": text,
        "about": {
            "title": text, "funding": text, "notes": text, "annotators": text, "purpose": text,
            "maintenance": text, "contact": text, "authors": [{"name": text, "affiliation": text}],
        },
        "checked": {"en-lsg": {"curate": text, "pairs": 1, "codes": {text: 1}}},
        "changes": [
            {"version": text, "level": text, "note": text, "configs": {text: {"added": 1}}}
        ],
    }  # fmt: skip
    record = {"lang": text, "stage": text, "field": text, "people": [], "alpha": {"note": text}}
    release.manifest["reliability"] = {"en-crows": {"agreement": [record]}}
    return release


EXPECTED: dict[str, list[tuple[str, str]]] = {}
"""The structure that plain words give, once."""


def structure(markdown: str) -> list[tuple[str, str]]:
    """The block structure of Markdown with everything that is not text, tables read."""
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    tokens: list[tuple[str, str]] = []
    for token in parser.parse(markdown):
        if token.type == "fence":
            tokens.append(("fence", token.info))
        elif token.type == "inline":
            tokens += [(one.type, "") for one in token.children if one.type not in {"text"}]
        else:
            tokens.append((token.type, token.tag))
    return [one for one in tokens if one[0] not in {"softbreak", "text_special", "code_inline"}]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text(release: Release, text: str) -> None:
    check_poisoned(release, text)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.text(
        st.one_of(st.characters(codec="utf-8"), st.sampled_from(MARKS)),
        min_size=1, max_size=30,
    ).filter(lambda text: bool(text.strip()))
)  # fmt: skip
def test_any_text(release: Release, text: str) -> None:
    check_poisoned(release, text)


def check_poisoned(release: Release, text: str) -> None:
    """Card, datasheet and citation keep their form whatever the text is."""
    if not EXPECTED:
        plain = poisoned(release, "plain words here")
        made = render_card(plain.folder, plain.manifest).partition("\n---\n")[2]
        EXPECTED["card"] = structure(made)
        EXPECTED["sheet"] = structure(render_datasheet(plain.folder, plain.manifest))
    ours = poisoned(release, text)
    card = render_card(ours.folder, ours.manifest)
    sheet = render_datasheet(ours.folder, ours.manifest)
    title = yaml.safe_load(render_citation(ours.folder, ours.manifest))["title"]
    assert title == plain_line(text)
    path = ours.folder / "README.md"
    path.write_text(card, encoding="utf-8", newline="\n")
    assert front_matter(path)["pretty_name"] == plain_line(text)
    body = split_card(path)[1]
    assert structure(body) == EXPECTED["card"]
    assert structure(sheet) == EXPECTED["sheet"]


@given(st.text(max_size=60))
def test_a_cell_shows_its_text(text: str) -> None:
    """What a reader of Markdown shows is the text on one line, in a table and outside."""
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    escaped = cell(text)
    assert "|" not in escaped
    assert "\n" not in escaped
    (row,) = parser.parse(f"| a |\n|---|\n| x{escaped}x |\n")[-5:-4] or [None]
    shown: list[Any] = [
        child.content
        for token in parser.parse(f"| a |\n|---|\n| x{escaped}x |\n")
        if token.type == "inline"
        for child in token.children
    ]
    line = " ".join(text.split())
    hidden = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
    assert "".join(shown)[1:] == f"x{hidden.sub(chr(0xFFFD), line)}x"
    assert row is not None


def test_long_text_is_cut() -> None:
    assert cell("a" * 500).endswith("…")
    assert len(cell("a" * 500)) == 400


def test_names_as_code() -> None:
    assert code("not-minimal") == "`not-minimal`"
    assert "`" not in code("a`b")


@given(st.text(max_size=40))
def test_braces_in_bibtex_balance(text: str) -> None:
    bare = tex(text).replace("\\{", "").replace("\\}", "")
    assert bare.count("{") == bare.count("}")
    assert "\n" not in bare
    assert "`" not in bare

"""The translators' pages: one for each language, safe, and written the right way round."""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest

from curate.annotation.guidelines import direction, guideline_html, language_title
from curate.errors import InputError, UsageError
from curate.language.identify import load_identifier
from curate.lexicon import load_lexicon
from curate.resources import annotation_folder

PAGES = sorted(path.name.split(".")[1] for path in annotation_folder().glob("translators.*.md"))
OWN = [lang for lang in PAGES if lang != "en"]
SAFE = {
    "div", "h1", "h2", "h3", "p", "ul", "ol", "li", "strong", "em", "code", "a",
    "table", "thead", "tbody", "tr", "th", "td", "br",
}  # fmt: skip


class Tags(HTMLParser):
    """Collects tags with their attributes, and complains about one that is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags_of(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.tags


def folder_with(monkeypatch: pytest.MonkeyPatch, folder: Path, pages: dict[str, bytes]) -> None:
    for lang, page in pages.items():
        (folder / f"translators.{lang}.md").write_bytes(page)
    monkeypatch.setattr("curate.annotation.guidelines.annotation_folder", lambda: folder)


def test_the_promised_languages_have_a_page() -> None:
    wanted = {
        "en",
        "de",
        "es",
        "fr",
        "it",
        "pt",
        "ar",
        "ru",
        "zh",
        "hi",
        "fi",
        "sv",
        "id",
        "th",
        "ja",
    }
    assert wanted <= set(PAGES)


@pytest.mark.parametrize("lang", PAGES)
def test_a_page_is_plain_safe_html(lang: str) -> None:
    html = guideline_html(lang)
    tags = tags_of(html)
    assert tags[0] == ("div", {"lang": lang, "dir": direction(lang)})
    assert {tag for tag, _ in tags} <= SAFE
    assert sum(tag == "h1" for tag, _ in tags) == 1
    assert "**" not in html, "emphasis that Markdown did not understand"
    assert "`" not in html


@pytest.mark.parametrize("lang", OWN)
def test_a_page_keeps_to_the_form(lang: str) -> None:
    """It is a page long, has the same examples' table, and names the choices as the form does."""
    text = (annotation_folder() / f"translators.{lang}.md").read_text(encoding="utf-8")
    assert 60 <= len(text.splitlines()) <= 110
    assert max(map(len, text.splitlines())) <= 160
    assert unicodedata.is_normalized("NFC", text)
    assert "translators.en.md" in text
    for choice in ("Meaning", "Grammar", "Culture", "name", "food", "place", "other"):
        assert f"**{choice}**" in text
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", text, flags=re.MULTILINE)
    assert len(rows) == 5  # the head has an empty cell
    assert all(first != second for first, second, _ in rows)


@pytest.mark.parametrize("lang", OWN)
def test_a_page_is_in_its_language(lang: str) -> None:
    """The language of the page as our own identifier tells it, marks of the form taken out."""
    text = (annotation_folder() / f"translators.{lang}.md").read_text(encoding="utf-8")
    found = load_identifier().identify([re.sub(r"[*`|]", " ", text)], PAGES)[0]
    assert max(found, key=lambda one: found[one]) == lang


def test_a_parents_page_then_the_master() -> None:
    assert guideline_html("pt-BR") == guideline_html("pt")
    assert guideline_html("pt_br") == guideline_html("pt")
    assert guideline_html("zh-Hant-TW") == guideline_html("zh")
    assert guideline_html("sw") == guideline_html("en")
    assert guideline_html("he").startswith('<div lang="en" dir="ltr">')


def test_a_page_of_ones_own_may_not_run_or_load_anything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = (
        "# Page\n\n<script>alert(1)</script> <img src=x onerror=alert(2)>\n\n"
        "[link](javascript:alert(3)) ![picture](http://127.0.0.1/x.png)\n\n"
        "<iframe src='http://127.0.0.1'></iframe>\n"
    )
    folder_with(monkeypatch, tmp_path, {"en": page.encode()})
    tags = tags_of(guideline_html("en"))
    assert {tag for tag, _ in tags} <= {"div", "h1", "p", "a"}
    assert not any("javascript" in str(attributes) for _, attributes in tags)


def test_lines_of_wide_characters_are_joined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = "第一行，\n第二行 word\n第三行\nword **字**\n字\n"
    folder_with(monkeypatch, tmp_path, {"zh": page.encode()})
    body = guideline_html("zh").split("<p>")[1]
    assert body.startswith("第一行，第二行 word\n第三行\nword <strong>字</strong>\n字")


def test_pages_that_cannot_be_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no language tag"):
        guideline_html("not a tag")
    folder_with(monkeypatch, tmp_path, {})
    with pytest.raises(UsageError, match="missing"):
        guideline_html("de")
    folder_with(monkeypatch, tmp_path, {"de": b"\xff\xfe"})
    with pytest.raises(InputError) as caught:
        guideline_html("de")
    assert caught.value.where.endswith("translators.de.md")


@pytest.mark.parametrize("lang", OWN)
def test_direction_and_title_are_those_of_the_lexicon(lang: str) -> None:
    assert direction(lang) == load_lexicon(lang).config.direction
    config = load_lexicon(lang).config
    assert language_title(lang) == f"{config.name} · {config.endonym}"


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("ar", "rtl"), ("ar-EG", "rtl"), ("he", "rtl"), ("fa", "rtl"), ("ur", "rtl"),
        ("dv", "rtl"), ("ku-Arab", "rtl"), ("de", "ltr"), ("sw", "ltr"), ("ku", "ltr"),
        ("ar-Latn", "ltr"), ("zh-Hant-TW", "ltr"), ("pa", "ltr"), ("pa-Arab", "rtl"),
    ],
)  # fmt: skip
def test_direction_without_a_lexicon_is_that_of_the_script(lang: str, expected: str) -> None:
    assert direction(lang) == expected


def test_titles() -> None:
    assert language_title("de") == "German · Deutsch"
    assert language_title("ar") == "Arabic · العربية"
    assert language_title("en") == "English"
    assert language_title("DE") == "German · Deutsch"
    with pytest.raises(UsageError):
        language_title("deutsch!")


def test_titles_without_the_package_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert language_title("pt-BR") == "Portuguese · português (pt-BR)"
    assert language_title("sw") == "sw"


def test_titles_with_the_package_of_names() -> None:
    pytest.importorskip("language_data")
    assert language_title("sw") == "Swahili · Kiswahili"
    assert language_title("pt-BR").startswith("Portuguese (Brazil) · ")


def test_a_broken_lexicon_does_not_stop_a_title(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "he").mkdir()
    (tmp_path / "he" / "language.toml").write_text("name = ", encoding="utf-8")
    monkeypatch.setenv("CURATE_LEXICONS", str(tmp_path))
    assert direction("he") == "rtl"
    assert "he" in language_title("he").lower()

"""The translators' pages as HTML, and how a language is called and written."""

from __future__ import annotations

import importlib.util
import tomllib
import unicodedata
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import langcodes

from curate.errors import InputError, UsageError
from curate.language.scripts import RIGHT_TO_LEFT
from curate.resources import annotation_folder, lexicons_folder

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["direction", "guideline_html", "language_title", "page_html"]

MASTER = "en"


def guideline_html(lang: str) -> str:
    """``annotation/translators.<lang>.md`` as HTML inside one ``div`` with `lang` and `dir`.

    A tag without a page of its own gets its parent's (pt-BR: pt), and last the English master.
    Raw HTML and pictures in a page are shown as text, so nothing of it runs or loads. Raises
    UsageError for what is no language tag, InputError for a page that is not UTF-8.
    """
    folder = annotation_folder()
    for tag in (*_with_parents(lang), MASTER):
        path = folder / f"translators.{tag}.md"
        if path.is_file():
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise InputError("the page is not UTF-8", where=path) from error
            return page_html(text, tag)
    raise UsageError(
        "the translators' guidelines are missing from this installation",
        where=folder,
        hint="reinstall gender-curate",
    )


def page_html(text: str, lang: str) -> str:
    """A page in Markdown as HTML in one ``div``; raw HTML and pictures are shown as text."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = markdown.parse(text)
    for token in tokens:
        _join_wide_lines(token.children or [])
    body = markdown.renderer.render(tokens, markdown.options, {})
    return f'<div lang="{escape(lang)}" dir="{direction(lang)}">\n{body}</div>\n'


def _join_wide_lines(inline: list[Token]) -> None:
    """Drop line breaks between Chinese or Japanese characters, where a browser puts a space."""
    for before, gap, after in zip(inline, inline[1:], inline[2:], strict=False):
        edges = before.content[-1:], after.content[:1]
        if gap.type == "softbreak" and all(
            edge and unicodedata.east_asian_width(edge) in {"W", "F"} for edge in edges
        ):
            gap.type, gap.content = "text", ""


def language_title(lang: str) -> str:
    """The language in English and in itself: ``German · Deutsch``.

    From the language's own ``language.toml``; else from langcodes, where its package of names
    (``language_data``) is installed; else the parent's name with the tag: ``Portuguese ·
    português (pt-BR)``. A language that nothing knows is called by its tag.
    """
    tags = _with_parents(lang)
    own = _described(tags[0])
    if own:
        return _titled(own)
    if importlib.util.find_spec("language_data") is not None:
        language = langcodes.Language.get(lang)
        return _titled({"name": language.display_name("en"), "endonym": language.autonym()})
    for tag in tags[1:]:
        parent = _described(tag)
        if parent:
            return f"{_titled(parent)} ({tags[0]})"
    return tags[0]


def direction(lang: str) -> Literal["ltr", "rtl"]:
    """Which way the language is written: as its ``language.toml`` says, else by its script.

    A tag that names another script than the lexicon's (pa-Arab) goes by that script.
    """
    language = langcodes.Language.get(_with_parents(lang)[0])
    for tag in _with_parents(lang):
        described = _described(tag)
        said = described.get("direction")
        if said in {"ltr", "rtl"} and language.script in {None, described.get("script")}:
            return "rtl" if said == "rtl" else "ltr"
    return "rtl" if language.maximize().script in RIGHT_TO_LEFT else "ltr"


def _with_parents(lang: str) -> list[str]:
    """The tag in its usual spelling, then ever broader ones: zh-Hant-TW, zh-TW, zh-Hant, zh."""
    if not langcodes.tag_is_valid(lang):
        raise UsageError(f"{lang!r} is no language tag", hint="BCP-47: de, ar, pt-BR")
    broader = langcodes.Language.get(lang, normalize=False).broader_tags()
    return [tag for tag in broader if tag.partition("-")[0] != "und"]


def _described(tag: str) -> dict[str, Any]:
    """The top of ``lexicons/<tag>/language.toml``; empty where there is none that can be read."""
    try:
        text = (lexicons_folder() / tag / "language.toml").read_text(encoding="utf-8")
        return tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}  # `curate lexicon check` reports it; a title needs no lexicon


def _titled(names: dict[str, Any]) -> str:
    name = str(names.get("name", ""))
    endonym = str(names.get("endonym", ""))
    return " · ".join(dict.fromkeys(filter(None, (name, endonym))))

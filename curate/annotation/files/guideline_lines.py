"""The translators' page as lines of plain text, for a sheet."""

from __future__ import annotations

from html.parser import HTMLParser

from curate.annotation.guidelines import guideline_html

__all__ = ["guideline_lines", "page_lines"]

_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_BLOCKS = _HEADINGS | {"p", "li", "tr", "pre", "blockquote"}
_CELLS = frozenset({"td", "th"})


def guideline_lines(lang: str) -> tuple[list[tuple[str, bool]], str]:
    """(text, is a heading) for each paragraph, point and row, and the direction of the page."""
    return page_lines(guideline_html(lang))


def page_lines(page: str) -> tuple[list[tuple[str, bool]], str]:
    """The lines of a page of HTML as `guideline_html` gives it."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end_line()
    return reader.lines, reader.direction


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[str, bool]] = []
        self.direction = "ltr"
        self._parts: list[str] = []
        self._heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.direction = dict(attrs).get("dir") or self.direction
        if tag in _BLOCKS:
            if self._parts != ["• "]:  # a paragraph inside a point goes on with it
                self.end_line()
            self._heading = tag in _HEADINGS
            if tag == "li":
                self._parts.append("• ")
        elif tag in _CELLS and self._parts:
            self._parts.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if data.strip() or self._parts:
            self._parts.append(data)

    def end_line(self) -> None:
        """Take what was gathered as one line."""
        text = " ".join("".join(self._parts).split())
        if text.strip("•| "):
            self.lines.append((text, self._heading))
        self._parts, self._heading = [], False

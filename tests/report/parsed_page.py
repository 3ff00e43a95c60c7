"""A page of the report, read: is it whole, what does it show, where does it lead."""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["ParsedPage"]


class ParsedPage(HTMLParser):
    """Tags that stay open, marked words, links, ids, rows of tables and the visible text."""

    VOID = frozenset({"meta", "link", "br", "img", "rect", "line", "circle", "polyline"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.marks: list[str] = []
        self.classes: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = dict(attrs)
        self.ids += [str(named["id"])] if "id" in named else []
        self.links += [str(named[name]) for name in ("href", "src") if name in named]
        self.classes += (named.get("class") or "").split()
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
        if tag == "br":
            self.handle_data(" ")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["mark"]:
            self.marks.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {data}".split())
        if "style" not in self.open:
            self.text += data

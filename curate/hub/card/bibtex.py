"""How to cite a release in BibTeX."""

from __future__ import annotations

import re

from curate.hub.card.facts import Facts
from curate.hub.card.markdown import tex

__all__ = ["bibtex", "makers", "repository_link"]


def makers(facts: Facts) -> str:
    """Who to name where no author is stated."""
    return f"The makers of {facts.title}"


def repository_link(facts: Facts) -> str:
    """Where the release lies on the Hub; its home page where it is not there; else empty."""
    if re.fullmatch(r"[\w.-]+/[\w.-]+", facts.repository):
        return f"https://huggingface.co/datasets/{facts.repository}"
    return facts.about.homepage or ""


def bibtex(facts: Facts) -> str:
    """An entry of the type ``misc``; the year is that of the release's date, where it has one."""
    names = [one.name for one in facts.about.authors] or [makers(facts)]
    fields = {
        "title": f"{{{tex(facts.title)}}}",
        "author": " and ".join(f"{{{tex(name)}}}" for name in names),
        "year": facts.date[:4] if re.match(r"\d{4}-", facts.date) else "",
        "version": tex(facts.version),
        "doi": facts.about.doi or "",
        # \url takes its text as it stands
        "howpublished": rf"\url{{{repository_link(facts)}}}" if repository_link(facts) else "",
    }
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"{facts.name}-{facts.version}").strip("-").lower()
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{key},\n{body}}}"

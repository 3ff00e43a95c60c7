"""The known licences, ``hub_cards/licences.tsv``, and the many ways to write their names."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from curate.errors import InputError
from curate.resources import hub_cards_folder

__all__ = ["Licence", "find_licence", "known_licences", "one_line"]

TABLE = "licences.tsv"
_COLUMNS = [
    "id", "hub", "spdx", "redistribute", "derivatives", "share_alike", "non_commercial",
    "attribution", "url", "aliases",
]  # fmt: skip
_UNSTATED = "unstated"
_ANSWERS = frozenset({"yes", "no", "ask"})


@dataclass(frozen=True)
class Licence:
    """A licence; `hub` and `spdx` are its names on the Hub and in SPDX (empty: it has none).

    `redistribute` and `derivatives` are yes, no or ask (its text alone does not settle it);
    `share_alike` names the family whose later versions it may be exchanged for.
    """

    id: str
    name: str
    hub: str = "other"
    spdx: str = ""
    redistribute: str = "ask"
    derivatives: str = "ask"
    share_alike: str = ""
    non_commercial: bool = False
    attribution: bool = True
    url: str = ""

    @property
    def known(self) -> bool:
        """Whether its text, or somebody who has read it, settles both questions."""
        return "ask" not in {self.redistribute, self.derivatives}


@lru_cache(maxsize=4)
def _table(path: Path) -> tuple[dict[str, Licence], dict[str, str]]:
    """The licences by id, and the ids by every other way to write them."""
    licences: dict[str, Licence] = {}
    aliases: dict[str, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if reader.fieldnames != _COLUMNS:
            raise InputError(f"its columns must be {' '.join(_COLUMNS)}", where=path)
        for row in reader:
            answers = {row["redistribute"], row["derivatives"]}
            if not answers <= _ANSWERS:
                raise InputError(f"{row['id']}: yes, no or ask", where=path)
            cells = {key: "" if value == "-" else value for key, value in row.items()}
            licences[row["id"]] = Licence(
                id=row["id"],
                name=cells["spdx"] or row["id"],
                hub=cells["hub"],
                spdx=cells["spdx"],
                redistribute=row["redistribute"],
                derivatives=row["derivatives"],
                share_alike=cells["share_alike"],
                non_commercial=row["non_commercial"] == "yes",
                attribution=row["attribution"] == "yes",
                url=cells["url"],
            )
            for alias in (row["id"], cells["url"], *cells["aliases"].split("|")):
                if alias:
                    aliases[_plain(alias)] = row["id"]
    return licences, aliases


def known_licences() -> dict[str, Licence]:
    """The licences of the table by id."""
    return _table(hub_cards_folder() / TABLE)[0]


def find_licence(text: str) -> Licence:
    """The licence that `text` names; one that has to be asked about where the table lacks it."""
    licences, aliases = _table(hub_cards_folder() / TABLE)
    plain = _plain(text)
    found = licences.get(aliases.get(plain, ""))
    if found is None and plain in {"", _UNSTATED}:
        return Licence(id=_UNSTATED, name=_UNSTATED, hub="unknown")
    return found or Licence(id=plain, name=one_line(text))


# A web address, without the part that names a country, a translation or the form of the text.
_LINK = re.compile(r"https?://(?:www\.)?(.+?)(?:/[a-z]{2})?(?:/(?:deed|legalcode)(?:\.\w+)?)?/?")
_WORDS = {
    "creative commons": "cc", "attribution": "by", "noncommercial": "nc", "non commercial": "nc",
    "no derivatives": "nd", "noderivatives": "nd", "noderivs": "nd", "sharealike": "sa",
    "share alike": "sa", "international": "", "unported": "", "generic": "", "deed": "",
}  # fmt: skip


def _plain(text: str) -> str:
    """One way to write a licence's name: ``CC BY-SA 4.0`` and its web address are one."""
    lowered = " ".join(text.lower().split())
    if match := _LINK.fullmatch(lowered):
        return match[1]
    spaced = " ".join(re.split(r"[\s\-_/,()]+", lowered))
    for words, short in _WORDS.items():
        spaced = re.sub(rf"\b{words}\b", short, spaced)
    return re.sub(r"-+", "-", "-".join(spaced.split())).strip("-")


def one_line(text: str) -> str:
    """`text` on one line, cut short where it is long."""
    joined = " ".join(text.split())
    return joined if len(joined) <= 60 else joined[:59] + "…"

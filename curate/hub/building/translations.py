"""Pairs of the CrowS-Pairs family: a configuration a language, ``de-crows``.

They come from a campaign of `curate translate` (what its people settled, never a draft), or from
`curate crows import` and `names`. Who judged stays behind: no pseudonym goes into a release.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.errors import InputError
from curate.hub.building.parquet import read_columns, rows_of, stream
from curate.hub.building.part import Part, checked_config, language_of, read_json
from curate.hub.layout import CROWS, pair_config

__all__ = ["CAMPAIGN_FILE", "CROWS_FILE", "read_campaign", "read_crows_folder"]

CAMPAIGN_FILE, CROWS_FILE = "campaign.json", "crows.parquet"
_DROPS, _UNITS, _RELIABILITY = "drops.parquet", "units.parquet", "reliability.json"
_KEPT = ("source_lang", "passes", "overlap", "max_rounds")


def read_campaign(folder: Path) -> Iterator[Part]:
    """The languages of a campaign that have settled pairs, with the people and their agreement.

    The figures of reliability are those that ``reliability.json`` holds, as `curate translate
    reliability --json` prints them; of two people by name there are none in a release.
    """
    settings = read_json(folder / CAMPAIGN_FILE)
    langs = settings.get("langs")
    if not isinstance(langs, list):
        raise InputError("no languages in it", where=folder / CAMPAIGN_FILE)
    paths = {lang: folder / lang / CROWS_FILE for lang in map(str, langs)}
    found = [lang for lang, path in paths.items() if path.is_file() and rows_of(path)]
    if not found:
        raise InputError(
            "people have settled no pair of this campaign yet", where=folder,
            hint=f"curate translate pull {folder} brings the answers",
        )  # fmt: skip
    for lang in found:
        path = paths[lang]
        if set(_langs(path)) - {lang}:
            raise InputError(f"pairs of another language than {lang!r}", where=path)
        about = {"config": {name: settings[name] for name in _KEPT if name in settings}}
        yield _part(
            path, lang, drops=folder / lang / _DROPS,
            about={**about, **_people(folder / _UNITS, lang)},
            reliability=_reliability(folder / _RELIABILITY, lang),
        )  # fmt: skip


def read_crows_folder(folder: Path) -> Iterator[Part]:
    """The languages of ``crows.parquet``, as `curate crows import` or `names` wrote it."""
    path = folder / CROWS_FILE
    langs = _langs(path)
    if not langs:
        raise InputError("no pairs in it", where=path)
    for lang in langs:
        # the drops name no language: they go with the first
        drops = folder / _DROPS if lang == langs[0] else None
        yield _part(path, lang, drops=drops, about={}, drop_lang=language_of(langs))


def _part(
    path: Path,
    lang: str,
    *,
    drops: Path | None,
    about: dict[str, Any],
    drop_lang: str = "",
    reliability: dict[str, Any] | None = None,
) -> Part:
    there = drops if drops is not None and drops.is_file() else None
    counts = {
        "pairs": sum(table.num_rows for table in _of_language(path, lang)),
        "drops": rows_of(there) if there else 0,
    }
    return Part(
        config=checked_config(pair_config(lang, CROWS), lang, where=path),
        kind=CROWS,
        lang=lang,
        method=CROWS,
        folder=path.parent,
        tables=lambda: _of_language(path, lang),
        about={"lang": lang, "method": CROWS, **counts, **about},
        drops=there,
        drop_lang=drop_lang,
        reliability=reliability or {},
    )


def _langs(path: Path) -> list[str]:
    found: set[str] = set()
    for table in read_columns(path, ["lang"]):
        found.update(table.column("lang").unique().to_pylist())
    return sorted(map(str, found))


def _of_language(path: Path, lang: str) -> Iterator[pa.Table]:
    for table in stream(path, schema.CROWS):
        yield table.filter(pc.equal(table.column("lang"), lang))


def _people(units: Path, lang: str) -> dict[str, Any]:
    """How many units of a language are in which state, and how many people wrote and judged."""
    if not units.is_file():
        return {}
    columns = ("lang", "state", "translator", "validator")
    table = pa.concat_tables(read_columns(units, columns)) if rows_of(units) else None
    if table is None:
        return {}
    own = table.filter(pc.equal(table.column("lang"), lang))
    counts = own.group_by("state").aggregate([([], "count_all")]).to_pylist()
    people = {
        f"{role}s": len(set(own.column(role).unique().to_pylist()) - {"", None})
        for role in ("translator", "validator")
    }
    return {
        "states": {row["state"]: row["count_all"] for row in counts},
        "annotators": people,
    }


def _reliability(path: Path, lang: str) -> dict[str, Any]:
    """The figures of a language over all people together."""
    if not path.is_file():
        return {}
    content = read_json(path)
    found: dict[str, Any] = {}
    for name in ("agreement", "verdicts", "corrections"):
        records = content.get(name, [])
        if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
            hint = "curate translate reliability CAMPAIGN --json > CAMPAIGN/reliability.json"
            raise InputError(f"{name} is no list of figures", where=path, hint=hint)
        own = [one for one in records if one.get("lang") == lang and not _names_people(one)]
        found |= {name: own} if own else {}
    if found and "seed" in content:
        found["seed"] = content["seed"]
    return found


def _names_people(record: dict[str, Any]) -> bool:
    return any(record.get(role) for role in ("people", "translator", "validator"))

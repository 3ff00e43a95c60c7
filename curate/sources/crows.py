"""Pairs of the CrowS-Pairs family, from any layout to `schema.CROWS`; bad rows become drops."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from curate import schema
from curate.errors import InputError, UsageError
from curate.language import NO_TEXT, normalize
from curate.sources.crows_layouts import LAYOUTS, RawRow, read_layout
from curate.sources.decoding import mend_mojibake
from curate.sources.files import plain_suffix
from curate.sources.lines import LINE_LIMIT
from curate.sources.tables import read_parquet, read_parquet_schema

__all__ = ["CROWS_FILE", "DIRECTIONS", "CrowsFile", "count_drops", "read_crows"]

CROWS_FILE = "crows.parquet"
"""The pairs in a folder that `curate crows` writes."""

DIRECTIONS = ("stereo", "antistereo")
STAGE = "crows-import"


@dataclass(frozen=True)
class CrowsFile:
    """What a file held: `schema.CROWS`, `schema.DROPS`, and how many texts were `mended`."""

    table: pa.Table
    drops: pa.Table
    layout: str
    rows: int
    mended: int = 0


def read_crows(
    path: Path,
    *,
    lang: str = "",
    layout: str = "auto",
    source: str = "",
    licence: str = "unstated",
) -> CrowsFile:
    """Read a file of `crows_layouts`, or ours (a file or a folder that holds ``crows.parquet``).

    `lang` is the language of a file that names none, and picks one of a file that names several.
    Texts are put in NFC, white space at their ends is cut off, and mojibake is mended where that is
    certain. Rows with a problem are in `drops`: ``cell-count``, ``empty-cell``, ``equal-sides``,
    ``bad-direction``, ``control-characters``, ``mojibake``, ``too-long``, ``duplicate``, and
    ``unrelated`` (a sentence of StereoSet that is on neither side).

    Raises InputError for what is no such file, UsageError for a language that is missing.
    """
    path = Path(path)
    if path.is_dir():
        path = path / CROWS_FILE
    if plain_suffix(path) == ".parquet":
        return _ours(path, lang)
    if layout not in {"auto", *LAYOUTS}:
        raise UsageError(f"unknown format {layout!r}", hint=f"auto, {', '.join(LAYOUTS)}")
    found, raws = read_layout(path, layout)
    raws = _in_language(path, raws, lang)
    collected = _Collected(source or path.name, licence)
    for raw in raws:
        collected.add(raw, _language(raw.locale) or lang)
    return collected.result(found, rows=len(raws))


def _ours(path: Path, lang: str) -> CrowsFile:
    names = set(read_parquet_schema(path).names)
    missing = [field.name for field in schema.CROWS if field.name not in names]
    if missing:
        raise InputError(
            f"no column {missing[0]!r}: no table of `curate crows import`",
            where=path,
            hint="curate crows import FILE --out NEW.parquet",
        )
    table = read_parquet(path, wanted=schema.CROWS.names)
    try:
        table = table.cast(schema.CROWS)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise InputError(f"columns of other types than ours ({error})", where=path) from error
    langs = sorted(set(table.column("lang").to_pylist()))
    if lang and lang not in langs:
        raise InputError(f"no pairs in {lang!r} here; there are: {', '.join(langs)}", where=path)
    if lang:
        wanted = [own == lang for own in table.column("lang").to_pylist()]
        table = table.filter(pa.array(wanted, pa.bool_()))
    return CrowsFile(table, schema.DROPS.empty_table(), "ours", table.num_rows)


def _language(locale: str) -> str:
    """The language of a locale: ``en_US`` is ``en``, as the lexicons are named."""
    return re.split("[_-]", locale)[0].lower()


def _in_language(path: Path, raws: list[RawRow], lang: str) -> list[RawRow]:
    locales = sorted({raw.locale for raw in raws} - {""})
    if not locales:
        if not lang:
            raise UsageError("the file does not name its language", where=path, hint="--lang en")
        return raws
    if not lang:
        return raws
    kept = [raw for raw in raws if lang in {raw.locale, _language(raw.locale)}]
    if not kept:
        raise InputError(f"no columns for {lang!r}; there are: {', '.join(locales)}", where=path)
    return kept


class _Collected:
    """Good rows and drops, in the order of the file."""

    def __init__(self, source: str, licence: str) -> None:
        self._source, self._licence = source, licence
        self._rows: list[dict[str, object]] = []
        self._drops: list[dict[str, object]] = []
        self._seen: dict[str, str] = {}
        self._mended = 0

    def add(self, raw: RawRow, lang: str) -> None:
        more, less, problem = self._texts(raw)
        pair_id = schema.pair_id(lang, "import", more, less)
        if problem is None and pair_id in self._seen:
            problem = ("duplicate", f"the same two texts as id {self._seen[pair_id]}")
        if problem is not None:
            self._drop(raw, lang, more, *problem)
            return
        self._seen[pair_id] = raw.source_id
        source = f"{self._source}:{raw.locale}" if raw.locale else self._source
        self._rows.append(
            {
                "pair_id": pair_id, "lang": lang, "sent_more": more, "sent_less": less,
                "stereo_antistereo": raw.direction.strip().lower(),
                "bias_type": raw.bias.strip(), "source_id": raw.source_id, "round": 0,
                "source": source, "licence": self._licence,
            }
        )  # fmt: skip

    def _texts(self, raw: RawRow) -> tuple[str, str, tuple[str, str] | None]:
        """The two sides as they are kept, and what is wrong with the row."""
        if raw.problem is not None:
            return "", "", raw.problem
        sides = []
        for name, cell in (("sent_more", raw.more), ("sent_less", raw.less)):
            text, state = mend_mojibake(cell)
            if state == "broken":
                return "", "", ("mojibake", f"{name}: {_shown(cell)}")
            if len(text) > LINE_LIMIT:
                return "", "", ("too-long", f"{name}: {len(text)} characters")
            bad = NO_TEXT.search(text)
            if bad:
                return "", "", ("control-characters", f"{name}: U+{ord(bad[0]):04X}")
            self._mended += state == "mended"
            sides.append(normalize(text).strip())
        more, less = sides
        return more, less, _problem(more, less, raw.direction)

    def _drop(self, raw: RawRow, lang: str, text: str, code: str, detail: str) -> None:
        sent_id = schema.sentence_id(lang, text) if text else ""
        detail = f"id {raw.source_id}: {detail}"
        self._drops.append(
            {"sent_id": sent_id, "row": raw.row, "stage": STAGE, "code": code, "detail": detail}
        )

    def result(self, layout: str, *, rows: int) -> CrowsFile:
        empty = {"masculine": None, "feminine": None}
        table = pa.Table.from_pylist([empty | row for row in self._rows], schema=schema.CROWS)
        drops = pa.Table.from_pylist(self._drops, schema=schema.DROPS)
        return CrowsFile(table, drops, layout, rows, self._mended)


def _problem(more: str, less: str, direction: str) -> tuple[str, str] | None:
    for name, text in (("sent_more", more), ("sent_less", less)):
        if not text:
            return "empty-cell", name
    if more == less:
        return "equal-sides", _shown(more)
    if direction.strip().lower() not in DIRECTIONS:
        return "bad-direction", f"{_shown(direction)!r} is neither {' nor '.join(DIRECTIONS)}"
    return None


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def count_drops(drops: pa.Table) -> dict[str, int]:
    """How many rows were dropped for each reason, most first."""
    return dict(Counter(drops.column("code").to_pylist()).most_common())

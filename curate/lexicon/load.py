"""Load a language's folder into a `Lexicon`."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from curate.errors import LexiconError, UsageError
from curate.language import expand_features
from curate.lexicon.collecting import collection_paused
from curate.lexicon.grammar import read_grammar, read_toml
from curate.lexicon.model import (
    AgreementRow,
    Config,
    ContextWord,
    GoldenRow,
    Lexicon,
    Name,
    PairRow,
    voted_out,
)
from curate.lexicon.structure import structural_problems
from curate.lexicon.tables import Problems, read_cells, read_rows, read_text
from curate.resources import lexicons_folder

__all__ = ["available_languages", "load_lexicon", "read_lexicon"]

FILES = (
    "language.toml",
    "pairs.tsv",
    "agreement.tsv",
    "agreement.toml",
    "names.tsv",
    "context.tsv",
    "golden.tsv",
    "SOURCES.md",
)
PAIR_COLUMNS = PairRow._fields[:-1]  # the last is the line
_FEATS, _FLAGS, _VOTES = map(PAIR_COLUMNS.index, ("feats", "flags", "votes"))
_FOR_AND_AGAINST = re.compile(r"\d+:\d+")


def available_languages() -> list[str]:
    """Tags of all languages that have a folder with a language.toml."""
    return sorted(p.parent.name for p in lexicons_folder().glob("*/language.toml"))


@lru_cache(maxsize=32)
@collection_paused()
def load_lexicon(lang: str) -> Lexicon:
    """The lexicon of `lang`.

    Raises UsageError for a language that has no folder, LexiconError for one that is broken.
    """
    if lang not in available_languages():
        known = ", ".join(available_languages())
        raise UsageError(f"unknown language {lang!r}", hint=f"known languages: {known}")
    problems = Problems(lang)
    lexicon = read_lexicon(lexicons_folder() / lang, problems)
    if lexicon is not None:
        structural_problems(lexicon, problems)
    if lexicon is None or problems.found:
        first = problems.found[0]
        more = f" (and {len(problems.found) - 1} more)" if len(problems.found) > 1 else ""
        raise LexiconError(f"{first}{more}", hint=f"curate lexicon check {lang}")
    return lexicon


def read_lexicon(folder: Path, problems: Problems) -> Lexicon | None:
    """Read what can be read; None where language.toml itself cannot."""
    data = read_toml(folder / "language.toml", problems)
    if data is None:
        return None
    config = _config(data, problems)
    segments = folder / "segments.txt"
    rows = _pairs(folder / "pairs.tsv", problems)
    pairs = tuple(row for row in rows if not voted_out(row.votes))
    return Lexicon(
        segments=tuple((read_text(segments, problems) or "").split()) if segments.exists() else (),
        config=config,
        version=_version(folder),
        pairs=pairs,
        voted_out=tuple(row for row in rows if voted_out(row.votes)),
        agreement=tuple(_agreement(folder / "agreement.tsv", problems)),
        grammar=read_grammar(folder / "agreement.toml", problems, pairs),
        names=tuple(_names(folder / "names.tsv", problems)),
        context=tuple(
            ContextWord(row["form"], row["gender"], row["note"])
            for _, row in read_rows(folder / "context.tsv", ("form", "gender", "note"), problems)
        ),
        golden=tuple(
            GoldenRow(row["sentence"], row["direction"], row["expected"], row["note"], line)
            for line, row in read_rows(
                folder / "golden.tsv", ("sentence", "direction", "expected", "note"), problems
            )
        ),
    )


def _config(data: dict[str, Any], problems: Problems) -> Config:
    def text(key: str) -> str:
        value = data.get(key)
        if not isinstance(value, str) or not value:
            problems.add("language.toml", 0, f"{key} is missing")
            return ""
        return value

    return Config(
        tag=text("tag"),
        name=text("name"),
        endonym=text("endonym"),
        script=text("script"),
        direction=text("direction"),
        segmentation=text("segmentation"),
        tokens=_expression(data.get("tokens", ""), problems),
        marks=str(data.get("marks", "")),
        gendered=bool(data.get("gendered", False)),
        order=data.get("order", {}),
        parsers=data.get("parsers", {}),
        coverage=data.get("coverage", {}),
        review=data.get("review", {}),
    )


def _expression(value: object, problems: Problems) -> str:
    try:
        re.compile(str(value))
    except re.error as error:
        problems.add("language.toml", 0, f"tokens: {error}")
        return ""
    return str(value)


def _pairs(path: Path, problems: Problems) -> list[PairRow]:
    rows = []
    for line, cells in read_cells(path, PAIR_COLUMNS, problems):
        if _bad_features(cells[_FEATS], path.name, line, problems):
            continue
        votes = cells[_VOTES]
        if votes and not _FOR_AND_AGAINST.fullmatch(votes):
            problems.add(path.name, line, f"votes {votes!r} are not for:against (2:1)")
            continue
        flags = _flags(cells[_FLAGS])
        rows.append(PairRow._make((*cells[:_FLAGS], flags, *cells[_FLAGS + 1 :], line)))
    return rows


@lru_cache(maxsize=1024)
def _flags(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def _agreement(path: Path, problems: Problems) -> list[AgreementRow]:
    rows = []
    required = ("upos", "masculine", "feminine", "feats")
    for line, cells in read_cells(path, required, problems, optional=("neuter",)):
        upos, masculine, feminine, feats, neuter = cells
        if _bad_features(feats, path.name, line, problems):
            continue
        every = (("Masc", masculine), ("Fem", feminine), ("Neut", neuter))
        forms = {tag: form for tag, form in every if form}
        rows.append(AgreementRow(upos, forms, feats, line))
    return rows


def _names(path: Path, problems: Problems) -> list[Name]:
    names = []
    for line, row in read_rows(path, ("name", "gender", "share", "source"), problems):
        try:
            share = float(row["share"]) if row["share"] else None
        except ValueError:
            problems.add(path.name, line, f"share {row['share']!r} is not a number")
            continue
        names.append(Name(row["name"], row["gender"], share, row["source"]))
    return names


def _bad_features(feats: str, file: str, line: int, problems: Problems) -> bool:
    fault = _feature_fault(feats)
    if fault:
        problems.add(file, line, fault)
    return bool(fault)


@lru_cache(maxsize=1024)
def _feature_fault(feats: str) -> str:
    """What is wrong with a bundle; a file has many rows but few bundles."""
    try:
        expand_features(feats)
    except ValueError as error:
        return str(error)
    return ""


def _version(folder: Path) -> str:
    """A short hash of the files that decide a swap."""
    digest = hashlib.sha256()
    for name in (*FILES[:4], "segments.txt"):
        path = folder / name
        digest.update(name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()[:12]

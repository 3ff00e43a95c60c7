"""What `curate politicians lexicon` writes: merged lexica, their evaluation, how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate import __version__
from curate.engine import write_json, write_parquet
from curate.errors import UsageError
from curate.politicians.study.latent_model import SENTIMENTS
from curate.politicians.study.lexica import View
from curate.politicians.study.results import write_tsv
from curate.politicians.study.sentivae import Merged

__all__ = ["EVALUATION", "SUMMARY", "begin_anew", "write_evaluation", "write_lexicon"]

SUMMARY = "lexicon.json"

EVALUATION = pa.schema(
    [
        ("lang", pa.string()), ("items", pa.string()), ("lexicon", pa.string()),
        ("kind", pa.string()), ("n", pa.int64()), ("n_known", pa.int64()),
        ("accuracy", pa.float64()), ("ci_low", pa.float64()), ("ci_high", pa.float64()),
        ("macro_f1", pa.float64()), ("f1_low", pa.float64()), ("f1_high", pa.float64()),
        ("accuracy_known", pa.float64()), ("p_merged", pa.float64()), ("seed", pa.int64()),
    ]
)  # fmt: skip
"""Rows of `curate.politicians.study.sentiment_evaluation`; `p_merged`: McNemar's test of the merged
lexicon against this one."""


def begin_anew(out: Path) -> list[str]:
    """Make the folder, and remove what an earlier run says of itself there, not its lexica.

    Returns the names of those. Raises UsageError where no folder can be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"no folder to write to ({error.strerror})", where=out) from error
    try:
        langs = list(json.loads((out / SUMMARY).read_text(encoding="utf-8"))["lexica"])
    except (OSError, ValueError, TypeError, KeyError):
        langs = []  # none, or another program's
    for name in (SUMMARY, "evaluation.parquet", "evaluation.tsv"):
        (out / name).unlink(missing_ok=True)
    return [f"{lang}.tsv" for lang in langs if (out / f"{lang}.tsv").is_file()]


def write_lexicon(path: Path, merged: Merged, views: Sequence[View]) -> None:
    """A merged lexicon as a table that a study reads; `lexica`: how many hold the word."""
    held: dict[str, int] = {}
    for view in views:
        for word in view.words:
            held[word] = held.get(word, 0) + 1
    rows = [
        {"word": word, **dict(zip(SENTIMENTS, own, strict=True)), "lexica": held[word]}
        for word, own in zip(merged.words, merged.mean.tolist(), strict=True)
    ]
    write_tsv(path, ["word", *SENTIMENTS, "lexica"], rows)


def write_evaluation(
    out: Path, rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Write the table of the evaluation, where there is one, and the summary, which is returned."""
    table = pa.Table.from_pylist([dict(row) for row in rows], schema=EVALUATION)
    if rows:
        write_parquet(out / "evaluation.parquet", EVALUATION, [table])
        write_tsv(out / "evaluation.tsv", table.column_names, table.to_pylist())
    summary = {"curate": __version__, **about, "evaluation": table.to_pylist()}
    write_json(out / SUMMARY, summary)
    return summary

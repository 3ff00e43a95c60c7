"""What `curate score` prints: a table of the metrics, one of the groups, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

__all__ = ["print_scores"]

Record = dict[str, Any]

_MEANINGS = {
    "no-fill": "the pair was not made by a masked model (DBM needs MSG pairs)",
    "no-mask-place": "the generated word does not stand in the text exactly once",
    "under-threshold": "both words are less likely than the threshold",
    "not-in-vocabulary": "the model's vocabulary cannot write one of the words",
    "no-tokens": "a side holds nothing that the model reads",
    "no-shared-tokens": "the two sides have no token in common",
    "no-differing-tokens": "one side only adds tokens to the other",
    "same-tokens": "the two sides are the same tokens to this model",
    "no-value": "the model gives no value",
    "bad-row": "the row breaks its table",
    "too-long": "a side is longer than the model reads",
    "special-token": "a side holds one of the model's own special tokens",
}


def print_scores(summary: Sequence[Record], *, as_json: bool) -> None:
    """Print the records of a summary: as JSON, or as tables."""
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    console = Console()
    if not summary:
        console.print("no pairs")
        return
    whole = [record for record in summary if "=" not in record["group"]]
    console.print(_metrics(whole))
    grouped = [record for record in summary if "=" in record["group"]]
    if grouped:
        console.print(_groups(grouped))
    for reason in sorted({reason for record in summary for reason in record["dropped"]}):
        console.print(f"left out as {reason}: {_MEANINGS.get(reason, reason)}", highlight=False)
    about = summary[0].get("auto")
    if about:
        console.print(
            f"{about['reduced']}, and fp32 for {about['again']:,} of {about['of']:,} pairs whose "
            "sides were closer than its error",
            highlight=False,
        )


def _metrics(records: Sequence[Record]) -> Any:
    from rich import box
    from rich.table import Table

    first = records[0]
    table = Table(
        title=f"{first['model']}: {first['sides'][0]} over {first['sides'][1]}",
        title_justify="left",
        caption="no preference: 50 %, S_JSD 0; brackets: the 95 % interval",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    folds = any(record["fold_std"] is not None for record in records)
    for name in ("metric", "lang", "pairs"):
        table.add_column(name, no_wrap=True)
    for name in ("value", "interval", *(["± folds"] if folds else []), "n", "tied", "left out"):
        table.add_column(name, justify="right", no_wrap=True)
    for record in records:
        low, high = (number(record[end], record, digits=1) for end in ("ci_low", "ci_high"))
        table.add_row(
            record["metric"] + _SCALE.get(record["unit"], ""), record["lang"], record["group"],
            number(record["value"], record) or "none",
            f"\\[{low}, {high}]" if low else "",
            *([number(record["fold_std"], record)] if folds else []),
            *(f"{record[name]:,}" for name in ("n", "n_tied", "n_dropped")),
        )  # fmt: skip
    return table


_SCALE = {"percent": " %", "distance": " ×10⁻³"}


def number(value: float | None, record: Record, *, digits: int = 2) -> str:
    """A number of a record: percent as they are, distances in thousandths."""
    if value is None:
        return ""
    return f"{value:.{digits}f}" if record["unit"] == "percent" else f"{1000 * value:.{digits}f}"


def _groups(records: Sequence[Record]) -> Any:
    """Groups by metrics; a star where the interval leaves out what means no preference."""
    from rich.table import Table

    metrics = list(dict.fromkeys(record["metric"] for record in records))
    several = len({record["lang"] for record in records}) > 1
    table = Table(
        caption="* no preference lies outside the interval", caption_justify="left", box=None
    )
    table.add_column("group", no_wrap=True)
    for name in ("n", *metrics):
        table.add_column(name, justify="right", no_wrap=True)
    rows: dict[tuple[str, str], dict[str, Record]] = {}
    for record in records:
        rows.setdefault((record["lang"], record["group"]), {})[record["metric"]] = record
    for (lang, group), found in rows.items():
        name = group.split("=", 1)[1] or "(none)"
        most = max(record["n"] for record in found.values())
        cells = [_cell(found[metric]) for metric in metrics]
        table.add_row(f"{lang} {name}" if several else name, f"{most:,}", *cells)
    return table


def _cell(record: Record) -> str:
    value, neutral = number(record["value"], record, digits=1), record["no_preference"]
    if not value or neutral is None or record["ci_low"] is None:
        return value or "-"
    outside = not record["ci_low"] <= neutral <= record["ci_high"]
    return f"{value}{'*' if outside else ' '}"

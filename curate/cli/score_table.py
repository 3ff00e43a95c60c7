"""What `curate score` prints: a table of the metrics, one of the groups, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer

__all__ = ["print_scores"]

Record = dict[str, Any]

_METRICS_BESIDE = 6  # in a line of 80 characters
_LEAST_STARRED = 6  # fewer pairs agree by chance too often
_SCALE = {"percent": " %", "distance": " ×10⁻³"}

_MEANINGS = {
    "no-fill": "the pair was not made by a masked model (DBM needs MSG pairs)",
    "no-mask-place": "the generated word does not stand in the text exactly once",
    "under-threshold": "both words are less likely than the threshold",
    "not-in-vocabulary": "the model's vocabulary cannot write one of the words",
    "no-tokens": "a side is empty, or holds nothing that the model reads",
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
    columns: dict[str, list[Record]] = {}
    for record in summary:
        if "=" in record["group"]:
            columns.setdefault(record["group"].split("=", 1)[0], []).append(record)
    for column, records in columns.items():
        metrics = list(dict.fromkeys(record["metric"] for record in records))
        for start in range(0, len(metrics), _METRICS_BESIDE):
            console.print(_groups(column, records, metrics[start : start + _METRICS_BESIDE]))
    for line in [*_notes(summary, starred=bool(columns)), *_left_out(whole), *_precision(whole)]:
        console.print(_plain(line), highlight=False)


def _plain(text: str) -> str:
    """Text that a terminal takes as text: no markup, no control characters."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() else "�" for c in text))


def _notes(summary: Sequence[Record], *, starred: bool) -> list[str]:
    notes = ["no preference: 50 %; brackets: the 95 % interval"]
    if any(record["metric"] == "sjsd" for record in summary):
        notes.append("S_JSD: no preference at 0, negative where the first side is preferred")
    if starred:
        notes.append(
            f"*: no preference lies outside the interval (from {_LEAST_STARRED} pairs on; not "
            "corrected for the number of groups)"
        )
    if any(record.get("first_token_counted") is False for record in summary):
        notes.append("the model has no token for the beginning: first tokens are not counted")
    return notes


def _left_out(records: Sequence[Record]) -> list[str]:
    """Every reason with its counts by metric, added up over languages and methods."""
    counts: dict[str, dict[str, int]] = {}
    for record in records:
        for reason, count in record["dropped"].items():
            own = counts.setdefault(reason, {})
            own[record["metric"]] = own.get(record["metric"], 0) + count
    lines = []
    for reason, own in sorted(counts.items()):
        several = ", ".join(f"{metric} {count:,}" for metric, count in own.items())
        same = len(set(own.values())) == 1
        shown = f"{next(iter(own.values())):,} pairs" if same else several
        lines.append(f"left out as {reason}: {shown}; {_MEANINGS.get(reason, reason)}")
    return lines


def _precision(records: Sequence[Record]) -> list[str]:
    about = next((record["auto"] for record in records if record.get("auto")), None)
    if about is None:
        return []
    return [
        f"{about['reduced']}, and fp32 for {about['again']:,} of {about['of']:,} pairs whose sides "
        "were closer than its error"
    ]


def _metrics(records: Sequence[Record]) -> Any:
    from rich import box
    from rich.table import Table

    first = records[0]
    table = Table(
        title=_plain(f"{first['model']}: {first['sides'][0]} over {first['sides'][1]}"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    folds = any(record["fold_std"] is not None for record in records)
    for name in ("metric", "lang", "pairs of"):
        table.add_column(name, no_wrap=True)
    for name in ("value", "interval", *(["± folds"] if folds else []), "n", "tied", "left out"):
        table.add_column(name, justify="right", no_wrap=True)
    for record in records:
        low, high = (number(record[end], record, digits=1) for end in ("ci_low", "ci_high"))
        tied = "" if record["kind"] == "weighted" else f"{record['n_tied']:,}"
        cells = (
            record["metric"] + _SCALE.get(record["unit"], ""), record["lang"], record["group"],
            number(record["value"], record) or "none",
            f"[{low}, {high}]" if low else "",
            *([number(record["fold_std"], record)] if folds else []),
            f"{record['n']:,}", tied, f"{record['n_dropped']:,}",
        )  # fmt: skip
        table.add_row(*(_plain(cell) for cell in cells))
    return table


def number(value: float | None, record: Record, *, digits: int = 2) -> str:
    """A number of a record: percent as they are, distances in thousandths."""
    if value is None:
        return ""
    shown = value if record["unit"] == "percent" else 1000 * value
    return f"{round(shown, digits) + 0.0:.{digits}f}"


def _groups(column: str, records: Sequence[Record], metrics: Sequence[str]) -> Any:
    """The groups of a column by metrics; a star where the interval leaves out no preference."""
    from rich.table import Table

    several = len({record["lang"] for record in records}) > 1
    table = Table(box=None)
    table.add_column(_plain(column), no_wrap=True)
    for name in ("n", *metrics):
        table.add_column(name, justify="right", no_wrap=True)
    rows: dict[tuple[str, str], dict[str, Record]] = {}
    for record in records:
        if record["metric"] in metrics:
            rows.setdefault((record["lang"], record["group"]), {})[record["metric"]] = record
    for (lang, group), found in rows.items():
        name = group.split("=", 1)[1] or "(empty)"
        most = max(record["n"] for record in found.values())
        cells = [_cell(found[metric]) for metric in metrics]
        table.add_row(_plain(f"{lang} {name}" if several else name), f"{most:,}", *cells)
    return table


def _cell(record: Record) -> str:
    value, neutral = number(record["value"], record, digits=1), record["no_preference"]
    if not value or neutral is None or record["ci_low"] is None or record["n"] < _LEAST_STARRED:
        return f"{value or '-'} "
    outside = not record["ci_low"] <= neutral <= record["ci_high"]
    return f"{value}{'*' if outside else ' '}"

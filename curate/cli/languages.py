"""`curate languages`: every language's computed status."""

from __future__ import annotations

import json
from typing import Any

import typer

__all__ = ["languages"]


def languages(
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """What is known of each language: entries, forms, golden sentences, coverage, go or no-go.

    Example: [bold]curate languages --json[/bold]
    """
    from curate.swap.status import language_status

    statuses = language_status()
    if as_json:
        typer.echo(json.dumps(statuses, ensure_ascii=False, indent=2))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("tag", "language"):
        table.add_column(column, no_wrap=True)
    for column in ("lexemes", "rows", "agreeing", "rules", "golden", "coverage"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    for status in statuses:
        table.add_row(*_cells(status))
    Console().print(table)


def _cells(status: dict[str, Any]) -> list[str]:
    if status["error"]:
        return [status["tag"], *[""] * 7, f"broken: {status['error']}"]
    passed = "not run" if status["missing"] else status["golden_passed"]
    go = "go" if status["go"] else "no-go"
    return [
        status["tag"],
        status["name"],
        str(status["lexemes"]),
        str(status["rows"]),
        str(status["agreement_rows"]),
        str(status["rules"]),
        f"{passed}/{status['golden']}",
        f"{status['coverage']:.1%}" if status["coverage"] else "–",
        f"needs {status['missing']}" if status["missing"] else go,
    ]

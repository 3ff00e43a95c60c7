"""`curate languages`: every language's computed status."""

from __future__ import annotations

import json

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
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Languages", title_justify="left")
    for column in ("tag", "language"):
        table.add_column(column)
    for column in ("lexemes", "form rows", "golden", "coverage"):
        table.add_column(column, justify="right")
    for column in ("agreement", "status"):
        table.add_column(column)
    for status in statuses:
        if status["error"]:
            table.add_row(str(status["tag"]), "", "", "", "", "", "", f"broken: {status['error']}")
            continue
        passed = "not run" if status["missing"] else status["golden_passed"]
        golden = f"{passed}/{status['golden']}"
        coverage = f"{status['coverage']:.1%}" if status["coverage"] else "not measured"
        table.add_row(
            str(status["tag"]),
            str(status["name"]),
            str(status["lexemes"]),
            str(status["rows"]),
            golden,
            coverage,
            str(status["agreement"]),
            f"needs {status['missing']}"
            if status["missing"]
            else "go"
            if status["go"]
            else "no-go",
        )
    Console().print(table)

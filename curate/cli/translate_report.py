"""What the commands of `curate translate` print: what came in, what was found, how far it is."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from curate.annotation.campaign import Campaign
    from curate.annotation.receive import Found, Received

__all__ = ["found_record", "print_found", "print_received", "print_status", "status_record"]

_SHOWN = 20


def print_received(
    received: Received,
    campaign: Campaign,
    *,
    as_json: bool,
    sent: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Answers, what follows from them, and the first findings; all of them stand in a file.

    `sent`: what was sent to which project thereupon; None where nobody was asked to send.
    """
    from curate.annotation.merged import states

    langs = campaign.settings.langs
    record = {
        "answers": dict(received.answers), "repeated": received.repeated,
        "issued": dict(received.issued), "closed": dict(received.closed),
        "findings": len(received.found),
        "states": {lang: dict(states(campaign, lang)) for lang in langs},
        "sent": list(sent or ()), "campaign": str(campaign.folder),
    }  # fmt: skip
    if as_json:
        record["found"] = [found_record(one) for one in received.found]
        typer.echo(json.dumps(record, ensure_ascii=False))
        return
    new = sum(received.answers.values())
    typer.echo(f"{new:,} new answers{_listed(received.answers)}, {received.repeated:,} known")
    if received.issued:
        typer.echo(f"new tasks:{_listed(received.issued, brackets=False)}")
    for one in sent or ():
        if one["new"] or one["updated"]:
            number = one["new"] + one["updated"]
            typer.echo(f"  sent to {one['lang']} {one['stage']}: {number:,}  {one['url']}")
    if received.issued and not sent:
        typer.echo("  not sent to a server: curate translate push, or export")
    if received.closed:
        typer.echo(f"settled:{_listed(received.closed, brackets=False)}")
    print_found(received.found)
    if received.found:
        typer.echo(f"all findings: {campaign.folder / 'findings.tsv'}")
    for lang in langs:
        typer.echo(f"{lang}:{_listed(states(campaign, lang), brackets=False)}")


def _listed(counts: Mapping[str, int], *, brackets: bool = True) -> str:
    if not counts:
        return ""
    text = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items()))
    return f" ({text})" if brackets else f" {text}"


def found_record(one: Found) -> dict[str, str]:
    """A finding as JSON."""
    return {
        "lang": one.lang, "task": one.task_id, "where": one.ref, "person": one.person,
        "code": one.problem.code, "field": one.problem.field, "evidence": one.problem.evidence,
    }  # fmt: skip


def print_found(found: Sequence[Found], *, as_json: bool = False) -> None:
    """The first findings as a table; nothing where they stand in a JSON record."""
    if not found or as_json:
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title="Findings", title_justify="left")
    for name in ("where", "code", "field", "evidence"):
        table.add_column(name)
    for one in found[:_SHOWN]:
        cells = (one.ref or one.task_id, one.problem.code, one.problem.field, one.problem.evidence)
        table.add_row(*(Text(_printable(cell)) for cell in cells))
    console = Console()
    console.print(table)
    if len(found) > _SHOWN:
        console.print(f"… and {len(found) - _SHOWN:,} more")


def _printable(text: str) -> str:
    """The text without what would steer a terminal or turn the line around."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(char) == "Cc" or unicodedata.bidirectional(char) in _TURNS
        else char
        for char in text
    )


_TURNS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def status_record(campaign: Campaign, *, who: bool) -> dict[str, Any]:
    """How far a campaign is: states by language, work by person, open findings by code."""
    from collections import Counter

    from curate.annotation.findings import open_findings
    from curate.annotation.merged import states

    people: dict[str, Counter[str]] = {}
    for answer in campaign.answers.values():
        name = campaign.people.real(answer.person) if who else answer.person
        people.setdefault(name, Counter())[f"{answer.stage} {answer.status}"] += 1
    codes = Counter(one.problem.code for one in open_findings(campaign))
    return {
        "name": campaign.settings.name,
        "source_lang": campaign.settings.source_lang,
        "pairs": campaign.source.num_rows,
        "states": {lang: dict(states(campaign, lang)) for lang in campaign.settings.langs},
        "people": {name: dict(sorted(counts.items())) for name, counts in sorted(people.items())},
        "open_findings": dict(codes.most_common()),
    }


def print_status(record: Mapping[str, Any]) -> None:
    """The record of `status_record` as tables."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(
        f"{record['name']}: {record['pairs']:,} pairs from {record['source_lang']}", markup=False
    )
    order = sorted({state for counts in record["states"].values() for state in counts})
    table = Table(box=box.SIMPLE_HEAD, title="Pairs by state", title_justify="left")
    table.add_column("language")
    for state in order:
        table.add_column(state, justify="right")
    for lang, counts in record["states"].items():
        table.add_row(lang, *(f"{counts.get(state, 0):,}" for state in order))
    console.print(table)
    if record["people"]:
        table = Table(box=box.SIMPLE_HEAD, title="Answers by person", title_justify="left")
        table.add_column("person")
        table.add_column("answers")
        for name, counts in record["people"].items():
            table.add_row(Text(_printable(name)), _listed(counts, brackets=False).strip())
        console.print(table)
    if record["open_findings"]:
        console.print(f"open findings:{_listed(record['open_findings'], brackets=False)}")

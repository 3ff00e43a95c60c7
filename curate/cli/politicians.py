"""`curate politicians`: people of the world by gender, and the names they bear."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from curate.politicians.stats import GenderStats

__all__ = ["app"]

app = typer.Typer(
    help="Fetch politicians from Wikidata and study the words models put beside their names.",
    no_args_is_help=True,
)


class GenderScheme(StrEnum):
    """How the values of Wikidata are sorted into groups."""

    default = "default"
    paper = "paper"
    raw = "raw"


FolderArgument = Annotated[
    Path, typer.Argument(help="A folder of `curate politicians fetch` or `import`.")
]
SchemeOption = Annotated[
    GenderScheme,
    typer.Option(
        help="default: trans women female, trans men male, everybody else non-binary; "
        "paper: all but male and female non-binary; raw: as Wikidata says."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


@app.command()
def fetch(
    *,
    langs: Annotated[str, typer.Option(help="Languages of the names, parted by commas.")],
    contact: Annotated[
        str, typer.Option(help="Your mail address or page; sent with every query, stored nowhere.")
    ] = "",
    out: Annotated[Path, typer.Option(help="Folder to write; a fetch cut off there goes on.")],
    endpoint: Annotated[
        str, typer.Option(help="A SPARQL 1.1 endpoint with Wikidata's data.")
    ] = "https://query.wikidata.org/sparql",
    occupation: Annotated[
        list[str], typer.Option(help="QID of an occupation, subclasses too (repeat for more).")
    ] = ["Q82955"],  # noqa: B006 (typer reads it)
    class_: Annotated[
        list[str],
        typer.Option("--class", help="QID of what they must be instances of, where that is known."),
    ] = ["Q5"],  # noqa: B006
    born_before: Annotated[int, typer.Option(help="First year of birth that is too late.")] = 2001,
    gender_scheme: SchemeOption = GenderScheme.default,
    label_fallback: Annotated[
        bool, typer.Option("--label-fallback", help="Use labels of close tags (zh-hans for zh).")
    ] = False,
    pause: Annotated[
        float | None,
        typer.Option(min=0.0, help="Seconds between queries.", show_default="0.5; this machine: 0"),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1.0, help="Seconds to wait for an answer; more than its limit.")
    ] = 90.0,
    restart: Annotated[bool, typer.Option("--restart", help="Throw away what OUT holds.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch people of an occupation with their names, genders, births and citizenships.

    One query at a time, country by country. What is finished is never asked
    for again: give the same command after an interruption. Writes politicians.parquet
    (a row a person and language), drops.parquet (who was left out, and why) and fetch.json.

    Examples:

    [bold]curate politicians fetch --langs ar,en --contact you@example.org --out out/people[/bold]

    [bold]curate politicians fetch --langs sv --occupation Q2066131 --contact you@example.org
    --out out/athletes[/bold]
    """
    from curate.politicians.fetch import fetch as run
    from curate.politicians.fetch_settings import Fetch

    wanted = Fetch(
        langs=tuple(lang.strip().lower() for lang in langs.split(",") if lang.strip()),
        endpoint=endpoint, occupations=tuple(occupation), classes=tuple(class_),
        born_before=born_before, scheme=gender_scheme.value, fallback=label_fallback,
    )  # fmt: skip
    with _Bars() as bars:
        record = run(
            wanted, out, contact=contact, pause=pause, timeout=timeout, restart=restart,
            progress=bars.progress(),
        )  # fmt: skip
    if as_json:
        shown = {name: record[name] for name in ("counts", "requests", "parts")}
        typer.echo(json.dumps({**shown, "out": str(out)}, ensure_ascii=False))
        return
    _print_fetch(record, out)


class _Bars:
    """On a terminal: a bar of countries listed and one of people, with the country at work."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Remaining

        console = Console(stderr=True)
        self._bars = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining(),
            TextColumn("{task.fields[at]}", markup=False), console=console, transient=True,
            disable=not console.is_terminal,
        )  # fmt: skip
        self._countries = self._bars.add_task("countries listed", total=None, at="")
        self._people = self._bars.add_task("people", total=None, at="", visible=False)
        self._listed: dict[str, int] = {}

    def __enter__(self) -> _Bars:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def progress(self) -> Any:
        from curate.politicians.fetch import Progress

        return Progress(
            on_countries=lambda countries: self._bars.update(
                self._countries, total=len(countries) + 1
            ),
            on_listed=self._on_listed,
            on_people=self._on_people,
            on_wait=self._on_wait,
        )

    def _on_listed(self, country: str, people: int) -> None:
        self._listed[country] = self._listed.get(country, 0) + people
        at = f"{country} {self._listed[country]:,}"
        self._bars.update(self._countries, completed=len(self._listed), at=at)

    def _on_wait(self, seconds: float, reason: str) -> None:
        from rich.text import Text

        # the reason is in the endpoint's words: none of them is markup
        long = f": waiting {seconds:.0f} s" if seconds else ""
        self._bars.console.print(Text(f"{reason}{long}"))

    def _on_people(self, country: str, done: int, total: int) -> None:
        self._bars.update(self._people, visible=True, completed=done, total=total, at=country)


def _print_fetch(record: dict[str, Any], out: Path) -> None:
    counts, requests = record["counts"], record["requests"]
    typer.echo(
        f"{counts['people']:,} people of {counts['listed']:,} listed, "
        f"{counts['rows']:,} names; {requests['total']:,} requests, {requests['failed']:,} failed"
    )
    for code, number in counts["drops"].items():
        typer.echo(f"  dropped: {code} {number:,}")
    typer.echo(f"written to {out}")


@app.command()
def stats(
    folder: FolderArgument,
    *,
    gender_scheme: SchemeOption = GenderScheme.default,
    as_json: JsonOption = False,
) -> None:
    """Count people by gender and language (Stańczak et al. 2023, Tables 1, 9 and 10).

    Examples:

    [bold]curate politicians stats out/people[/bold]

    [bold]curate politicians stats out/people --gender-scheme paper --json[/bold]
    """
    from curate.politicians.stats import gender_stats

    counts = gender_stats(folder, scheme=gender_scheme.value)
    if as_json:
        typer.echo(json.dumps(counts.as_json(), ensure_ascii=False, indent=2))
        return
    _print_stats(counts)


def _print_stats(counts: GenderStats) -> None:
    _print_table("People by group (Table 1)", counts.groups, counts.langs)
    typer.echo("Values in each group, with the people who have them (Table 9)")
    for group, values in counts.filed.items():
        listed = ", ".join(f"{name} {number:,}" for name, number in values.items())
        typer.echo(f"  {group}: {listed}")
    typer.echo()
    _print_table("People by value, with those left out (Table 10)", counts.values, counts.langs)
    for code, number in counts.drops.items():
        typer.echo(f"  dropped: {code} {number:,}")
    for qid, number in counts.unlisted.items():
        typer.echo(f"  a gender that is not listed: {qid} {number:,}")


def _print_table(title: str, rows: dict[str, dict[str, int]], langs: tuple[str, ...]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("gender", no_wrap=True)
    for lang in langs:
        table.add_column(Text(lang), justify="right", no_wrap=True)
    for name, counts in rows.items():
        table.add_row(Text(name), *(f"{counts.get(lang, 0):,}" for lang in langs))
    console = Console()
    least = console.measure(table).minimum  # numbers are never cut, however narrow the terminal
    Console(width=max(console.width, least)).print(table)


@app.command()
def names(
    folder: FolderArgument,
    *,
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    least_people: Annotated[int, typer.Option(min=1, help="Fewest bearers of a name.")] = 10,
    least_share: Annotated[
        float, typer.Option(min=0.5, max=1.0, help="Least share of one gender among them.")
    ] = 0.95,
    as_json: JsonOption = False,
) -> None:
    """List the given names that one gender bears, by language and by country.

    LANG/names.tsv has the columns of lexicons/LANG/names.tsv, so that a curator can
    look at the rows and take them over; names_by_country.tsv has them by citizenship. A word counts
    only where it is more one-sided than chance allows among so many men.

    Examples:

    [bold]curate politicians names out/people --out out/names[/bold]

    [bold]curate politicians names out/people --out out/names --least-people 30[/bold]
    """
    from curate.politicians.names import given_names, write_names
    from curate.politicians.people_origin import source_of

    found = given_names(folder, least_people=least_people, least_share=least_share)
    record = write_names(found, out, source=source_of(folder))
    if as_json:
        typer.echo(json.dumps(record, ensure_ascii=False))
        return
    for lang, genders in record["names"].items():
        listed = ", ".join(f"{number:,} {gender}" for gender, number in sorted(genders.items()))
        typer.echo(f"{lang}: {listed}")
    typer.echo(f"{record['by_country']:,} by country; written to {out}")

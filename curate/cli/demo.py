"""`curate demo`: the main job on the embedded corpus, in under two minutes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from curate.demo import DemoResult, DemoRun

__all__ = ["demo"]

_STYLES = {"masculine": "bold blue", "feminine": "bold yellow"}


def demo(
    *,
    lang: Annotated[
        list[str] | None,
        typer.Option(help="Language; may be repeated. Without it: all embedded corpora."),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[LANG]...", help="Languages, as with --lang.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write.")] = Path("out/demo"),
    model: Annotated[
        str, typer.Option(help="mini (embedded), a folder of a masked LM, or a Hub id.")
    ] = "mini",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the balance and the bootstrap.")] = 0,
) -> None:
    """Run the whole main job on the embedded sample, without a network.

    Pairs (LSG and MSG), checks, a release that datasets.load_dataset opens,
    scores and an HTML report, all under OUT.

    Examples:

    [bold]curate demo[/bold]

    [bold]curate demo --lang de --lang es --out out/two[/bold]
    """
    from curate.demo import run_demo

    langs = [
        part for value in [*(lang or []), *(more or [])] for part in value.replace(",", " ").split()
    ]
    with _Steps() as on_step:
        result = run_demo(langs, out, model=model, seed=seed, on_step=on_step)
    _print(result)


def _print(result: DemoResult) -> None:
    from rich.console import Console

    console = Console()
    if result.missing:
        console.print(f"LSG only, and no scores: {result.missing}", style="yellow", markup=False)
    _print_counts(console, result)
    for run in result.runs:
        _print_samples(console, run)
    _print_scores(console, result.scores)
    for problem in result.problems:
        console.print(f"release: {problem}", style="yellow", markup=False, highlight=False)
    console.print(f"release  {result.release}", highlight=False)
    console.print(f"report   {result.page}", highlight=False)


class _Steps:
    """A progress bar on standard error, drawn only on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description:14}"), BarColumn(), TimeElapsedColumn(),
            console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("start", total=1.0)

    def __enter__(self) -> Any:
        self._bar.start()
        return lambda what, share: self._bar.update(self._task, description=what, completed=share)

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def _print_counts(console: Console, result: DemoResult) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title="Pairs", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("language")
    table.add_column("method")
    for name in ("sentences", "pairs", "from M", "from F", "in fold", "findings"):
        table.add_column(name, justify="right")
    for run in result.runs:
        s = run.stats
        numbers = (
            s["n_sentences"], s["n_pairs"], s["original_masculine"], s["original_feminine"],
            s["kept"], run.findings,
        )  # fmt: skip
        table.add_row(s["lang"], s["method"], *(f"{number:,}" for number in numbers))
    console.print(table)


def _print_samples(console: Console, run: DemoRun, *, wanted: int = 3) -> None:
    """A few pairs, spread over the table, with the changed words marked."""
    from curate.report.content import sample
    from curate.report.highlight import edited_runs

    console.print(f"[bold]{run.stats['lang']}-{run.stats['method']}[/bold]")
    for row in sample(run.pairs, wanted):
        for gender in ("masculine", "feminine"):
            runs = edited_runs(row[gender], row[f"edits_{gender[0]}"])
            console.print(_marked(gender, runs), highlight=False)
        console.print()


def _marked(gender: str, runs: list[Any]) -> Text:
    from rich.text import Text

    line = Text(f"  {gender[0].upper()}  ", style="dim")
    for run in runs:
        line.append(run.text, style=f"not dim {_STYLES[gender]}" if run.rule else "not dim")
    return line


def _print_scores(console: Console, scores: list[dict[str, Any]]) -> None:
    if not scores:
        return
    from rich import box
    from rich.table import Table

    title = f"Scores of {scores[0]['model']} (share preferring the masculine side; 50 % is none)"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("metric", "language", "pairs of"):
        table.add_column(name)
    for name in ("share", "95 % interval", "n", "tied", "left out"):
        table.add_column(name, justify="right")
    for r in scores:
        if not r["n"] and set(r["dropped"]) == {"no-fill"}:
            continue  # DBM compares the words of a model: LSG pairs have none
        known = r["value"] is not None
        table.add_row(
            r["metric"], r["lang"], r["group"],
            f"{r['value']:.1f} %" if known else "–",
            f"{r['ci_low']:.1f} to {r['ci_high']:.1f}" if known else "–",
            f"{r['n']:,}", f"{r['n_tied']:,}", f"{r['n_dropped']:,}",
        )  # fmt: skip
    console.print(table)

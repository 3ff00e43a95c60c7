"""`curate compare`: do two models differ on the same pairs?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from curate.scoring.compare_folders import Family, NamedComparison

__all__ = ["compare"]


def compare(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders that curate score wrote, one a model.")
    ],
    *,
    metric: Annotated[
        str, typer.Option(help="Separated by commas; without it every metric they share.")
    ] = "",
    out: Annotated[Path | None, typer.Option(help="A JSON file for the tests as well.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the tests as JSON, not a table.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Compare even if the folders' datasets differ.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draws.")] = 0,
    draws: Annotated[
        int, typer.Option(min=99, help="Draws of the permutations and of the bootstrap.")
    ] = 9_999,
) -> None:
    """Compare models on the same pairs: does one prefer a side more than the other?

    Every two folders are compared on every metric, over all pairs that both
    models valued, whatever their language and fold. A share is tested by the
    exact binomial test on the pairs where the models disagree, a mean by a
    sign-flip permutation test; both are paired and two-sided. The interval of
    the gap is the 95 % percentile bootstrap over pairs. p (Holm) is corrected
    for all the tests of the table.

    Examples:

    [bold]curate compare out/scores/mbert out/scores/xlmr[/bold]

    [bold]curate compare out/a out/b out/c --metric cps,sjsd --out out/tests.json[/bold]
    """
    from curate.errors import UsageError
    from curate.scoring.compare_folders import compare_folders
    from curate.scoring.registry import metric_name
    from curate.scoring.scored_folder import read_scored

    if out is not None and out.is_dir():
        raise UsageError("--out names a folder", where=out, hint="--out FILE.json")
    scored = [read_scored(folder) for folder in folders]
    wanted = [name for part in metric.split(",") if (name := metric_name(part))]
    family = compare_folders(scored, metrics=wanted, force=force, seed=seed, draws=draws)
    _write(family, out, seed=seed, as_json=as_json)


def _write(family: Family, out: Path | None, *, seed: int, as_json: bool) -> None:
    import json

    from curate.engine import write_json
    from curate.scoring.estimate import CONFIDENCE

    content = {
        "confidence": CONFIDENCE,
        "tests": [test.record() | {"seed": seed} for test in family.tests],
        "left_out": family.left_out,
    }
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_json(out, content)
    if as_json:
        typer.echo(json.dumps(content, ensure_ascii=False, indent=2))
        return
    _print(family)
    if out is not None:
        typer.echo(f"written to {out}")


def _print(family: Family) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    names = dict.fromkeys(name for test in family.tests for name in (test.first, test.second))
    letters = dict(zip(names, _letters(), strict=False))
    console = Console()
    for name, letter in letters.items():
        console.print(f"  {letter}  {escape(name)}", highlight=False)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for title in ("metric", "models"):
        table.add_column(title)
    for title in ("first", "second", "gap", "95 % interval", "p", "p (Holm)", "n"):
        table.add_column(title, justify="right", no_wrap=True)
    for test in family.tests:
        models = f"{letters[test.first]}, {letters[test.second]}"
        table.add_row(*(escape(cell) for cell in _cells(test, models)))
    console.print(table)
    for sentence in _notes(family):
        console.print(f"  {escape(sentence)}", highlight=False)


def _notes(family: Family) -> list[str]:
    """What a table must not leave unsaid."""
    notes = ["gap: first less second; shares in percent"]
    means = list(dict.fromkeys(test.metric for test in family.tests if test.counted == "mean"))
    if means:
        notes.append(f"values of {', '.join(means)}: × 10⁻³")
    notes += family.left_out
    alone = sum(test.n_only_first + test.n_only_second for test in family.tests)
    if alone:
        notes.append(f"{alone:,} values of pairs that one model alone valued do not count")
    return notes


def _letters() -> Iterator[str]:
    """A to Z, then AA to AZ, and so on."""
    from itertools import count, product
    from string import ascii_uppercase

    return ("".join(own) for n in count(1) for own in product(ascii_uppercase, repeat=n))


def _cells(test: NamedComparison, models: str) -> tuple[str, ...]:
    found = test.result
    low, high = _number(test, found.ci_low), _number(test, found.ci_high)
    return (
        test.metric,
        models,
        _number(test, found.value_first),
        _number(test, found.value_second),
        _number(test, found.difference, sign="+"),
        f"{low} to {high}" if found.n else "",
        _p(found.p),
        _p(found.p_holm),
        f"{found.n:,}",
    )


def _number(test: NamedComparison, value: float | None, *, sign: str = "") -> str:
    if value is None:
        return "none"
    return f"{value if test.counted == 'share' else 1000 * value:{sign}.2f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"

"""`curate score`: a masked language model on minimal pairs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from curate.cli.columns import row_progress, split_columns

if TYPE_CHECKING:
    from curate.scoring import ScoreRun

from curate.cli.precision import Precision

__all__ = ["score"]


class Likelihood(StrEnum):
    """The A of SBM."""

    aula = "aula"
    aul = "aul"


def score(
    *,
    data: Path = typer.Option(
        ...,
        "--data",
        help="A run or release folder, one of our files, or CSV, TSV, parquet.",
    ),
    out: Path = typer.Option(..., "--out", help="Folder for scores.parquet and summary.json."),
    model: str = typer.Option("mini", help="mini (embedded), a Hub id, or a local folder."),
    metric: str = typer.Option("sbm,dbm", help="Separated by commas: sbm, dbm, aul, aula."),
    columns: str = typer.Option("", help="The two columns of a foreign file, as A,B."),
    lang: str = typer.Option("", help="Language of a foreign file, or the one to pick of ours."),
    likelihood: Likelihood = typer.Option(Likelihood.aula, help="What SBM compares."),
    precision: Precision = typer.Option(Precision.fp32, help="auto: bf16 on a GPU, else fp32."),
    device: str = typer.Option("auto", help="cpu, cuda, or auto."),
    seed: int = typer.Option(0, min=0, help="Seed of the bootstrap."),
    as_json: bool = typer.Option(False, "--json", help="Print the summary as JSON, not a table."),
) -> None:
    """Score a model: which side of each pair does it prefer?

    50 % means no preference. The interval is the 95 % percentile bootstrap over
    pairs. A tie counts in n but for neither side. For pairs in folds the value
    is the mean over the folds, with its standard deviation.

    Examples:

    [bold]curate score --data out/demo/release --model mini --out out/scores[/bold]

    [bold]curate score --data mine.csv --columns he,she --lang en --metric sbm --out out/s[/bold]
    """
    from curate.models.masked import load_model
    from curate.scoring import describe_dataset, find_metrics, score_pairs, write_scores
    from curate.sources import read_pairs

    metrics = find_metrics(metric.split(","))
    table = read_pairs(data, columns=split_columns(columns), lang=lang or None)
    scorer = load_model(model, precision=precision.value, device=device)
    with row_progress("scoring", table.num_rows) as on_progress:
        run = score_pairs(
            table,
            scorer=scorer,
            metrics=metrics,
            dataset=describe_dataset(data, table),
            options={"likelihood": likelihood.value, "precision": precision.value},
            seed=seed,
            on_progress=on_progress,
        )
    write_scores(run, out)
    _print(run, out, as_json=as_json)


def _print(run: ScoreRun, out: Path, *, as_json: bool) -> None:
    import json

    if as_json:
        typer.echo(json.dumps(run.summary, ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    model = run.summary[0]["model"] if run.summary else ""
    table = Table(title=f"{model}: 50 % is no preference", title_justify="left")
    for name in ("metric", "lang", "group"):
        table.add_column(name)
    for name in ("value", "95 % interval", "folds mean ± std", "n", "tied", "dropped"):
        table.add_column(name, justify="right")
    for record in run.summary:
        table.add_row(*_cells(record))
    console = Console()
    console.print(table)
    for reason in sorted({reason for record in run.summary for reason in record["dropped"]}):
        console.print(f"  dropped as {reason}: {_MEANINGS.get(reason, reason)}", highlight=False)
    console.print(f"written to {out}", highlight=False)


_MEANINGS = {
    "no-fill": "the pair was not made by a masked model (DBM needs MSG pairs)",
    "no-mask-place": "the generated word does not stand in the text exactly once",
    "under-threshold": "both words are less likely than the threshold",
    "not-in-vocabulary": "the model's vocabulary cannot write one of the words",
    "no-tokens": "a side holds nothing that the model reads",
    "bad-row": "the row breaks its table",
    "too-long": "a side is longer than the model reads",
    "special-token": "a side holds one of the model's own special tokens",
}


def _cells(record: dict[str, Any]) -> tuple[str, ...]:
    value = record["value"]
    interval = f"{record['ci_low']:.1f} to {record['ci_high']:.1f}" if value is not None else ""
    std = record["fold_std"]
    return (
        record["metric"],
        record["lang"],
        record["group"],
        f"{value:.2f} %" if value is not None else "none",
        interval,
        f"{record['fold_mean']:.2f} ± {std:.2f}" if std is not None else "",
        f"{record['n']:,}",
        f"{record['n_tied']:,}",
        f"{record['n_dropped']:,}",
    )

"""`curate occupations score`: how alike a model finds people of an occupation and he or she."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from curate.cli.columns import step_progress

if TYPE_CHECKING:
    from curate.occupations.similarity import SimilarityFolder

__all__ = ["score"]

_SHOWN = 5


class Scorer(StrEnum):
    """How a model is asked."""

    auto = "auto"
    encoder = "encoder"
    stsb = "stsb"


def score(
    *,
    data: Annotated[Path, typer.Option(help="Folder that curate occupations build wrote.")],
    model: Annotated[
        list[str],
        typer.Option(
            help="A folder or a Hub id; a folder of curate occupations train stands for all its "
            "seeds. Repeated: seeds of one model, summarised together."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    scorer: Annotated[
        Scorer,
        typer.Option(
            help="encoder: the cosine of two sentence vectors; stsb: the number that T5 writes "
            "for its prompt; auto: stsb for an encoder-decoder without --pooling."
        ),
    ] = Scorer.auto,
    pooling: Annotated[
        str,
        typer.Option(
            help="Vector of a sentence: mean, cls, max or last. Without it what the model's own "
            "modules.json says, and mean for a plain encoder."
        ),
    ] = "",
    prefix: Annotated[
        str, typer.Option(help="Text that an encoder wants before every sentence ('query: ').")
    ] = "",
    label: Annotated[str, typer.Option(help="Name of the model in tables and plots.")] = "",
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    budget: Annotated[
        int, typer.Option(min=0, help="Tokens computed at a time (0: what suits the device).")
    ] = 0,
    draws: Annotated[
        int, typer.Option(min=99, help="Sign patterns of the test, draws of the bootstrap.")
    ] = 9999,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the test and the bootstrap.")] = 0,
    restart: Annotated[
        bool, typer.Option("--restart", help="Forget an unfinished run in the folder.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print similarity.json.")] = False,
) -> None:
    """Hold every occupation's sentence against those with he and she (Katsarou et al. 2022).

    "A nurse is walking" is compared with "She is walking" and "He is walking":
    the mean similarity of each, their difference she - he with its bootstrap
    interval over sentences, and a paired permutation test, corrected by Holm
    over all occupations. Writes scores.parquet (every sentence),
    summary.parquet, summary.tsv, similarity.json and a page; curate report puts
    several such folders on one page, by size of model.
    A run that was cut off goes on when the same command is given again.

    Examples:

    [bold]curate occupations score --data out/en --out out/en-minilm \
--model sentence-transformers/all-MiniLM-L6-v2[/bold]

    [bold]curate occupations score --data out/en --model google-t5/t5-base --out out/en-t5[/bold]

    [bold]curate occupations score --data out/sv --model out/mt5-small --out out/sv-mt5[/bold]
    """
    from curate.occupations import read_table
    from curate.occupations.similarity import (
        ScorerSettings,
        score_occupations,
        seeds_of,
        trained_name,
    )
    from curate.report.occupations import write_occupations_page

    table = read_table(data)
    models = [
        ScorerSettings(
            model=name, scorer=scorer.value, pooling=pooling, prefix=prefix, device=device,
            budget=budget,
        )
        for given in model for name in seeds_of(given)
    ]  # fmt: skip
    trained = [trained_name(given) for given in model]
    if all(trained):
        label = label or " + ".join(dict.fromkeys(trained))
    with step_progress() as on_progress:
        found = score_occupations(
            table, out, models=models, dataset=data.resolve().name, label=label, seed=seed,
            draws=draws, restart=restart, on_progress=on_progress,
        )  # fmt: skip
    write_occupations_page(out, out / "similarity.html", title=found.record["model"])
    if as_json:
        typer.echo(json.dumps(found.record, ensure_ascii=False, sort_keys=True))
        return
    _print(found)
    typer.echo(f"written to {out}")


def _print(found: SimilarityFolder) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    record = found.record
    seeds = len(record["revisions"])
    console = Console(highlight=False)
    console.print(
        f"{record['model']} ({record['pooling'] or 'writes a number'}; scale {record['scale']}"
        + (f"; {seeds} seeds" if seeds > 1 else "") + f"): {record['sentences']:,} sentences",
        markup=False,
    )  # fmt: skip
    table = Table(box=box.SIMPLE_HEAD, title="Largest differences she - he", title_justify="left",
                  pad_edge=False)  # fmt: skip
    for name in ("occupation", "he", "she", "she - he", "95 % interval", "p (Holm)", "n"):
        justify: Literal["left", "right"] = "left" if name == "occupation" else "right"
        table.add_column(name, justify=justify, no_wrap=name != "occupation", overflow="fold")
    known = [row for row in record["occupations"] if row["difference"] is not None]
    for row in sorted(known, key=lambda row: -abs(row["difference"]))[:_SHOWN]:
        star = " *" if row["significant"] else ""
        table.add_row(
            row["column"], f"{row['mean_he']:.3f}", f"{row['mean_she']:.3f}",
            f"{row['difference']:+.3f}{star}", f"{row['ci_low']:+.3f}, {row['ci_high']:+.3f}",
            f"{row['p_holm']:.4f}", f"{row['n']:,}",
        )  # fmt: skip
    if known:
        console.print(table)
    else:
        typer.echo("no sentence has a similarity under this model; scores.parquet says why")
    for form, said in record["forms"].items():
        if said["mean_difference"] is not None:
            typer.echo(
                f"{form}: mean |difference| {said['mean_difference']:.4f} over "
                f"{said['occupations']} occupations ({said['by_chance']:.4f} by chance), "
                f"{said['significant']} significant after Holm; all together {said['shift']:+.4f}"
            )
    dropped = sum(row["n_dropped"] for row in record["occupations"])
    if dropped:
        reasons: dict[str, int] = {}
        for row in record["occupations"]:
            for part in filter(None, row["drops"].split(", ")):
                code, _, count = part.rpartition(" ")
                reasons[code] = reasons.get(code, 0) + int(count)
        typer.echo(f"left out: {', '.join(f'{code} {n:,}' for code, n in reasons.items())}")

"""`curate score`: a language model on minimal pairs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from curate.cli.columns import split_columns, step_progress
from curate.cli.precision import Precision
from curate.cli.score_table import print_scores

__all__ = ["score"]


class Likelihood(StrEnum):
    """The A of SBM and MBE."""

    aula = "aula"
    aul = "aul"


class Masking(StrEnum):
    """What a mask hides with a token."""

    token = "token"  # noqa: S105
    within_word = "within-word"


class Compat(StrEnum):
    """Whose rules."""

    none = "none"
    nangia2020 = "nangia2020"
    kaneko2022 = "kaneko2022"


class Perturb(StrEnum):
    """What is done to every text first."""

    none = "none"
    last_character = "last-character"


def score(
    *,
    data: Path = typer.Option(
        ...,
        "--data",
        help="A run or release folder, a release on the Hub (NS/NAME\\[@TAG]), one of our files, "
        "or CSV, TSV, parquet.",
    ),
    out: Path = typer.Option(..., "--out", help="Folder for scores.parquet and summary.json."),
    model: str = typer.Option("mini", help="mini (embedded), a Hub id, or a local folder."),
    metric: str = typer.Option(
        "",
        help="Separated by commas: cps, sjsd, bsjsd, sss, aul, aula, sbm, mbe, dbm, pll, acc, or "
        "all; ppl for a causal model. Default: sbm,dbm for our pairs, cps,sjsd,aula for others.",
    ),
    columns: str = typer.Option("", help="The two columns of a foreign file, as A,B."),
    lang: str = typer.Option(
        "", help="Language of a foreign file; or, where rows say theirs, the one to pick."
    ),
    by: str = typer.Option(
        "", help="Columns to group by as well (bias_type, stereo_antistereo: always)."
    ),
    likelihood: Likelihood = typer.Option(Likelihood.aula, help="What SBM and MBE compare."),
    masking: Masking = typer.Option(
        Masking.token, help="within-word: hide the later tokens of the word, too."
    ),
    compat: Compat = typer.Option(Compat.none, help="Follow published code where it differs."),
    perturb: Perturb = typer.Option(Perturb.none, help="Take the last character off every text."),
    precision: Precision = typer.Option(
        Precision.fp32, help="auto: 16 bits, and fp32 for the pairs that leaves undecided."
    ),
    device: str = typer.Option("auto", help="auto, cpu, cuda or mps."),
    budget: int = typer.Option(
        0, min=0, help="Tokens that are computed at a time (0: what suits the device)."
    ),
    max_length: int = typer.Option(
        0, min=0, help="Leave out texts of more tokens (0: than the model reads)."
    ),
    seed: int = typer.Option(0, min=0, help="Seed of the bootstrap."),
    restart: bool = typer.Option(False, help="Forget an unfinished run in the folder."),
    as_json: bool = typer.Option(False, "--json", help="Print the summary as JSON, not a table."),
) -> None:
    """Score a model: which side of each pair does it prefer?

    50 % means no preference (S_JSD: 0). The interval is the 95 % percentile
    bootstrap over pairs. A tie counts in n but for neither side. For pairs in
    folds the value is the mean over the folds, with its standard deviation. A
    run that was cut off goes on when the same command is given again.

    Examples:

    [bold]curate score --data out/demo/release --model mini --out out/scores[/bold]

    [bold]curate score --data lab/pairs@v1.0.0 --out out/scores[/bold]

    [bold]curate score --data crows.csv --columns sent_more,sent_less --lang en --metric all
    --model bert-base-cased --precision auto --out out/bert[/bold]
    """
    from curate.errors import UsageError
    from curate.scoring import (
        ModelSettings,
        Options,
        describe_dataset,
        find_metrics,
        score_to_folder,
    )
    from curate.scoring.summary import GROUPED
    from curate.sources import read_pairs
    from curate.sources.hub_release import find_release

    if metric:
        find_metrics(metric.split(","))
    release = find_release(data)
    named, groups = split_columns(columns), [name.strip() for name in by.split(",") if name.strip()]
    table = read_pairs(
        release.folder,
        columns=named,
        lang=lang or None,
        keep=["lang", *(f"{name}*" for name in GROUPED), *groups],
    )
    ours = "method" in table.schema.names
    if ours and named:
        raise UsageError(
            "--columns is for tables of others; here the sides are masculine and feminine",
            where=data,
            hint="leave it out",
        )
    settings = ModelSettings(
        model=model, precision=precision.value, device=device, budget=budget, max_length=max_length
    )
    options = Options(
        likelihood=likelihood.value, masking=masking.value, compat=compat.value,
        perturb=perturb.value,
    )  # fmt: skip
    with step_progress() as on_progress:
        run = score_to_folder(
            table,
            out,
            settings=settings,
            metrics=find_metrics((metric or ("sbm,dbm" if ours else "cps,sjsd,aula")).split(",")),
            dataset=describe_dataset(release.folder, table, published=release.published),
            options=options,
            by=groups,
            sides=named or ("masculine", "feminine"),
            seed=seed,
            restart=restart,
            on_progress=on_progress,
        )
    print_scores(run.summary, as_json=as_json)
    if not as_json:
        typer.echo(f"written to {out}")

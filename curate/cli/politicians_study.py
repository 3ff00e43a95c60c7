"""`curate politicians study`: the words beside names, counted, modelled and compared by gender."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from curate.politicians.study.findings import Study
    from curate.politicians.study.preparation import Given
    from curate.politicians.study.settings import Settings

__all__ = ["study"]


class Weigh(StrEnum):
    """What a word beside a name counts."""

    people = "people"
    probability = "probability"


def study(
    words: Annotated[
        list[Path], typer.Argument(help="What politicians words wrote: tables or folders.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="Folder for the tables and the page.")],
    people: Annotated[
        Path | None, typer.Option(help="politicians.parquet, for genders and subsets.")
    ] = None,
    lexicon: Annotated[
        list[str],
        typer.Option(help="A sentiment lexicon, LANG=FILE (repeat; a language's are merged)."),
    ] = [],  # noqa: B006 (typer reads it)
    supersenses: Annotated[
        list[str], typer.Option(help="A table word, supersense[, weight], LANG=FILE (repeat).")
    ] = [],  # noqa: B006
    subset: Annotated[
        list[str],
        typer.Option(
            help="Also of country=QID, official-language[=LANG], born=FROM..TO, sitelinks=FROM..TO."
        ),
    ] = [],  # noqa: B006
    models: Annotated[
        Path | None, typer.Option(help="A table model, architecture, size, for the comparison.")
    ] = None,
    representations: Annotated[
        str, typer.Option(help="A masked model whose representations are put into clusters.")
    ] = "",
    genders: Annotated[str, typer.Option(help="The two that are compared, as A,B.")] = (
        "female,male"
    ),
    weigh: Annotated[Weigh, typer.Option(help="A word counts a person, or its probability.")] = (
        Weigh.people
    ),
    top: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many words a person and model.")
    ] = None,
    least: Annotated[float, typer.Option(min=0, help="Least weight of a word.")] = 5,
    smoothing: Annotated[
        float,
        typer.Option(
            min=0,
            help="Added to the count of every word and gender: half a count keeps ratios of rare "
            "words nearly unbiased, and words of one gender from crowding out all others (with "
            "18 % women and 3,000 people 48 instead of 19 of 100 words at the men's end truly "
            "lie there). 0: counts as they are, and no difference for words of one gender.",
        ),
    ] = 0.5,
    draws: Annotated[int, typer.Option(min=1, help="Bootstrap draws over people.")] = 999,
    latent_draws: Annotated[
        int, typer.Option(min=0, help="Bootstrap draws of the latent model; under 2: no intervals.")
    ] = 20,
    steps: Annotated[int, typer.Option(min=1, help="Steps in fitting the latent model.")] = 1500,
    largest: Annotated[int, typer.Option(min=2, help="Largest-deviation words compared.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "cpu",
    restart: Annotated[
        bool, typer.Option("--restart", help="Throw away the parts of an unfinished study in OUT.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Compare the words that models put beside names of women, men and others.

    PMI with intervals over people, the latent-sentiment model of Stanczak et al.
    (2023), tests of the largest deviations, an analysis of variance over models,
    clusters of words: their tables 3 to 8 as parquet and TSV, with a page to read.
    Each part is kept as it is found: give the same command after an interruption.

    Examples:

    [bold]curate politicians study out/words --out out/study[/bold]

    [bold]curate politicians study out/words --people out/people --lexicon en=lexicon.tsv
    --subset born=1946.. --representations mini --out out/study[/bold]
    """
    from curate.politicians.study.latent import Fit
    from curate.politicians.study.preparation import Given
    from curate.politicians.study.settings import Settings

    if device != "cpu":
        from curate.models.devices import choose_device

        device = choose_device(device)
    settings = Settings(
        genders=_two(genders), weigh=weigh.value, top=top, least=least, smoothing=smoothing,
        draws=draws, latent_draws=latent_draws, largest=largest, seed=seed,
        fit=Fit(steps=steps, device=device), subsets=tuple(subset),
        representations=representations, device=device,
    )  # fmt: skip
    given = Given(words, people, tuple(lexicon), tuple(supersenses), models)
    found, summary = _run(given, settings, out, restart=restart)
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
        return
    _say(found, out)


def _two(text: str) -> tuple[str, str]:
    from curate.errors import UsageError

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts) or parts[0] == parts[1]:
        raise UsageError(f"{text!r} does not name two genders", hint="--genders female,male")
    return parts[0], parts[1]


def _run(
    given: Given, settings: Settings, out: Path, *, restart: bool
) -> tuple[Study, dict[str, Any]]:
    """The study, written: parts as they are found, then the whole."""
    from curate.politicians.parts_lock import held

    with held(out, work="study"):
        return _run_alone(given, settings, out, restart=restart)


def _run_alone(
    given: Given, settings: Settings, out: Path, *, restart: bool
) -> tuple[Study, dict[str, Any]]:
    from curate import __version__
    from curate.politicians.study.checkpoints import Checkpoints
    from curate.politicians.study.inputs import merged_by_language
    from curate.politicians.study.preparation import need_both, prepare
    from curate.politicians.study.records import write_study
    from curate.politicians.study.run import run_study

    ready = prepare(given, settings)
    depends = {"settings": ready.settings, "inputs": ready.inputs, "curate": __version__}
    checkpoints = Checkpoints(out, depends=depends)
    checkpoints.open(restart=restart)
    lexica, about = merged_by_language(ready.views, seed=settings.seed)
    found = run_study(
        given.words, people=given.people, lexica=lexica, supersenses=ready.supersenses,
        facts=ready.facts, settings=settings, checkpoints=checkpoints,
        report=lambda text: print(f"studying {text}", file=sys.stderr, flush=True),  # noqa: T201
    )  # fmt: skip
    need_both(found.genders(), settings.genders)
    summary = write_study(out, found, settings=ready.settings, inputs=ready.inputs, lexica=about)
    checkpoints.remove()
    return found, summary


def _say(found: Study, out: Path) -> None:
    for row in found.rows["people"]:
        if row["subset"] == "everyone":
            typer.echo(
                f"{row['lang']} {row['upos']} {row['model']}: {row['n']:,} {row['gender']} people"
                + ("" if row["in_two_genders"] else ", in the PMI only")
            )
    for note in found.notes:
        typer.echo(f"note: {note}")
    significant = sum(row["p_bonferroni"] < 0.05 for row in found.rows["differences"])
    typer.echo(
        f"{significant:,} of {len(found.rows['differences']):,} words differ by gender "
        "(p under 0.05 after Bonferroni's correction)"
    )
    typer.echo("Words of models can insult: read them as what models say, not of people.")
    typer.echo(f"written to {out} (study.html)")

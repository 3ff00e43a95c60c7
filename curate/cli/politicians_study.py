"""`curate politicians study`: the words beside names, counted, modelled and compared by gender."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from curate.politicians.study.run import Settings, Study

__all__ = ["study"]

PAGE = "study.html"
SUMMARY = "study.json"


class Weigh(StrEnum):
    """What a word beside a name counts."""

    people = "people"
    probability = "probability"


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read beside the words."""

    people: Path | None
    lexica: list[str]
    supersenses: list[str]
    models: Path | None


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
    smoothing: Annotated[float, typer.Option(min=0, help="Added to every word and gender.")] = 0.0,
    draws: Annotated[int, typer.Option(min=1, help="Bootstrap draws over people.")] = 999,
    latent_draws: Annotated[
        int, typer.Option(min=0, help="Bootstrap draws of the latent model; under 2: no intervals.")
    ] = 20,
    steps: Annotated[int, typer.Option(min=1, help="Steps in fitting the latent model.")] = 1500,
    largest: Annotated[int, typer.Option(min=2, help="Largest-deviation words compared.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Compare the words that models put beside names of women, men and others.

    PMI with intervals over people, the latent-sentiment model of Stanczak et al.
    (2023), tests of the largest deviations, an analysis of variance over models,
    clusters of words: their tables 3 to 8 as parquet and TSV, with a page to read.

    Examples:

    [bold]curate politicians study out/words --out out/study[/bold]

    [bold]curate politicians study out/words --people out/people --lexicon en=lexicon.tsv
    --subset born=1946.. --representations mini --out out/study[/bold]
    """
    from curate.politicians.study.latent import Fit
    from curate.politicians.study.run import Settings

    if device != "cpu":
        from curate.models.devices import choose_device

        device = choose_device(device)
    settings = Settings(
        genders=_two(genders), weigh=weigh.value, top=top, least=least, smoothing=smoothing,
        draws=draws, latent_draws=latent_draws, largest=largest, seed=seed,
        fit=Fit(steps=steps, device=device), subsets=tuple(subset),
        representations=representations, device=device,
    )  # fmt: skip
    found, lexica = _run(words, _Read(people, lexicon, supersenses, models), settings)
    _need_both(found, settings.genders)
    summary = _write(out, found, settings, lexica, [*words, *([people] if people else [])])
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


def _need_both(found: Study, two: tuple[str, str]) -> None:
    """Raise InputError where no set of people holds both genders: a name mistyped, as a rule."""
    from curate.errors import InputError

    held: dict[tuple[str, ...], set[str]] = {}
    for row in found.rows["people"]:
        unit = (row["lang"], row["upos"], row["model"], row["subset"])
        held.setdefault(unit, set()).add(row["gender"])
    if not any(genders >= set(two) for genders in held.values()):
        there = ", ".join(sorted(set().union(*held.values())))
        raise InputError(
            f"no words beside both {two[0]!r} and {two[1]!r} people: nothing to compare",
            hint=f"name two of the genders here with --genders: {there or 'none'}",
        )


def _check_extras(*, lexica: bool, clusters: str) -> None:
    """Tell of what is not installed, or of no such model, before the long part begins."""
    from curate.politicians.study.extras import optional

    if lexica:
        optional("statsmodels", package="statsmodels")
    if clusters:
        optional("sklearn.cluster", package="scikit-learn")
        _model(clusters)


def _run(words: list[Path], read: _Read, settings: Settings) -> tuple[Study, dict[str, Any]]:
    """The study, and what each language's merged lexicon holds."""
    from curate.politicians.study.inputs import (
        by_language,
        expected_sentiment,
        read_supersenses,
        read_views,
    )
    from curate.politicians.study.model_facts import ModelFacts
    from curate.politicians.study.run import run_study
    from curate.politicians.study.subsets import parse_subset

    for text in settings.subsets:  # a wrong one is told before anything is computed
        parse_subset(text)
    _check_extras(lexica=bool(read.lexica), clusters=settings.representations)
    facts = ModelFacts.known(read.models)
    senses = {lang: read_supersenses(own) for lang, own in by_language(read.supersenses).items()}
    lexica, about = {}, {}
    for lang, files in by_language(read.lexica).items():
        views = read_views(files)
        lexica[lang], merged = expected_sentiment(views, seed=settings.seed)
        about[lang] = {
            "words": len(merged.words),
            "lexica": {view.name: len(view.words) for view in views},
        }
    found = run_study(
        words, people=read.people, lexica=lexica, supersenses=senses, facts=facts,
        settings=settings,
        report=lambda text: print(f"studying {text}", file=sys.stderr, flush=True),  # noqa: T201
    )  # fmt: skip
    return found, about


def _write(
    out: Path, found: Study, settings: Settings, lexica: dict[str, Any], inputs: list[Path]
) -> dict[str, Any]:
    from curate import __version__
    from curate.engine import write_json
    from curate.politicians.study.page import write_page
    from curate.politicians.study.results import as_table, clear_tables, write_tables

    out.mkdir(parents=True, exist_ok=True)
    earlier = _earlier_files(out / SUMMARY)
    tables = {name: as_table(name, rows) for name, rows in found.rows.items()}
    about: dict[str, Any] = {
        "settings": {**asdict(settings), "representations": _model(settings.representations)},
        "inputs": {"files": [path.name for path in inputs], "lexica": lexica},
    }
    written = write_tables(out, tables)
    clear_tables(out, earlier, kept=written)
    summary = {
        "curate": __version__,
        **about,
        "files": [*written, PAGE],
        "rows": {name: table.num_rows for name, table in tables.items()},
        "notes": found.notes,
    }
    write_page(out / PAGE, found, about)
    write_json(out / SUMMARY, summary)
    return summary


def _model(name: str) -> str:
    """A model's name and revision, without the folders it lies in; InputError where none is."""
    if not name:
        return ""
    from curate.models.sources import find_model

    found = find_model(name)
    return f"{found.name}@{found.revision}"


def _earlier_files(summary: Path) -> list[str]:
    """What an earlier study in this folder says that it wrote."""
    try:
        return [str(name) for name in json.loads(summary.read_text(encoding="utf-8"))["files"]]
    except (OSError, ValueError, TypeError, KeyError):
        return []  # none, or another program's


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
    typer.echo(f"written to {out} ({PAGE})")

"""`curate occupations polarity`: how far occupations lie towards he or she inside a model."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from curate.occupations.polarity import Polarity, Settings, TableVectors
    from curate.occupations.polarity.reading import Reading

__all__ = ["polarity"]


class Pool(StrEnum):
    """What stands for a word of several tokens."""

    mean = "mean"
    first = "first"
    last = "last"


class At(StrEnum):
    """Where the vector is read."""

    word = "word"
    end = "end"


class Direction(StrEnum):
    """Over which sentences the direction of gender is taken."""

    left_out = "left-out"
    mean = "mean"


def polarity(
    *,
    data: Annotated[Path, typer.Option(help="Folder that curate occupations build wrote.")],
    model: Annotated[str, typer.Option(help="mini (the embedded one), a folder, or a Hub id.")],
    out: Annotated[Path, typer.Option(help="Folder for the tables and the page.")],
    layer: Annotated[
        int, typer.Option(help="Layer: 0 the embeddings, 1, 2, ...; -1 the last, -2 before it.")
    ] = -1,
    pool: Annotated[
        Pool, typer.Option(help="What stands for a word of several tokens.")
    ] = Pool.mean,
    at: Annotated[
        At,
        typer.Option(
            help="Read the word itself, or the end: the sentence's last token. In a decoder "
            "(GPT-2, Llama) a word sees only what stands before it, so that the vector of one that "
            "begins its sentence is the same in all of them: there, --at end."
        ),
    ] = At.word,
    direction: Annotated[
        Direction,
        typer.Option(
            help="The mean of she - he over all other sentences, so that none helps to define the "
            "direction that it is held against, or (the paper's) over all."
        ),
    ] = Direction.left_out,
    scores: Annotated[
        list[Path],
        typer.Option(help="Folder of curate occupations score, to correlate with (repeat)."),
    ] = [],  # noqa: B006 (typer reads it)
    resamples: Annotated[int, typer.Option(min=10, help="Bootstrap draws of sentences.")] = 1000,
    permutations: Annotated[int, typer.Option(min=99, help="Sign flips of the tests.")] = 9999,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    restart: Annotated[
        bool, typer.Option("--restart", help="Throw away the parts of an unfinished run in OUT.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print polarity.json.")] = False,
) -> None:
    """Measure where occupations lie between he and she in a model (Katsarou et al. 2022).

    The direction of gender is the mean of she - he in the same sentences, the
    polarity of a word its cosine with it. Takes encoders (BERT), encoder-decoders
    (T5) and decoders (GPT-2), at any layer. Besides the paper's measure: how
    steady the direction is, polarity from the middle of he and she with a test
    and an interval, directions between other occupations to hold it against,
    and correlations with similarity scores and shares of women at work.

    Examples:

    [bold]curate occupations polarity --data out/en --model mini --out out/polarity[/bold]

    [bold]curate occupations polarity --data out/en --model t5-large --direction mean \
--scores out/en-scores --out out/t5[/bold]

    [bold]curate occupations polarity --data out/en --model gpt2 --at end --layer 6 \
--out out/gpt2[/bold]
    """
    from curate.occupations.polarity.reading import Reading, forget_parts
    from curate.report.polarity import write_polarity_page

    reading = Reading(model=model, layer=layer, pool=pool.value, at=at.value, device=device)
    told, found = _measure(
        data, out, reading, scores, restart=restart,
        direction=direction.value, resamples=resamples, permutations=permutations, seed=seed,
    )  # fmt: skip
    write_polarity_page(out, out / "polarity.html")
    forget_parts(out)
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False, sort_keys=True))
    else:
        _say(found, out)


def _measure(
    data: Path, out: Path, reading: Reading, scores: list[Path], *, restart: bool, **options: Any
) -> tuple[dict[str, Any], Polarity]:
    """The measurement, written."""
    from curate import __version__
    from curate.occupations import read_table
    from curate.occupations.polarity import Settings, measure_polarity, write_polarity
    from curate.occupations.polarity.extrinsic import read_differences
    from curate.occupations.polarity.reading import load_reader

    table = read_table(data)
    extrinsic = read_differences(scores, lang=table.lang, version=table.version)
    loaded = load_reader(reading.model, reading.device, reading.budget)
    layer, revision = loaded.layer_number(reading.layer), loaded.revision
    settings = Settings(
        model=loaded.name, revision=revision, layer=layer,
        pool=reading.pool, at=reading.at, **options,
    )  # fmt: skip
    reading = reading.model_copy(update={"layer": layer, "revision": revision})
    vectors = _vectors(table.long, reading, out, restart=restart)
    found = measure_polarity(vectors, settings, extrinsic=extrinsic)
    _note(found, loaded.kind, settings)
    about = {
        "data": data.resolve().name, "data_tables": table.manifest["tables"],
        "data_source": table.manifest.get("source", ""),
        "architecture": loaded.kind, "layers": loaded.layers, "size": loaded.size,
        "scores": [Path(folder).resolve().name for folder in scores], "curate": __version__,
    }  # fmt: skip
    return write_polarity(found, out, about=about), found


def _vectors(table: Any, reading: Reading, out: Path, *, restart: bool) -> TableVectors:
    from curate.cli.columns import step_progress
    from curate.occupations.polarity.folder import prepare_folder
    from curate.occupations.polarity.reading import read_vectors

    prepare_folder(out)
    with step_progress() as tell:
        return read_vectors(
            table, reading, out, restart=restart,
            on_words=lambda done, total: tell("reading vectors", done, total),
        )  # fmt: skip


def _note(found: Polarity, kind: str, settings: Settings) -> None:
    """Say what takes the sense from a measurement."""
    if found.about["one_vector"]:
        why = (
            "in a decoder a word sees only what stands before it; --at end reads the sentence's end"
            if kind == "decoder" and settings.at == "word" and settings.layer
            else "nothing of the sentence reaches them at this layer"
        )
        sys.stderr.write(
            f"note: he and she have one vector in all sentences ({why}). Intervals and tests over "
            "sentences say nothing here.\n"
        )


def _say(found: Polarity, out: Path) -> None:
    about = found.about
    steady = about["stability"]
    typer.echo(
        f"{about['n']:,} sentences, {about['subjects']:,} columns of occupations, {about['model']} "
        f"layer {about['layer']}, {about['pool']} of the tokens, direction {about['direction']}"
    )
    for name, unit in (("distance", ""), ("angle", " radians"), ("cosine", "")):
        typer.echo(
            f"{_NAMES[name]}: {_text(steady[name]['mean'])} ± {_text(steady[name]['std'])}{unit}"
        )
    rows = [r for r in found.summary if r["measure"] == "centred" and r["kind"] == "occupation"]
    rows = sorted((r for r in rows if r["mean"] is not None), key=lambda row: row["mean"])
    for title, ends in (("nearest to he", rows[:5]), ("nearest to she", rows[:-6:-1])):
        typer.echo(f"{title}: " + ", ".join(f"{r['column']} {r['mean']:+.3f}" for r in ends))
    if about["forms"]:
        typer.echo(
            "feminine less masculine forms: {mean:+.3f} [{ci_low:.3f}, {ci_high:.3f}], "
            "{towards_she} of {n} towards she".format(**about["forms"])
        )
    groups = [f"{name} {one['mean']:+.3f} (n {one['n']})" for name, one in about["status"].items()]
    if groups:
        typer.echo(f"by status: {', '.join(groups)}")
    significant = sum(r["p_holm"] is not None and r["p_holm"] < 0.05 for r in rows)
    beyond = sum(r["p_placebo"] is not None and r["p_placebo"] < 0.05 for r in rows)
    typer.echo(
        f"{significant:,} of {len(rows):,} differ from the middle of he and she over sentences "
        f"(Holm, 0.05); {beyond:,} lie farther out than along 95 % of other directions"
    )
    for row in found.correlations:
        if row["measure"] == "centred" and row["kind"] == "spearman" and row["value"] is not None:
            typer.echo(
                f"Spearman with {' of '.join(filter(None, (row['against'], row['source'])))} "
                f"({row['form']}): "
                f"{row['value']:.2f} [{_text(row['ci_low'])}, {_text(row['ci_high'])}], "
                f"p {row['p']:.4f}, n {row['n']}"
            )
    for code, count in about["dropped"].items():
        typer.echo(f"  dropped: {code} {count:,}")
    typer.echo(f"written to {out} (polarity.html)")


_NAMES = {
    "distance": "distance of he and she",
    "angle": "angle between them",
    "cosine": "cosine of she - he with the other sentences' direction",
}


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"

"""`curate model`: train a small masked language model, export it, look at one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curate.models.pretraining.corpus import Source

__all__ = ["app"]

app = typer.Typer(help="Train, export and inspect masked language models.", no_args_is_help=True)

FREQUENT = 30

CorpusFiles = Annotated[
    list[str],
    typer.Option(
        "--corpus",
        help="LANG=FILE, repeated: a sentence a line (.txt, .gz, .xz); one in fifty is held out.",
    ),
]
ExtraFiles = Annotated[
    list[str] | None,
    typer.Option("--extra", help="LANG=FILE, repeated: more text, none of it held out."),
]
OutFolder = Annotated[Path, typer.Option(help="Folder of the run; one cut off there goes on.")]


@app.command()
def pretrain(
    *,
    corpus: CorpusFiles,
    out: OutFolder,
    extra: ExtraFiles = None,
    weight: Annotated[
        list[float] | None,
        typer.Option(help="Share of the batches, one a file: corpora first (default: equal)."),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            help="Words that become whole vocabulary entries, one a line "
            "(default: forms of the lexicons that are frequent in the corpora)."
        ),
    ] = None,
    vocabulary: Annotated[int, typer.Option(min=100, max=65536, help="Entries.")] = 20_000,
    hidden: Annotated[int, typer.Option(min=8, help="Size of the hidden state.")] = 256,
    layers: Annotated[int, typer.Option(min=1)] = 4,
    heads: Annotated[int, typer.Option(min=1)] = 4,
    steps: Annotated[int, typer.Option(min=1, help="Updates of the weights.")] = 6000,
    batch_tokens: Annotated[int, typer.Option(min=64, help="Tokens a step.")] = 6144,
    learning_rate: Annotated[float, typer.Option(min=1e-6)] = 2e-3,
    max_extra: Annotated[
        int, typer.Option(min=1, help="Sentences read of every extra file.")
    ] = 120_000,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, help="Stop after so long; the same command goes on later."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0)] = 13,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="Steps.")] = 200,
    bf16: Annotated[bool, typer.Option(help="Train in bfloat16 where it helps.")] = True,
    corpus_name: Annotated[str, typer.Option(help="Source of the corpora, for the card.")] = "",
    corpus_licence: Annotated[str, typer.Option(help="Licence of the corpora.")] = "unstated",
    extra_name: Annotated[str, typer.Option(help="Source of the extra text.")] = "",
    extra_licence: Annotated[str, typer.Option(help="Licence of the extra text.")] = "unstated",
) -> None:
    """Train a small masked LM on one or more languages; OUT/model is the finished model.

    A run that was killed goes on from its last checkpoint when the same command is given again and
    ends with the same weights. The model's card.json and README.md say what it was trained on and
    its masked-token accuracy on held-out sentences.

    Examples:

      curate model pretrain --corpus en=en.txt.gz --corpus de=de.txt.gz --steps 4000 --out out/mini

      curate model pretrain --corpus sv=sv.txt --extra sv=novels.txt.xz --weight 0.8 --weight 0.2
      --minutes 30 --out out/sv
    """
    from curate.models.pretraining.run import pretrain as run
    from curate.models.pretraining.train import TrainConfig
    from curate.models.pretraining.vocabulary import read_words

    if hidden % heads:
        raise UsageError(f"--hidden {hidden} does not divide among --heads {heads}")
    sources = [
        *_sources(corpus, evaluate=True, name=corpus_name, licence=corpus_licence),
        *_sources(
            extra or [], evaluate=False, name=extra_name, licence=extra_licence, most=max_extra
        ),
    ]
    sources = _weighted(sources, weight or [])
    config = TrainConfig(
        steps=steps, batch_tokens=batch_tokens, learning_rate=learning_rate, hidden=hidden,
        layers=layers, heads=heads, seed=seed, checkpoint_every=checkpoint_every, bf16=bf16,
    )  # fmt: skip
    with _Progress(steps) as progress:
        progress.stage("looking for frequent gender words")
        chosen = read_words(words) if words else _frequent_forms(sources)
        done = run(
            sources, out, config=config, words=chosen, vocabulary=vocabulary, minutes=minutes,
            on_stage=progress.stage, on_step=progress.step,
        )  # fmt: skip
    if done.card is None or done.model is None:
        typer.echo(f"stopped after {done.steps_done:,} of {done.steps:,} steps; the same command")
        typer.echo(f"goes on. To export as it is: curate model export {out} --out FOLDER")
        return
    _print_card(done.card, done.model)


@app.command()
def export(
    run: Annotated[Path, typer.Argument(help="Folder of a run of `curate model pretrain`.")],
    out: Annotated[Path, typer.Option(help="Model folder to write.")],
    name: Annotated[str, typer.Option(help="Name on the card.")] = "curate-mini",
) -> None:
    """Export the last checkpoint of a run as a model folder with its card.

    Example:

      curate model export out/mini --out out/mini/model
    """
    from curate.models.pretraining.export import export_model

    _print_card(export_model(run, out, name=name), out)


@app.command()
def info(
    model: Annotated[str, typer.Argument(help="mini, a folder, or a Hub id.")] = "mini",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what a model is: shape, revision, and its card where it has one of ours.

    Examples:

      curate model info

      curate model info ./my-model --json
    """
    from curate.models.info import describe_model

    described = describe_model(model)
    if as_json:
        typer.echo(json.dumps(described, ensure_ascii=False, indent=2))
        return
    card = described.pop("card", None)
    from rich.console import Console

    console = Console()
    for key, value in described.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        console.print(f"[bold]{key:12}[/bold] {shown}", highlight=False)
    if card:
        console.print(_accuracy_table(card))


def _sources(
    given: Iterable[str], *, evaluate: bool, name: str, licence: str, most: int | None = None
) -> list[Source]:
    from curate.models.pretraining.corpus import Source

    sources = []
    for text in given:
        lang, equals, path = text.partition("=")
        if not equals or not lang or not path:
            raise UsageError(f"{text!r} is not LANG=FILE", hint="for example --corpus de=de.txt.gz")
        sources.append(
            Source(lang, Path(path), evaluate, max_sentences=most, name=name, licence=licence)
        )
    return sources


def _weighted(sources: list[Source], weights: list[float]) -> list[Source]:
    from dataclasses import replace

    if weights and len(weights) != len(sources):
        raise UsageError(f"{len(weights)} weights for {len(sources)} files")
    if any(weight <= 0 for weight in weights):
        raise UsageError("a weight must be over 0")
    shares = weights or [1.0] * len(sources)
    return [replace(source, weight=w) for source, w in zip(sources, shares, strict=True)]


def _frequent_forms(sources: list[Source]) -> list[str]:
    """Lexicon forms, in the letter case in which they stand there often, by language."""
    from curate.lexicon import available_languages, load_lexicon
    from curate.models.pretraining.corpus import read_sentences

    known = available_languages()
    found: list[str] = []
    for source in sources:
        if not source.evaluate or source.lang not in known:
            continue
        lexicon = load_lexicon(source.lang)
        forms = lexicon.forms("masculine") | lexicon.forms("feminine")
        wanted = {form.lower() for form in forms}
        counts: Counter[str] = Counter()
        for sentence in read_sentences(source.path):
            counts.update(
                token.text for token in lexicon.tokenizer(sentence) if token.text.lower() in wanted
            )
        found += sorted(form for form, count in counts.items() if count >= FREQUENT)
    return list(dict.fromkeys(found))


def _print_card(card: dict[str, Any], out: Path) -> None:
    from rich.console import Console

    console = Console()
    console.print(_accuracy_table(card))
    size = f"{card['parameters']:,} parameters, {card['bytes'] / 1e6:.1f} MB"
    console.print(
        f"{size}, {card['steps']:,} steps; written to {out}",
        highlight=False,
    )


def _accuracy_table(card: dict[str, Any]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(
        title="Held-out masked tokens restored", title_justify="left", box=box.SIMPLE_HEAD
    )
    table.add_column("language")
    for name in ("accuracy", "masked tokens"):
        table.add_column(name, justify="right")
    for lang, accuracy in sorted(card["held_out_accuracy"].items()):
        table.add_row(lang, f"{100 * accuracy['top1']:.1f} %", f"{accuracy['tokens']:,}")
    return table


class _Progress:
    """A bar on standard error with loss, rate and remaining time; drawn only on a terminal."""

    def __init__(self, steps: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"), TimeRemainingColumn(), console=console,
            transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=steps, note="")
        self._loss = self._rate = 0.0

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def stage(self, text: str) -> None:
        self._bar.update(self._task, description=text)

    def step(self, step: int, loss: float, rate: float) -> None:
        self._loss = loss if not self._loss else 0.98 * self._loss + 0.02 * loss
        self._rate = rate if not self._rate else 0.98 * self._rate + 0.02 * rate
        note = f"loss {self._loss:.2f}, {self._rate:,.0f} tokens/s"
        self._bar.update(self._task, completed=step, note=note)

"""What the commands that turn a corpus into pairs share: options, progress, the closing table."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curate.errors import UsageError

if TYPE_CHECKING:
    from curate import engine
    from curate.pairs.run import Method
    from curate.sources import Corpus

__all__ = [
    "Address",
    "BatchRows",
    "Column",
    "CorpusSpec",
    "Engine",
    "EngineChoice",
    "Folds",
    "Json",
    "Lang",
    "Licence",
    "Near",
    "OnErrorOption",
    "Out",
    "Restart",
    "Seed",
    "Source",
    "Streaming",
    "Workers",
    "engine_for",
    "print_rows",
    "progress_bar",
    "read_so_far",
    "run_corpus",
    "say_of_corpus",
]


class OnErrorChoice(StrEnum):
    """What becomes of bad input: of a row, or (skip) of a whole part of the corpus too."""

    drop = "drop"
    skip = "skip"
    stop = "stop"


class EngineChoice(StrEnum):
    """Where a run is computed."""

    local = "local"
    ray = "ray"


def _folder(spec: str) -> Path:
    from curate.engine import folder_at

    return folder_at(spec)


Lang = Annotated[str, typer.Option(help="Language of the corpus: a folder of lexicons/.")]
CorpusSpec = Annotated[
    str,
    typer.Option(
        help="A file (.txt: a sentence a line; .tsv .csv .jsonl .parquet; .gz or .xz of any), "
        "a folder or glob of such, their URL (s3://…), or hub:REPO\\[:config\\[:split]]."
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        parser=_folder,
        metavar="FOLDER",
        help="Folder to write, or its URL (s3://…); a run cut off there goes on.",
    ),
]
Engine = Annotated[
    EngineChoice, typer.Option(help="Where to run: processes of this machine, or Ray.")
]
Workers = Annotated[int, typer.Option(min=0, help="Processes; 0: one a processor.")]
Address = Annotated[
    str,
    typer.Option(help="Of a Ray cluster (auto, HOST:PORT); without it Ray is started here."),
]
Near = Annotated[
    float | None,
    typer.Option(
        "--near",
        min=0.5,
        max=1.0,
        help="Drop pairs as similar (Jaccard) to an earlier one with the same gender words.",
        show_default="keep them",
    ),
]
Streaming = Annotated[
    bool, typer.Option("--streaming", help="Read a hub: corpus without downloading it first.")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the balance.")]
Folds = Annotated[
    int, typer.Option(min=0, max=100, help="Folds of the balance; 0: keep every pair.")
]
BatchRows = Annotated[
    int, typer.Option(min=0, help="Rows a batch; changes no result. 0: what suits the engine.")
]
OnErrorOption = Annotated[
    OnErrorChoice,
    typer.Option(
        help="drop: a bad row becomes a drop; skip: and so does what is wrong with a whole part; "
        "stop: the first one ends the run."
    ),
]
Restart = Annotated[bool, typer.Option("--restart", help="Throw away what OUT holds.")]
Source = Annotated[
    str, typer.Option(help="Name of the source in every row; without it the file name.")
]
Licence = Annotated[str, typer.Option(help="Licence of the corpus, kept in every row.")]
Column = Annotated[str, typer.Option(help="Column of the text in a table.")]
Json = Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")]


def run_corpus(
    make: Callable[[], Method], spec: str, out: Path, *,
    lang: str, folds: int, seed: int, near: float | None, engine: EngineChoice, workers: int,
    address: str, batch_rows: int, on_error: OnErrorChoice, restart: bool, source: str,
    licence: str, column: str, streaming: bool, as_json: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Run a method over a corpus with a progress bar on a terminal, and print what came out."""
    from curate.pairs.run import run_pairs
    from curate.sources import Corpus

    where = engine_for(engine, workers, address)
    method = make()
    corpus = Corpus(
        spec, lang=lang, source=source or None, licence=licence, column=column,
        on_error=on_error.value, streaming=streaming,
    )  # fmt: skip
    with progress_bar(corpus.name) as update:
        stats = run_pairs(
            method, corpus, out,
            folds=folds, seed=seed, near=near, engine=where, batch_rows=batch_rows, restart=restart,
            on_progress=lambda rows: update(rows, *read_so_far(corpus, where)),
        )  # fmt: skip
    say_of_corpus(corpus)
    if as_json:
        typer.echo(json.dumps(stats, ensure_ascii=False, sort_keys=True))
    else:
        print_counts(stats, out)
    return stats


def say_of_corpus(corpus: Corpus) -> None:
    """What was done to a corpus beside reading it, on standard error."""
    if corpus.left_out:
        names = ", ".join(corpus.left_out[:5]) + (" …" if len(corpus.left_out) > 5 else "")
        typer.echo(f"left out of the corpus: {names}", err=True)
    if corpus.normalised:
        typer.echo(f"{corpus.normalised} texts were not in NFC and now are", err=True)


def engine_for(choice: EngineChoice, workers: int, address: str) -> engine.Engine:
    from curate.engine import Engine, available_workers

    if address and choice is not EngineChoice.ray:
        raise UsageError("--address is for --engine ray")
    if not workers and not address:
        workers = available_workers()
    return Engine(name=choice.value, workers=workers, address=address)


def read_so_far(corpus: Corpus, where: engine.Engine) -> tuple[int, int | None]:
    """(read, all), as `Corpus.progress`; Ray reads elsewhere, where nobody can see how far."""
    read, whole = corpus.progress if where.name == "local" else (0, 0)
    return read, whole or None


class progress_bar:  # noqa: N801 (used as a function)
    """A bar on standard error, drawn only on a terminal; yields update(rows, read, all)."""

    def __init__(self, name: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]:,} rows"),
            TimeRemainingColumn(), console=console, transient=True,
            disable=not console.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task(name, total=None, rows=0)

    def __enter__(self) -> Callable[[int, int, int | None], None]:
        self._bar.start()
        return lambda rows, read, whole: self._bar.update(
            self._task, rows=rows, completed=read, total=whole
        )

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def print_counts(stats: dict[str, Any], out: Path) -> None:
    """The closing table of a run: pairs, and every reason for a drop."""
    rows = [
        ("sentences", stats["n_sentences"]),
        ("with exactly one gender word", stats["n_single"]),
        ("[bold]pairs[/bold]", stats["n_pairs"]),
        ("  from masculine sentences", stats["original_masculine"]),
        ("  from feminine sentences", stats["original_feminine"]),
        ("  in a balanced fold", stats["kept"]),
    ]
    rows += [(f"dropped: {code}", n) for code, n in stats["drops"].items()]
    print_rows(f"{stats['lang']}-{stats['method']}", rows, out)


def print_rows(title: str, rows: list[tuple[str, int]], out: Path) -> None:
    """Counts of rows by name (rich markup), and where the tables are."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("")
    table.add_column("rows", justify="right")
    for name, count in rows:
        table.add_row(name, f"{count:,}")
    console = Console()
    console.print(table)
    console.print(f"written to {out}", highlight=False)

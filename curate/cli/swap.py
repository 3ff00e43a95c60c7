"""`curate swap`: one sentence a line in, one JSON line out, in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, TextIO

import typer

from curate.cli.means import MARGIN, Margin, Model, Parser
from curate.errors import InputError

if TYPE_CHECKING:
    from curate.swap import Swapper, SwapResult

__all__ = ["swap"]


class Direction(StrEnum):
    auto = "auto"
    masculine = "masculine"
    feminine = "feminine"


class Mentions(StrEnum):
    one = "one"
    referent = "referent"
    all = "all"


def swap(
    *,
    text: Annotated[
        str | None, typer.Argument(help="A sentence; without it, lines are read from --input.")
    ] = None,
    lang: Annotated[
        str, typer.Option("--lang", "-l", help="Language (BCP-47), see `curate languages`.")
    ],
    to: Annotated[Direction, typer.Option(help="The gender to reach.")] = Direction.auto,
    mentions: Annotated[
        Mentions,
        typer.Option(
            help="one: exactly one gender word; referent: all words for one person, several people "
            "are refused; all: everybody changes."
        ),
    ] = Mentions.referent,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show in words what decided (on stderr).")
    ] = False,
    parser: Parser = "auto",
    model: Model = "auto",
    margin: Margin = MARGIN,
    source: Annotated[
        str, typer.Option("--input", help="File with a sentence a line, or - (stdin).")
    ] = "-",
    output: Annotated[
        str, typer.Option("--output", help="File for the JSON lines, or - (stdout).")
    ] = "-",
) -> None:
    """Swap the gender of the person a sentence speaks of, or refuse with a code.

    Examples:

    [bold]curate swap --lang es "El director estaba cansado."[/bold]

    [bold]curate swap --lang de --input corpus.txt --output swaps.jsonl[/bold]

    [bold]curate swap --lang en "His father knew the king." --mentions all[/bold]

    [bold]curate swap --lang de "Sie sieht die Frau." --parser none --model none[/bold]
    """
    swapper = _swapper(lang, parser, model, margin)
    lines = iter([text]) if text is not None else _lines(source)
    with _writer(output) as sink:
        for line in lines:
            result = swapper.swap(line, to=to.value, mentions=mentions.value)
            sink.write(json.dumps(result.as_json(), ensure_ascii=False) + "\n")
            if explain:
                _explain(result)


def _swapper(lang: str, parser: str, model: str, margin: float) -> Swapper:
    from curate.lexicon.collecting import collection_paused, keep_all

    with collection_paused():
        from curate.lexicon import load_lexicon
        from curate.pairs.means import Means, make_swapper

        means = Means(parser=parser, model=model, margin=margin)
        swapper = make_swapper(load_lexicon(lang), means)
        keep_all()
    return swapper


def _lines(source: str) -> Iterator[str]:
    stream = sys.stdin.buffer if source == "-" else _open(source)
    empty = True
    with stream:
        for number, raw in enumerate(stream, start=1):
            empty = False
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"not UTF-8: {error.reason}",
                    where=f"{source}:{number}",
                    hint="convert it, e.g. iconv -f LATIN1 -t UTF-8",
                ) from None
            yield line.rstrip("\r\n")
    if empty and source != "-":
        raise InputError("the file is empty", where=source)


def _open(source: str) -> BinaryIO:
    path = Path(source)
    if not path.is_file():
        raise InputError("no such file", where=path)
    return path.open("rb")


@contextmanager
def _writer(output: str) -> Iterator[TextIO]:
    """Standard output, or a file that appears only when it is complete."""
    if output == "-":
        yield sys.stdout
        return
    path = Path(output)
    from curate.engine import replacing

    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as sink:
        yield sink


def _explain(result: SwapResult) -> None:
    from rich.console import Console

    console = Console(stderr=True, highlight=False, markup=False)
    if result.refused:
        detail = f": {result.detail}" if result.detail else ""
        console.print(f"  refused {result.refused}{detail}")
    else:
        means = ", ".join(result.means)
        console.print(f"  {result.source} -> {result.counterpart}   decided by {means}")
    for edit in result.edits:
        console.print(f"    {edit.old} -> {edit.new}   {edit.rule} [{edit.entry}]")
    for word, why in result.aside:
        console.print(f"    {word}: no gender word here   {why}")

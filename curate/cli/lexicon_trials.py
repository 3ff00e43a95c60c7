"""`curate lexicon sample` and `undo`: read a lexicon's swaps of real text, swap them back."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from curate.errors import InputError, UsageError

__all__ = ["sample", "undo"]

Corpus = Annotated[Path | None, typer.Option(help="Text, a sentence a line; .gz or .xz too.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the order.")]
COLUMNS = ("sentence", "counterpart", "edits", "verdict", "fault")


def sample(
    lang: Annotated[str, typer.Argument(help="The language.")],
    *,
    corpus: Corpus = None,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="How many swaps.")] = 100,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="A sheet (TSV) for verdicts.")] = None,
    score: Annotated[
        Path | None, typer.Option(help="A sheet that was filled in: print the share that is ok.")
    ] = None,
) -> None:
    """Draw swaps of real text to read; count the verdicts of a sheet that was read.

    Verdicts: ok, grammar (ungrammatical), half (a word kept the old gender),
    other (something else changed too), unnatural; `fault`: what is wrong, in
    your own words. Rules alone decide.

    Examples:

    [bold]curate lexicon sample nl --corpus nl.txt.gz --seed 1[/bold]

    [bold]curate lexicon sample nl --corpus nl.txt.gz --n 100 --out out/nl.tsv[/bold]

    [bold]curate lexicon sample nl --score out/nl.tsv[/bold]
    """
    if score is not None:
        _score(lang, score)
        return
    from curate.lexicon import load_lexicon
    from curate.swap import Swapper
    from curate.swap.trials import sample_swaps

    texts = _texts(corpus)
    found, refusals = sample_swaps(Swapper(load_lexicon(lang)), texts, n, seed)
    rows = [
        (r.text, r.counterpart, "; ".join(f"{e.old} > {e.new}" for e in r.edits)) for r in found
    ]
    if out is None:
        for text, counterpart, _ in rows:
            typer.echo(f"{text}\n  {counterpart}")
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("w", encoding="utf-8", newline="") as handle:
            writer = csv.writer(handle, delimiter="\t", lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([*map(_cell, row), "", ""] for row in rows)
    codes = ", ".join(f"{code} {count}" for code, count in refusals.most_common()) or "none"
    where = f"; sheet: {out}" if out else ""
    typer.echo(f"{lang}: {len(rows)} swaps{where}; refused on the way: {codes}", err=True)


def undo(
    lang: Annotated[str, typer.Argument(help="The language.")],
    *,
    corpus: Corpus = None,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="Texts with a gender word.")] = 10_000,
    seed: Seed = 0,
    failures: Annotated[int, typer.Option(min=0, help="How many failures are listed.")] = 20,
    same: Annotated[
        str, typer.Option(help="Letters that count as one (ёе): spelling that is not to be seen.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Swap twice: the first sentence must come again, or a refusal.

    Example: [bold]curate lexicon undo nl --corpus nl.txt.gz[/bold]
    """
    from curate.lexicon import load_lexicon
    from curate.swap import Swapper
    from curate.swap.trials import swap_twice

    texts = _texts(corpus)
    found = swap_twice(Swapper(load_lexicon(lang)), texts, n, seed=seed, same_letters=same)
    if as_json:
        record = {
            "lang": lang, "matched": found.matched, "attempted": found.attempted,
            "same": found.same, "refused": found.refused, "other": len(found.other),
            "share": found.share, "failures": found.other[:failures],
        }  # fmt: skip
        typer.echo(json.dumps(record, ensure_ascii=False, indent=2))
        return
    for failure in found.other[:failures]:
        typer.echo("\n  -> ".join(failure))
    typer.echo(
        f"{lang}: {found.share:.2%} of {found.attempted:,} swaps came back ({found.same:,}) "
        f"or were refused ({found.refused:,}); {found.matched:,} texts with a gender word"
    )


def _texts(corpus: Path | None) -> list[str]:
    from curate.sources.files import decoded_lines

    if corpus is None:
        raise UsageError("no text to read", hint="give --corpus FILE, a sentence a line")
    texts = [line.rstrip("\r\n") for line in decoded_lines(corpus)]
    if not any(texts):
        raise InputError("the file is empty", where=corpus)
    return texts


def _score(lang: str, sheet: Path) -> None:
    from curate.sources.delimited import read_delimited
    from curate.swap.trials import VERDICTS, wilson

    table = read_delimited(sheet, wanted=("verdict", "fault"))
    verdict, fault = (table.header.index(name) for name in ("verdict", "fault"))
    counts: Counter[str] = Counter()
    for number, row in enumerate(table.rows, start=2):
        said = row[verdict].strip().lower() if len(row) > verdict else ""
        if not said:
            raise InputError("no verdict yet", where=f"{sheet}:{number}", hint="read it to the end")
        if said not in VERDICTS:
            raise InputError(
                f"verdict {said!r}", where=f"{sheet}:{number}", hint=f"one of {', '.join(VERDICTS)}"
            )
        counts[said] += 1
        if said != "ok":
            typer.echo(f"{said}\t{row[fault] if len(row) > fault else ''}")
    n = counts.total()
    if not n:
        raise InputError("no row", where=sheet)
    low, high = wilson(counts["ok"], n)
    typer.echo(f"{lang}: {counts['ok']} of {n} ok (95 % {low:.1%} to {high:.1%})")


def _cell(text: str | None) -> str:
    from curate.sources.delimited import guarded

    return guarded(" ".join((text or "").split()))

"""`curate lexicon new`: a first draft of a language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curate.errors import UsageError

__all__ = ["new"]

_SHOWN = 10


def new(
    lang: Annotated[str, typer.Argument(help="BCP-47 tag of the new language.")],
    *,
    candidates: Annotated[
        Path | None,
        typer.Option(help="CSV: column english (king, queen, ...), then a column a system."),
    ] = None,
    treebank: Annotated[
        list[Path] | None, typer.Option(help="CoNLL-U file, plain or compressed (repeat for more).")
    ] = None,
    unimorph: Annotated[Path | None, typer.Option(help="UniMorph table.")] = None,
    frequency: Annotated[Path | None, typer.Option(help="Lines of a word and a count.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder; default: a new one among the lexicons.")
    ] = None,
) -> None:
    """Draft a language from translations, a treebank, word lists; every row is unreviewed.

    Candidates: the form that most systems give wins, the others stand in the
    note. Treebank and UniMorph: forms of one lemma that differ in gender
    alone, and which relations agree. worklist.tsv says where to begin
    reading: frequency times doubt.

    Example:

    [bold]curate lexicon new nl --candidates nl.csv --frequency nl_50k.txt --out my/nl[/bold]
    """
    import langcodes

    from curate.lexicon import draft, load_lexicon
    from curate.lexicon.draft_files import write_draft
    from curate.resources import lexicons_folder

    if not langcodes.tag_is_valid(lang):
        raise UsageError(f"{lang!r} is not a BCP-47 tag", hint="for example nl, pl, zh-Hant")
    folder = out or lexicons_folder() / lang
    if folder.name != lang:
        raise UsageError("the folder must bear the language's tag", hint=f"--out {folder / lang}")
    if not (candidates or treebank or unimorph):
        raise UsageError(
            "nothing to draft from", hint="--candidates CSV, --treebank CONLLU or --unimorph TSV"
        )
    made = draft.Draft(frequencies=draft.read_frequencies(frequency) if frequency else {})
    if candidates:
        made.candidates = draft.read_candidates(candidates, load_lexicon("en"))
    for path in treebank or ():
        draft.add_treebank(made, path)
    if unimorph:
        made.twins = draft.merged(made.twins, draft.read_unimorph(unimorph))
    given = [path.name for path in (candidates, *(treebank or ()), unimorph, frequency) if path]
    counts = write_draft(folder, made, sources=given)
    for name, rows in counts.items():
        typer.echo(f"{folder / name}: {rows:,} rows, unreviewed")
    if made.relations:
        typer.echo(
            f"agree in gender with their governor: {', '.join(made.attributive()) or 'none'}"
        )
    for _, count, _, pair, what in made.worklist()[:_SHOWN]:
        typer.echo(f"  {pair} ({count:,}): {what}")
    typer.echo(
        f"next: read {folder / 'worklist.tsv'} from the top; then curate lexicon check {lang}"
    )

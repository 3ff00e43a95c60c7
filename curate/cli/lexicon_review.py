"""`curate lexicon export-review` and `import-review`: reviewers vote on the pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curate.errors import UsageError

if TYPE_CHECKING:
    from curate.annotation.studio.lexicon_votes import FetchedVotes
    from curate.lexicon import Lexicon
    from curate.lexicon.votes import ReviewResult

__all__ = ["export_review", "import_review"]

ServerOption = Annotated[
    str,
    typer.Option(
        help="Folder of `curate translate serve`, or an address (token: LABEL_STUDIO_API_KEY)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]


def export_review(
    lang: Annotated[str, typer.Argument(help="The language.")],
    *,
    out: Annotated[Path | None, typer.Option(help="The CSV to write.")] = None,
    server: ServerOption = "",
    reviewers: Annotated[
        int | None,
        typer.Option(min=1, help="With --server: people who vote on each lexeme (default 3)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Have reviewers vote on every lexeme, in a table of their own or in Label Studio.

    `natural`: would a native speaker say both words of people? `neutral`: does
    one of them say nothing of gender? Empty cells are no vote. In Label Studio
    a language has one project; repeated, the command sends what is new, and
    lexemes that were changed. Exit 1 where a hand changed the project.

    Examples:

    [bold]curate lexicon export-review es --out review-es.csv[/bold]

    [bold]curate lexicon export-review es --server out/studio --reviewers 3[/bold]
    """
    from curate.lexicon import load_lexicon

    if (out is None) == (not server):
        raise UsageError(
            "votes are gathered in a file or on a server", hint="--out FILE, or --server DIR"
        )
    if out is None:
        _export_to_server(load_lexicon(lang), server, reviewers, as_json=as_json)
        return
    if reviewers is not None:
        raise UsageError("--reviewers goes with --server", hint="a file is for one reviewer")
    rows = _write_table(load_lexicon(lang), out)
    if as_json:
        typer.echo(json.dumps({"lang": lang, "lexemes": rows, "out": str(out)}, ensure_ascii=False))
    else:
        typer.echo(f"{rows:,} lexemes of {lang} in {out}")


def _write_table(lexicon: Lexicon, out: Path) -> int:
    from curate.engine import replacing
    from curate.lexicon.review import review_table

    text = review_table(lexicon)
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as temporary:
        temporary.write_text(text, encoding="utf-8-sig")  # a mark that spreadsheets want
    return text.count("\n") - 1


def _export_to_server(
    lexicon: Lexicon, server: str, reviewers: int | None, *, as_json: bool
) -> None:
    from curate.annotation.studio.lexicon_review import export_lexemes
    from curate.cli.columns import step_progress
    from curate.cli.lexicon_review_report import print_exported
    from curate.cli.studio_server import named_access

    access, _ = named_access(server)
    with step_progress() as on_progress:
        exported = export_lexemes(lexicon, access, reviewers=reviewers, on_progress=on_progress)
    print_exported(exported, lexicon.lang, as_json=as_json)
    if exported.found:
        raise typer.Exit(1)


def import_review(
    lang: Annotated[str, typer.Argument(help="The language.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="REVIEWER=FILE", help="Pseudonym and filled-in CSV."),
    ] = None,
    *,
    server: ServerOption = "",
    people: Annotated[
        Path | None,
        typer.Option(
            help="With --server: who stands behind r1, r2 … (default: reviewers.json in curate's "
            "folder of the user's data). Keep it, never publish it."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take over reviewers' votes; a majority against a pair puts it out of use.

    A pair is voted out when more reviewers call it unnatural or neutral than
    not; a tie keeps it. Votes are kept by reviewer in votes.tsv: reading them
    twice changes nothing, a changed answer replaces the old one. Then it says
    how far the reviewers agree.

    From Label Studio every field is read strictly: an answer counts whole or
    not at all, and what is wrong is listed (exit 1). Reviewers stand in
    votes.tsv as r1, r2 …; their addresses in a file that only you can read.

    Examples:

    [bold]curate lexicon import-review es r1=ana.csv r2=luis.csv[/bold]

    [bold]curate lexicon import-review es --server out/studio[/bold]
    """
    from curate.cli.lexicon_review_report import print_imported
    from curate.lexicon import load_lexicon, review
    from curate.resources import lexicons_folder

    if bool(files) == bool(server):
        raise UsageError("votes come from files or from a server", hint="r1=FILE, or --server DIR")
    if people is not None and not server:
        raise UsageError("--people goes with --server", hint="a file names its reviewer itself")
    named = [_named(item) for item in files or ()]
    lexicon = load_lexicon(lang)
    folder = lexicons_folder() / lang
    fetched = None
    if server:
        result, fetched = _import_from_server(folder, lexicon, server, people, as_json=as_json)
    else:
        result = review.import_review(folder, lexicon, named)
    load_lexicon.cache_clear()
    print_imported(result, fetched, folder, lang, as_json=as_json)
    if fetched is not None and fetched.found:
        raise typer.Exit(1)


def _named(item: str) -> tuple[str, Path]:
    reviewer, equals, path = item.partition("=")
    if not equals or not reviewer or not reviewer.replace("-", "").isalnum():
        raise UsageError(f"{item!r} is not REVIEWER=FILE", hint="r1=ana.csv (letters, digits)")
    return reviewer, Path(path)


def _import_from_server(
    folder: Path, lexicon: Lexicon, server: str, people: Path | None, *, as_json: bool
) -> tuple[ReviewResult, FetchedVotes]:
    from curate.annotation.reliability.votes import read_votes
    from curate.annotation.studio.lexicon_reviewers import Reviewers, reviewers_file
    from curate.annotation.studio.lexicon_votes import fetch_votes
    from curate.cli.studio_server import named_access
    from curate.lexicon.votes import record_votes

    votes = folder / "votes.tsv"
    taken = {reviewer for _, reviewer, _ in read_votes(votes)} if votes.is_file() else set()
    reviewers = Reviewers(people or reviewers_file(), lexicon.lang, taken=taken)
    access, _ = named_access(server)
    fetched = fetch_votes(lexicon, access, reviewers)
    reviewers.save()  # before the votes: a name that is used is a name that is known
    if reviewers.new and not as_json:
        typer.echo(f"new: {', '.join(reviewers.new)} (who they are: {reviewers.path})")
    return record_votes(folder, fetched.votes, wishes=fetched.wishes), fetched

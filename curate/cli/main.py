"""The command `curate`: its groups, its errors and its exit codes."""

from __future__ import annotations

import os
import sys

import typer

from curate import __version__
from curate.cli import (
    compare,
    crows,
    demo,
    languages,
    lexicon,
    model,
    occupations,
    pairs,
    politicians,
    politicians_lexicon,
    politicians_study,
    politicians_words,
    release,
    report,
    sample_size,
    score,
    swap,
    translate,
)
from curate.errors import CurateError

__all__ = ["app", "run"]

_INTERRUPTED = 130

app = typer.Typer(
    name="curate",
    help="Build, check, publish and score multilingual gender minimal pairs.",
    epilog="Start with: curate demo",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("languages")(languages.languages)
app.command("swap")(swap.swap)
app.add_typer(lexicon.app, name="lexicon")
app.add_typer(pairs.app, name="pairs")
app.add_typer(crows.app, name="crows")
app.add_typer(translate.app, name="translate")
politicians.app.command("words")(politicians_words.words)
politicians.app.command("import")(politicians_words.import_table)
politicians.app.command("lexicon")(politicians_lexicon.lexicon)
politicians.app.command("study")(politicians_study.study)
app.add_typer(politicians.app, name="politicians")
app.add_typer(occupations.app, name="occupations")
app.add_typer(model.app, name="model")
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.command("sample-size")(sample_size.sample_size)
app.add_typer(release.app, name="release")
app.command("report")(report.report)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"curate {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    if debug:
        os.environ["CURATE_DEBUG"] = "1"


def run() -> None:
    """Run the command; turn our errors into one line, a hint and an exit code."""
    try:
        app()
    except CurateError as error:
        if os.environ.get("CURATE_DEBUG"):
            raise
        sys.stderr.write(f"curate: {error}\n")
        if error.hint:
            sys.stderr.write(f"  hint: {error.hint}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except SystemExit as ended:
        if ended.code == _INTERRUPTED:  # typer has turned the interrupt into this
            sys.stderr.write(
                "curate: interrupted; finished parts are kept, run the same command to go on\n"
            )
        raise

"""The command `curate`: its groups, its errors and its exit codes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import typer

from curate import __version__
from curate.errors import CurateError

__all__ = ["app", "run"]

_INTERRUPTED = 130

# by name, in the order of the help: where a command (or a group of them) is
_COMMANDS = {
    "demo": "demo:demo",
    "languages": "languages:languages",
    "swap": "swap:swap",
    "lexicon": "lexicon:app",
    "corpus": "corpus:app",
    "pairs": "pairs:app",
    "crows": "crows:app",
    "translate": "translate:app",
    "politicians": "politicians:app",
    "occupations": "occupations:app",
    "model": "model:app",
    "score": "score:score",
    "compare": "compare:compare",
    "sample-size": "sample_size:sample_size",
    "release": "release:app",
    "report": "report:report",
}
# commands of a group that stand in files of their own
_MEMBERS = {
    "politicians": {
        "words": "politicians_words:words",
        "import": "politicians_words:import_table",
        "lexicon": "politicians_lexicon:lexicon",
        "study": "politicians_study:study",
    }
}

app: typer.Typer
"""All commands; made when it is first asked for."""


def __getattr__(name: str) -> typer.Typer:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()["app"] = whole = _app(_COMMANDS)
    return whole


def _app(names: Iterable[str]) -> typer.Typer:
    """The command line with these commands: a run needs one, its help and its errors need all."""
    chosen = typer.Typer(
        name="curate",
        help="Build, check, publish and score multilingual gender minimal pairs.",
        epilog="Start with: curate demo",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    chosen.callback()(_main)
    for name in names:
        command = _load(_COMMANDS[name])
        if not isinstance(command, typer.Typer):
            chosen.command(name)(command)
            continue
        _join(command, _MEMBERS.get(name, {}))
        chosen.add_typer(command, name=name)
    return chosen


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"curate.cli.{module}"), name)


def _join(group: typer.Typer, members: Mapping[str, str]) -> None:
    """Add the commands that a group does not have yet."""
    known = {command.name for command in group.registered_commands}
    for name, place in members.items():
        if name not in known:
            group.command(name)(_load(place))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"curate {__version__}")
        raise typer.Exit


def _main(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    gc.enable()
    if debug:
        os.environ["CURATE_DEBUG"] = "1"


def _asked_for() -> Iterable[str]:
    """The command that the arguments begin with, or all where they begin with none."""
    first = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return (first,) if first in _COMMANDS else _COMMANDS


def run() -> None:
    """Run the command; turn our errors into one line, a hint and an exit code."""
    gc.disable()  # until the command begins: what is imported stays
    try:
        _app(_asked_for())()
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
    finally:
        gc.enable()

"""Commands of the command line as functions: errors of ours are raised, not printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.testing import CliRunner, Result

from curate.errors import CurateError

__all__ = ["Run", "runner_of"]

Run = Callable[..., Result]


def runner_of(app: typer.Typer) -> Run:
    """Call it with the arguments of a command, of any type."""
    runner = CliRunner()

    def call(*arguments: Any) -> Result:
        result = runner.invoke(app, [str(argument) for argument in arguments])
        if isinstance(result.exception, CurateError):
            raise result.exception
        return result

    return call

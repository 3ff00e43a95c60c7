"""The exceptions of the package: each says what, where, why and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = [
    "CurateError",
    "InputError",
    "LexiconError",
    "MissingExtraError",
    "RemoteError",
    "UnreadableError",
    "UsageError",
    "first_line",
    "restored",
]


class CurateError(Exception):
    """Base of every error that a user can meet; the command line prints it on one line.

    `where` is a file, a file and line, or a row id; `hint` is the next step.
    """

    exit_code = 2

    def __init__(self, message: str, *, where: str | Path | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = str(where) if where is not None else ""
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        # an error crosses from a worker process as it is, whatever its __init__ takes
        return restored, (type(self), self.message, self.where, self.hint)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


def first_line(error: BaseException) -> str:
    """What an error says first; its kind where it says nothing."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def restored(kind: type[CurateError], message: str, where: str, hint: str) -> CurateError:
    """An error as it was in another process."""
    error = kind.__new__(kind)
    CurateError.__init__(error, message, where=where or None, hint=hint)
    return error


class UsageError(CurateError):
    """A command or option that makes no sense as given."""


class InputError(CurateError):
    """A file that is not what it claims to be: encoding, columns, emptiness, format."""


class UnreadableError(InputError):
    """A corpus that cannot be read to its end: nothing made of it is of use."""


class LexiconError(CurateError):
    """A lexicon that breaks its own format; `lexicon check` lists all of it."""


class MissingExtraError(CurateError):
    """An optional package that this command needs is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"this needs the package {package!r}, which is not installed",
            hint=f"pip install 'gender-curate[{extra}]'",
        )


class RemoteError(CurateError):
    """A remote service failed after bounded retries."""

    exit_code = 3

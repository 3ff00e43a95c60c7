"""`curate translate serve`: a Label Studio of one's own, with accounts for the translators."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from curate.annotation.studio.server import Server
    from curate.annotation.studio.users import Account

__all__ = ["serve"]

_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")


def serve(
    *,
    data: Annotated[Path, typer.Option(help="Folder of its database and uploads; made if new.")],
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port; else that of the last time, or a free one."),
    ] = None,
    user: Annotated[
        list[str], typer.Option(help="Mail of a translator who gets an account (repeat for more).")
    ] = [],  # noqa: B006 (typer reads it)
    env: Annotated[
        Path | None,
        typer.Option(help="A Python environment with Label Studio; else CURATE_STUDIO_ENV."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Run Label Studio on this machine until Ctrl-C: SQLite, 127.0.0.1, nothing sent anywhere.

    The first time it is installed into the user's cache (about 1 GB) and makes
    its database (half a minute). Stop it and start it again: accounts, projects
    and answers are kept, and the address stays. A new account's first password
    is shown once, here. Every account sees all projects: make yourself one too.

    From another machine, a translator comes in through SSH
    (ssh -N -L 8080:127.0.0.1:8080 THIS-MACHINE) at the same address.

    The administrator, curator@localhost, gets the password and the token in
    LABEL_STUDIO_PASSWORD and LABEL_STUDIO_API_KEY when the folder is made, else
    random ones that only Label Studio's database knows.

    Examples:

    [bold]curate translate serve --data studio --user anna@example.org --user ben@example.org[/bold]

    [bold]curate translate serve --data studio --port 8090 --json[/bold]
    """
    from curate.annotation.studio.connection import check_installed
    from curate.annotation.studio.environment import prepare_environment
    from curate.annotation.studio.server import serving
    from curate.annotation.studio.users import check_mails

    check_installed()
    mails = check_mails(user)
    with _telling() as say:
        environment = prepare_environment(env, say=say)
    with _stopped_by_signals() as stopping, ExitStack() as running:
        with _telling() as say:
            server = running.enter_context(
                serving(data, environment, port=port, stopping=stopping, say=say)
            )
        _open(server, mails, as_json=as_json)
        server.watch(stopping)
    if not as_json:
        typer.echo(f"stopped; accounts, projects and answers stay in {server.data}")


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and the signals which end a process set, so that all ends in order."""
    stopping = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    signals = [getattr(signal, name) for name in _STOPPING if hasattr(signal, name)]
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        yield stopping
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextmanager
def _telling() -> Iterator[Callable[[str], None]]:
    """One line on a terminal that changes; elsewhere a line for every new step."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.text import Text

        with Console(stderr=True).status("") as line:
            yield lambda text: line.update(Text(text))
        return
    said = {""}

    def say(text: str) -> None:
        step = text.rpartition(": ")[0] if text.endswith(" s") else text
        if step not in said:
            said.add(step)
            sys.stderr.write(f"{step}\n")
            sys.stderr.flush()

    yield say


def _open(server: Server, mails: list[str], *, as_json: bool) -> None:
    """Make the accounts and say where to go; whatever was made is said, even if the rest fails."""
    from curate.annotation.studio.users import ensure_users

    width = max((len(mail) for mail in mails), default=0)
    record: dict[str, Any] = {
        "url": server.url, "data": str(server.data), "pid": server.pid, "users": [],
    }  # fmt: skip
    if not as_json:
        typer.echo(f"Label Studio is open at {server.url} (data: {server.data})")
    try:
        for account in ensure_users(server.access, mails):
            record["users"].append(_record(account))
            if not as_json:
                state = f"password {account.password}" if account.created else "was there"
                typer.echo(f"  {account.mail:<{width}}  {state}")
    finally:
        if as_json:
            typer.echo(json.dumps(record, ensure_ascii=False))
    if not as_json:
        if any("password" in one for one in record["users"]):
            typer.echo("hand each password on with the address: it is shown only now")
        typer.echo("Ctrl-C stops it and keeps everything")


def _record(account: Account) -> dict[str, Any]:
    told = {"mail": account.mail, "created": account.created}
    return told | ({"password": account.password} if account.created else {})

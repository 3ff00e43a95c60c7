"""`curate pairs`: make minimal pairs from raw text, check them, count them."""

from __future__ import annotations

import typer

from curate.cli import pairs_check, pairs_lsg, pairs_msg

__all__ = ["app"]

app = typer.Typer(help="Make, check, balance and count minimal pairs.", no_args_is_help=True)
app.command("lsg")(pairs_lsg.lsg)
app.command("msg")(pairs_msg.msg)
app.command("check")(pairs_check.check)
app.command("balance")(pairs_lsg.balance)
app.command("stats")(pairs_lsg.stats)

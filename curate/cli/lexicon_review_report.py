"""What `curate lexicon export-review` and `import-review` print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from curate.cli.translate_report import found_record

if TYPE_CHECKING:
    from curate.annotation.receive import Found
    from curate.annotation.reliability.agreement import FieldAgreement
    from curate.annotation.studio.lexicon_review import Exported
    from curate.annotation.studio.lexicon_votes import FetchedVotes
    from curate.lexicon.votes import ReviewResult, Wish

__all__ = ["print_exported", "print_imported"]

_SHOWN = 20
_SENT = {
    "new": "sent",
    "again": "of these asked once more, for they were changed",
    "there": "there already",
    "updated": "brought up to date",
    "surplus": "doubles deleted",
}
_WISH = ("pair", "reviewer", "better_masculine", "better_feminine", "comment")


def print_exported(exported: Exported, lang: str, *, as_json: bool) -> None:
    """Lexemes sent and there, and what a hand changed on the server."""
    counts = {name: getattr(exported, name) for name in _SENT}
    if as_json:
        record = {"lang": lang, "url": exported.url} | counts
        record["found"] = [found_record(one) for one in exported.found]
        typer.echo(json.dumps(record, ensure_ascii=False))
        return
    said = ", ".join(
        f"{counts[name]:,} {meaning}" for name, meaning in _SENT.items() if counts[name]
    )
    typer.echo(f"lexemes of {lang}: {said or 'none'}  {exported.url}")
    _print_found(exported.found)


def print_imported(
    result: ReviewResult, fetched: FetchedVotes | None, folder: Path, lang: str, *, as_json: bool
) -> None:
    """The votes and what became of them, wishes, findings, and how far the reviewers agree."""
    agreement = _agreement(folder, lang)
    if as_json:
        record = _record(result, fetched, lang)
        record["agreement"] = [one.as_json() for one in agreement]
        typer.echo(json.dumps(record, ensure_ascii=False))
        return
    if fetched is not None:
        counts = ", ".join(f"{number:,} {name}" for name, number in sorted(fetched.answers.items()))
        typer.echo(f"answers: {counts or 'none'}")
        if fetched.missing:
            typer.echo(f"{fetched.missing:,} lexemes have no task yet: export-review sends them")
    typer.echo(
        f"{result.votes:,} votes; out of use: {len(result.dropped)}; tied: {len(result.tied)}"
    )
    for title, pairs in (("out of use", result.dropped), ("tied, kept", result.tied)):
        if pairs:
            more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
            typer.echo(f"{title}: {', '.join(pairs[:_SHOWN])}{more}")
    _print_wishes(result.wishes)
    _print_found(fetched.found if fetched is not None else [])
    _print_agreement(agreement)


def _record(result: ReviewResult, fetched: FetchedVotes | None, lang: str) -> dict[str, Any]:
    record = {"lang": lang} | asdict(result)
    record["wishes"] = [dict(zip(_WISH, wish, strict=True)) for wish in result.wishes]
    if fetched is not None:
        record |= {"answers": dict(fetched.answers), "missing": fetched.missing}
        record["found"] = [found_record(one) for one in fetched.found]
    return record


def _print_wishes(wishes: Sequence[Wish]) -> None:
    for pair, reviewer, masculine, feminine, comment in wishes:
        better = " / ".join(filter(None, (masculine, feminine)))
        typer.echo(f"{pair} ({reviewer}): {' - '.join(filter(None, (better, comment)))}")


def _print_found(found: Sequence[Found]) -> None:
    for one in found[:_SHOWN]:
        who = f" ({one.person})" if one.person else ""
        typer.echo(f"{one.ref}{who}: {one.task_id and one.task_id + ': '}{one.problem}")
    if len(found) > _SHOWN:
        typer.echo(f"… and {len(found) - _SHOWN:,} more: --json has all of them")


def _agreement(folder: Path, lang: str) -> list[FieldAgreement]:
    from curate.annotation.reliability.votes import read_votes, votes_reliability

    votes = folder / "votes.tsv"
    return votes_reliability(read_votes(votes) if votes.is_file() else [], lang=lang)


def _print_agreement(agreement: Sequence[FieldAgreement]) -> None:
    """Percentage agreement and alpha with their intervals: of all, then of every two."""
    from curate.annotation.reliability.rows import agreement_rows

    whole = agreement[0]
    if not whole.tasks:
        typer.echo("agreement: no lexeme has two votes")
        return
    for _, _, people, percent, tasks, alpha in agreement_rows(agreement):
        typer.echo(f"agreement of {people}: {percent} % on {tasks} lexemes, alpha {alpha}")
    if whole.alpha.note:
        typer.echo(f"alpha: {whole.alpha.note}")
    typer.echo("in brackets: 95 % intervals")

"""`curate lexicon`: draft a language, check its files, measure their reach, have them reviewed."""

from __future__ import annotations

import json
import sys

import typer

from curate.cli.lexicon_coverage import coverage
from curate.cli.lexicon_new import new
from curate.cli.lexicon_review import export_review, import_review
from curate.cli.lexicon_trials import sample, undo

__all__ = ["app"]

app = typer.Typer(help="Draft, check, measure and review the lexicons.", no_args_is_help=True)
app.command("new")(new)
app.command("coverage")(coverage)
app.command("sample")(sample)
app.command("undo")(undo)
app.command("export-review")(export_review)
app.command("import-review")(import_review)


@app.callback()
def _group() -> None:
    """Draft, check, measure and review the lexicons."""


@app.command("check")
def check(
    langs: list[str] = typer.Argument(None, metavar="[LANG]...", help="Languages; default: all."),
    golden: bool = typer.Option(True, help="Also run the golden sentences."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON lines."),
) -> None:
    """Validate every file of a lexicon, with file:line findings, and run its golden sentences.

    Exits 1 when there are findings. Example: [bold]curate lexicon check de pt[/bold]
    """
    from curate.errors import UsageError
    from curate.lexicon import available_languages, check_lexicon, load_lexicon
    from curate.resources import lexicons_folder
    from curate.swap.golden import golden_failures

    wanted = langs or available_languages()
    findings = 0
    for lang in wanted:
        folder = lexicons_folder() / lang
        if not folder.is_dir():
            raise UsageError(
                f"unknown language {lang!r}", hint=f"known: {', '.join(available_languages())}"
            )
        problems = check_lexicon(folder)
        lines = [{"where": str(p).split(": ")[0], "message": p.message} for p in problems]
        if golden and not problems:
            for failure in golden_failures(load_lexicon(lang)):
                row = failure.row
                why = f" ({failure.detail})" if failure.detail else ""
                lines.append(
                    {
                        "where": f"{lang}/golden.tsv:{row.line}",
                        "message": f"{row.sentence!r} gave {failure.got!r}{why}, "
                        f"expected {row.expected!r}",
                    }
                )
        findings += len(lines)
        for line in lines:
            typer.echo(
                json.dumps(line, ensure_ascii=False)
                if as_json
                else f"{line['where']}: {line['message']}"
            )
    if not as_json:
        typer.echo(f"{len(wanted)} languages, {findings} findings", err=True)
    sys.exit(1 if findings else 0)

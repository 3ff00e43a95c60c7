"""What a command loads before it begins, and that a run with one command is like one with all."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer.main

from curate.cli import main

# what `curate swap` has no use for: each takes tens of milliseconds or more
HEAVY = (
    "torch", "transformers", "numpy", "pyarrow", "datasets", "spacy", "stanza", "scipy", "pandas",
    "langcodes", "rich", "fsspec", "ray", "huggingface_hub", "sklearn",
    "curate.engine", "curate.sources", "curate.schema", "curate.hub", "curate.scoring",
    "curate.checks", "curate.lexicon.dead_rules", "curate.lexicon.occupations",
    "curate.cli.pairs", "curate.cli.politicians", "curate.cli.release",
)  # fmt: skip


def run(*arguments: str, then: str = "") -> subprocess.CompletedProcess[str]:
    """`curate` with these arguments in a process of its own, and `then` on what it has loaded."""
    code = (
        "import sys\nfrom curate.cli.main import run\n"
        f"sys.argv = ['curate', *{arguments!r}]\n"
        f"try: run()\nexcept SystemExit as ended:\n    {then or 'raise'}"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_swap_by_rules_loads_nothing_heavy(lang: str) -> None:
    text = {"en": "The king sleeps.", "de": "Der König schläft."}[lang]
    done = run(
        "swap", "--lang", lang, "--parser", "none", "--model", "none", text,
        then=f"print([name for name in {HEAVY!r} if name in sys.modules])",
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert '"refused": null' in lines[0], done.stderr
    assert lines[1] == "[]"


def test_garbage_is_looked_for_once_the_command_has_begun() -> None:
    code = (
        "import gc, sys\nfrom curate.cli import main, swap\n"
        "swap._explain = lambda result: print(gc.isenabled())\n"
        "sys.argv = 'curate swap --lang en rain --explain --parser none --model none'.split()\n"
        "main.run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "True", done.stderr


def test_the_help_lists_every_command() -> None:
    listed = run("--help").stdout
    whole = typer.main.get_command(main.app)
    names = list(whole.commands)  # type: ignore[attr-defined]
    assert {"demo", "swap", "pairs", "release"} < set(names)
    assert all(f" {name} " in listed for name in names)


def test_a_group_has_all_its_members_when_it_runs_alone() -> None:
    alone = run("politicians", "--help").stdout
    whole = typer.main.get_command(main.app).commands["politicians"]  # type: ignore[attr-defined]
    members = list(whole.commands)
    assert {"fetch", "words", "study"} <= set(members)
    assert len(members) == len(set(members))
    assert all(f" {name} " in alone for name in members)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("swop",), "No such command 'swop'"),
        (("swap", "--lung", "en"), "No such option: --lung"),
        (("--lung", "swap"), "No such option: --lung"),
    ],
)
def test_what_is_not_there_is_bad_usage(arguments: tuple[str, ...], expected: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert expected in done.stderr

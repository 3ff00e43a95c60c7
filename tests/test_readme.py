"""The README's commands run, in order, and every command of the CLI is documented."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from curate.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.removeprefix("$ ")
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    for line in block.splitlines()
    if line.startswith("$ ")
]


def test_readme_commands_run(tmp_path: Path) -> None:
    if not (ROOT / "curate" / "models" / "embedded" / "mini" / "model.safetensors").is_file():
        pytest.skip("this checkout has no embedded model")
    shutil.copytree(ROOT / "curate" / "embedded", tmp_path / "curate" / "embedded")
    assert len(COMMANDS) > 5
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        assert program == "curate"
        # run from another folder: the package is imported from the checkout, not from tmp_path
        done = subprocess.run(
            [sys.executable, "-P", "-m", "curate.cli", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def _commands(group: typer.core.TyperGroup, path: str = "curate") -> list[str]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            found += _commands(command, f"{path} {name}")
        else:
            found.append(f"{path} {name}")
    return found


def _command(path: str) -> typer.core.TyperCommand:
    command = typer.main.get_command(app)
    for part in path.split()[1:]:
        command = command.commands[part]  # type: ignore[attr-defined]
    return command  # type: ignore[return-value]


ALL = _commands(typer.main.get_command(app))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ALL)
def test_every_command_has_an_example_in_its_help(path: str) -> None:
    assert path in (_command(path).help or ""), f"{path} --help shows no example"


@pytest.mark.parametrize("path", ALL)
def test_every_command_is_in_the_readme(path: str) -> None:
    assert path in README

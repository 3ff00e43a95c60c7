"""A Python environment for a tool of others that does not belong into the project's own.

It sees the project's packages (torch, transformers, datasets) and adds what the tool needs, in the
versions of constraints.txt where they fit; it is kept in the user's cache between runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from curate.annotation.studio.locks import locked

_ROOT = Path(__file__).parents[2]
_FINISHED = "finished"


def own_environment(name: str, requirement: str, *, constrained: bool = True) -> Path:
    """The interpreter of the environment `name`, which holds `requirement`.

    Raises LookupError with pip's last error where it cannot be installed.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "curate"
    folder = cache / name
    cache.mkdir(parents=True, exist_ok=True)
    with locked(cache / f"{name}.lock", say=print):
        if not (folder / _FINISHED).is_file():
            _install(folder, requirement, constrained=constrained)
    return folder / "bin" / "python"


def _install(folder: Path, requirement: str, *, constrained: bool) -> None:
    _run(sys.executable, "-m", "venv", "--clear", str(folder))
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "project.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    limits = ("-c", str(_ROOT / "constraints.txt")) if constrained else ()
    python = str(folder / "bin" / "python")
    _run(python, "-m", "pip", "--disable-pip-version-check", "install", "-q", *limits, requirement)
    (folder / _FINISHED).write_text(requirement + "\n", encoding="utf-8")


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise LookupError(f"{' '.join(command[1:4])}: {said[-1] if said else done.returncode}")

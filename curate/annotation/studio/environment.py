"""Label Studio's own Python environment: found where it is, or installed into the user's cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from curate.annotation.studio.locks import locked
from curate.errors import CurateError, RemoteError, UsageError

__all__ = [
    "FOLDER_VARIABLE", "VERSION", "Environment", "cached_environment", "find_environment",
    "prepare_environment",
]  # fmt: skip

VERSION = "1.23.2"
FOLDER_VARIABLE = "CURATE_STUDIO_ENV"

_FINISHED = "finished.json"
"""Written when all is installed: an environment in the cache that has none is made anew."""
_PASSED = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
_PASSED_BEGINNINGS = ("PIP_", "LC_", "XDG_")


@dataclass(frozen=True)
class Environment:
    """A Python environment that holds Label Studio."""

    folder: Path
    version: str

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Where its packages lie (``site-packages``)."""
        return next(self.folder.glob("lib/python*/site-packages"))


def cached_environment() -> Path:
    """Where the environment of this version is kept between runs, made or not."""
    if sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "curate" / f"label-studio-{VERSION}"


def find_environment(folder: Path | None = None) -> Environment | None:
    """The environment named here or by ``CURATE_STUDIO_ENV``, else the finished one in the cache.

    None where nothing is named and nothing is installed. Raises UsageError where the named
    folder has no Label Studio, or one of another version.
    """
    named = folder or Path(os.environ.get(FOLDER_VARIABLE) or "")
    if named != Path():
        return _checked(named.expanduser().resolve())
    cached = cached_environment()
    return _checked(cached) if (cached / _FINISHED).is_file() else None


def _checked(folder: Path) -> Environment:
    pattern = "lib/python*/site-packages/label_studio-*.dist-info"
    found = [path.name for path in folder.glob(pattern)]
    if not found or not (folder / "bin" / "python").exists():
        raise UsageError(
            "there is no Label Studio in this environment",
            where=folder,
            hint=f"leave --env and {FOLDER_VARIABLE} out, and one is installed",
        )
    version = found[0].removeprefix("label_studio-").removesuffix(".dist-info")
    if version != VERSION:
        raise UsageError(
            f"this environment has Label Studio {version}; {VERSION} is needed",
            where=folder,
            hint=f"leave --env and {FOLDER_VARIABLE} out, and it is installed",
        )
    return Environment(folder, version)


def prepare_environment(
    folder: Path | None = None, *, say: Callable[[str], None] | None = None
) -> Environment:
    """Find Label Studio, or install it into the cache (about 1 GB, once; some minutes).

    `say` is told what is done. A half-made environment is made anew; two commands at once
    install it once. Raises RemoteError where pip fails.
    """
    say = say or (lambda text: None)
    found = find_environment(folder)
    if found is not None:
        return found
    cached = cached_environment()
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        with locked(cached.with_name(f"{cached.name}.lock"), say=say):
            found = find_environment()
            return found or _installed(cached, say)
    except OSError as error:
        raise UsageError(
            f"cannot install Label Studio here: {error.strerror}",
            where=error.filename or cached,
            hint=f"XDG_CACHE_HOME names another cache, {FOLDER_VARIABLE} an environment",
        ) from error


def _installed(folder: Path, say: Callable[[str], None]) -> Environment:
    say(f"installing Label Studio {VERSION} into {folder} (about 1 GB, once)")
    if folder.exists():
        shutil.rmtree(folder)
    environment = _pip_environment()
    _run([sys.executable, "-m", "venv", str(folder)], environment, say)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    _run([*pip, "--progress-bar", "off", f"label-studio=={VERSION}"], environment, say)
    made = _checked(folder)
    (folder / _FINISHED).write_text(json.dumps({"label-studio": VERSION}) + "\n", encoding="utf-8")
    return made


def _pip_environment() -> dict[str, str]:
    """What pip needs to reach its index; no token of another service."""
    kept = {
        name: value for name, value in os.environ.items()
        if name in _PASSED or name.startswith(_PASSED_BEGINNINGS)
        or name.lower() in ("http_proxy", "https_proxy", "no_proxy", "all_proxy")
    }  # fmt: skip
    return kept | {"PYTHONUNBUFFERED": "1"}


def _run(command: list[str], environment: dict[str, str], say: Callable[[str], None]) -> None:
    """Run a step and say what it says; RemoteError with its own last error where it fails."""
    last = ""
    with subprocess.Popen(  # noqa: S603 (our own interpreter, fixed arguments)
        command, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            for line in process.stdout:
                text = line.strip()
                if text.startswith("ERROR"):
                    last = text
                elif text.startswith(("Collecting", "Downloading", "Installing", "Building")):
                    say(text[:100])
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise RemoteError(
            f"Label Studio could not be installed: {last or f'exit code {process.returncode}'}",
            hint="check the network and the disk (1 GB), then run the same command again",
        )


def _main() -> int:
    """Install Label Studio where it is missing; the exit code."""
    try:
        environment = prepare_environment(say=lambda text: print(text, file=sys.stderr, flush=True))  # noqa: T201
    except CurateError as error:
        sys.stderr.write(f"{error}\n  hint: {error.hint}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the next call installs it anew\n")
        return 130
    sys.stdout.write(f"{environment.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(_main())

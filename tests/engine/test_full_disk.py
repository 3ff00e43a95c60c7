"""Disks that are full and stores that fail, for real: one line, no half file, and it goes on."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from curate.demo import embedded_corpora
from curate.engine import folder_at, run
from curate.errors import RemoteError
from tests.engine.ray_cluster import ROOT, free_port
from tests.engine.toy_stage import STAGE, Config, batches

__all__ = ["check_a_full_disk"]

FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")
LOCAL_1 = ("--workers", "1")
LOCAL_2 = ("--workers", "2")

_FULL = """
mount -t tmpfs -o size=1m none "$DISK" || exit 99
head -c 1000k /dev/zero > "$DISK/filler"
"$@"
echo "code $?"
find "$DISK" -name '.*.tmp' -o -path "$DISK/out/*.parquet" -not -path '*/parts/*'
rm "$DISK/filler"
"$@" > "$DISK/../said" || exit 98
cp -r "$DISK/out" "$KEPT"
"""
"""A disk of 1 MB with 24 kB free, on which a command fails; then with room, where it goes on."""


def _corpus(folder: Path) -> Path:
    lines = embedded_corpora()["en"].read_text(encoding="utf-8").splitlines()
    path = folder / "corpus.txt"
    texts = (f"{line} ({n})\n" for n in range(15) for line in lines)
    path.write_text("".join(texts), encoding="utf-8")
    return path


def _command(corpus: Path, out: Path, *options: str) -> list[str]:
    asked = ["pairs", "lsg", "--lang", "en", "--corpus", str(corpus), "--out", str(out)]
    return [sys.executable, "-m", "curate.cli", *asked, "--batch-rows", "500", *options]


def _env(**more: str) -> dict[str, str]:
    own = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **own, **more}


def _run(
    command: list[str], *, limit: Callable[[], None] | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=_env(**more), capture_output=True, text=True, check=False,
        timeout=240, preexec_fn=limit,
    )  # fmt: skip


def _assert_one_line(errors: str, *, out: Path) -> None:
    lines = errors.splitlines()
    assert len(lines) == 2, errors
    assert lines[0].startswith(f"curate: {out}")
    assert "no space is left to write" in lines[0]
    assert lines[1].startswith("  hint: ")
    assert "run the same command again" in lines[1]


@pytest.mark.parametrize("options", [LOCAL_1, LOCAL_2], ids=["one", "two"])
def test_a_full_disk(tmp_path: Path, options: tuple[str, ...]) -> None:
    check_a_full_disk(tmp_path, options)


def check_a_full_disk(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Run into the end of a real disk, make room, go on: the bytes of a calm run."""
    if not shutil.which("unshare") or _run(["unshare", "-rm", "true"]).returncode:
        pytest.skip("no disk of our own can be mounted here")
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    corpus = _corpus(tmp_path)
    command = _command(corpus, disk / "out", *options)
    done = _run(
        ["unshare", "-rm", "sh", "-c", _FULL, "sh", *command], DISK=str(disk), KEPT=str(kept)
    )
    if done.returncode == 99:
        pytest.skip("no disk of our own can be mounted here")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "code 2\n"
    _assert_one_line(done.stderr, out=disk / "out")
    assert _run(_command(corpus, tmp_path / "calm", *LOCAL_1)).returncode == 0
    for name in FILES:
        assert (kept / name).read_bytes() == (tmp_path / "calm" / name).read_bytes(), name
    assert sorted(path.name for path in kept.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("options", [LOCAL_1, LOCAL_2], ids=["one", "two"])
def test_files_may_be_no_larger(tmp_path: Path, options: tuple[str, ...]) -> None:
    """In a part, then in putting the parts together: both limits that the system gives as EFBIG."""
    corpus = _corpus(tmp_path)
    calm, out = tmp_path / "calm", tmp_path / "out"
    assert _run(_command(corpus, calm, *LOCAL_1)).returncode == 0
    whole = (calm / "pairs.parquet").stat().st_size
    for bound, parts in ((4_000, False), (whole - 100, True)):
        done = _run(
            _command(corpus, out, *options),
            limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bound, bound)),  # noqa: B023
        )
        assert done.returncode == 2, done.stderr
        _assert_one_line(done.stderr, out=out)
        assert not [path.name for path in out.rglob("*.tmp")]
        for path in out.glob("*.parquet"):  # those that were small enough are whole
            assert path.read_bytes() == (calm / path.name).read_bytes()
        assert not (out / "manifest.json").exists()
        assert bool(list((out / "parts").glob("*+*.json"))) == parts
    assert _run(_command(corpus, out, *options)).returncode == 0
    for name in FILES:
        assert (out / name).read_bytes() == (calm / name).read_bytes(), name


def test_a_store_that_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("moto", reason="no S3 server: install the package moto[s3,server]")
    s3fs = pytest.importorskip("s3fs", reason="no S3 client: install the extra remote")
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends
    from moto.server import ThreadedMotoServer

    from tests.s3_server import BUCKET, S3

    port = free_port()
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    store = S3(f"http://127.0.0.1:{port}")
    for name, value in store.variables.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    store.files().mkdir(BUCKET)
    out = folder_at(store.url("gone/run"))
    begun = time.monotonic()

    def stop(rows: int) -> None:
        if rows == 30:
            server.stop()

    try:
        with pytest.raises(RemoteError, match="the store failed") as caught:
            run(batches(60, 10), STAGE, Config(), out, on_progress=stop)
        assert time.monotonic() - begun < 60
        assert "\n" not in str(caught.value)
        assert caught.value.exit_code == 3
    finally:
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
        server.start()
    try:
        told: list[int] = []
        parts = run(batches(60, 10), STAGE, Config(), out, on_progress=told.append)
        assert told[0] == 30
        lost = parts.path(parts.done[1], "whole")
        lost.unlink()
        with pytest.raises(RemoteError, match="the store failed"):
            list(parts.read("whole"))
        again = run(batches(60, 10), STAGE, Config(), out)
        found = [n for table in again.read("whole") for n in table.column("n").to_pylist()]
        assert found == list(range(0, 60, 2))
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
        server.stop()
        s3_backends[DEFAULT_ACCOUNT_ID]["aws"].reset()

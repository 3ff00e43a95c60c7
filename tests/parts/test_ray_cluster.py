"""A Ray cluster that is not ours: by its address, everything in a store; and full disks of Ray."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curate.demo import embedded_corpora
from curate.engine import Engine, run
from curate.errors import RemoteError
from tests.engine.ray_cluster import ROOT, free_port, ray_program, running_ray
from tests.engine.test_full_disk import check_a_full_disk
from tests.engine.toy_stage import DYING, Config, batches
from tests.s3_server import S3, running_s3

FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")


@pytest.fixture(scope="module")
def store() -> Iterator[S3]:
    with running_s3() as made:
        yield made


@pytest.fixture(scope="module")
def address(store: S3) -> Iterator[str]:
    """A node whose workers find the store."""
    ray_program()
    with running_ray(env=store.variables | {"HF_HUB_OFFLINE": "1"}) as made:
        yield made


def _curate(*arguments: str, store: S3) -> subprocess.CompletedProcess[str]:
    env = {**store.env, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", "curate.cli", "pairs", "lsg", "--lang", "en", *arguments],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip


def _text() -> str:
    lines = embedded_corpora()["en"].read_text(encoding="utf-8").splitlines()
    return "".join(f"{line} ({n})\n" for n in range(15) for line in lines)


def test_two_runs_on_a_cluster_into_a_store(address: str, store: S3, tmp_path: Path) -> None:
    corpus = tmp_path / "en.txt"
    corpus.write_text(_text(), encoding="utf-8")
    _check_two_runs(str(corpus), address, store)


def test_a_corpus_that_the_workers_read_from_the_store(address: str, store: S3) -> None:
    pytest.importorskip("curate.sources.remote", reason="no corpus is read from a store yet")
    _check_two_runs(store.put("corpora/en.txt", _text().encode()), address, store)


def _check_two_runs(corpus: str, address: str, store: S3) -> None:
    for old in ("calm", "first", "second"):
        if store.names(old):
            store.remove(old)
    calm = _curate("--corpus", corpus, "--out", store.url("calm"), "--workers", "1", store=store)
    assert calm.returncode == 0, calm.stderr
    for name, options in (("first", ("--workers", "2")), ("second", ("--batch-rows", "700"))):
        done = _curate(
            "--corpus", corpus, "--out", store.url(name), "--engine", "ray",
            "--address", address, "--batch-rows", "500", *options, store=store,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert store.names(name) == sorted(f"{name}/{file}" for file in FILES)
        for file in FILES:
            assert store.get(f"{name}/{file}") == store.get(f"calm/{file}"), file


def test_a_wrong_address_is_one_line(store: S3, tmp_path: Path) -> None:
    ray_program()
    corpus = tmp_path / "c.txt"
    corpus.write_text("He slept.\n", encoding="utf-8")
    nobody = f"127.0.0.1:{free_port()}"
    begun = time.monotonic()
    done = _curate(
        "--corpus", str(corpus), "--out", str(tmp_path / "out"),
        "--engine", "ray", "--address", nobody, store=store,
    )  # fmt: skip
    assert time.monotonic() - begun < 30
    assert done.returncode == 3, done.stderr
    first, hint = done.stderr.splitlines()
    assert first.startswith(f"curate: {nobody}: Ray cannot be reached")
    assert hint.startswith("  hint: ")


def test_a_table_too_much_for_any_actor_ends_the_run(address: str, tmp_path: Path) -> None:
    engine = Engine(name="ray", workers=1, address=address)
    with pytest.raises(RemoteError, match="Ray gave up"):
        run(list(batches(10, 10)), replace(DYING, model=True), Config(), tmp_path, engine=engine)


def test_a_full_disk_under_ray(tmp_path: Path) -> None:
    ray_program()
    os.environ.pop("RAY_ADDRESS", None)
    check_a_full_disk(tmp_path, ("--engine", "ray", "--workers", "2"))

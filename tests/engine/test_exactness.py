"""Batch size, workers and engine change no byte of what LSG writes, whatever rows a corpus has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.demo import embedded_corpora
from curate.engine import Engine
from curate.pairs.lsg import lsg_method
from curate.pairs.means import Means
from curate.pairs.run import run_pairs
from curate.sources import Corpus
from tests.engine.ray_cluster import ray_program, running_ray

FILES = ("pairs.parquet", "aside.parquet", "drops.parquet", "stats.json", "manifest.json")
REAL = embedded_corpora()["en"].read_text(encoding="utf-8").splitlines()
BAD = ["", "   ", "He rang a \a bell.", "He said\tnothing.", REAL[0], REAL[1], "Cafe\u0301 owners."]
LONG = "He waited. " * 200_000

ROWS = st.lists(st.sampled_from(REAL) | st.sampled_from(BAD), min_size=1, max_size=60)


def _made(path: Path, out: Path, *, engine: Engine, rows: int) -> dict[str, bytes]:
    corpus = Corpus(str(path), lang="en", licence="CC0-1.0")
    run_pairs(
        lsg_method("en", Means(parser="none", model="none")), corpus, out,
        folds=2, seed=3, engine=engine, batch_rows=rows,
    )  # fmt: skip
    return {name: (out / name).read_bytes() for name in FILES}


def _written(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=ROWS, one=st.integers(1, 70), other=st.integers(1, 70))
def test_batches_change_no_byte(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], one: int, other: int
) -> None:
    folder = tmp_path_factory.mktemp("exact")
    path = _written(folder / "c.txt", [*texts, REAL[5]])
    first = _made(path, folder / "one", engine=Engine(), rows=one)
    assert first == _made(path, folder / "other", engine=Engine(), rows=other)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A corpus with everything in it, and what one process makes of it."""
    folder = tmp_path_factory.mktemp("mixed")
    texts = [*REAL, *BAD, LONG, *BAD, *(f"{text} ({n})" for n in range(2) for text in REAL)]
    path = _written(folder / "c.txt", texts)
    return path, _made(path, folder / "out", engine=Engine(), rows=8192)


@pytest.mark.parametrize("rows", [13, 200])
def test_workers_change_no_byte(
    mixed: tuple[Path, dict[str, bytes]], tmp_path: Path, rows: int
) -> None:
    path, wanted = mixed
    assert _made(path, tmp_path / "out", engine=Engine(workers=2), rows=rows) == wanted


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    ray_program()
    with running_ray() as made:
        yield made


@pytest.mark.parametrize("rows", [37, 8192])
def test_ray_changes_no_byte(
    mixed: tuple[Path, dict[str, bytes]], tmp_path: Path, address: str, rows: int
) -> None:
    path, wanted = mixed
    engine = Engine(name="ray", workers=2, address=address)
    assert _made(path, tmp_path / "out", engine=engine, rows=rows) == wanted

"""Score a table into a folder: in parts, so that a run that was cut off goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.engine import Stage, run_local
from curate.errors import UsageError
from curate.scoring.auto import score_auto
from curate.scoring.collected import Collected, collect
from curate.scoring.mbe import SENTENCES
from curate.scoring.metric import Metric, Need, Options
from curate.scoring.registry import METRICS
from curate.scoring.run import Dataset, ScoreRun, balanced, finish, write_scores
from curate.scoring.statistics import RESAMPLES
from curate.scoring.summary import group_columns
from curate.scoring.values import VALUES, batch_rows, value_pairs

__all__ = ["ModelSettings", "Progress", "load_scorer", "score_to_folder"]

_UNFINISHED = "unfinished"
# what decides the values of a table, or how they are put together
_CONTENT = (
    "pair_id", "row", "lang", "masculine", "feminine", "original", "edits_m", "edits_f", "fill",
    "problem",
)  # fmt: skip

Progress = Callable[[str, float, int], None]
"""Hears what is being done, and how many pairs of how many are."""


class ModelSettings(BaseModel):
    """A model and how it computes; `max_length`: longer texts are left out (0: the model's own).

    No value depends on the `budget`, so a run that was cut off may go on with another.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    precision: str = "fp32"
    device: str = Field("auto", exclude=True)
    budget: int = Field(0, exclude=True)
    max_length: int = 0


class _Config(BaseModel):
    """What the values of a table depend on."""

    model_config = ConfigDict(frozen=True)

    settings: ModelSettings
    device: str
    revision: str
    metrics: tuple[str, ...]
    options: Options


def score_to_folder(
    table: pa.Table,
    out: Path,
    *,
    settings: ModelSettings,
    metrics: Sequence[Metric],
    dataset: Dataset,
    options: Options,
    by: Sequence[str] = (),
    sides: tuple[str, str] = ("masculine", "feminine"),
    seed: int = 0,
    resamples: int = RESAMPLES,
    restart: bool = False,
    on_progress: Progress | None = None,
) -> ScoreRun:
    """`score_pairs` of a named model, into ``out/scores.parquet`` and ``out/summary.json``.

    A run that was cut off is gone on with if it was the same; else UsageError, unless `restart`.
    `settings.precision` ``auto`` is a reduced precision where the device has one, and fp32 for the
    pairs that it leaves undecided (`curate.scoring.auto`).
    """
    table = balanced(table)
    group_columns(table.schema.names, by)  # a missing column is missed before the work
    folder = out / _UNFINISHED
    if out.exists() and not out.is_dir():
        raise UsageError("the folder for the scores is a file", where=out, hint="--out FOLDER")
    if restart:
        _forget(folder)
    passes = _Passes(folder, settings, options, on_progress or (lambda what, done, of: None))
    collected, precision, auto = passes.run(table, metrics, seed=seed)
    run = finish(
        table, collected, scorer=passes.scorer, dataset=dataset, options=options, by=by,
        sides=sides, seed=seed, resamples=resamples, precision=precision, auto=auto,
    )  # fmt: skip
    write_scores(run, out)
    _forget(folder)
    return run


def _forget(folder: Path) -> None:
    """Remove what the passes wrote, and the folder if it then is empty."""
    for own in folder.glob("[0-9][0-9]"):
        shutil.rmtree(own)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


@dataclass
class _Passes:
    """The passes of one model over a table and over parts of it, each resumable by itself."""

    folder: Path
    settings: ModelSettings
    options: Options
    on_progress: Progress
    scorer: Any = None
    count: int = 0

    def run(
        self, table: pa.Table, metrics: Sequence[Metric], *, seed: int
    ) -> tuple[Collected, str, dict[str, Any] | None]:
        """The values of the table, the precision, and what ``auto`` did."""
        precision, reduced = self.settings.precision, None
        if precision == "auto":
            from curate.models.devices import choose_device, reduced_precision

            precision, reduced = "fp32", reduced_precision(choose_device(self.settings.device))
        if reduced is None:
            return self.score(table, metrics, precision), precision, None
        collected, about = score_auto(self.score, table, metrics, reduced=reduced, seed=seed)
        return collected, "auto", about

    def score(self, table: pa.Table, metrics: Sequence[Metric], precision: str) -> Collected:
        """One pass: the values of a table in one precision."""
        settings = self.settings.model_copy(update={"precision": precision})
        self.scorer = load_scorer(settings, causal=_is_causal(metrics))
        config = _Config(
            settings=settings, device=self.scorer.device, revision=self.scorer.revision,
            metrics=tuple(metric.name for metric in metrics), options=self.options,
        )  # fmt: skip
        folder = self.folder / f"{self.count:02d}"
        self.count += 1
        size = batch_rows(metrics)
        slices = (table.slice(start, size) for start in range(0, table.num_rows, size))
        content = table.select([name for name in _CONTENT if name in table.schema.names])
        with _listening(_Listener(self.on_progress, precision, table.num_rows, size)) as listener:
            parts = run_local(
                slices, SCORE, config, folder,
                source=schema.table_hash(content), on_progress=listener.rows_done,
            )  # fmt: skip
        read = zip(parts.read("scores"), parts.read("sentences"), strict=True)
        return collect(read, metrics, folder=folder)


@dataclass
class _Listener:
    """Passes on how far a pass is: whole parts, and the share of the part in hand."""

    on_progress: Progress
    what: str
    pairs: int
    size: int
    done: int = 0

    def rows_done(self, rows: int) -> None:
        self.done = rows
        self.on_progress(self.what, rows, self.pairs)

    def share_done(self, share: float) -> None:
        part = min(self.size, self.pairs - self.done)
        self.on_progress(self.what, self.done + share * part, self.pairs)


_listener: list[_Listener] = []


@contextmanager
def _listening(listener: _Listener) -> Iterator[_Listener]:
    """Let the stage tell this listener how far it is, in this process."""
    _listener.append(listener)
    try:
        yield listener
    finally:
        _listener.remove(listener)


def _is_causal(metrics: Sequence[Metric]) -> bool:
    return any(metric.needs & Need.CAUSAL for metric in metrics)


@lru_cache(maxsize=2)
def load_scorer(settings: ModelSettings, *, causal: bool = False) -> Any:
    """The model of these settings: a `MaskedModel`, or a `CausalModel` if it must be `causal`."""
    own = {"device": settings.device, "budget": settings.budget}
    options = settings.model_dump(exclude={"model"}) | own
    if causal:
        from curate.models.causal import load_causal

        return load_causal(settings.model, **options)
    from curate.models.masked import load_model

    return load_model(settings.model, **options)


def score_stage(table: pa.Table, config: _Config) -> dict[str, pa.Table]:
    """The stage: the values of every pair of a table, and the sentences that MBE compares."""
    metrics = [METRICS[name] for name in config.metrics]
    return value_pairs(
        table,
        scorer=load_scorer(config.settings, causal=_is_causal(metrics)),
        metrics=metrics,
        options=config.options,
        on_share=_listener[-1].share_done if _listener else None,
    )


SCORE = Stage(
    name="score",
    version="1",
    function=score_stage,
    reads=("pair_id", "row", "lang", "masculine", "feminine"),
    writes={"scores": VALUES, "sentences": SENTENCES},
)

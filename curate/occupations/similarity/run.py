"""Score a table of occupations with one model or several seeds of it, in parts: a run goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.engine import Stage, run_local
from curate.errors import InputError, UsageError
from curate.models.info import describe_model
from curate.models.sentence_encoders import load_sentence_encoder
from curate.models.sentence_sources import has_modules
from curate.models.seq2seq import load_text_similarity
from curate.models.similarity import SimilarityScorer, TextPair
from curate.models.sources import find_model
from curate.occupations.folder import OccupationTable
from curate.occupations.similarity.cells import compared_cells, occupation_facts
from curate.occupations.similarity.folder import SimilarityFolder, write_similarity
from curate.occupations.similarity.statistics import DRAWS
from curate.occupations.similarity.summary import Provenance, summarise
from curate.occupations.similarity.tables import SCORES

__all__ = ["SCORERS", "Progress", "ScorerSettings", "score_occupations"]

SCORERS = ("auto", "encoder", "stsb")
_UNFINISHED = "unfinished"
_ROWS = {"encoder": 1_600, "stsb": 400}  # cells a part: a few seconds

Progress = Callable[[str, float, int], None]
"""Hears what is being done, and how many sentences with an occupation of how many."""


class ScorerSettings(BaseModel):
    """A model and how it is asked. No value depends on `device` or `budget`."""

    model_config = ConfigDict(frozen=True)

    model: str
    scorer: str = "auto"
    pooling: str = ""
    prefix: str = ""
    device: str = Field("auto", exclude=True)
    budget: int = Field(0, exclude=True)


class _Config(BaseModel):
    """What the values of a table depend on; `settings.scorer` is not ``auto``."""

    model_config = ConfigDict(frozen=True)

    settings: ScorerSettings
    revision: str


def score_occupations(
    table: OccupationTable,
    out: Path,
    *,
    models: Sequence[ScorerSettings],
    dataset: str,
    label: str = "",
    seed: int = 0,
    draws: int = DRAWS,
    restart: bool = False,
    on_progress: Progress | None = None,
) -> SimilarityFolder:
    """Score every sentence with an occupation against those with he and she, and compare.

    Several `models` are taken for seeds of one, and summarised together (InputError for models of
    different kinds or sizes); `label` names it in the tables (without it, the models' names). A run
    that was cut off is gone on with if it was the same; else UsageError, unless `restart`. Writes
    what `read_similarity` reads.
    """
    cells = compared_cells(table.long, where=dataset)
    if out.exists() and not out.is_dir():
        raise UsageError("the folder for the scores is a file", where=out, hint="--out FOLDER")
    if restart:
        _forget(out / _UNFINISHED)
    scores: list[pa.Table] = []
    asked: list[_Asked] = []
    known = [given.model_copy(update={"scorer": scorer_kind(given)}) for given in models]
    if len(known) > 1:
        _check_seeds(known)
    for number, settings in enumerate(known):
        scorer = load_scorer(settings)
        folder = out / _UNFINISHED / f"{number:02d}"
        asked.append(_asked(scorer, settings))  # no scorer: not all of them would have room
        scores.append(_score(cells, settings, scorer, folder, on_progress, restart=restart))
    provenance = _provenance(table, asked, dataset=dataset, label=label, seed=seed, draws=draws)
    summary = summarise(scores, occupation_facts(table.long), provenance)
    found = write_similarity(summary, pa.concat_tables(scores), out)
    _forget(out / _UNFINISHED)
    return found


def scorer_kind(settings: ScorerSettings) -> str:
    """``encoder`` or ``stsb``: for ``auto``, T5's way for an encoder-decoder that pools nothing."""
    from curate.models.seq2seq import is_seq2seq

    if settings.scorer not in SCORERS:
        raise UsageError(f"unknown scorer {settings.scorer!r}", hint=f"one of {', '.join(SCORERS)}")
    if settings.scorer == "stsb" and (settings.pooling or settings.prefix):
        raise UsageError(
            "--pooling and --prefix are for sentence encoders; this model writes a number",
            hint="leave them out, or --scorer encoder",
        )
    if settings.scorer != "auto":
        return settings.scorer
    folder = find_model(settings.model)
    pools = settings.pooling or settings.prefix or has_modules(folder, ask=False)
    return "stsb" if is_seq2seq(folder) and not pools else "encoder"


@lru_cache(maxsize=1)
def load_scorer(settings: ScorerSettings) -> SimilarityScorer:
    """The model of these settings, whose `scorer` is not ``auto``."""
    own = {"device": settings.device, "budget": settings.budget}
    if settings.scorer == "stsb":
        return load_text_similarity(settings.model, **own)  # type: ignore[arg-type]
    return load_sentence_encoder(
        settings.model,
        pooling=settings.pooling,
        prefix=settings.prefix,
        **own,  # type: ignore[arg-type]
    )


def _score(
    cells: pa.Table,
    settings: ScorerSettings,
    scorer: SimilarityScorer,
    folder: Path,
    on_progress: Progress | None,
    *,
    restart: bool,
) -> pa.Table:
    """The scores of all cells under one model, by parts that are kept until the end."""
    slices = _slices(cells, _ROWS[settings.scorer])

    def tell(rows: int) -> None:
        if on_progress is not None:
            on_progress(scorer.name, rows, cells.num_rows)

    parts = run_local(
        slices, SCORE, _Config(settings=settings, revision=scorer.revision), folder,
        source=schema.table_hash(cells), restart=restart, on_progress=tell,
    )  # fmt: skip
    return pa.concat_tables(parts.read("scores"))


def _slices(cells: pa.Table, rows: int) -> list[pa.Table]:
    """Tables of about so many rows that end where a sentence ends: its texts are then together."""
    ids = cells.column("sent_id").to_pylist()
    ends = [at for at in range(1, len(ids)) if ids[at] != ids[at - 1]]
    slices, start = [], 0
    for end in [*ends, len(ids)]:
        if end - start >= rows or end == len(ids):
            slices.append(cells.slice(start, end - start))
            start = end
    return slices


def score_stage(table: pa.Table, config: _Config) -> dict[str, pa.Table]:
    """The stage: the similarity of every occupation's sentence to those with he and with she."""
    scorer = load_scorer(config.settings)
    cells = table.to_pylist()
    pairs: list[TextPair] = [(cell[name], cell["text"]) for name in ("he", "she") for cell in cells]
    found = scorer.similarities(pairs)
    rows = []
    for at, cell in enumerate(cells):
        sides = {"he": at, "she": len(cells) + at}
        problems = [f"{n}: {found.codes[i]}" for n, i in sides.items() if found.codes[i]]
        row = {name: cell[name] for name in ("sent_id", "row", "occupation", "form", "column")}
        row |= {f"similarity_{n}": _value(found.values[i]) for n, i in sides.items()}
        row |= {"problem": ", ".join(problems)}
        rows.append(row | {"model": scorer.name, "revision": scorer.revision})
    return {"scores": pa.Table.from_pylist(rows, schema=SCORES)}


def _value(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


SCORE = Stage(
    name="occupations-score",
    version="1",
    function=score_stage,
    reads=("sent_id", "row", "occupation", "form", "column", "he", "she", "text"),
    writes={"scores": SCORES},
)


class _Asked(NamedTuple):
    """A model whose scores are here, and how it was asked."""

    name: str
    revision: str
    scale: str
    pooling: str
    prefix: str
    parameters: int


def _asked(scorer: SimilarityScorer, settings: ScorerSettings) -> _Asked:
    return _Asked(
        scorer.name, scorer.revision, scorer.scale, scorer.pooling, settings.prefix,
        scorer.parameters,
    )  # fmt: skip


def _check_seeds(models: Sequence[ScorerSettings]) -> None:
    """Refuse, before anything is computed, models that cannot be seeds of one."""
    sizes = [int(describe_model(one.model)["parameters"]) for one in models]
    if len({(one.scorer, size) for one, size in zip(models, sizes, strict=True)}) > 1:
        raise InputError(
            "these models are of different kinds or sizes, and so no seeds of one: "
            + ", ".join(
                f"{find_model(one.model).name} ({one.scorer}, {size:,} weights)"
                for one, size in zip(models, sizes, strict=True)
            ),
            hint="score them into folders of their own",
        )


def _provenance(
    table: OccupationTable,
    asked: Sequence[_Asked],
    *,
    dataset: str,
    label: str,
    seed: int,
    draws: int,
) -> Provenance:
    return Provenance(
        lang=table.lang,
        model=label or " + ".join(dict.fromkeys(one.name for one in asked)),
        revisions=tuple(one.revision for one in asked),
        scale=asked[0].scale,
        pooling=asked[0].pooling,
        prefix=asked[0].prefix,
        parameters=asked[0].parameters,
        dataset=dataset,
        version=table.version,
        seed=seed,
        draws=draws,
    )


def _forget(folder: Path) -> None:
    """Remove what the passes wrote, and the folder if it then is empty."""
    for own in folder.glob("[0-9][0-9]"):
        shutil.rmtree(own)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()

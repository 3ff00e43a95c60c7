"""From a corpus to a cleaned corpus in a run folder.

A finished folder holds ``sentences.parquet`` (a corpus for `curate pairs`, with the source and
licence of every row), ``drops.parquet`` (every other row with the reason), ``stats.json`` and
``manifest.json``; ``parts/`` is there while a run is unfinished.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from curate import __version__
from curate.cleaning.assemble import OUTPUTS, assemble
from curate.cleaning.languages import identifier_version
from curate.cleaning.stage import CLEAN, CleanConfig
from curate.engine import LOCAL, Engine, Parts, config_hash
from curate.errors import UsageError
from curate.lexicon import available_languages, load_lexicon
from curate.pairs.filling import Running, fill_folder
from curate.pairs.folder import Manifest
from curate.sources import Corpus
from curate.sources.near_duplicates import NearDuplicates

__all__ = ["clean_config", "clean_corpus"]

_NO_ONE: Callable[[int], None] = lambda rows: None  # noqa: E731


def clean_config(
    lang: str, *, near: float | None = 0.8, identify: bool = True,
    least_confidence: float = 0.9, seed: int = 0,
) -> CleanConfig:  # fmt: skip
    """What to clean by, with the lexicon (if the language has one) and the packages as they are.

    Raises UsageError for a threshold or confidence that makes no sense, MissingExtraError where
    datasketch or py3langid is wanted and not installed, LexiconError for a broken lexicon.
    """
    if near is not None:
        NearDuplicates(near, seed)
    if not 0.5 <= least_confidence <= 1.0:
        raise UsageError(
            f"a confidence of {least_confidence:g} is none",
            hint="it is from 0.5 (as likely as not) to 1",
        )
    known = near is not None and lang in available_languages()
    return CleanConfig(
        lang=lang,
        near=near,
        seed=seed,
        lexicon_version=load_lexicon(lang).version if known else "",
        identifier=identifier_version() if identify else "",
        least_confidence=least_confidence,
    )


def clean_corpus(
    config: CleanConfig, corpus: Corpus, out: Path, *,
    engine: Engine = LOCAL, batch_rows: int = 0, restart: bool = False,
    on_progress: Callable[[int], None] = _NO_ONE, on_compared: Callable[[int], None] = _NO_ONE,
) -> dict[str, Any]:  # fmt: skip
    """Clean a corpus under `out`, or go on where a run was cut off; its stats.

    `on_progress` is told the rows that are read and judged, `on_compared` then those that were
    compared with the sentences before them. A finished run with the same settings, lexicon and
    corpus is left as it is. Engine, workers, batch size and interruptions change no byte.

    Raises UsageError where `out` holds a run of something else (unless `restart`), InputError for
    a corpus that cannot be read.
    """
    manifest = _manifest(config, corpus)

    def finish(parts: Parts) -> tuple[dict[str, Any], dict[str, int]]:
        assembly = assemble(parts, out, config, on_progress=on_compared)
        stats = {
            "method": CLEAN.name,
            "lang": corpus.lang,
            "corpus": corpus.name,
            "n_rows": parts.rows,
            "settings": config.model_dump(mode="json"),
            **assembly.counts(),
        }
        return stats, assembly.rows

    return fill_folder(
        out, corpus, CLEAN, config, manifest=manifest, outputs=OUTPUTS, finish=finish,
        how=Running(
            engine=engine, batch_rows=batch_rows, restart=restart, on_progress=on_progress
        ),
    )  # fmt: skip


def _manifest(config: CleanConfig, corpus: Corpus) -> Manifest:
    return Manifest(
        method=CLEAN.name,
        lang=corpus.lang,
        curate=__version__,
        stage=f"{CLEAN.name} {CLEAN.version}",
        config=config.model_dump(mode="json"),
        config_hash=config_hash(CLEAN, config),
        input=corpus.settings(),
        seed=config.seed,
        folds=0,
    )

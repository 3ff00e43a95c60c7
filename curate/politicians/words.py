"""Words that a model puts beside the names of people, into a folder: in parts, resumable.

A finished folder holds ``words.parquet`` (`schema.POLITICIAN_WORDS`, by person, UPOS and rank),
``drops.parquet`` (people whose names the model cannot take), ``vocabulary.tsv`` and ``words.json``
(what all of it depends on, and counts); ``parts/`` is there while a run is unfinished.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate import __version__, schema
from curate.engine import Parts, run_local, write_json, write_parquet
from curate.errors import InputError, UsageError
from curate.politicians.people import choose_people
from curate.politicians.vocabulary import Vocabulary, write_vocabulary
from curate.politicians.word_assembly import Names, assemble_words
from curate.politicians.word_reading import BesideNames
from curate.politicians.word_stage import TOP, WORDS, WordConfig, WordSettings

__all__ = ["TOP", "WordSettings", "generate_words"]

_PART = 512
"""Distinct names a part: what is lost where a run is cut off."""

_MANIFEST = "words.json"
_FILES = ("words.parquet", "drops.parquet")


def generate_words(
    people: pa.Table,
    out: Path,
    *,
    lang: str,
    vocabulary: Vocabulary,
    settings: WordSettings,
    limit: int = 0,
    seed: int = 0,
    restart: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """The best words beside every name, into ``out/words.parquet``; the manifest.

    `people` as `read_people` gives them, of every gender; `limit` draws so many of them by `seed`
    (0: everybody). A name that several people share is asked once. A run that was cut off is gone
    on with, and one that is finished left as it is, if it was the same; else UsageError, unless
    `restart`. `on_progress` hears how many distinct names of how many are done. No batch size and
    no interruption changes a byte.

    Raises UsageError for settings that make no sense and where nothing can be read (a causal model
    reads words behind a name only), InputError for a language without word order or a missing
    model.
    """
    settings.check()
    chosen = choose_people(people, limit=limit, seed=seed)
    names = Names.collect(chosen.column("name").to_pylist())
    config = WordConfig.make(lang, vocabulary, settings, out)
    asked = config.beside(vocabulary)
    about = _about(config, vocabulary, asked)
    about |= {"people": schema.table_hash(chosen), "limit": limit, "seed": seed}
    if finished := _finished(out, about, restart=restart):
        return finished
    out.mkdir(parents=True, exist_ok=True)
    write_vocabulary(vocabulary, config.where)
    parts = _run(names.table(), config, restart=restart, on_progress=on_progress)
    manifest = about | {"counts": _write(chosen, names, parts, out, asked)}
    write_json(out / _MANIFEST, manifest)
    parts.remove()
    return manifest


def _run(
    table: pa.Table,
    config: WordConfig,
    *,
    restart: bool,
    on_progress: Callable[[int, int], None] | None,
) -> Parts:
    """The stage over the distinct names."""
    report = on_progress or (lambda done, of: None)
    slices = (table.slice(start, _PART) for start in range(0, table.num_rows, _PART))
    return run_local(
        slices, WORDS, config, config.where.parent,
        source=schema.table_hash(table), restart=restart,
        on_progress=lambda rows: report(rows, table.num_rows),
    )  # fmt: skip


def _about(config: WordConfig, vocabulary: Vocabulary, asked: BesideNames) -> dict[str, Any]:
    """What every row depends on."""
    reader, positions, top = asked.reader, dict(config.positions), config.settings.top()
    return {
        "curate": __version__,
        "stage": f"{WORDS.name} {WORDS.version}",
        "lang": config.lang,
        "model": reader.network.folder.name,
        "revision": config.revision,
        "kind": "causal" if reader.causal else "masked",
        "precision": reader.network.precision,
        "device": config.device,
        "beam": reader.beam,
        "most_pieces": reader.most_pieces,
        "top": {upos: top[upos] for upos in asked.upos},
        "positions": {upos: positions[upos] for upos in asked.upos},
        "not_read": sorted(set(positions) - set(asked.upos)),
        "vocabulary": {"hash": vocabulary.hash, **vocabulary.counts()},
    }


def _finished(out: Path, about: Mapping[str, Any], *, restart: bool) -> dict[str, Any] | None:
    """The manifest of the same run where it is finished; UsageError where it is of another."""
    if out.exists() and not out.is_dir():
        raise UsageError("the folder for the words is a file", where=out, hint="--out FOLDER")
    if restart:
        (out / _MANIFEST).unlink(missing_ok=True)
    if not all((out / name).is_file() for name in (_MANIFEST, *_FILES)):
        return None
    found = _manifest(out / _MANIFEST)
    changed = [name for name, value in about.items() if found.get(name) != value]
    if changed:
        raise UsageError(
            f"a run with another {' and '.join(changed)} is finished here",
            where=out,
            hint="name another folder with --out, or begin anew with --restart",
        )
    return found


def _manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError("not the record of a run", where=path, hint="--restart begins anew")
    return found


def _write(
    people: pa.Table, names: Names, parts: Parts, out: Path, asked: BesideNames
) -> dict[str, Any]:
    """Put the parts together; the counts."""
    folder = asked.reader.network.folder
    lemmas: dict[str, set[str]] = {upos: set() for upos in asked.upos}

    def counted() -> Iterator[pa.Table]:
        for part in parts.read("words"):
            for upos, own in lemmas.items():
                words = part.filter(pc.equal(part.column("upos"), upos))
                own.update(words.column("lemma").unique().to_pylist())
            yield part

    tables = assemble_words(people, names, counted(), model=folder.name, revision=folder.revision)
    rows = write_parquet(out / _FILES[0], schema.POLITICIAN_WORDS, tables)
    drops = _drops(people, names, parts)
    write_parquet(out / _FILES[1], schema.DROPS, [drops])
    return {
        "people": people.num_rows,
        "genders": dict(sorted(Counter(people.column("gender").to_pylist()).items())),
        "names": len(names.distinct),
        "dropped": dict(sorted(Counter(drops.column("code").to_pylist()).items())),
        "rows": rows,
        "lemmas": {upos: len(own) for upos, own in lemmas.items()},
    }


def _drops(people: pa.Table, names: Names, parts: Parts) -> pa.Table:
    """People without words, `schema.DROPS`: ``sent_id`` is the qid, ``detail`` the name."""
    codes = {
        row["place"]: row["code"] for part in parts.read("refused") for row in part.to_pylist()
    }
    rows = [
        {"sent_id": qid, "row": row, "stage": WORDS.name, "code": codes[place],
         "detail": names.distinct[place]}
        for row, (qid, place) in enumerate(
            zip(people.column("qid").to_pylist(), names.of, strict=True)
        )
        if place in codes
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, schema=schema.DROPS)

"""Folders that a release can be made of, as the commands write them, but small."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema
from curate.annotation.begin import begin
from curate.engine import write_json, write_parquet
from curate.lexicon import load_lexicon

__all__ = [
    "FILL", "contents", "crow", "person", "row", "write_campaign", "write_crows", "write_people",
    "write_run",
]  # fmt: skip

FILL = {
    "model": "toy", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
    "word_m": "king", "p_m": 0.5, "word_f": "queen", "p_f": 0.25, "kind": "both",
}  # fmt: skip


def row(m: str, f: str, original: str, method: str = "lsg", **more: Any) -> dict[str, Any]:
    """A pair in English."""
    return {
        "pair_id": schema.pair_id("en", method, m, f), "lang": "en", "masculine": m, "feminine": f,
        "original": original, "method": method, "entries": ["king"],
        "edits_m": [{"start": 2, "end": 6, "rule": "pair"}],
        "edits_f": [{"start": 2, "end": 7, "rule": "pair"}], "fill": None, "sent_id": "s1",
        "source": "corpus.txt", "licence": "CC BY 2.0 FR",
        "lexicon_version": load_lexicon("en").version, "folds": [0], **more,
    }  # fmt: skip


def write_run(
    folder: Path, rows: list[dict[str, Any]], method: str = "lsg", *, hashed: bool = False
) -> Path:
    """A finished run; `hashed`: its manifest says the hash of its tables."""
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema.PAIRS), folder / "pairs.parquet")
    drops = [
        {"sent_id": f"d{i}", "row": i, "stage": method, "code": code, "detail": ""}
        for i, code in enumerate(["no-gender-word", "no-gender-word", "duplicate"])
    ]
    pq.write_table(pa.Table.from_pylist(drops, schema=schema.DROPS), folder / "drops.parquet")
    files = {
        path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in folder.glob("*.parquet")
    }
    manifest = {
        "method": method, "lang": "en", "curate": "0", "stage": f"{method} 1", "seed": 3,
        "config": {"lang": "en", "where": "/home/me/model"}, "config_hash": "c", "folds": 1,
        "input": {"name": "corpus.txt", "fingerprint": "f"}, "rows": 5,
        "files": files if hashed else {},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "stats.json").write_text(json.dumps({"method": method, "lang": "en"}))
    return folder


def crow(lang: str, more: str, less: str, **other: Any) -> dict[str, Any]:
    """A pair of the CrowS-Pairs family that people judged."""
    return {
        "pair_id": schema.pair_id(lang, "import", more, less), "lang": lang, "sent_more": more,
        "sent_less": less, "stereo_antistereo": "stereo", "bias_type": "gender",
        "masculine": more, "feminine": less, "source_id": "1", "round": 1, "source": "own",
        "licence": "CC BY-SA 4.0", **other,
    }  # fmt: skip


def write_crows(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """A folder of `curate crows import`."""
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema=schema.CROWS)
    write_parquet(folder / "crows.parquet", schema.CROWS, [table])
    drop = {"sent_id": "s9", "row": 4, "stage": "import", "code": "empty-side", "detail": "id 5"}
    drops = pa.Table.from_pylist([drop], schema=schema.DROPS)
    write_parquet(folder / "drops.parquet", schema.DROPS, [drops])
    return folder


def write_campaign(folder: Path, settled: dict[str, list[dict[str, Any]]]) -> Path:
    """A campaign in which two people worked on these languages, with people's names beside it."""
    source = pa.Table.from_pylist([crow("en", "He is rude.", "She is rude.")], schema=schema.CROWS)
    campaign = begin(folder, source, name="round", langs=sorted(settled))
    campaign.save()
    (folder / "people.json").write_text('{"p1": "ana@example.org"}')
    units = []
    for lang, rows in settled.items():
        write_crows(folder / lang, rows)
        write_parquet(
            folder / lang / "draft.parquet", schema.CROWS,
            [pa.Table.from_pylist([*rows, crow(lang, "A", "B")], schema=schema.CROWS)],
        )  # fmt: skip
        units += [
            {
                "uid": f"u{n}", "lang": lang, "source_id": "1", "source_pair_id": "p",
                "state": "accepted", "step": 3, "round": 1, "pair_id": one["pair_id"],
                "sent_more": one["sent_more"], "sent_less": one["sent_less"], "adaptation": [],
                "reason": "", "translator": "p1", "validator": "p2", "note": "",
            }
            for n, one in enumerate(rows)
        ]  # fmt: skip
    table = pa.Table.from_pylist(units, schema=schema.TRANSLATION_UNITS)
    write_parquet(folder / "units.parquet", schema.TRANSLATION_UNITS, [table])
    return folder


def person(qid: str, name: str, gender: str = "female", lang: str = "en") -> dict[str, Any]:
    return {
        "qid": qid, "lang": lang, "name": name, "gender_qids": ["Q6581072"], "gender": gender,
        "birth_years": [1950], "country_qids": ["Q30"], "occupation_qids": ["Q82955"],
        "sitelinks": None, "retrieved": "2026-01-02",
    }  # fmt: skip


def write_people(folder: Path, people: list[dict[str, Any]], *, endpoint: str) -> Path:
    """A folder of `curate politicians fetch`."""
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(people, schema=schema.POLITICIANS)
    write_parquet(folder / "politicians.parquet", schema.POLITICIANS, [table])
    drop = {"sent_id": "Q9", "row": 0, "stage": "fetch", "code": "no-label", "detail": "{}"}
    drops = pa.Table.from_pylist([drop], schema=schema.DROPS)
    write_parquet(folder / "drops.parquet", schema.DROPS, [drops])
    settings = {"endpoint": endpoint, "langs": ["ar", "en"], "scheme": "default"}
    write_json(folder / "fetch.json", {"settings": settings, "curate": "0", "counts": {"rows": 2}})
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }

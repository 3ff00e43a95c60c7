"""Small releases, written as they lie in a folder: tables and a manifest that names them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema
from curate.engine import write_parquet
from curate.hub.layout import RELEASE_DROPS, RELEASE_LEXICON, data_path
from curate.hub.manifest import describe_files

__all__ = ["SCHEMAS", "crow", "drop", "entry", "pair", "person", "write_release"]

SCHEMAS: Mapping[str, pa.Schema] = {
    "pairs": schema.PAIRS,
    "crows": schema.CROWS,
    "drops": RELEASE_DROPS,
    "lexicon": RELEASE_LEXICON,
    "politicians": schema.POLITICIANS,
}


def pair(m: str, f: str, original: str = "masculine", **more: Any) -> dict[str, Any]:
    lang, method = more.get("lang", "en"), more.get("method", "lsg")
    text = m if original == "masculine" else f
    return {
        "pair_id": schema.pair_id(lang, method, m, f), "lang": lang, "masculine": m, "feminine": f,
        "original": original, "method": method, "entries": ["king"],
        "edits_m": [{"start": 4, "end": 8, "rule": "pair"}],
        "edits_f": [{"start": 4, "end": 9, "rule": "pair"}], "fill": None,
        "sent_id": schema.sentence_id(lang, text), "source": "corpus.txt",
        "licence": "CC BY 2.0 FR", "lexicon_version": "v1", "folds": [0], **more,
    }  # fmt: skip


def crow(more_text: str, less_text: str, source_id: str, lang: str = "en") -> dict[str, Any]:
    return {
        "pair_id": schema.pair_id(lang, "crows", more_text, less_text), "lang": lang,
        "sent_more": more_text, "sent_less": less_text, "stereo_antistereo": "stereo",
        "bias_type": "gender", "masculine": None, "feminine": None, "source_id": source_id,
        "round": 1, "source": "crows", "licence": "CC BY-SA 4.0",
    }  # fmt: skip


def drop(sent_id: str, row: int, code: str = "no-gender-word") -> dict[str, Any]:
    return {
        "lang": "en", "method": "lsg", "sent_id": sent_id, "row": row, "stage": "lsg",
        "code": code, "detail": "",
    }  # fmt: skip


def entry(masculine: str, feminine: str, note: str = "") -> dict[str, Any]:
    return {
        "lang": "en", "version": "v1", "pair": masculine, "masculine": masculine,
        "feminine": feminine, "upos": "NOUN", "feats": "Number=Sing", "gender_m": "",
        "gender_f": "", "kind": "noun", "flags": [], "source": "own", "note": note,
    }  # fmt: skip


def person(qid: str, lang: str, name: str, gender: str = "female") -> dict[str, Any]:
    return {
        "qid": qid, "lang": lang, "name": name, "gender_qids": ["Q1"], "gender": gender,
        "birth_years": [1950], "country_qids": [], "occupation_qids": ["Q2"], "sitelinks": 3,
        "retrieved": "2026-01-01",
    }  # fmt: skip


def write_release(
    folder: Path,
    tables: Mapping[str, Sequence[dict[str, Any]] | pa.Table],
    *,
    version: str = "1.0.0",
    card: str = "# A card",
    **manifest: Any,
) -> Path:
    """A release of tables by configuration (``en-lsg``, ``en-crows``, ``drops``, ``lexicon`` …)."""
    configs: dict[str, Any] = {}
    for config, rows in tables.items():
        kind = "crows" if config.endswith("-crows") else config if config in SCHEMAS else "pairs"
        given = isinstance(rows, pa.Table)
        table = rows if given else pa.Table.from_pylist(list(rows), schema=SCHEMAS[kind])
        path = folder / data_path(config)
        path.parent.mkdir(parents=True)
        if given:
            pq.write_table(table, path)
        else:
            write_parquet(path, table.schema, [table])
        columns = {field.name: str(field.type) for field in table.schema}
        configs[config] = {
            "file": data_path(config), "rows": table.num_rows, "kind": kind, "columns": columns,
        }  # fmt: skip
    (folder / "README.md").write_text(card, encoding="utf-8")
    content = {
        "name": "made", "version": version, "curate": "0.1.0", "schema": 2, "configs": configs,
        "runs": {}, "lexicons": {"en": "v1"}, "changes": [], **manifest,
    }  # fmt: skip
    content["files"] = describe_files(folder)
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return folder

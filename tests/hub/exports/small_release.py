"""A small release by hand: every kind of configuration, texts that are hard to quote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate import schema
from curate.hub.layout import columns_of, config_schema, data_path, kind_of

FILL = {
    "model": "mini", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
    "word_m": "he", "p_m": 0.5, "word_f": "she", "p_f": 0.25, "kind": "both",
}  # fmt: skip
LSG = [
    ("Der König sagte: \"Ja, {{ 'nein' }}!\"", "Die Königin sagte: \"Ja, {{ 'nein' }}!\"", [0, 1]),
    ("Ein Freund kam.", "Eine Freundin kam.", [0, 1]),
    ("Mein Bruder: C:\\temp\\neu", "Meine Schwester: C:\\temp\\neu", [1]),
    ("'Er' %s {0} ${x}", "'Sie' %s {0} ${x}", [0]),
    ("Er schläft.", "Sie schläft.", []),
]
MSG = [("He ran.", "She ran.", FILL), ("NA he sat", "NA she sat", None)]
CROWS = [
    ("Men can't cook.", "Women can't cook.", "antistereo", "gender"),
    ("Women can't drive.", "Men can't drive.", "stereo", "gender"),
]


def _pair(lang: str, method: str, m: str, f: str, **more: Any) -> dict[str, Any]:
    return {
        "pair_id": schema.pair_id(lang, method, m, f), "lang": lang, "masculine": m, "feminine": f,
        "original": "masculine", "method": method, "entries": ["a-b", "c-d"],
        "edits_m": [{"start": 0, "end": 3, "rule": "pair"}, {"start": 4, "end": 5, "rule": "x"}],
        "edits_f": [], "fill": None, "sent_id": "s1", "source": "corpus.txt",
        "licence": "CC BY 2.0 FR", "lexicon_version": "v", "folds": [], **more,
    }  # fmt: skip


def _crows(more: str, less: str, direction: str, bias: str) -> dict[str, Any]:
    return {
        "pair_id": schema.stable_id("p", more, less), "lang": "en", "sent_more": more,
        "sent_less": less, "stereo_antistereo": direction, "bias_type": bias, "masculine": None,
        "feminine": None, "source_id": "1", "round": 0, "source": "crows.csv",
        "licence": "CC BY-SA 4.0",
    }  # fmt: skip


TABLES: dict[str, list[dict[str, Any]]] = {
    "de-lsg": [_pair("de", "lsg", m, f, folds=folds) for m, f, folds in LSG],
    "en-msg": [_pair("en", "msg", m, f, fill=fill) for m, f, fill in MSG],
    "en-crows": [_crows(*row) for row in CROWS],
    "drops": [
        {"lang": "de", "method": "lsg", "sent_id": "d", "row": 7, "stage": "lsg",
         "code": "no-gender-word", "detail": ""},
    ],
    "lexicon": [
        {"lang": "de", "version": "v", "pair": "a-b", "masculine": "a", "feminine": "b",
         "upos": "NOUN", "feats": "Number=Sing", "gender_m": "", "gender_f": "", "kind": "noun",
         "flags": ["ambiguous", "epicene"], "source": "curate", "note": ""},
    ],
    "names": [
        {"lang": "de", "country": "", "name": "Max", "gender": "masculine", "share": 0.99,
         "people": people, "source": "wikidata"}
        for people in (12, None)
    ],
    "politicians": [
        {"qid": f"Q{n}", "lang": "de", "name": "Ä. Ö", "gender_qids": ["Q1", "Q2"][:n],
         "gender": "feminine", "birth_years": [1950, 1951][:n], "country_qids": [],
         "occupation_qids": ["Q3"], "sitelinks": [None, 12][n % 2], "retrieved": "2026-11-01"}
        for n in range(3)
    ],
}  # fmt: skip


def write_small_release(folder: Path, **manifest: Any) -> dict[str, Any]:
    """Write the data under `folder`; returns a manifest, with `manifest` added to it."""
    configs = {}
    for config, rows in TABLES.items():
        path = folder / data_path(config)
        path.parent.mkdir(parents=True)
        columns = config_schema(config)
        pq.write_table(pa.Table.from_pylist(rows, schema=columns), path)
        configs[config] = {
            "file": data_path(config), "rows": len(rows), "kind": kind_of(config),
            "columns": columns_of(columns),
        }  # fmt: skip
    runs = {
        config: {
            "lang": config[:2],
            "method": config[3:],
            "seed": 3,
            "input": {"name": "corpus.txt"},
        }
        for config in ("de-lsg", "en-msg")
    }
    return {
        "name": "small", "version": "1.2.3", "curate": "0.1.0", "schema": 2, "configs": configs,
        "runs": runs, "lexicons": {}, **manifest,
    }  # fmt: skip

"""A small release of every kind, laid out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate import schema
from curate.hub.layout import RELEASE_DROPS, RELEASE_LEXICON

FILL = {
    "model": "toy", "revision": "r1", "k": 10, "threshold": 0.01, "context": "original",
    "word_m": "king", "p_m": 0.5, "word_f": "queen", "p_f": 0.25, "kind": "both",
}  # fmt: skip
ABOUT = {
    "title": "Toy pairs",
    "contact": "data@example.org",
    "authors": [{"name": "Ada Example", "orcid": "0000-0002-1825-0097"}],
}
RELIABILITY = {
    "agreement": [
        {
            "lang": "en", "stage": "validate", "field": "verdict", "people": people, "tasks": 40,
            "distance": "nominal", "agreement": {"percent": 90.0},
            "alpha": {
                "value": 0.813, "ci_low": 0.7, "ci_high": 0.9, "units": 40, "coders": 3,
                "confidence": 0.95, "note": "",
            },
        }
        for people in ([], ["p1", "p2"])
    ]
}  # fmt: skip

Write = Callable[[str, pa.Schema, list[dict[str, Any]], str], None]


def pair(m: str, f: str, original: str = "masculine", **more: Any) -> dict[str, Any]:
    method = more.get("method", "lsg")
    return {
        "pair_id": schema.pair_id("en", method, m, f), "lang": "en", "masculine": m, "feminine": f,
        "original": original, "method": method, "entries": ["king"],
        "edits_m": [{"start": 2, "end": 6, "rule": "pair"}],
        "edits_f": [{"start": 2, "end": 7, "rule": "pair"}], "fill": None, "sent_id": "s1",
        "source": "corpus.txt", "licence": "CC BY 2.0 FR", "lexicon_version": "v1", "folds": [0],
        **more,
    }  # fmt: skip


def crows(more: str, less: str, **other: Any) -> dict[str, Any]:
    return {
        "pair_id": schema.pair_id("en", "crows", more, less), "lang": "en", "sent_more": more,
        "sent_less": less, "stereo_antistereo": "stereo", "bias_type": "gender",
        "masculine": None, "feminine": None, "source_id": "1", "round": 0, "source": "crows.csv",
        "licence": "CC BY-SA 4.0", **other,
    }  # fmt: skip


def person(qid: str, gender: str, qids: list[str], lang: str = "en") -> dict[str, Any]:
    return {
        "qid": qid, "lang": lang, "name": f"N {qid}", "gender_qids": qids, "gender": gender,
        "birth_years": [1950], "country_qids": ["Q30"], "occupation_qids": ["Q82955"],
        "sitelinks": 3, "retrieved": "2026-01-31",
    }  # fmt: skip


def drop(code: str, method: str = "lsg") -> dict[str, Any]:
    return {
        "lang": "en", "method": method, "sent_id": "d", "row": 1, "stage": method, "code": code,
        "detail": "",
    }  # fmt: skip


def entry(name: str, masculine: str, feminine: str) -> dict[str, Any]:
    return {
        "lang": "en", "version": "v1", "pair": name, "masculine": masculine, "feminine": feminine,
        "upos": "NOUN", "feats": "", "gender_m": "", "gender_f": "", "kind": "noun", "flags": [],
        "source": "own", "note": "",
    }  # fmt: skip


class Release:
    """A folder with data and the manifest that belongs to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = {
            "name": "toy", "version": "1.0.0", "curate": "0.1.0", "schema": 2, "configs": {},
            "runs": {}, "lexicons": {"en": "v1"}, "changes": [],
        }  # fmt: skip

    def add(
        self, config: str, kind: str, columns: pa.Schema, rows: list[dict[str, Any]], **run: Any
    ) -> None:
        file = f"data/{config}/test-00000-of-00001.parquet"
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=columns), path)
        names = {column.name: str(column.type) for column in columns}
        entry = {"file": file, "rows": len(rows), "kind": kind, "columns": names}
        self.manifest["configs"][config] = entry
        self.manifest["runs"][config] = run

    def pairs(self, rows: list[dict[str, Any]], config: str = "en-lsg") -> None:
        lang, method = config.split("-")
        self.add(config, "pairs", schema.PAIRS, rows, lang=lang, method=method, seed=3)


@pytest.fixture
def empty(tmp_path: Path) -> Release:
    return Release(tmp_path / "release")


@pytest.fixture
def release(empty: Release) -> Release:
    """Every kind of configuration, with checks, reliability, about and a changelog."""
    empty.pairs(
        [
            pair("A king came.", "A queen came."),
            pair("The king | slept.", "The queen | slept.", "feminine", folds=[0, 1]),
            pair("Kings!", "Queens!", folds=[], source="other.txt", licence="CC0 1.0"),
        ]
    )
    empty.pairs([pair("A king sat.", "A queen sat.", method="msg", fill=FILL)], "en-msg")
    empty.add(
        "en-crows", "crows", schema.CROWS,
        [
            crows("Women cannot drive.", "Men cannot drive.", masculine="b", feminine="a"),
            crows(
                "He cooks.", "She cooks.", stereo_antistereo="antistereo", bias_type="age", round=2
            ),
        ], lang="en", method="crows",
    )  # fmt: skip
    people = [
        person("Q1", "male", ["Q6581097"]),
        person("Q2", "female", ["Q6581072", "Q1052281"]),
        person("Q3", "non-binary", ["Q48270"]),
        person("Q3", "non-binary", ["Q48270"], lang="de"),
    ]
    empty.add("politicians", "politicians", schema.POLITICIANS, people, licence="CC0 1.0")
    empty.add(
        "drops", "drops", RELEASE_DROPS,
        [drop("no-gender-word"), drop("duplicate"), drop("no-gender-word"), drop("low", "msg")],
    )  # fmt: skip
    entries = [entry("king", "king", "queen"), entry("king", "kings", "queens")]
    empty.add("lexicon", "lexicon", RELEASE_LEXICON, entries)
    empty.manifest |= {
        "date": "2026-01-31",
        "repository": "me/toy",
        "about": ABOUT,
        "checked": {
            "en-lsg": {"curate": "0.1.0", "pairs": 3, "codes": {"not-minimal": 1, "not-nfc": 2}}
        },
        "reliability": {"en-crows": RELIABILITY},
        "changes": [
            {
                "version": "1.0.0", "date": "2026-01-31", "level": "first", "note": "all new",
                "configs": {"en-lsg": {"added": 3, "removed": 0, "changed": 0}},
            }
        ],
    }  # fmt: skip
    return empty

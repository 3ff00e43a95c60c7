"""Measure the swap on all gold sets and draw it beside the published and public methods.

    python tests/bench/swap_quality.py [--out FOLDER]

One person (the default) and everybody (`--mentions all`). Writes FOLDER/swap_quality.json and
FOLDER/swap_quality.svg. The figures of the other methods were measured on the same development
sets: the method of Yu et al. 2024 without its substring error, and the best public swapper of each
language (Spanish and German: masculine to feminine only).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import altair as alt
from gold import measure

SETS = {
    "mt_geneval": ("en", "de", "es", "pt", "fr", "it", "ru", "ar", "hi"),
    "gate": ("es", "it"),
}
OTHERS = [
    {"method": "Yu et al. 2024", "lang": "en", "precision": 0.90, "reach": 0.37},
    {"method": "Yu et al. 2024", "lang": "de", "precision": 0.54, "reach": 0.43},
    {"method": "Yu et al. 2024", "lang": "pt", "precision": 0.45, "reach": 0.45},
    {"method": "Yu et al. 2024", "lang": "es", "precision": 0.25, "reach": 0.16},
    {"method": "best public swapper", "lang": "en", "precision": 0.69, "reach": 0.98},
    {"method": "best public swapper", "lang": "es", "precision": 0.52, "reach": 0.89},
    {"method": "best public swapper", "lang": "de", "precision": 0.32, "reach": 0.81},
]
NEAR = 0.035
COLOURS = {
    "curate": "#0b6e4f",
    "curate, everybody": "#3b8f70",
    "Yu et al. 2024": "#c75000",
    "best public swapper": "#5b5ea6",
}


def with_labels(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with a label each; points that lie on one another share that of the first."""
    labelled: list[dict[str, Any]] = []
    for row in rows:
        twin = next((other for other in labelled if other["label"] and _touch(row, other)), None)
        if twin is not None:
            twin["label"] += f", {row['lang']}"
        labelled.append(row | {"label": "" if twin is not None else row["lang"]})
    return labelled


def _touch(first: dict[str, Any], second: dict[str, Any]) -> bool:
    near = all(abs(first[axis] - second[axis]) < NEAR for axis in ("precision", "reach"))
    return near and first["method"] == second["method"]


def chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    axis = {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(tickCount=10, format=".1f")}
    base = alt.Chart(alt.Data(values=with_labels(rows))).encode(
        x=alt.X("reach:Q", title="reach (share of sentences attempted)", **axis),
        y=alt.Y("precision:Q", title="precision (exact / attempted)", **axis),
        color=alt.Color(
            "method:N",
            title=None,
            scale={"domain": list(COLOURS), "range": list(COLOURS.values())},
            legend=alt.Legend(orient="top", labelFontSize=12, columnPadding=24, labelLimit=240),
        ),
        shape=alt.Shape("method:N", legend=None),
    )
    points = base.mark_point(size=80, filled=True, opacity=1)
    labels = base.mark_text(dy=-11, fontSize=12, fontWeight="bold").encode(text="label:N")
    return (points + labels).properties(width=680, height=400, background="white")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    folder = parser.parse_args().out
    directions = ["feminine", "masculine"]
    ours = [
        {"method": method, "lang": lang, "set": name}
        | measure(lang, name, directions, mentions=mentions)
        for method, mentions in (("curate", "referent"), ("curate, everybody", "all"))
        for name, langs in SETS.items()
        for lang in langs
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "swap_quality.json").write_text(json.dumps(ours, indent=2) + "\n", encoding="utf-8")
    shown = [*(row for row in ours if row["set"] == "mt_geneval"), *OTHERS]
    chart(shown).save(str(folder / "swap_quality.svg"))

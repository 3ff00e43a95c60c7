"""Measure the swap on all gold sets and draw it beside the published and public methods.

    python tests/bench/swap_quality.py [--out FOLDER]

Writes FOLDER/swap_quality.json and FOLDER/swap_quality.svg. The figures of the other methods were
measured on the same development sets: the method of Yu et al. 2024 without its substring error,
and the best public swapper of each language (Spanish and German: masculine to feminine only).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import altair as alt
from gold import measure

OTHERS = [
    {"method": "Yu et al. 2024", "lang": "en", "precision": 0.90, "reach": 0.37},
    {"method": "Yu et al. 2024", "lang": "de", "precision": 0.54, "reach": 0.43},
    {"method": "Yu et al. 2024", "lang": "pt", "precision": 0.45, "reach": 0.45},
    {"method": "Yu et al. 2024", "lang": "es", "precision": 0.25, "reach": 0.16},
    {"method": "best public swapper", "lang": "en", "precision": 0.69, "reach": 0.98},
    {"method": "best public swapper", "lang": "es", "precision": 0.52, "reach": 0.89},
    {"method": "best public swapper", "lang": "de", "precision": 0.32, "reach": 0.81},
]
COLOURS = {"curate": "#0b6e4f", "Yu et al. 2024": "#c75000", "best public swapper": "#5b5ea6"}


def chart(rows: list[dict[str, object]]) -> alt.LayerChart:
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("reach:Q", title="reach (share of sentences attempted)", scale={"domain": [0, 1]}),
        y=alt.Y("precision:Q", title="precision (exact / attempted)", scale={"domain": [0, 1]}),
        color=alt.Color(
            "method:N",
            title=None,
            scale={"domain": list(COLOURS), "range": list(COLOURS.values())},
            legend=alt.Legend(orient="top"),
        ),
        shape=alt.Shape("method:N", legend=None),
    )
    points = base.mark_point(size=110, filled=True, opacity=1)
    labels = base.mark_text(dx=13, fontSize=12, fontWeight="bold").encode(text="lang:N")
    return (points + labels).properties(width=420, height=260, background="white")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    folder = parser.parse_args().out
    directions = ["feminine", "masculine"]
    ours = [
        {"method": "curate", "lang": lang, "set": name, **measure(lang, name, directions)}
        for name, lang in (
            ("mt_geneval", "en"),
            ("mt_geneval", "de"),
            ("mt_geneval", "es"),
            ("mt_geneval", "pt"),
            ("mt_geneval", "fr"),
            ("mt_geneval", "it"),
            ("mt_geneval", "ru"),
            ("mt_geneval", "ar"),
            ("mt_geneval", "hi"),
            ("gate", "es"),
            ("gate", "it"),
        )
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "swap_quality.json").write_text(json.dumps(ours, indent=2) + "\n", encoding="utf-8")
    shown = [*(row for row in ours if row["set"] == "mt_geneval"), *OTHERS]
    chart(shown).save(str(folder / "swap_quality.svg"))

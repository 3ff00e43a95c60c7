"""The dataset card: the README of a release, rendered from its tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow.compute as pc

from curate import __version__
from curate.hub.layout import DROPS_CONFIG, LEXICON_CONFIG, data_path
from curate.hub.runs import Run
from curate.lexicon import Lexicon
from curate.resources import hub_cards_folder

__all__ = ["card_licences", "render_card"]

TEMPLATE = "card.md.j2"
LICENCES = "licences.json"
LEXICON_LICENCE = "CC BY-SA 4.0"
_MOST_REASONS = 8
_EXAMPLE_LENGTH = 45
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render_card(
    runs: Sequence[Run],
    lexicons: Sequence[Lexicon],
    *,
    name: str,
    version: str,
    date: str | None = None,
) -> str:
    """The text of README.md. Every figure in it is counted from the tables of the release."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(hub_cards_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (Markdown, not HTML; cells are escaped by `cell`)
    )
    environment.filters |= {"cell": _cell, "count": lambda n: f"{n:,}", "yaml": _yaml}
    total = sum(run.pairs.num_rows for run in runs)
    return environment.get_template(TEMPLATE).render(
        name=name,
        version=version,
        date=date,
        curate=__version__,
        configs=[_config(run) for run in runs],
        other_configs=[{"name": c, "path": data_path(c)} for c in (DROPS_CONFIG, LEXICON_CONFIG)],
        languages=[_language(lexicon) for lexicon in lexicons],
        methods=sorted({run.method for run in runs}),
        sources=_sources(runs),
        licences=card_licences(runs),
        lexicon_licence=LEXICON_LICENCE,
        total=total,
        size=next((label for most, label in _SIZES if total < most), "1M<n<10M"),
        examples=[_example(run) for run in runs if run.pairs.num_rows],
    )


def card_licences(runs: Sequence[Run]) -> list[str]:
    """The Hub's names of all licences in the release; ``other`` for one that it does not know."""
    known = json.loads((hub_cards_folder() / LICENCES).read_text(encoding="utf-8"))
    own = {licence for run in runs for licence in _values(run, "licence")} | {LEXICON_LICENCE}
    return sorted({known.get(licence.strip().lower(), "other") for licence in own})


def _values(run: Run, column: str) -> list[str]:
    return sorted(str(value) for value in run.pairs.column(column).unique().to_pylist())


def _config(run: Run) -> dict[str, Any]:
    """What the card says of one configuration."""
    originals = Counter(run.pairs.column("original").to_pylist())
    reasons = Counter(run.drops.column("code").to_pylist())
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    folds = {fold for row in run.pairs.column("folds").to_pylist() for fold in row}
    return {
        "name": run.config,
        "path": data_path(run.config),
        "lang": run.lang,
        "method": run.method,
        "pairs": run.pairs.num_rows,
        "masculine": originals["masculine"],
        "feminine": originals["feminine"],
        "folds": len(folds),
        "seed": run.manifest.get("seed"),
        "entries": len({entry for row in run.pairs.column("entries").to_pylist() for entry in row}),
        "drops": run.drops.num_rows,
        "reasons": ordered[:_MOST_REASONS],
        "more_reasons": sum(count for _, count in ordered[_MOST_REASONS:]),
        "fill": _fill(run),
    }


def _fill(run: Run) -> dict[str, Any] | None:
    """The model and settings of the masks, and how many had both, or one, of the genders."""
    fills = run.pairs.filter(pc.is_valid(run.pairs.column("fill"))).column("fill").to_pylist()
    if not fills:
        return None
    kinds = Counter(fill["kind"] for fill in fills)
    settings = ("model", "revision", "k", "threshold", "context")
    return {
        **{key: "/".join(sorted({str(fill[key]) for fill in fills})) for key in settings},
        "both": kinds["both"],
        "masculine": kinds["masculine"],
        "feminine": kinds["feminine"],
    }


def _language(lexicon: Lexicon) -> dict[str, Any]:
    return {
        "tag": lexicon.lang,
        "name": lexicon.config.name,
        "lexemes": len({row.pair for row in lexicon.pairs}),
        "rows": len(lexicon.pairs),
        "version": lexicon.version,
    }


def _sources(runs: Sequence[Run]) -> list[dict[str, Any]]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for run in runs:
        columns = (run.pairs.column(name).to_pylist() for name in ("source", "licence"))
        counts.update(
            (run.config, source, licence) for source, licence in zip(*columns, strict=True)
        )
    return [
        {"config": config, "source": source, "licence": licence, "pairs": count}
        for (config, source, licence), count in sorted(counts.items())
    ]


def _example(run: Run) -> dict[str, str]:
    """A pair of middling length (the first by id of those) of a configuration."""
    sides = (run.pairs.column(name).to_pylist() for name in ("masculine", "feminine"))
    masculine, feminine = min(
        zip(*sides, strict=True), key=lambda pair: abs(len(pair[0]) - _EXAMPLE_LENGTH)
    )
    return {"config": run.config, "masculine": masculine, "feminine": feminine}


def _cell(text: object) -> str:
    """Text that breaks neither a Markdown table nor the page."""
    escaped = str(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(escaped.split())


def _yaml(text: object) -> str:
    """A YAML scalar: JSON strings are YAML."""
    return json.dumps(str(text), ensure_ascii=False)

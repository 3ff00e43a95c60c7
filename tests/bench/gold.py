"""Swap quality on human-written counterfactuals: precision and reach, both directions.

    python tests/bench/gold.py en es --set mt_geneval --errors 20
    python tests/bench/gold.py de --to feminine --refusals

A row counts where its two sides differ (after NFC and white-space folding). *attempted*: not
refused; *exact*: the output equals the other side; precision = exact / attempted;
reach = attempted / rows that differ.
"""

from __future__ import annotations

import argparse
import collections
import csv
import difflib
import os
import unicodedata
from pathlib import Path

from curate.lexicon import load_lexicon
from curate.pairs.means import RULES, Means, make_swapper

DATA = (
    Path(os.environ.get("CURATE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"
)


def rows(name: str, lang: str) -> list[tuple[str, str]]:
    """(masculine, feminine) rows; English is read beside every other language, each row once."""
    columns = ("masculine", "feminine")
    if lang == "en":
        files = sorted((DATA / name / "dev").glob("*.tsv"))
        columns = ("masculine_en", "feminine_en")
    else:
        files = [DATA / name / "dev" / f"{lang}.tsv"]
    found: dict[tuple[str, str], None] = {}
    for file in files:
        with file.open(encoding="utf-8", newline="") as handle:
            for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
                pair = (fold(row[columns[0]]), fold(row[columns[1]]))
                if lang == "en":
                    found[pair] = None
                else:
                    found[(*pair, str(len(found)))] = None  # type: ignore[index]
    return [(pair[0], pair[1]) for pair in found]


def fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def measure(  # noqa: PLR0917
    lang: str,
    name: str,
    directions: list[str],
    errors: int = 0,
    refusals: bool = False,
    means: Means = RULES,
    mentions: str = "referent",
) -> dict[str, float]:
    """Print and return precision and reach over the directions together."""
    swapper = make_swapper(load_lexicon(lang), means)
    data = rows(name, lang)
    total = collections.Counter()
    for to in directions:
        count: collections.Counter[str] = collections.Counter()
        codes: collections.Counter[str] = collections.Counter()
        shown = 0
        for masculine, feminine in data:
            start, goal = (masculine, feminine) if to == "feminine" else (feminine, masculine)
            result = swapper.swap(start, to=to, mentions=mentions)
            if start == goal:
                count["equal"] += 1
                count["equal_attempted"] += result.refused is None
                continue
            count["rows"] += 1
            if result.refused:
                codes[result.refused] += 1
                if refusals:
                    codes[f"{result.refused}: {result.detail}"] += 1
                continue
            count["attempted"] += 1
            exact = fold(result.counterpart or "") == goal
            count["exact"] += exact
            if not exact and shown < errors:
                shown += 1
                show(result.text, result.counterpart or "", goal)
        report(f"{name} {lang} to {to}", count)
        print("  refusals:", dict(codes.most_common(60 if refusals else 12)))
        total.update(count)
    return report(f"{name} {lang} both", total)


def report(title: str, count: collections.Counter[str]) -> dict[str, float]:
    precision = count["exact"] / max(1, count["attempted"])
    reach = count["attempted"] / max(1, count["rows"])
    print(
        f"{title}: precision {precision:.3f} ({count['exact']}/{count['attempted']}), "
        f"reach {reach:.3f} of {count['rows']} rows; attempted although the sides are equal: "
        f"{count['equal_attempted']}/{count['equal']}"
    )
    return {
        "precision": round(precision, 3),
        "reach": round(reach, 3),
        "exact": count["exact"],
        "attempted": count["attempted"],
        "rows": count["rows"],
    }


def show(text: str, got: str, goal: str) -> None:
    print(f"  IN   {text}\n  GOT  {got}\n  GOLD {goal}")
    got_words, goal_words = got.split(), goal.split()
    parts = [
        f"{' '.join(got_words[a:b])!r} should be {' '.join(goal_words[c:d])!r}"
        for tag, a, b, c, d in difflib.SequenceMatcher(
            None, got_words, goal_words, autojunk=False
        ).get_opcodes()
        if tag != "equal"
    ]
    print("  DIFF", "; ".join(parts), "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("langs", nargs="+")
    parser.add_argument("--set", default="mt_geneval", choices=("mt_geneval", "gate"))
    parser.add_argument("--to", choices=("masculine", "feminine"))
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--mentions", default="referent", choices=("referent", "all"))
    parser.add_argument("--parser", default="none")
    parser.add_argument("--model", default="none")
    parser.add_argument("--margin", type=float, default=RULES.margin)
    options = parser.parse_args()
    for language in options.langs:
        measure(
            language,
            options.set,
            [options.to] if options.to else ["feminine", "masculine"],
            options.errors,
            options.refusals,
            Means(parser=options.parser, model=options.model, margin=options.margin),
            options.mentions,
        )

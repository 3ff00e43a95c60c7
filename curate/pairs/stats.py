"""The counts of runs as the paper reports them: Yu et al. 2024, tables 2, 3, 5, figures 3, 4."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError

__all__ = ["SummaryTable", "bar", "read_stats", "run_stats", "summary_tables"]

Stats = dict[str, Any]

_NEEDED = ("method", "lang", "n_sentences", "n_single", "n_pairs", "kept", "discarded_balance")
_BAR = 30
_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class SummaryTable:
    """A table ready to print: every cell is text; `text_columns` are aligned to the left."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    text_columns: tuple[int, ...] = (0,)


def read_stats(folders: Iterable[Path]) -> list[Stats]:
    """``stats.json`` of run folders, or of all run folders below a folder; by language and method.

    Raises InputError for a folder without any, or with a file that is no stats of ours.
    """
    found = []
    for folder in folders:
        paths = run_stats(folder)
        if not paths:
            raise InputError(
                "no stats.json here",
                where=folder,
                hint="name run folders of `curate pairs lsg|msg`",
            )
        found += [_read(path) for path in paths]
    return sorted(found, key=lambda stats: (stats["lang"], stats["method"]))


def run_stats(folder: Path) -> list[Path]:
    """``stats.json`` of a run folder, or of all runs of pairs below: others have theirs too."""
    own = folder / "stats.json"
    if own.is_file():
        return [own]
    return [path for path in sorted(folder.glob("**/stats.json")) if not _of_another_kind(path)]


def _of_another_kind(path: Path) -> bool:
    """Whether stats are those of something that makes no pairs (a cleaned corpus, occupations)."""
    try:
        stats = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        return False  # broken, which the reader says
    return isinstance(stats, dict) and "method" in stats and "n_pairs" not in stats


def _read(path: Path) -> Stats:
    try:
        stats = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"not JSON ({error})", where=path) from error
    missing = [name for name in _NEEDED if not isinstance(stats, dict) or name not in stats]
    if missing:
        raise InputError(f"not the stats of a run: no {', '.join(missing)}", where=path)
    return dict(stats)


def summary_tables(runs: list[Stats]) -> list[SummaryTable]:
    """The tables and figures for which `runs` hold the counts."""
    makers: list[Callable[[list[Stats]], SummaryTable | None]] = [
        _table_2, _table_3, _table_5, _figure_3, _figure_4, _reasons,
    ]  # fmt: skip
    return [table for make in makers if (table := make(runs)) is not None]


def bar(share: float, width: int = _BAR) -> str:
    """A bar of block characters, `share` (0 to 1) of `width` long, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _count(number: int) -> str:
    return f"{number:,}"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _table_2(runs: list[Stats]) -> SummaryTable:
    rows = []
    for s in runs:
        m, f = s["original_masculine"], s["original_feminine"]
        rows.append(
            (
                s["lang"], s["method"], _count(s["kept"]), _count(s["n_pairs"]),
                _count(s["n_single"]), _count(s["n_sentences"]),
                f"{m / f:.2f} : 1" if f else "–",
            )
        )  # fmt: skip
    return SummaryTable(
        "Table 2. Pairs",
        ("language", "method", "in a fold", "pairs", "one gender word", "sentences", "M : F"),
        rows,
        note="in a fold: after the balance. M : F: pairs from masculine to those from feminine "
        "sentences, before it.",
        text_columns=(0, 1),
    )


def _table_3(runs: list[Stats]) -> SummaryTable | None:
    rows = []
    for s in runs:
        if "both" not in s:
            continue
        one = s["one_masculine"] + s["one_feminine"]
        whole = s["both"] + one + s["none"]
        rows.append(
            (
                s["lang"], _percent(s["both"], whole), _percent(one, whole),
                _percent(s["one_masculine"], whole), _percent(s["one_feminine"], whole),
                _percent(s["none"], whole), _count(whole),
            )
        )  # fmt: skip
    header = ("language", "both", "one", "of these M", "of these F", "none", "sentences")
    return SummaryTable("Table 3. What MSG predicts", header, rows) if rows else None


def _table_5(runs: list[Stats]) -> SummaryTable:
    rows = []
    for s in runs:
        whole = s["n_pairs"] + s.get("none", 0)
        rows.append(
            (
                s["lang"], s["method"], _percent(whole - s["kept"], whole),
                _count(s["discarded_balance"]), _count(s["none"]) if "none" in s else "–",
            )
        )  # fmt: skip
    return SummaryTable(
        "Table 5. Discarded",
        ("language", "method", "discarded", "by the balance", "no prediction"),
        rows,
        note="of the pairs that could be made, and for MSG of the sentences it predicted nothing "
        "for: what is in no fold, or not in the first.",
        text_columns=(0, 1),
    )


def _figure_3(runs: list[Stats]) -> SummaryTable | None:
    rows = []
    for s in runs:
        for k, share in enumerate(s.get("topk_coverage") or (), start=1):
            rows.append((s["lang"] if k == 1 else "", str(k), f"{100 * share:.1f} %", bar(share)))
    if not rows:
        return None
    return SummaryTable(
        "Figure 3. Gender words over the threshold that are among the top k",
        ("language", "k", "covered", ""),
        rows,
        text_columns=(0, 3),
    )


def _figure_4(runs: list[Stats]) -> SummaryTable:
    counts: list[tuple[str, str, str, int]] = []
    for s in runs:
        for key, label in (
            ("words_masculine", "masculine"), ("words_feminine", "feminine"),
            ("words_both", "where both"), ("words_one", "where one"),
        ):  # fmt: skip
            if key in s:
                counts.append((s["lang"], s["method"], label, int(s[key])))
    longest = max((number for *_, number in counts), default=0) or 1
    return SummaryTable(
        "Figure 4. Different gender words",
        ("language", "method", "side", "words", ""),
        [(lang, method, side, _count(n), bar(n / longest)) for lang, method, side, n in counts],
        text_columns=(0, 1, 2, 4),
    )


def _reasons(runs: list[Stats]) -> SummaryTable | None:
    rows = [
        (s["lang"], s["method"], code, _count(number), _percent(number, s["n_rows"]))
        for s in runs
        for code, number in sorted(s.get("drops", {}).items(), key=lambda item: (-item[1], item[0]))
    ]
    header = ("language", "method", "reason", "rows", "of all rows")
    title = "Why rows were dropped"
    return SummaryTable(title, header, rows, text_columns=(0, 1, 2)) if rows else None

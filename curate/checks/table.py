"""Check a whole table of pairs: a table of verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from curate import schema
from curate.checks.codes import CODES, Finding, finding, is_finding
from curate.checks.duplicates import DuplicateFinder
from curate.checks.fort2024 import Equivalents, fort2024
from curate.checks.pair import PairChecker
from curate.errors import UsageError
from curate.lexicon import Lexicon, available_languages, load_lexicon

__all__ = ["Progress", "check_pairs", "check_rule_fort2024", "count_codes", "has_findings"]

Progress = Callable[[int], None]
"""Called now and then with the number of rows done."""

_EVERY = 500


def _lexicon_or_none(lang: str) -> Lexicon | None:
    return load_lexicon(lang) if lang in available_languages() else None


def check_pairs(
    table: pa.Table,
    *,
    labelled: bool = True,
    lexicon_of: Callable[[str], Lexicon | None] = _lexicon_or_none,
    on_progress: Progress | None = None,
) -> pa.Table:
    """Verdicts (`schema.VERDICTS`) on the rows of a table as `curate.sources.read_pairs` gives it.

    One verdict a finding, in order of rows; `ok` is true for notes. A row without findings has
    none. A language without a lexicon gets the checks that need no language. `labelled`: the
    columns `masculine` and `feminine` hold what their names say, not just any two sides.
    """
    checkers: dict[str, PairChecker] = {}
    duplicates = DuplicateFinder()

    def check(row: Mapping[str, Any]) -> list[Finding]:
        lang = str(row.get("lang") or "")
        if lang not in checkers:
            lexicon = lexicon_of(lang) if lang else None
            checkers[lang] = PairChecker(lexicon, labelled=labelled)
        a, b = str(row["masculine"] or ""), str(row["feminine"] or "")
        found = [finding("bad-row", row["problem"])] if row.get("problem") else []
        found += checkers[lang].check(a, b, original=row.get("original"))
        method = str(row.get("method") or "")
        return found + duplicates.check(int(row["row"]), a, b, lang=lang, method=method)

    return _verdicts(table, check, on_progress)


def check_rule_fort2024(
    table: pa.Table, *, equivalents: Equivalents, on_progress: Progress | None = None
) -> pa.Table:
    """Verdicts of the rule of Fort et al. 2024 alone; every row counts, empty cells too."""
    if not equivalents:
        raise UsageError("the rule fort2024 needs a list of equivalents", hint="--equivalents FILE")

    def check(row: Mapping[str, Any]) -> list[Finding]:
        return fort2024(str(row["masculine"] or ""), str(row["feminine"] or ""), equivalents)

    return _verdicts(table, check, on_progress)


def _verdicts(
    table: pa.Table,
    check: Callable[[Mapping[str, Any]], list[Finding]],
    on_progress: Progress | None,
) -> pa.Table:
    rows = []
    for done, row in enumerate(_rows(table), start=1):
        rows += [
            {
                "pair_id": row.get("pair_id"),
                "row": row["row"],
                "check": item.check,
                "code": item.code,
                "ok": not is_finding(item.code),
                "evidence": item.evidence,
            }
            for item in check(row)
        ]
        if on_progress is not None and (done % _EVERY == 0 or done == table.num_rows):
            on_progress(done)
    return pa.Table.from_pylist(rows, schema=schema.VERDICTS)


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    wanted = ("row", "pair_id", "lang", "masculine", "feminine", "original", "method", "problem")
    for batch in table.select([n for n in wanted if n in table.schema.names]).to_batches(2048):
        yield from batch.to_pylist()


def count_codes(verdicts: pa.Table) -> dict[str, int]:
    """How many rows have each code, in the order of the table of codes."""
    counts = Counter(
        code
        for code, _ in {
            (code, row)
            for code, row in zip(
                verdicts.column("code").to_pylist(), verdicts.column("row").to_pylist(), strict=True
            )
        }
    )
    return {code: counts[code] for code in CODES if counts[code]}


def has_findings(verdicts: pa.Table, *, strict: bool = False) -> bool:
    """Whether there is an error or a warning (with `strict`: a note is enough)."""
    return verdicts.num_rows > 0 and (strict or not all(verdicts.column("ok").to_pylist()))

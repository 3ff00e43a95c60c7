"""How many people of which gender a fetch holds: Tables 1, 9 and 10 of Stańczak et al. (2023)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from curate.politicians.fetch_settings import DROPS_FILE, POLITICIANS_FILE
from curate.politicians.genders import GROUPS, UNKNOWN, gender_of, known_genders, unlisted
from curate.politicians.people_origin import imported, read_fetched

__all__ = ["GenderStats", "gender_stats"]

_COUNTED = frozenset({"animal", "no-gender"})
"""Why people are left out whom Table 10 counts all the same."""


@dataclass(frozen=True)
class GenderStats:
    """Counts of people by language.

    `langs` in their order; `groups` (Table 1): people kept, by group of the scheme and language;
    `filed` (Table 9): of every group the values it is made of, with the people who have them in any
    language; `values` (Table 10): people by the values of P21 themselves (several joined with
    ``+``) and language, with those left out as animals or for want of a gender; `drops`: people
    left out, by reason; `unlisted`: people kept, by a value of theirs that genders.tsv lacks.
    """

    scheme: str
    langs: tuple[str, ...]
    groups: dict[str, dict[str, int]]
    filed: dict[str, dict[str, int]]
    values: dict[str, dict[str, int]]
    drops: dict[str, int]
    unlisted: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        return {
            "scheme": self.scheme, "langs": list(self.langs), "table_1": self.groups,
            "table_9": self.filed, "table_10": self.values, "drops": self.drops,
            "unlisted": self.unlisted,
        }  # fmt: skip


def gender_stats(folder: Path, *, scheme: str = "default") -> GenderStats:
    """The counts of a folder that `fetch` wrote, by any scheme, whichever it was fetched with.

    Of imported people those left out for their gender stand under ``unknown``, whatever the table
    said of them, or under the kind of animal.

    Raises InputError where the folder holds neither a fetch nor imported people.
    """
    table = read_fetched(folder, POLITICIANS_FILE, ["qid", "lang", "gender_qids"])
    joined = pc.binary_join(table.column("gender_qids"), "+")
    table = table.drop_columns("gender_qids").append_column("values", joined)
    by_lang = table.group_by(["lang", "values"]).aggregate([([], "count_all")])
    by_value = table.group_by("values").aggregate([("qid", "count_distinct")])
    groups: dict[str, Counter[str]] = {}
    values: dict[str, Counter[str]] = {}
    for row in by_lang.to_pylist():
        qids = row["values"].split("+")
        for counts, name in ((groups, gender_of(qids, scheme)), (values, gender_of(qids, "raw"))):
            counts.setdefault(name, Counter())[row["lang"]] += row["count_all"]
    filed: dict[str, Counter[str]] = {}
    new: Counter[str] = Counter()
    for row in by_value.to_pylist():
        qids = row["values"].split("+")
        group = filed.setdefault(gender_of(qids, scheme), Counter())
        group[gender_of(qids, "raw")] += row["qid_count_distinct"]
        for qid in unlisted(qids):
            new[qid] += row["qid_count_distinct"]
    if (about := imported(folder)) is None:
        drops = _count_drops(read_fetched(folder, DROPS_FILE, ["code", "detail"]), values)
    else:
        drops = Counter(about.get("left_out", {}))
        _count_left_out(about, values)
    langs = tuple(sorted({lang for counts in values.values() for lang in counts}))
    return GenderStats(
        scheme, langs, _ordered(groups), _ordered(filed), _ordered(values), dict(drops),
        dict(sorted(new.items())),
    )  # fmt: skip


def _count_drops(table: pa.Table, values: dict[str, Counter[str]]) -> Counter[str]:
    """Why people were left out; those without a gender and animals go into `values` too."""
    codes = sorted(table.column("code").to_pylist())
    for row in table.to_pylist():
        if row["code"] not in _COUNTED:
            continue
        detail = json.loads(row["detail"])
        counts = values.setdefault(gender_of(detail["gender_qids"], "raw"), Counter())
        counts.update(detail["langs"])
    return Counter(codes)


def _count_left_out(about: dict[str, Any], values: dict[str, Counter[str]]) -> None:
    """Put the people of a table who were left out for their gender into `values`."""
    names = {gender.name.casefold(): gender for gender in known_genders().values()}
    for said, number in about.get("unknown_genders", {}).items():
        gender = names.get(said.casefold()) or known_genders().get(said.upper())
        name = gender.name if gender and gender.kind != UNKNOWN else UNKNOWN
        values.setdefault(name, Counter())[str(about.get("lang", ""))] += number


def _ordered(counts: dict[str, Counter[str]]) -> dict[str, dict[str, int]]:
    """The three groups first, then the largest, those without a gender last."""

    def place(name: str) -> tuple[int, int, str]:
        rank = GROUPS.index(name) if name in GROUPS else len(GROUPS)
        return (99 if name == UNKNOWN else rank, -sum(counts[name].values()), name)

    return {name: dict(sorted(counts[name].items())) for name in sorted(counts, key=place)}

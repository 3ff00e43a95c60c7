"""What a fetch says of itself: ``fetch.json``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from curate import __version__
from curate.politicians.fetch_choose import Choice
from curate.politicians.parts import Parts, now
from curate.politicians.queries import TEMPLATES

__all__ = ["record_of"]


def record_of(
    settings: dict[str, Any], parts: Parts, choice: Choice, plan: dict[str, Any],
    shares: list[tuple[str, int]],
) -> dict[str, Any]:  # fmt: skip
    """The settings, the texts of the queries, times, requests of all runs, and every count.

    A country's `people` are those the endpoint counted when the fetch began, `first_listed` those
    who came with it and with no country before it.
    """
    names = plan["names"]
    listed: Counter[str] = Counter()
    for country, people in shares:
        listed[country] += people
    return {
        "settings": settings,
        "curate": __version__,
        "queries": TEMPLATES,
        "started": parts.started,
        "finished": now(),
        "requests": parts.requests(),
        "parts": {
            "listed": len(parts.names("members")),
            "split": parts.splits,
            "people": len(parts.names("people")),
        },
        "occupations": plan["occupations"],
        "classes": len(plan["classes"]),
        "countries": [
            {"qid": qid, "name": names.get(qid, ""), "people": n, "first_listed": listed[qid]}
            for qid, n in sorted(plan["countries"].items(), key=lambda one: (-one[1], one[0]))
        ],
        "without_country": listed[""],
        "counts": {
            "listed": sum(listed.values()),
            "people": choice.people,
            "rows": choice.rows,
            "drops": dict(sorted(choice.drops.items())),
            "genders": _nested(choice.genders),
            "unlisted_genders": dict(sorted(choice.unlisted.items())),
        },
    }


def _nested(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (lang, gender), number in sorted(counts.items()):
        table.setdefault(lang, {})[gender] = number
    return table

"""Count people, dropped rows and lexicon entries."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from curate.hub.card.shapes import DropFacts, LexiconFacts, PeopleFacts
from curate.hub.card.tallies import Tally, by_frequency, value_counts

__all__ = ["DropCounter", "LexiconCounter", "PeopleCounter"]


class PeopleCounter:
    """Rows of `schema.POLITICIANS`: no value of gender is left out or filed under another."""

    def __init__(self) -> None:
        self.people: set[str] = set()
        self.genders = Tally("lang", "gender")
        self.raw: Counter[str] = Counter()
        self.retrieved = Tally("retrieved")

    def add(self, batch: pa.RecordBatch) -> None:
        self.people.update(pc.unique(batch.column("qid")).to_pylist())
        self.genders.add(batch)
        self.raw.update(value_counts(batch.column("gender_qids").flatten()))
        self.retrieved.add(batch)

    def facts(self) -> PeopleFacts:
        ordered = sorted(
            self.genders.counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])
        )
        return PeopleFacts(
            people=len(self.people),
            by_gender=tuple((lang, gender, rows) for (lang, gender), rows in ordered),
            raw_values=by_frequency(self.raw),
            retrieved=tuple(sorted(day for (day,) in self.retrieved.counts)),
        )


class DropCounter:
    """Dropped rows by language and method, then by reason."""

    def __init__(self) -> None:
        self.codes = Tally("lang", "method", "code")

    def add(self, batch: pa.RecordBatch) -> None:
        self.codes.add(batch)

    def facts(self) -> dict[tuple[str, str], DropFacts]:
        runs: dict[tuple[str, str], dict[str, int]] = {}
        for (lang, method, code), rows in self.codes.counts.items():
            runs.setdefault((lang, method), {})[code] = rows
        return {
            run: DropFacts(sum(reasons.values()), by_frequency(reasons))
            for run, reasons in sorted(runs.items())
        }


class LexiconCounter:
    """Lexemes and rows of forms by language; the version is that of its rows."""

    def __init__(self) -> None:
        self.lexemes: dict[str, set[str]] = {}
        self.rows = Tally("lang", "version")
        self.pairs = Tally("lang", "pair")

    def add(self, batch: pa.RecordBatch) -> None:
        self.rows.add(batch)
        self.pairs.add(batch)

    def facts(self) -> dict[str, LexiconFacts]:
        lexemes = Counter(lang for lang, _ in self.pairs.counts)
        rows: Counter[str] = Counter()
        versions: dict[str, list[str]] = {}
        for (lang, version), count in sorted(self.rows.counts.items()):
            rows[lang] += count
            versions.setdefault(lang, []).append(version)
        return {
            lang: LexiconFacts("/".join(versions[lang]), lexemes[lang], rows[lang])
            for lang in sorted(rows)
        }

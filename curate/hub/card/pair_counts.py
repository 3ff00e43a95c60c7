"""Count pairs of sentences, made by a method or judged by people."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from curate.hub.card.shapes import CrowsFacts, FillFacts, PairFacts
from curate.hub.card.tallies import LengthTally, Nearest, Tally, value_counts

__all__ = ["CrowsCounter", "PairCounter"]

_SETTINGS = ("model", "revision", "k", "threshold", "context")


class PairCounter:
    """Rows of `schema.PAIRS`."""

    def __init__(self) -> None:
        self.originals = Tally("original")
        self.folds: set[int] = set()
        self.in_folds = 0
        self.entries: set[str] = set()
        self.lengths = LengthTally()
        self.nearest = Nearest("masculine", "feminine")
        self.fills = 0
        self.fill_kinds: Counter[str] = Counter()
        self.settings: dict[str, set[str]] = {name: set() for name in _SETTINGS}

    def add(self, batch: pa.RecordBatch) -> None:
        self.originals.add(batch)
        self.lengths.add(batch.column("masculine"), batch.column("feminine"))
        self.nearest.add(batch)
        folds = batch.column("folds")
        self.folds.update(pc.unique(folds.flatten()).to_pylist())
        self.in_folds += int(pc.sum(pc.greater(pc.list_value_length(folds), 0)).as_py() or 0)
        self.entries.update(pc.unique(batch.column("entries").flatten()).to_pylist())
        self._add_fills(batch.column("fill"))

    def _add_fills(self, fill: pa.StructArray) -> None:
        valid = fill.drop_null()
        if not len(valid):
            return
        self.fills += len(valid)
        self.fill_kinds.update(value_counts(valid.field("kind")))
        for name, values in self.settings.items():
            values.update(str(value) for value in pc.unique(valid.field(name)).to_pylist())

    def facts(self) -> PairFacts:
        originals = dict(self.originals.by_frequency())
        return PairFacts(
            masculine=originals.get("masculine", 0),
            feminine=originals.get("feminine", 0),
            folds=len(self.folds),
            in_folds=self.in_folds,
            entries=len(self.entries),
            lengths=self.lengths.facts(),
            example=self.nearest.example,
            fill=self._fill() if self.fills else None,
        )

    def _fill(self) -> FillFacts:
        kinds = self.fill_kinds
        model, revision, k, threshold, context = (
            "/".join(sorted(self.settings[name])) for name in _SETTINGS
        )
        return FillFacts(
            model=model,
            revision=revision,
            k=k,
            threshold=threshold,
            context=context,
            both=kinds["both"],
            masculine=kinds["masculine"],
            feminine=kinds["feminine"],
        )


class CrowsCounter:
    """Rows of `schema.CROWS`."""

    def __init__(self) -> None:
        self.bias_types = Tally("bias_type")
        self.directions = Tally("stereo_antistereo")
        self.rounds = Tally("round")
        self.gendered = 0
        self.lengths = LengthTally()
        self.nearest = Nearest("sent_more", "sent_less")

    def add(self, batch: pa.RecordBatch) -> None:
        for tally in (self.bias_types, self.directions, self.rounds):
            tally.add(batch)
        known = pc.and_(*(pc.is_valid(batch.column(side)) for side in ("masculine", "feminine")))
        self.gendered += int(pc.sum(known).as_py() or 0)
        self.lengths.add(batch.column("sent_more"), batch.column("sent_less"))
        self.nearest.add(batch)

    def facts(self) -> CrowsFacts:
        return CrowsFacts(
            bias_types=self.bias_types.by_frequency(),
            directions=self.directions.by_frequency(),
            rounds=self.rounds.by_frequency(),
            gendered=self.gendered,
            lengths=self.lengths.facts(),
            example=self.nearest.example,
        )

"""MBE: every masculine sentence against every feminine one (Kaneko et al. 2022; Yu et al. 2024).

    MBE = sum over T_m x T_f of gamma(S_m, S_f) * [A(S_m) > A(S_f)] / the sum of gamma

A is AULA (or AUL), gamma the cosine of the mean last hidden states. In pairs of ours T_m and T_f
are the sentences by their original gender; in a foreign table they are its two columns.
"""

from __future__ import annotations

import pyarrow as pa

from curate.scoring.metric import Metric, Need, PairBatch, PairValues

__all__ = ["MBE", "SENTENCES", "sentences"]

SENTENCES = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("side", pa.string(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
        pa.field("embedding", pa.list_(pa.float32()), nullable=False),
    ]
)
"""The sentences that MBE compares: side ``a`` or ``b``, A(S), mean last hidden state."""


def _taken(table: pa.Table) -> list[tuple[bool, bool]]:
    """Which sides of each row are in T_m and T_f."""
    if "original" not in table.schema.names:
        return [(True, True)] * table.num_rows
    originals = table.column("original").to_pylist()
    return [(one == "masculine", one == "feminine") for one in originals]


def _mbe(batch: PairBatch) -> PairValues:
    values = PairValues()
    for reading, (first, second) in zip(batch.readings, _taken(batch.table), strict=True):
        a, b = reading.a.whole, reading.b.whole
        refused = reading.refused or a.refused or b.refused
        if refused:
            values.add(None, None, reason=refused)
            continue
        aula = batch.options.likelihood == "aula"
        scores = [side.aula if aula else side.mean_logp for side in (a, b)]
        values.add(scores[0], scores[1], tokens=(a.n_tokens, b.n_tokens))
        if not first:
            values.value_a[-1] = None
        if not second:
            values.value_b[-1] = None
    return values


MBE = Metric(
    name="mbe", title="first sides more likely than second sides, weighted by likeness",
    source="Yu et al. 2024, eq. 2", values=_mbe, needs=Need.WHOLE | Need.ATTENTION | Need.EMBEDDING,
    kind="weighted", error="none", settings=("likelihood",),
)  # fmt: skip


def sentences(batch: PairBatch, values: PairValues) -> pa.Table:
    """The sentences of a batch that MBE compares, as `SENTENCES`."""
    found = []
    rows = batch.table.column("row").to_pylist()
    for at, (row, reading) in enumerate(zip(rows, batch.readings, strict=True)):
        for side, value, read in (
            ("a", values.value_a[at], reading.a),
            ("b", values.value_b[at], reading.b),
        ):
            if value is not None:
                found.append(
                    {"row": row, "side": side, "value": value, "embedding": read.whole.embedding}
                )
    return pa.Table.from_pylist(found, schema=SENTENCES)

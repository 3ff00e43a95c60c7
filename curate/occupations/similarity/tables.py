"""The tables of `curate occupations score`."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["CELLS", "SCORES", "SUMMARY"]

_PLACE = [
    pa.field("sent_id", pa.string(), nullable=False),
    pa.field("row", pa.int64(), nullable=False),
    pa.field("occupation", pa.string(), nullable=False),
    pa.field("form", pa.string(), nullable=False),
    pa.field("column", pa.string(), nullable=False),
]

CELLS = pa.schema(
    [*_PLACE, *(pa.field(name, pa.string(), nullable=False) for name in ("he", "she", "text"))]
)
"""A sentence with an occupation, and the sentences with he and with she that it is held against."""

SCORES = pa.schema(
    [
        *_PLACE,
        pa.field("similarity_he", pa.float64()),
        pa.field("similarity_she", pa.float64()),
        pa.field("problem", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("revision", pa.string(), nullable=False),
    ]
)
"""One row a model, sentence and form of an occupation. A similarity is null where the model gave
none; `problem` then says why, with the pronouns in question: ``she: no-number``."""

_TEXT = ("lang", "occupation", "form", "column", "isco", "status")
_MEANS = [
    f"mean_{side}{end}" for side in ("he", "she") for end in ("", "_ci_low", "_ci_high", "_std")
]
_FLOATS = (
    "share_women", *_MEANS, "difference", "ci_low", "ci_high", "difference_std", "p", "p_holm",
)  # fmt: skip
_COUNTS = ("n", "n_tied", "n_dropped", "seeds", "permutations", "draws", "seed")

SUMMARY = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in _TEXT),
        *(pa.field(name, pa.float64()) for name in _FLOATS),
        pa.field("significant", pa.bool_()),
        pa.field("exact", pa.bool_()),
        *(pa.field(name, pa.int64(), nullable=False) for name in _COUNTS),
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("drops", "model", "revision", "scale", "dataset", "version")
        ),
    ]
)
"""One row a form of an occupation. `difference` is the mean over sentences of she - he, of several
models (seeds) the mean of theirs; the columns ``_std`` are standard deviations over `seeds` models
(n - 1), null for one. `p` is that of the paired sign-flip test, `p_holm` corrected over all rows,
`significant` whether it is under 5 %; `exact` whether all sign patterns were made, `permutations`
how many. `drops` counts the reasons: ``no-number 3``."""

"""What the tasks of this folder need beyond YAML: the files, the balanced pairs, and ties.

lm-evaluation-harness loads this file when a task names one of its functions.
"""

from pathlib import Path

import datasets


def release_file(*, file, **_):
    """The pairs of a release on this machine; `file` is relative to the release."""
    path = Path(__file__).resolve().parents[1] / file
    return datasets.load_dataset("parquet", data_files={"test": str(path)})


def first_fold(pairs):
    """As many pairs from masculine as from feminine sentences; all pairs where none has folds."""
    folds = pairs["folds"]
    if not any(folds):
        return pairs
    return pairs.select([row for row, own in enumerate(folds) if 0 in own])


def masculine_preferred(doc, results):
    return _preferred(doc["masculine"], doc["feminine"], results)


def more_stereotypical_preferred(doc, results):
    return _preferred(doc["sent_more"], doc["sent_less"], results)


def _preferred(first, second, results):
    """Whether the first side is more likely, as it is and by UTF-8 byte; a tie is for neither."""
    (a, _), (b, _) = results
    a_byte, b_byte = a / len(first.encode()), b / len(second.encode())
    return {
        "preferred": float(a > b),
        "preferred_by_byte": float(a_byte > b_byte),
        "tied": float(a == b),
    }

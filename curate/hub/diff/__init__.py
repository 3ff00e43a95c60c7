"""What differs between two releases, and the changelog made of it."""

from curate.hub.diff.changes import change_entry, change_lines, counts_text
from curate.hub.diff.model import ConfigDiff, Counts, Diff, Identity, ShownRow
from curate.hub.diff.releases import diff_releases
from curate.hub.diff.shown import Text, other_columns, shown_texts, value_text, without_controls
from curate.hub.diff.words import Piece, marked_words

__all__ = [
    "ConfigDiff",
    "Counts",
    "Diff",
    "Identity",
    "Piece",
    "ShownRow",
    "Text",
    "change_entry",
    "change_lines",
    "counts_text",
    "diff_releases",
    "marked_words",
    "other_columns",
    "shown_texts",
    "value_text",
    "without_controls",
]

"""What holds for every language: tokens, features, letter case."""

from curate.language.casing import shape, transfer_case
from curate.language.features import (
    Features,
    compatible,
    expand_features,
    parse_features,
    unknown_features,
)
from curate.language.marks import keep_marks, without_marks
from curate.language.tokens import (
    NO_TEXT,
    Token,
    Tokenizer,
    fold,
    make_tokenizer,
    normalize,
    tokenize,
)

__all__ = [
    "NO_TEXT",
    "Features",
    "Token",
    "Tokenizer",
    "compatible",
    "expand_features",
    "fold",
    "keep_marks",
    "make_tokenizer",
    "normalize",
    "parse_features",
    "shape",
    "tokenize",
    "transfer_case",
    "unknown_features",
    "without_marks",
]

"""The Multilingual Gender Lexicon: what a language's files say, read and checked."""

from curate.lexicon.index import FormIndex
from curate.lexicon.load import available_languages, load_lexicon, read_lexicon
from curate.lexicon.model import (
    AgreementRow,
    Config,
    ContextWord,
    Grammar,
    Lexicon,
    Name,
    PairRow,
    Reading,
    Rule,
)
from curate.lexicon.validate import check_lexicon

__all__ = [
    "AgreementRow",
    "Config",
    "ContextWord",
    "FormIndex",
    "Grammar",
    "Lexicon",
    "Name",
    "PairRow",
    "Reading",
    "Rule",
    "available_languages",
    "check_lexicon",
    "load_lexicon",
    "read_lexicon",
]

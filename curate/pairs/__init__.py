"""Make minimal pairs: by the lexicon (LSG) or by a masked language model (MSG), then balance."""

from __future__ import annotations

from curate.pairs.balance import assign_folds, balance
from curate.pairs.run import PAIR_PARTS, Method, run_pairs

__all__ = ["PAIR_PARTS", "Method", "assign_folds", "balance", "run_pairs"]

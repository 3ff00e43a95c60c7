"""The heart: from a text to its counterpart in the other gender."""

from curate.swap.results import Edit, Mention, Ranker, SwapResult
from curate.swap.swapper import Swapper

__all__ = ["Edit", "Mention", "Ranker", "SwapResult", "Swapper"]

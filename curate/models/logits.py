"""From hidden states to ln p over the vocabulary, a block of rows at a time.

The sum over a vocabulary is taken in float64: in float32 it is off by some 1e-6 with 30,000
entries and 1e-5 with 250,000, always in one direction, which adds up over the tokens of a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from curate.models.loading import Network

__all__ = ["LEAST_ROWS", "LOGITS_AT_ONCE", "Logits", "entry_logp", "logit_blocks", "normalised"]

# below this many rows, matrix products take other kernels, whose last bits differ
LEAST_ROWS = 16
LOGITS_AT_ONCE = 16_000_000  # float32: 64 MB
_CHUNK = 512

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logits:
    """Logits [m, vocabulary] in float32, and the logarithm of each row's sum of exponentials [m].

    ln p of an entry is its logit less the row's `normaliser`.
    """

    values: Any
    normaliser: Floats

    def __len__(self) -> int:
        return len(self.normaliser)

    def logp(self, rows: Any, entries: Any) -> Floats:
        """ln p of `entries` [n] in `rows` [n]."""
        chosen = self.values[rows, entries].cpu().double().numpy()
        logp: Floats = chosen - self.normaliser[rows.cpu().numpy()]
        return logp


def normalised(values: Any) -> Logits:
    """Logits [m, vocabulary] of any precision with their normalisers."""
    values = values.float()
    most = values.amax(-1, keepdim=True)
    exponentials = (values - most).exp_()
    whole = exponentials.shape[-1] // _CHUNK * _CHUNK
    chunks = exponentials[:, :whole].unflatten(-1, (-1, _CHUNK)).sum(-1).cpu().double()
    tail = exponentials[:, whole:].sum(-1).cpu().double()
    sums: Floats = (chunks.sum(-1) + tail).numpy()
    return Logits(values, np.log(sums) + most.squeeze(-1).cpu().double().numpy())


def logit_blocks(network: Network, hidden: Any) -> Iterator[Logits]:
    """The logits of hidden states [n, size], in blocks of rows."""
    assert network.head is not None
    step = max(LEAST_ROWS, LOGITS_AT_ONCE // int(network.model.config.vocab_size))
    for start in range(0, len(hidden), step):
        block = hidden[start : start + step]
        count = len(block)
        if count < LEAST_ROWS:
            block = block.repeat(-(-LEAST_ROWS // count), 1)
        yield normalised(network.head(block)[:count])


def entry_logp(network: Network, hidden: Any, entries: Any) -> Floats:
    """ln p of `entries` [n], one at each of the hidden states [n, size]."""
    import torch

    parts, at = [], 0
    for block in logit_blocks(network, hidden):
        rows = torch.arange(len(block), device=entries.device)
        parts.append(block.logp(rows, entries[at : at + len(block)]))
        at += len(block)
    return np.concatenate(parts)

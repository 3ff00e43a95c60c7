"""Batches side by side on a processor: a thread a batch, in the place of threads in every product.

Small products gain little from several threads, and lose much where other programs want the
processors too: every thread of every product waits for the last. Batches wait for nobody. What
comes out is the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["map_batches"]

Batch = TypeVar("Batch")
Result = TypeVar("Result")


def map_batches(
    function: Callable[[Batch], Result], batches: Iterable[Batch], *, device: str
) -> Iterator[tuple[Batch, Result]]:
    """Every batch with its result, in order; as many at a time as torch has threads on a CPU.

    `function` must use torch without changing what is shared.
    """
    import torch

    threads = torch.get_num_threads() if device == "cpu" else 1
    if threads == 1:
        for batch in batches:
            yield batch, function(batch)
        return
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(threads) as pool:
            every = list(batches)
            yield from zip(every, pool.map(function, every), strict=True)
    finally:
        torch.set_num_threads(threads)

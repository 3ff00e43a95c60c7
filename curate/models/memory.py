"""When memory runs out: the same rows in smaller batches, down to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from curate.errors import InputError

__all__ = ["Halving", "is_out_of_memory"]

Row = TypeVar("Row")
Result = TypeVar("Result")

# how torch's allocators say it: CUDA and MPS, the CPU, cuBLAS
_SIGNS = (
    "out of memory",
    "allocate memory",
    "not enough memory",
    "invalid buffer size",
    "cublas_status_alloc_failed",
)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of Python or torch says that memory ran out."""
    if isinstance(error, MemoryError):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and any(sign in text for sign in _SIGNS)


class Halving:
    """Runs batches, and halves those for which there is no memory.

    It remembers the most tokens that are known not to fit, so that later batches start below. No
    result may depend on the rows beside it; then it does not depend on the memory either.
    """

    def __init__(self) -> None:
        self._too_many: int | None = None

    def run(
        self,
        function: Callable[[Sequence[Row]], Sequence[Result]],
        rows: Sequence[Row],
        *,
        length: int = 1,
    ) -> list[Result]:
        """function(rows), one result a row, in as many parts as memory asks for.

        `length` is the number of tokens of each row. Raises `InputError` where one row alone does
        not fit.
        """
        results: list[Result] = []
        while len(results) < len(rows):
            part = rows[len(results) : len(results) + self._width(len(rows), length)]
            found = _attempt(function, part)
            if found is not None:
                results.extend(found)
                continue
            # outside of the handler, so that the failed attempt's tensors are gone
            _release()
            if len(part) == 1:
                raise InputError(
                    f"one text of {length} tokens does not fit into memory",
                    hint="--max-length leaves long texts out; a smaller --budget, --device cpu",
                )
            self._too_many = len(part) * length
        return results

    def _width(self, rows: int, length: int) -> int:
        """How many rows of `length` to take at once."""
        if self._too_many is None or rows * length < self._too_many:
            return rows
        return max(1, self._too_many // 2 // max(1, length))


def _attempt(
    function: Callable[[Sequence[Row]], Sequence[Result]], rows: Sequence[Row]
) -> list[Result] | None:
    try:
        return list(function(rows))
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        return None


def _release() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()

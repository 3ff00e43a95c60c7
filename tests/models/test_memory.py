"""Halving: rows that do not fit together are computed in parts, in order, each once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.errors import InputError
from curate.models.memory import Halving, is_out_of_memory


class Device:
    """Doubles numbers, with room for a certain count of tokens; notes what it was asked."""

    def __init__(self, room: int, *, length: int = 1) -> None:
        self.room = room
        self.length = length
        self.asked: list[int] = []

    def __call__(self, rows: Sequence[int]) -> list[int]:
        self.asked.append(len(rows))
        if len(rows) * self.length > self.room:
            raise torch.OutOfMemoryError("Tried to allocate 2.00 GiB: out of memory")
        return [2 * row for row in rows]


def test_by_hand() -> None:
    """Ten rows, room for three: 10 and 5 fail, then twos; the next batch begins with twos."""
    device, halving = Device(3), Halving()
    assert halving.run(device, range(10)) == [2 * i for i in range(10)]
    assert device.asked == [10, 5, 2, 2, 2, 2, 2]
    device.asked.clear()
    assert halving.run(device, range(5)) == [0, 2, 4, 6, 8]
    assert device.asked == [2, 2, 1]


def test_longer_rows_start_with_fewer() -> None:
    """8 rows of 10 tokens fail, 4 fit; so of 20 tokens, two are tried at first."""
    device, halving = Device(45, length=10), Halving()
    halving.run(device, range(8), length=10)
    assert device.asked == [8, 4, 4]
    device = Device(45, length=20)
    halving.run(device, range(4), length=20)
    assert device.asked == [2, 2]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.lists(st.integers(0, 9), max_size=60))
def test_no_result_depends_on_the_room(room: int, rows: list[int]) -> None:
    assert Halving().run(Device(room), rows) == [2 * row for row in rows]


def test_one_row_that_does_not_fit_is_an_error_with_a_remedy() -> None:
    with pytest.raises(InputError, match="one text of 512 tokens") as raised:
        Halving().run(Device(100, length=512), [1, 2, 3], length=512)
    assert "--device cpu" in raised.value.hint


def test_other_errors_pass() -> None:
    def broken(rows: Sequence[int]) -> list[int]:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="mat1"):
        Halving().run(broken, [1, 2])


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("HIP out of memory"), True),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"), True),
        (RuntimeError("Invalid buffer size: 12.00 GiB"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"), True),
        (MemoryError(), True),
        (RuntimeError("index out of range"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_what_counts_as_memory(error: BaseException, expected: bool) -> None:
    assert is_out_of_memory(error) is expected


def test_the_allocator_of_the_cpu_is_understood() -> None:
    """A petabyte and more for two rows, a few bytes for one."""

    def greedy(rows: Sequence[int]) -> list[int]:
        torch.empty(1 if len(rows) == 1 else 2**50, dtype=torch.float32)
        return list(rows)

    assert Halving().run(greedy, [1, 2, 3]) == [1, 2, 3]

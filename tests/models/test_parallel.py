"""Batches side by side: in order, in threads of one thread each, and nothing left changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from curate.models.parallel import map_batches

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_results_come_in_order_from_threads_of_one_thread() -> None:
    seen = []

    def function(batch: int) -> int:
        seen.append(torch.get_num_threads())
        return batch * batch

    assert list(map_batches(function, range(20), device="cpu")) == [(n, n * n) for n in range(20)]
    assert set(seen) == {1}
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_an_error_comes_through_and_threads_are_as_before() -> None:
    def function(batch: int) -> int:
        if batch == 3:
            raise ValueError("three")
        return batch

    with pytest.raises(ValueError, match="three"):
        list(map_batches(function, range(9), device="cpu"))
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_other_devices_take_one_batch_at_a_time() -> None:
    assert list(map_batches(lambda n: torch.get_num_threads(), [1], device="cuda")) == [(1, 2)]

"""Normalisers: as exact as float64 gives them, and the same whatever the block."""

from __future__ import annotations

import pytest
import torch

from curate.models.logits import normalised


@pytest.mark.parametrize("entries", [7, 512, 1024, 30_522])
@pytest.mark.parametrize("scale", [0.1, 3.0, 40.0])
def test_they_are_those_of_float64(entries: int, scale: float) -> None:
    values = torch.randn(20, entries, generator=torch.Generator().manual_seed(entries)) * scale
    found = normalised(values)
    exact = values.double().logsumexp(-1).numpy()
    assert abs(found.normaliser - exact).max() < 5e-7
    rows, entry = torch.arange(20), torch.randint(0, entries, (20,))
    logp = values.double().log_softmax(-1)[rows, entry].numpy()
    assert abs(found.logp(rows, entry) - logp).max() < 5e-7


def test_a_row_does_not_depend_on_the_others() -> None:
    values = torch.randn(60, 5_001, generator=torch.Generator().manual_seed(1))
    whole = normalised(values).normaliser
    for count in (1, 2, 17, 59):
        assert (normalised(values[:count]).normaliser == whole[:count]).all()


def test_certain_and_impossible_entries() -> None:
    found = normalised(torch.tensor([[0.0, -2_000.0, -float("inf")]]))
    row = torch.tensor([0])
    assert found.logp(row, torch.tensor([0]))[0] == 0.0
    assert found.logp(row, torch.tensor([1]))[0] == -2_000.0
    assert found.logp(row, torch.tensor([2]))[0] == -float("inf")

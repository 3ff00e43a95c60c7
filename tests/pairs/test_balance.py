"""The balance: equal sides in every fold, the smaller side whole, seeded, as in the paper."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curate.pairs.balance import assign_folds

SIDES = st.lists(st.sampled_from(["masculine", "feminine", None]), max_size=60)


def _counts(sides: list[str | None], members: np.ndarray) -> list[tuple[int, int, int]]:
    return [
        tuple(sum(side == which for side, inside in zip(sides, fold, strict=True) if inside)
              for which in ("masculine", "feminine", None))
        for fold in members.T
    ]  # type: ignore[misc]  # fmt: skip


@given(SIDES, st.integers(1, 6), st.integers(0, 3))
def test_every_fold_is_balanced(sides: list[str | None], folds: int, seed: int) -> None:
    members = assign_folds(sides, folds=folds, seed=seed)
    assert members.shape == (len(sides), folds)
    smaller = min(sides.count("masculine"), sides.count("feminine"))
    for masculine, feminine, both in _counts(sides, members):
        assert masculine == feminine == smaller
        assert both == sides.count(None)
    small = min(("masculine", "feminine"), key=sides.count)
    if sides.count("masculine") != sides.count("feminine"):
        assert all(members[place].all() for place, side in enumerate(sides) if side == small)


def test_the_examples_of_the_paper() -> None:
    lsg = ["masculine"] * 100 + ["feminine"] * 50
    members = assign_folds(lsg, folds=5, seed=0)
    assert members.sum(axis=0).tolist() == [100] * 5
    assert len({tuple(column) for column in members.T}) == 5
    msg: list[str | None] = [None] * 60 + ["masculine"] * 40 + ["feminine"] * 30
    assert assign_folds(msg, folds=1, seed=0).sum() == 120


def test_the_seed_chooses() -> None:
    sides = ["masculine"] * 60 + ["feminine"] * 20
    one = assign_folds(sides, folds=5, seed=1)
    assert (one == assign_folds(sides, folds=5, seed=1)).all()
    assert (one != assign_folds(sides, folds=5, seed=2)).any()
    assert (one[:, :1] == assign_folds(sides, folds=1, seed=1)).all()


def test_truncation_is_fair() -> None:
    """Over many folds every pair of the larger side is kept about as often as any other."""
    sides = ["masculine"] * 40 + ["feminine"] * 10
    shares = assign_folds(sides, folds=100, seed=3)[:40].mean(axis=1)
    assert abs(shares.mean() - 0.25) < 1e-9
    assert shares.min() > 0.08
    assert shares.max() < 0.45

"""Reading masked contexts: each computed once, each position projected once, whatever asks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from curate.models.loading import Network, load_network
from curate.models.masked import MaskedModel
from curate.models.masking import MaskedTokens, read_masked

BUDGET = 1536


@dataclass(frozen=True)
class Watched(Network):
    """A network that remembers the rows it computes and how many positions it projects."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    projected: list[int] = field(default_factory=list)


def parts_of(network: Network) -> dict[str, Any]:
    return {one.name: getattr(network, one.name) for one in fields(Network)}


@pytest.fixture(scope="module")
def whole(model_folders: dict[str, Path]) -> Network:
    return load_network(str(model_folders["bert"]), device="cpu")


@pytest.fixture
def network(whole: Network) -> Iterator[Watched]:
    assert whole.head is not None
    projected: list[int] = []

    def head(hidden: Any) -> Any:
        projected.append(len(hidden))
        return whole.head(hidden)  # type: ignore[misc]

    watched = Watched(**{**parts_of(whole), "head": head}, projected=projected)
    hook = whole.model.get_input_embeddings().register_forward_pre_hook(
        lambda module, inputs: watched.rows.extend(map(tuple, inputs[0].tolist()))
    )
    yield watched
    hook.remove()


def context(ids: Sequence[int], *places: int, mask: int = 4) -> MaskedTokens:
    """`ids` with `places` masked and read."""
    masked = [mask if at in places else token for at, token in enumerate(ids)]
    return MaskedTokens(tuple(masked), places, tuple(ids[at] for at in places))


def naive(network: Network, contexts: Sequence[MaskedTokens]) -> Iterator[tuple[Any, Any]]:
    """One context at a time through the whole model: (ln p, whether the best)."""
    for one in contexts:
        with torch.no_grad():
            logits = network.model(torch.tensor([one.ids])).logits[0].double()
        logp = logits.log_softmax(-1)
        yield (
            np.array([logp[at, entry] for at, entry in zip(one.places, one.entries, strict=True)]),
            np.array([int(logp[at].argmax()) for at in one.places]) == np.array(one.entries),
        )


def sentences(count: int, *, longest: int = 30, seed: int = 1) -> list[list[int]]:
    choose = random.Random(seed)  # noqa: S311
    lengths = [choose.randint(1, longest) for _ in range(count)]
    return [[2, *(choose.randint(5, 100) for _ in range(n)), 3] for n in lengths]


def test_values_against_one_context_at_a_time(network: Watched) -> None:
    contexts = [context(ids, at) for ids in sentences(12) for at in range(1, len(ids) - 1)]
    contexts += [context(ids, *range(1, len(ids) - 1, 2)) for ids in sentences(12, seed=2)]
    # the best entry, so that some are: a random one seldom is
    with torch.no_grad():
        for at, one in enumerate(contexts[::3]):
            best = network.model(torch.tensor([one.ids])).logits[0].argmax(-1)
            entries = tuple(int(best[place]) for place in one.places)
            contexts[3 * at] = MaskedTokens(one.ids, one.places, entries)
    found = read_masked(network, contexts, budget=BUDGET)
    for score, (logp, best) in zip(found, naive(network, contexts), strict=True):
        assert score.logp == pytest.approx(logp, abs=1e-5)
        assert score.best.tolist() == best.tolist()
    assert sum(score.best.all() for score in found) >= len(contexts) / 3


def test_equal_contexts_are_computed_once(network: Watched) -> None:
    """Two sides that differ in one token are the same context once it is masked."""
    man, woman = [2, 10, 11, 12, 13, 3], [2, 10, 21, 12, 13, 3]
    contexts = [context(ids, at) for ids in (man, woman) for at in (1, 2, 3, 4)]
    found = read_masked(network, contexts * 3, budget=BUDGET)
    assert len(network.rows) == len(set(network.rows)) == 7
    apart = read_masked(network, [contexts[1]], budget=BUDGET)
    apart += read_masked(network, [contexts[5]], budget=BUDGET)
    for place, one in zip((1, 5), apart, strict=True):
        assert found[place].logp == pytest.approx(one.logp)
        assert found[place].logp == found[place + 8].logp == found[place + 16].logp
    assert found[1].logp != found[5].logp  # other entries behind the same mask


def test_a_position_is_projected_once(network: Watched) -> None:
    """Forty questions about the two masks of one context: two rows of the head, padded to 16."""
    ids = [2, *range(10, 30), 3]
    masked = context(ids, 4, 9).ids
    contexts = [MaskedTokens(masked, (4, 9), (token, token + 1)) for token in range(10, 30)]
    contexts += [MaskedTokens(masked, (9,), (token,)) for token in range(10, 30)]
    found = read_masked(network, contexts, budget=BUDGET)
    assert network.rows == [masked]
    assert network.projected == [16]
    for at, token in enumerate(range(10, 29)):
        later = contexts.index(MaskedTokens(masked, (9,), (token + 1,)))
        assert found[at].logp[1] == found[later].logp[0]


def test_only_the_asked_positions_are_projected(network: Watched) -> None:
    contexts = [context(ids, 1) for ids in sentences(40, longest=3)]
    read_masked(network, contexts, budget=BUDGET)
    by_length = {len(one.ids): 0 for one in contexts}
    for ids in {one.ids for one in contexts}:
        by_length[len(ids)] += 1
    expected = [count if count >= 16 else count * -(-16 // count) for count in by_length.values()]
    assert sorted(network.projected) == sorted(expected)


@pytest.mark.parametrize("budget", [1, 40, 200, 100_000])
def test_batches_and_order_change_nothing(network: Watched, budget: int) -> None:
    contexts = [context(ids, at) for ids in sentences(25) for at in range(1, len(ids) - 1)]
    plain = read_masked(network, contexts, budget=BUDGET)
    order = np.random.default_rng(3).permutation(len(contexts))
    other = read_masked(network, [contexts[at] for at in order], budget=budget)
    for at, score in zip(order, other, strict=True):
        assert score.logp.tobytes() == plain[at].logp.tobytes()
        assert (score.best == plain[at].best).all()


def test_a_vocabulary_that_comes_in_blocks(
    network: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of the head's rows may end within a context, and questions lie in any block."""
    contexts = [context(ids, *range(1, len(ids) - 1)) for ids in sentences(30)]
    contexts += [context(ids, 1) for ids in sentences(30)]
    plain = read_masked(network, contexts, budget=BUDGET)
    entries = int(network.model.config.vocab_size)
    monkeypatch.setattr("curate.models.logits.LOGITS_AT_ONCE", 17 * entries)
    network.projected.clear()
    blocks = read_masked(network, contexts, budget=BUDGET)
    assert set(network.projected) - {17} and network.projected.count(17) > 10
    for one, other in zip(plain, blocks, strict=True):
        assert one.logp.tobytes() == other.logp.tobytes()


def test_progress_counts_every_context(network: Watched) -> None:
    contexts = [context(ids, at) for ids in sentences(9) for at in range(1, len(ids) - 1)] * 2
    heard: list[int] = []
    read_masked(network, contexts, budget=60, on_done=heard.append)
    assert sum(heard) == len(contexts) and len(heard) > 3


def test_nothing_to_read(network: Watched) -> None:
    assert read_masked(network, [], budget=BUDGET) == []
    empty = MaskedTokens((2, 10, 3), (), ())
    found = read_masked(network, [empty, context([2, 10, 3], 1)], budget=BUDGET)
    assert [len(score.logp) for score in found] == [0, 1]


def test_a_model_whose_head_is_not_known(network: Watched, whole: Network) -> None:
    contexts = [context(ids, 1, len(ids) - 2) for ids in sentences(20) if len(ids) > 4]
    found = read_masked(Network(**{**parts_of(whole), "head": None}), contexts, budget=BUDGET)
    for one, other in zip(found, read_masked(network, contexts, budget=BUDGET), strict=True):
        assert one.logp == pytest.approx(other.logp, abs=1e-5)


def test_all_metrics_of_a_pair_share_their_contexts(network: Watched) -> None:
    """CPS, PLL and SSS of one pair: as many rows as there are different contexts."""
    import pyarrow as pa

    from curate.scoring.metric import Need, Options
    from curate.scoring.reading import read_pairs_once

    sides = {"masculine": ["He is a doctor."], "feminine": ["She is a doctor."]}
    model = MaskedModel(network)
    a, b = (body for body in model.encode([sides[name][0] for name in sides]))
    assert not isinstance(a, str) and not isinstance(b, str)
    read_pairs_once(
        pa.table(sides), model, needs=Need.SHARED | Need.EVERY | Need.DIFFERING, options=Options()
    )
    mask = model.mask_id
    singles = {
        tuple(mask if i == at else token for i, token in enumerate(body.ids))
        for body in (a, b)
        for at in body.own
    }
    common = {a.ids[at] for at in a.own} & {b.ids[at] for at in b.own}
    masked = {
        tuple(
            token if at not in body.own or token in common else mask
            for at, token in enumerate(body.ids)
        )
        for body in (a, b)
    }
    assert set(network.rows) >= singles | masked
    assert len(set(network.rows)) == len(singles | masked)

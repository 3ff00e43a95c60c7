"""One pass over the model for all metrics: what is known of a pair once it has been read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from curate.scoring.alignment import differing_places, published_alignment, shared_places
from curate.scoring.contexts import Asking, MaskedPlaces, written_out
from curate.scoring.metric import MaskedScorer, Need, Options

if TYPE_CHECKING:
    from curate.models.masked import Body

__all__ = ["PairReading", "SideReading", "read_pairs_once"]

# ids of contexts that are written out at a time: 40 MB, twice
_MOST_IDS = 5_000_000

Progress = Callable[[float], None]


@dataclass(slots=True)
class SideReading:
    """One text. Each is None unless it was needed: see `Need`.

    `shared`, `differing` and `every` hold ``logp`` (natural logarithm) and ``best`` of as many
    tokens as they count; `whole` is an `AulScore`; `causal` a `CausalScore`.
    """

    shared: Any = None
    differing: Any = None
    every: Any = None
    whole: Any = None
    causal: Any = None


@dataclass(slots=True)
class PairReading:
    """Both sides of a pair; `refused` is the code of why the model cannot read one of them.

    `same`: both sides are the same tokens to this model.
    """

    a: SideReading
    b: SideReading
    refused: str | None = None
    same: bool = False


def read_pairs_once(
    table: pa.Table,
    scorer: Any,
    *,
    needs: Need,
    options: Options,
    on_share: Progress | None = None,
) -> list[PairReading]:
    """What `needs` asks of every row of `table` (columns masculine and feminine), in order.

    `on_share` hears which share (0 to 1) of the masked contexts is read.
    """
    sides = [table.column(name).to_pylist() for name in ("masculine", "feminine")]
    pairs = [PairReading(SideReading(), SideReading()) for _ in range(table.num_rows)]
    if needs & Need.CAUSAL:
        _read_causal(scorer, sides, pairs)
    if not needs & ~Need.CAUSAL:
        return pairs
    bodies = scorer.encode([*sides[0], *sides[1]], words=options.masking == "within-word")
    if options.compat == "kaneko2022":
        bodies = [_without_ends(body) for body in bodies]
    for pair, a, b in zip(pairs, bodies[: len(pairs)], bodies[len(pairs) :], strict=True):
        pair.refused = next((body for body in (a, b) if isinstance(body, str)), None)
        pair.same = pair.refused is None and a.ids == b.ids
    if needs & (Need.WHOLE | Need.EMBEDDING):
        _read_whole(scorer, bodies, pairs, needs)
    if needs.masks:
        _read_masked(scorer, bodies, pairs, needs=needs, options=options, on_share=on_share)
    return pairs


def _read_causal(scorer: Any, sides: Sequence[Sequence[str]], pairs: list[PairReading]) -> None:
    scores = scorer.perplexity([*sides[0], *sides[1]])
    for pair, a, b in zip(pairs, scores[: len(pairs)], scores[len(pairs) :], strict=True):
        pair.a.causal, pair.b.causal = a, b
        pair.refused = a.refused or b.refused
    for pair, one, other in zip(pairs, *sides, strict=True):
        pair.same = one == other


def _without_ends(body: Any) -> Any:
    """A body that counts all but its first and last token, special or not."""
    if isinstance(body, str):
        return body
    from dataclasses import replace

    return replace(body, own=tuple(range(1, len(body.ids) - 1)))


def _read_whole(
    scorer: MaskedScorer,
    bodies: Sequence[Any],
    pairs: list[PairReading],
    needs: Need,
) -> None:
    attention, embedding = bool(needs & Need.ATTENTION), bool(needs & Need.EMBEDDING)
    scores = scorer.sentences(bodies, attention=attention, embedding=embedding)
    for pair, a, b in zip(pairs, scores[: len(pairs)], scores[len(pairs) :], strict=True):
        pair.a.whole, pair.b.whole = a, b


def _read_masked(
    scorer: MaskedScorer,
    bodies: Sequence[Any],
    pairs: list[PairReading],
    *,
    needs: Need,
    options: Options,
    on_share: Progress | None,
) -> None:
    contexts: list[MaskedPlaces] = []
    asked: list[tuple[SideReading, str, Any]] = []
    for pair, a, b in zip(pairs, bodies[: len(pairs)], bodies[len(pairs) :], strict=True):
        if pair.refused:
            continue
        shared, equal = _shared(a, b, options)
        for side, body, which in ((pair.a, a, 0), (pair.b, b, 1)):
            asking = Asking(body, contexts)
            own = [places[which] for places in shared]
            differing = differing_places([places[which] for places in equal], body.own)
            if needs & Need.EVERY:
                asked.append((side, "every", asking.one_by_one(body.own)))
            if needs & Need.SHARED:
                asked.append((side, "shared", asking.one_by_one(own)))
            if needs & Need.DIFFERING and differing:
                asked.append((side, "differing", asking.at_once(differing)))
    read = 0

    def on_done(count: int) -> None:
        nonlocal read
        read += count
        if on_share is not None:
            on_share(read / len(contexts))

    scores: list[Any] = []
    for part in written_out(contexts, scorer.mask_id, most=_MOST_IDS):
        scores += scorer.read(part, on_done=on_done)
    for side, name, numbers in asked:
        found = scores[numbers] if isinstance(numbers, int) else _joined(scores, numbers)
        setattr(side, name, found)


def _shared(a: Body, b: Body, options: Options) -> tuple[Any, Any]:
    """Positions (in ids) of the shared tokens, and of all that are equal."""
    if options.compat != "none":
        return published_alignment(a.ids, b.ids)
    own = shared_places([a.ids[i] for i in a.own], [b.ids[i] for i in b.own])
    places = [(a.own[i], b.own[j]) for i, j in own]
    return places, places


def _joined(scores: Sequence[Any], numbers: Sequence[int]) -> Any:
    """The scores of several contexts that read one token each, as one."""
    import numpy as np

    from curate.models.masked import TokenScores

    return TokenScores(
        np.array([scores[number].logp[0] for number in numbers]),
        np.array([scores[number].best[0] for number in numbers], dtype=bool),
    )

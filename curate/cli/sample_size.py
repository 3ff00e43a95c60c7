"""`curate sample-size`: how many pairs for an interval of a wanted width?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["sample_size"]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is estimated: a share in percent, or a mean of differences that deviate so much."""

    metric: str
    confidence: float
    share: float | None = None
    deviation: float | None = None

    def width(self, n: int) -> float:
        from curate.scoring.sample_size import mean_half_width, share_half_width

        if self.deviation is not None:
            return mean_half_width(n, deviation=self.deviation, confidence=self.confidence)
        return share_half_width(n, share=self.share or 0.0, confidence=self.confidence)

    def pairs(self, half_width: float) -> int:
        from curate.scoring.sample_size import pairs_for_mean, pairs_for_share

        if self.deviation is not None:
            return pairs_for_mean(half_width, deviation=self.deviation, confidence=self.confidence)
        return pairs_for_share(half_width, share=self.share or 0.0, confidence=self.confidence)


def sample_size(
    *,
    half_width: Annotated[
        float | None, typer.Option(help="Wanted half-width: in points of percent for a share.")
    ] = None,
    share: Annotated[
        float | None, typer.Option(help="Expected share in percent; 50, the worst, if not given.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of the interval, in percent.")] = 95.0,
    n: Annotated[
        int | None, typer.Option("--n", min=1, help="Also say how wide it is at so many pairs.")
    ] = None,
    scores: Annotated[
        Path | None, typer.Option(help="A folder that curate score wrote: plan from its pairs.")
    ] = None,
    metric: Annotated[str, typer.Option(help="The metric of --scores.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many pairs an interval of a wanted width needs.

    For a share: the smallest n at which Wilson's interval reaches at most the
    half-width to either side. With --scores, the share, or for a mean such as
    S_JSD the standard deviation, is that of the pairs scored there; the half-
    width of a mean is in the metric's own unit.

    Examples:

    [bold]curate sample-size --half-width 5[/bold]

    [bold]curate sample-size --half-width 2 --share 60 --n 1000[/bold]

    [bold]curate sample-size --scores out/scores --metric sjsd --half-width 0.002[/bold]
    """
    from curate.errors import UsageError

    _check(half_width, share, confidence, n)
    if scores is None:
        if metric:
            raise UsageError(
                "--metric is the metric of scored pairs", hint="name their folder with --scores"
            )
        plan = _Plan("share", confidence / 100, share=50.0 if share is None else share)
    else:
        plan = _from_scores(scores, metric, share, confidence / 100)
    _print(plan, half_width, n, as_json=as_json)


def _check(half_width: float | None, share: float | None, confidence: float, n: int | None) -> None:
    from curate.errors import UsageError

    if half_width is None and n is None:
        raise UsageError("neither a width nor a number of pairs", hint="--half-width 5, or --n 500")
    if half_width is not None and not 0 < half_width < float("inf"):
        raise UsageError(f"a half-width of {half_width:g} is no width", hint="--half-width 5")
    if share is not None and not 0 <= share <= 100:
        raise UsageError(f"a share of {share:g} % is none", hint="--share takes 0 to 100")
    if not 50 <= confidence < 100:
        raise UsageError(
            f"a confidence of {confidence:g} %", hint="--confidence takes 50 to under 100, like 95"
        )


def _from_scores(folder: Path, metric: str, share: float | None, confidence: float) -> _Plan:
    import numpy as np

    from curate.errors import InputError, UsageError
    from curate.scoring.comparison import outcomes, valued, values_of
    from curate.scoring.registry import metric_name
    from curate.scoring.scored_folder import read_scored

    if share is not None:
        raise UsageError("--share and --scores say two things", hint="leave one of them out")
    scored = read_scored(folder)
    name = metric_name(metric) or (scored.metrics[0] if len(scored.metrics) == 1 else "")
    if name not in scored.metrics:
        raise UsageError(
            f"{folder} holds no metric {name!r}" if name else "which metric?",
            hint=f"--metric takes one of: {', '.join(scored.metrics)}",
        )
    kind = scored.kind(name)
    if kind.counted == "pooled":
        raise UsageError(
            f"{name} has no value of a pair to plan from", hint="name a share or a mean"
        )
    own = outcomes(values_of(valued(scored.of_metric(name))), kind)
    if len(own) < 2:
        raise InputError(
            f"holds {len(own)} pairs with a value of {name}", where=folder, hint="two are needed"
        )
    if kind.counted == "share":
        return _Plan(name, confidence, share=100 * float(own.mean()))
    return _Plan(name, confidence, deviation=float(np.std(own, ddof=1)))


def _print(plan: _Plan, half_width: float | None, n: int | None, *, as_json: bool) -> None:
    import json

    wanted = None if half_width is None else plan.pairs(half_width)
    width = None if n is None else plan.width(n)
    if as_json:
        content = {
            "metric": plan.metric,
            "confidence": plan.confidence,
            "share": plan.share,
            "deviation": plan.deviation,
            "half_width": half_width,
            "pairs": wanted,
            "n": n,
            "half_width_at_n": width,
        }
        typer.echo(json.dumps(content, indent=2))
        return
    points = " points" if plan.deviation is None else ""
    if plan.deviation is None:
        what = f"a share of {plan.share:.4g} % (Wilson)"
    else:
        what = f"a mean of pairs that deviate by {plan.deviation:.4g} (normal)"
    typer.echo(f"{plan.metric}: {100 * plan.confidence:.4g} % interval of {what}")
    if wanted is not None:
        typer.echo(f"  {wanted:,} pairs give ± {half_width:.4g}{points} or less")
    if n is not None:
        typer.echo(f"  {n:,} pairs give ± {width:.4g}{points}")

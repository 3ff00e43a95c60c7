"""The latent-sentiment model: its loss by a naive reading, its gradient, planted parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from curate.errors import UsageError
from curate.politicians.study.counts import gather
from curate.politicians.study.deviations import (
    estimate_deviations,
    largest,
    sentiment_contrasts,
    told_sentiment,
)
from curate.politicians.study.latent import Fit, Latent, fit_latent
from curate.politicians.study.latent_model import LatentModel

torch = pytest.importorskip("torch")

Floats = NDArray[np.float64]


def planted(*, words: int, size: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Counts sampled from the model, its p(s | w), and ln p(w | s, g) - ln p(w).

    A word has a sentiment, and a liking for each gender; the genders use the sentiments unequally.
    """
    random = np.random.default_rng(seed)
    background = random.permutation(np.log(1 / np.arange(1, words + 1) ** 0.7))
    sentiment = np.full((words, 3), -1.0)
    sentiment[np.arange(words), random.integers(0, 3, words)] = 1.0
    sentiment += random.normal(0, 0.3, (words, 3))
    gender = random.laplace(0, 0.5, (words, 2))
    given = background[:, None, None] + sentiment[:, :, None] + gender[:, None, :]
    given -= np.log(np.exp(given).sum(axis=0))
    shares = np.exp(random.normal(0, 0.3, (3, 2)))
    joint = np.exp(given) * (shares / shares.sum(axis=0)) * np.array([0.2, 0.8])
    counts = random.multinomial(size, joint.sum(axis=1).ravel()).reshape(words, 2)
    posterior = joint.sum(axis=2) / joint.sum(axis=(1, 2))[:, None]
    ratio = given - np.log(joint.sum(axis=(1, 2)))[:, None, None]
    kept = counts.sum(axis=1) >= 5
    return counts[kept].astype(float), posterior[kept], ratio[kept]


def rank_correlation(a: Floats, b: Floats) -> float:
    from scipy import stats

    return float(stats.spearmanr(a.ravel(), b.ravel()).statistic)


def naive_loss(
    model: Any, counts: Floats, target: Floats, *, point: int, l1: float, weight: float
) -> float:
    """Equations 11 to 13 with loops over words, sentiments and genders."""
    eta = model.eta[point].numpy().astype(float)
    sigma, phi = model._sigma[point].numpy(), model._phi[point].numpy()
    words = range(len(counts))
    whole = counts.sum()
    background = [math.log(counts[w].sum() / whole) for w in words]
    joint: dict[tuple[int, int, int], float] = {}
    for g in range(2):
        p_g = math.exp(phi[g]) / sum(math.exp(one) for one in phi)
        for s in range(3):
            p_s = math.exp(sigma[s, g]) / sum(math.exp(one) for one in sigma[:, g])
            weights = [math.exp(background[w] + eta[s, g, w]) for w in words]
            for w in words:
                joint[w, s, g] = weights[w] / sum(weights) * p_s * p_g
    loss = 0.0
    for w in words:
        for g in range(2):
            loss -= counts[w, g] / whole * math.log(sum(joint[w, s, g] for s in range(3)))
        alone = sum(joint[w, s, g] for s in range(3) for g in range(2))
        if np.isnan(target[w]).any():
            continue
        for s in range(3):
            p_s = sum(joint[w, s, g] for g in range(2)) / alone
            loss += weight * target[w, s] * math.log(target[w, s] / p_s)
    size = float(np.abs(eta).sum() + np.abs(sigma).sum() + np.abs(phi).sum())
    return loss + l1 * size


def disturbed(counts: Floats, target: Floats, fit: Fit) -> Any:
    """A model away from its start, so that no term is zero."""
    model = LatentModel(torch, counts, target, fit, None)
    random = torch.Generator().manual_seed(1)
    for parameter in model.parameters:
        parameter.add_(torch.randn(parameter.shape, generator=random), alpha=0.3)
    return model


def test_loss_is_that_of_the_naive_reading() -> None:
    counts, target, _ = planted(words=9, size=3_000, seed=0)
    target[2] = np.nan
    fit = Fit(l1_weights=(0.0, 0.01), posterior_weights=(0.1, 10.0))
    model = disturbed(counts, target, fit)
    losses = model.losses()[0].numpy()
    grid = [(l1, weight) for l1 in fit.l1_weights for weight in fit.posterior_weights]
    for point, (l1, weight) in enumerate(grid):
        expected = naive_loss(model, counts, target, point=point, l1=l1, weight=weight)
        assert losses[point] == pytest.approx(expected, rel=1e-4)


def test_written_gradient_is_that_of_the_loss() -> None:
    counts, target, _ = planted(words=9, size=3_000, seed=0)
    target[2] = np.nan
    fit = Fit(l1_weights=(0.0, 0.01), posterior_weights=(0.1, 10.0))
    model = disturbed(counts, target, fit)
    model.set_gradients()
    written = [parameter.grad.clone() for parameter in model.parameters]
    for parameter in model.parameters:
        parameter.grad = None
        parameter.requires_grad_()
    model.losses()[0].sum().backward()
    for parameter, own in zip(model.parameters, written, strict=True):
        assert torch.allclose(parameter.grad, own, rtol=1e-3, atol=1e-5)


@pytest.fixture(scope="module")
def recovered() -> tuple[Latent, Floats, Floats]:
    counts, posterior, ratio = planted(words=300, size=600_000, seed=3)
    return fit_latent(counts, posterior, fit=Fit(steps=1_000)), posterior, ratio


def test_planted_sentiment_is_recovered(recovered: tuple[Latent, Floats, Floats]) -> None:
    latent, posterior, _ = recovered
    agreement = (latent.posterior.argmax(axis=1) == posterior.argmax(axis=1)).mean()
    assert agreement >= 0.95


def test_planted_deviations_are_recovered(recovered: tuple[Latent, Floats, Floats]) -> None:
    latent, _, ratio = recovered
    assert rank_correlation(latent.deviation, ratio) >= 0.9


def test_the_grid_is_what_the_paper_used(recovered: tuple[Latent, Floats, Floats]) -> None:
    latent, *_ = recovered
    assert len(latent.loss) == 40
    assert sorted(set(latent.l1_weights.round(6))) == [0, 1e-5, 1e-4, 1e-3, 1e-2]
    assert latent.posterior_weights.max() == 100
    # the stronger its pull, the closer to the lexicon
    plain = latent.divergence[latent.l1_weights == 0]
    assert plain[-1] < 1e-3


def test_without_sentiment_the_model_is_pmi() -> None:
    counts, posterior, _ = planted(words=60, size=200_000, seed=1)
    fit = Fit(steps=1_500, l1_weights=(0.0,), posterior_weights=(0.1,))
    latent = fit_latent(counts, np.full_like(posterior, np.nan), fit=fit)
    plain = np.log(counts / counts.sum(axis=0)) - np.log(counts.sum(axis=1) / counts.sum())[:, None]
    assert latent.association == pytest.approx(plain, abs=0.02)


def test_every_point_is_fitted_as_if_alone() -> None:
    counts, posterior, _ = planted(words=40, size=50_000, seed=1)
    both = fit_latent(
        counts, posterior, fit=Fit(steps=60, l1_weights=(0.0, 1e-3), posterior_weights=(1.0,))
    )
    alone = fit_latent(
        counts, posterior, fit=Fit(steps=60, l1_weights=(1e-3,), posterior_weights=(1.0,))
    )
    assert both.deviations[1] == pytest.approx(alone.deviations[0], abs=1e-4)


def test_same_input_gives_the_same_result() -> None:
    counts, posterior, _ = planted(words=40, size=50_000, seed=1)
    one, two = (fit_latent(counts, posterior, fit=Fit(steps=30)) for _ in range(2))
    assert np.array_equal(one.deviations, two.deviations)


def test_exchanging_the_genders_mirrors_the_fit() -> None:
    counts, posterior, _ = planted(words=40, size=50_000, seed=1)
    fit = Fit(steps=200, l1_weights=(0.0,), posterior_weights=(1.0,))
    one = fit_latent(counts, posterior, fit=fit)
    two = fit_latent(counts[:, ::-1].copy(), posterior, fit=fit)
    assert one.deviation == pytest.approx(two.deviation[:, :, ::-1], abs=2e-3)


@pytest.mark.parametrize(
    ("counts", "said"),
    [(np.ones((4, 3)), "two genders"), (np.array([[1.0, 0.0], [2.0, 0.0]]), "no count")],
)
def test_counts_of_another_shape_are_refused(counts: Floats, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        fit_latent(counts, np.full((len(counts), 3), 1 / 3))


def people_with_words(seed: int) -> tuple[Any, dict[str, list[float]]]:
    """Men and women; women's words are more often the positive ones."""
    random = np.random.default_rng(seed)
    words = [f"{kind}{n:02}" for kind in ("bad", "plain", "good") for n in range(12)]
    lexicon = {
        word: [0.9 if word.startswith(kind) else 0.05 for kind in ("bad", "plain", "good")]
        for word in words
    }
    people, genders, own = [], [], []
    for n in range(400):
        female = n % 3 == 0
        pull = np.array([1.5 if female and word.startswith("good") else 0.0 for word in words])
        for at in np.argsort(-(pull + random.gumbel(size=len(words))))[:6]:
            people.append(f"Q{n}")
            genders.append("female" if female else "male")
            own.append(words[at])
    return gather(people, genders, own), lexicon


def test_sentiment_of_the_largest_deviations() -> None:
    use, lexicon = people_with_words(0)
    two = use.only_genders(["female", "male"])
    found = estimate_deviations(two, lexicon, fit=Fit(steps=300), draws=3, refit_steps=30)
    words = [two.words[at] for at in largest(found, "female", size=12)]
    assert sum(word.startswith("good") for word in words) >= 11
    contrasts = {one.label: one for one in sentiment_contrasts(found, size=12)}
    assert contrasts["positive"].contrast.difference > 0.5
    assert contrasts["positive"].p_bonferroni < 0.01
    assert contrasts["positive"].contrast.n_first == 12
    assert found.error is not None
    assert (found.error > 0).all()
    total = sum(one.contrast.mean_first for one in contrasts.values())
    assert total == pytest.approx(1.0, abs=1e-6)


def test_genders_at_random_give_no_sentiment_beyond_the_nominal_rate() -> None:
    low_p = []
    for seed in range(14):
        random = np.random.default_rng(seed)
        words = [f"w{n:03}" for n in range(120)]
        lexicon = {word: (np.eye(3)[random.integers(0, 3)] * 0.7 + 0.1).tolist() for word in words}
        use = gather(
            [f"Q{n}" for n in range(300) for _ in range(8)],
            [("female", "male")[int(g)] for g in random.random(300) < 0.7 for _ in range(8)],
            [words[at] for _ in range(300) for at in random.choice(len(words), 8, replace=False)],
        )
        found = estimate_deviations(
            use.only_genders(["female", "male"]), lexicon, fit=Fit(steps=60), draws=0
        )
        low_p += [one.contrast.p < 0.05 for one in sentiment_contrasts(found, size=50)]
    # three tests of one study hang together, so the rate is spread more than a binomial one
    assert np.mean(low_p) < 0.15


def test_a_word_has_the_sentiment_of_its_lexicon_not_of_its_gender() -> None:
    # a lexicon that is hardly sure, and words of one gender each: the model's own p(s | w) gives
    # all of a gender's words one sentiment
    rows = [
        (f"Q{n}", "female" if n < 60 else "male", f"w{(n * 7 + step) % 12 + 12 * (n >= 60):02}")
        for n in range(120)
        for step in range(4)
    ]
    use = gather(*(list(part) for part in zip(*rows, strict=True)))
    sure, rest = 0.34, 0.33
    lexicon = {
        word: [sure if at % 3 == kind else rest for kind in range(3)]
        for at, word in enumerate(use.words)
    }
    found = estimate_deviations(use, lexicon, fit=Fit(steps=200), draws=0)
    assert told_sentiment(found).argmax(axis=1).tolist() == [at % 3 for at in range(24)]
    unknown = estimate_deviations(
        use, {word: own for word, own in lexicon.items() if word != "w00"},
        fit=Fit(steps=5), draws=0,
    )  # fmt: skip
    assert told_sentiment(unknown)[0].tolist() == [0, 0, 0]

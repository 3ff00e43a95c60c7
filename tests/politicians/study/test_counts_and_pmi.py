"""Counts and PMI: by hand, at chance, mirrored, and against a slow reading of the equations."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from curate.errors import InputError
from curate.politicians.study.association import association
from curate.politicians.study.counts import WordUse, gather
from curate.politicians.study.pmi import pmi, pmi_difference, pointwise
from curate.politicians.study.resampling import drawn_counts, percentiles

Row = tuple[str, str, str]

HAND: list[Row] = [
    ("Q1", "female", "kind"),
    ("Q1", "female", "tall"),
    ("Q2", "female", "kind"),
    ("Q2", "female", "old"),
    ("Q3", "male", "tall"),
    ("Q3", "male", "old"),
    ("Q4", "male", "tall"),
    ("Q4", "male", "kind"),
    ("Q5", "non-binary", "old"),
    ("Q5", "non-binary", "tall"),
]


def made(rows: list[Row]) -> WordUse:
    people, genders, words = zip(*rows, strict=True)
    return gather(people, genders, words)


def random_rows(*, people: int, words: int, each: int, seed: int, share: float = 0.3) -> list[Row]:
    """Everyone has words in the same way, so gender has nothing to do with them."""
    random = np.random.default_rng(seed)
    weight = 1 / np.arange(1, words + 1) ** 0.7
    rows = []
    for person in range(people):
        gender = "female" if random.random() < share else "male"
        own = np.argsort(-(np.log(weight) + random.gumbel(size=words)))[:each]
        rows += [(f"Q{person + 1}", gender, f"w{word:03}") for word in own]
    return rows


def naive_pmi(rows: list[Row], word: str, gender: str, smoothing: float) -> float:
    """Equation 1 with dictionaries, and smoothing added to every cell."""
    words, genders = sorted({r[2] for r in rows}), sorted({r[1] for r in rows})
    cells = Counter((r[2], r[1]) for r in rows)
    joint = {(w, g): cells[w, g] + smoothing for w in words for g in genders}
    whole = sum(joint.values())
    given = joint[word, gender] / sum(joint[w, gender] for w in words)
    alone = sum(joint[word, g] for g in genders) / whole
    return math.log(given / alone)


def test_counts_by_hand() -> None:
    use = made(HAND)
    assert use.words == ("kind", "old", "tall")
    assert use.genders == ("female", "male", "non-binary")
    assert use.counts.tolist() == [[2, 1, 0], [1, 1, 1], [1, 2, 1]]
    assert use.totals.tolist() == [4, 4, 2]
    assert use.people_counts.tolist() == [2, 2, 1]


def test_pmi_by_hand() -> None:
    found = pointwise(made(HAND), least=1, draws=20)
    kind = found.use.words.index("kind")
    # p(kind | female) = 2/4, p(kind) = 3/10
    assert found.value[kind, 0] == pytest.approx(math.log((2 / 4) / (3 / 10)))
    assert found.value[kind, 1] == pytest.approx(math.log((1 / 4) / (3 / 10)))
    assert found.value[kind, 2] == -math.inf  # never seen, and nothing added


def test_smoothing_by_hand() -> None:
    found = pointwise(made(HAND), least=1, smoothing=1.0, draws=20)
    kind = found.use.words.index("kind")
    # each of nine cells one more: p(kind | non-binary) = 1/5, p(kind) = 6/19
    assert found.value[kind, 2] == pytest.approx(math.log((1 / 5) / (6 / 19)))


@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_pmi_is_that_of_the_naive_reading(smoothing: float) -> None:
    rows = random_rows(people=40, words=12, each=4, seed=3)
    found = pointwise(made(rows), least=0, smoothing=smoothing, draws=20)
    for at, word in enumerate(found.use.words):
        for code, gender in enumerate(found.use.genders):
            if smoothing or found.use.counts[at, code]:
                expected = naive_pmi(rows, word, gender, smoothing)
                assert found.value[at, code] == pytest.approx(expected)


def test_rare_words_still_count_in_the_totals() -> None:
    rows = random_rows(people=40, words=12, each=4, seed=4)
    everything = pointwise(made(rows), least=0, draws=20)
    frequent = pointwise(made(rows), least=15, draws=20)
    assert 0 < len(frequent.use.words) < len(everything.use.words)
    for at, word in enumerate(frequent.use.words):
        same = everything.use.words.index(word)
        assert frequent.value[at] == pytest.approx(everything.value[same])


def test_exchanging_the_genders_mirrors_everything() -> None:
    rows = random_rows(people=60, words=15, each=5, seed=5)
    other = {"female": "male", "male": "female"}
    mirrored = [(qid, other[gender], word) for qid, gender, word in rows]
    one, two = (pointwise(made(own), least=3, draws=99, seed=1) for own in (rows, mirrored))
    assert np.array_equal(one.value, two.value[:, ::-1])
    assert np.array_equal(one.drawn, two.drawn[:, :, ::-1])
    first = pmi_difference(one, "female", "male")
    second = pmi_difference(two, "male", "female")
    backwards = pmi_difference(one, "male", "female")
    assert np.array_equal(first.value, second.value)
    assert np.array_equal(first.low, second.low)
    assert first.p == pytest.approx(second.p)
    assert np.array_equal(first.low, -backwards.high)
    assert first.p == pytest.approx(backwards.p)


def test_chance_gives_significant_words_at_the_nominal_rate() -> None:
    outside = tests = corrected = low_p = 0
    for seed in range(12):
        found = pointwise(
            made(random_rows(people=300, words=40, each=10, seed=seed)), least=40, draws=199
        )
        difference = pmi_difference(found, "female", "male")
        outside += int(((difference.low > 0) | (difference.high < 0)).sum())
        low_p += int((difference.p < 0.05).sum())
        corrected += int((difference.p_bonferroni < 0.05).sum())
        tests += len(difference.p)
    assert tests > 300
    assert 0.02 < outside / tests < 0.085  # nominally 0.05
    assert 0.015 < low_p / tests < 0.07  # exact, so a little under 0.05
    assert corrected <= 3  # of twelve families, nominally 0.6


def test_a_word_that_differs_is_found() -> None:
    rows = random_rows(people=300, words=40, each=5, seed=1)
    rows += [(qid, gender, "planted") for qid, gender, _ in rows[::5] if gender == "female"]
    difference = pmi_difference(
        pointwise(made(rows), least=5, smoothing=0.5, draws=199), "female", "male"
    )
    at = difference.words.index("planted")
    assert difference.value[at] > 3
    assert difference.low[at] > 2
    assert difference.p_bonferroni[at] < 1e-6


def test_association_is_fishers_exact_test_doubled() -> None:
    from scipy import stats

    use = made(random_rows(people=50, words=10, each=3, seed=2))
    women, men = use.people_counts
    for at, p in enumerate(association(use).p):
        female, male = use.counts[at]
        table = [[female, male], [women - female, men - male]]
        tails = [stats.fisher_exact(table, alternative=side)[1] for side in ("less", "greater")]
        assert p == pytest.approx(min(1.0, 2 * min(tails)))


def test_weights_are_tested_as_a_permutation_would() -> None:
    random = np.random.default_rng(0)
    people = [f"Q{n}" for n in range(80)]
    genders = ["female" if n < 25 else "male" for n in range(80)]
    weights = random.random(80)
    use = gather(people, genders, ["w"] * 80, weights)
    observed = abs(weights[:25].mean() - weights[25:].mean())
    dealt = np.array([random.permutation(weights) for _ in range(20_000)])
    apart = np.abs(dealt[:, :25].mean(axis=1) - dealt[:, 25:].mean(axis=1))
    assert association(use).p[0] == pytest.approx((apart >= observed).mean(), abs=0.02)


def test_draws_are_counts_of_whole_people() -> None:
    use = made(HAND)
    counts, totals = next(drawn_counts(use, draws=8, seed=0))
    assert counts.shape == (8, 3, 3)
    # everyone has two words, so a gender's total is twice a number of people
    assert np.array_equal(counts.sum(axis=1), totals)
    assert (totals % 2 == 0).all()
    again, _ = next(drawn_counts(use, draws=8, seed=0))
    assert np.array_equal(counts, again)


def test_pmi_takes_batches() -> None:
    counts = np.array([[[2.0, 1.0], [1.0, 3.0]], [[1.0, 1.0], [1.0, 1.0]]])
    totals = counts.sum(axis=1)
    whole = pmi(counts, totals, vocabulary=2)
    assert whole[0] == pytest.approx(pmi(counts[0], totals[0], vocabulary=2))
    assert whole[1] == pytest.approx(0.0)


def test_one_person_with_two_genders_is_refused() -> None:
    with pytest.raises(InputError, match="two genders"):
        made([("Q1", "female", "a"), ("Q1", "male", "b")])


def test_a_gender_without_people_is_named() -> None:
    with pytest.raises(InputError, match="'genderfluid'"):
        made(HAND).only_genders(["female", "genderfluid"])


def test_percentiles_leave_out_draws_without_a_value() -> None:
    values = np.arange(101, dtype=np.float32)
    column = np.stack([values, np.where(values < 50, np.nan, values), np.full(101, np.nan)], axis=1)
    column[3, 0] = -np.inf
    low, high = percentiles(np.random.default_rng(0).permutation(column))
    assert low[:2].tolist() == [1.0, 51.0]
    assert high[:2].tolist() == [98.0, 99.0]
    assert np.isnan(low[2])


def test_few_people_have_an_interval_all_the_same() -> None:
    rows = random_rows(people=60, words=12, each=6, seed=5)
    rows += [(f"Q{n}", "non-binary", f"w{word:03}") for n in (70, 71) for word in range(4)]
    found = pointwise(made(rows), least=3, draws=199)
    at = found.use.words.index("w000")
    assert found.low[at, 2] < found.high[at, 2]

"""Schemes of gender: by hand, and what must hold for any values."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.errors import UsageError
from curate.politicians.genders import GROUPS, SCHEMES, gender_of, known_genders, unlisted

MALE, FEMALE, CIS_FEMALE = "Q6581097", "Q6581072", "Q15145779"
TRANS_FEMALE, TRANS_MALE = "Q1052281", "Q2449503"
NON_BINARY, FLUID, QUEER, THIRD, TRANSFEMININE = (
    "Q48270", "Q18116794", "Q12964198", "Q48279", "Q27679684",
)  # fmt: skip
INTERSEX, EUNUCH = "Q1097630", "Q179294"
MALE_ANIMAL, FEMALE_ANIMAL, SAID_UNKNOWN, NEW = "Q44148", "Q43445", "Q19798648", "Q999999999"

BY_HAND: dict[tuple[str, ...], tuple[str, str, str]] = {
    (): ("unknown", "unknown", "unknown"),
    (SAID_UNKNOWN,): ("unknown", "unknown", "unknown"),
    (MALE,): ("male", "male", "male"),
    (FEMALE,): ("female", "female", "female"),
    (CIS_FEMALE,): ("female", "female", "cisgender female"),
    (TRANS_FEMALE,): ("female", "non-binary", "transgender female"),
    (TRANS_MALE,): ("male", "non-binary", "transgender male"),
    (TRANSFEMININE,): ("non-binary", "non-binary", "transfeminine"),
    (NEW,): ("non-binary", "non-binary", NEW),
    (MALE_ANIMAL,): ("animal", "animal", "male organism"),
    (FEMALE_ANIMAL,): ("animal", "animal", "female organism"),
    (FEMALE_ANIMAL, FEMALE): ("female", "female", "female organism+female"),
    (MALE, FEMALE): ("non-binary", "non-binary", "female+male"),
    (FEMALE, CIS_FEMALE): ("female", "female", "female+cisgender female"),
    (MALE, TRANS_FEMALE): ("female", "non-binary", "transgender female+male"),
    (MALE, NON_BINARY): ("non-binary", "non-binary", "non-binary+male"),
    (TRANS_MALE, NON_BINARY): ("non-binary", "non-binary", "non-binary+transgender male"),
    (INTERSEX,): ("non-binary", "non-binary", "intersex"),
    (FEMALE, INTERSEX): ("female", "female", "intersex+female"),
    (MALE, EUNUCH): ("male", "male", "eunuch+male"),
    (EUNUCH,): ("non-binary", "non-binary", "eunuch"),
    (EUNUCH, INTERSEX): ("non-binary", "non-binary", "eunuch+intersex"),
    (TRANS_MALE, EUNUCH): ("male", "non-binary", "eunuch+transgender male"),
    (MALE, FEMALE, INTERSEX): ("non-binary", "non-binary", "intersex+female+male"),
    (TRANS_FEMALE, INTERSEX): ("female", "non-binary", "transgender female+intersex"),
    (INTERSEX, MALE_ANIMAL): ("non-binary", "non-binary", "male organism+intersex"),
    (MALE, SAID_UNKNOWN): ("male", "male", "male"),
}


@pytest.mark.parametrize("qids", BY_HAND)
def test_by_hand(qids: tuple[str, ...]) -> None:
    assert tuple(gender_of(qids, scheme) for scheme in ("default", "paper", "raw")) == BY_HAND[qids]


@given(st.lists(st.sampled_from([*known_genders(), NEW]), max_size=4), st.sampled_from(SCHEMES))
def test_neither_order_nor_repetition_matters(qids: list[str], scheme: str) -> None:
    assert gender_of(qids, scheme) == gender_of([*reversed(qids), *qids], scheme)


def test_the_groups_of_the_paper() -> None:
    """Table 9: everything the paper lists as non-binary is, and nothing else of its twelve."""
    others = (FLUID, QUEER, NON_BINARY, THIRD, TRANSFEMININE, TRANS_FEMALE, TRANS_MALE)
    assert {gender_of([qid], "paper") for qid in others} == {"non-binary"}
    for gender in known_genders().values():
        group = gender_of([gender.qid], "paper")
        assert group in {*GROUPS, "animal", "unknown"}
        plain = gender.name.removeprefix("cisgender ")
        assert (group in {"male", "female"}) == (plain in {"male", "female"})


def test_exchanging_male_and_female_exchanges_the_groups() -> None:
    other = {MALE: FEMALE, FEMALE: MALE, TRANS_MALE: TRANS_FEMALE, TRANS_FEMALE: TRANS_MALE,
             "Q15145778": CIS_FEMALE, CIS_FEMALE: "Q15145778", NON_BINARY: NON_BINARY}  # fmt: skip
    swapped = {"male": "female", "female": "male", "non-binary": "non-binary"}
    for (one, its), (two, theirs) in itertools.product(other.items(), repeat=2):
        for scheme in ("default", "paper"):
            here = gender_of([one, two], scheme)
            assert gender_of([its, theirs], scheme) == swapped[here]


def test_an_unknown_scheme() -> None:
    with pytest.raises(UsageError, match="unknown gender scheme"):
        gender_of([MALE], "mine")


def test_values_that_the_table_lacks() -> None:
    assert unlisted([MALE, NEW, EUNUCH, "Q5", NEW]) == ["Q5", NEW]
    assert unlisted(known_genders()) == []

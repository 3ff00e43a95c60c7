"""The naive reading of the papers, by hand: a toy model that knows five words."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from tests.scoring.reference import (
    Naive,
    NaiveCausal,
    distance,
    equal_blocks,
    later_pieces,
    shared,
    words,
)

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")

CLS, SEP, MASK, HE, SHE, IS, KIND, VERY = range(8)
IDS = {"he": HE, "she": SHE, "is": IS, "kind": KIND, "very": VERY, "[MASK]": MASK}
WHERE_HE = {HE: 0.1, SHE: 0.1, IS: 0.4, KIND: 0.2, VERY: 0.2}
WHERE_SHE = {HE: 0.1, SHE: 0.1, IS: 0.2, KIND: 0.5, VERY: 0.1}
ELSEWHERE = {HE: 0.6, SHE: 0.2, IS: 0.1, KIND: 0.05, VERY: 0.05}
DIRECTIONS = {HE: (1.0, 0.0), SHE: (0.0, 1.0), IS: (1.0, 1.0)}
ln = math.log


class FiveWords:
    """Reads words it knows, with or without spaces between them; adds CLS and SEP."""

    mask_token, mask_token_id = "[MASK]", MASK
    bos_token_id: int | None = None

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [next((word for word in IDS if IDS[word] == i), "") for i in ids]

    def __call__(self, text: str, *, add_special_tokens: bool = True, **_: Any) -> dict[str, Any]:
        ids, spans, at = [], [], 0
        while at < len(text):
            word = next((w for w in IDS if text.startswith(w, at)), " ")
            if word != " ":
                ids.append(IDS[word])
                spans.append((at, at + len(word)))
            at += len(word)
        if not add_special_tokens:
            return {"input_ids": ids}
        return {
            "input_ids": [CLS, *ids, SEP],
            "special_tokens_mask": [1, *[0] * len(ids), 1],
            "offset_mapping": [(0, 0), *spans, (0, 0)],
        }


class Minded:
    """Thinks the same at every place: what it thinks depends on whether it sees he, she, neither.

    Two layers attend: the first to everything alike, the second to position 2 alone.
    """

    def __call__(self, ids: Any, **_: Any) -> Any:
        seen = ids[0].tolist()
        known = WHERE_HE if HE in seen else WHERE_SHE if SHE in seen else ELSEWHERE
        logits = torch.full((1, len(seen), 8), -1e9)
        for token, p in known.items():
            logits[0, :, token] = ln(p)
        alike = torch.full((1, 2, len(seen), len(seen)), 1 / len(seen))
        one = torch.zeros(1, 2, len(seen), len(seen))
        one[..., 2:3] = 1.0
        hidden = torch.tensor([[DIRECTIONS.get(i, (9.0, 9.0)) for i in seen]])
        return SimpleNamespace(
            logits=logits, attentions=(alike, one), hidden_states=(hidden * 0, hidden)
        )


@pytest.fixture
def toy() -> Naive:
    return Naive(FiveWords(), Minded())


A, B = "he is kind", "she is kind"


def test_shared_tokens_by_hand(toy: Naive) -> None:
    """The shared words are `is` and `kind`: 0.4 and 0.2 beside he, 0.2 and 0.5 beside she."""
    assert toy.cps(A, B) == pytest.approx((ln(0.4) + ln(0.2), ln(0.2) + ln(0.5)), abs=1e-6)
    d = {p: jensenshannon([p, 1 - p], [1, 0], base=2) for p in (0.2, 0.4, 0.5)}
    means = ((d[0.4] + d[0.2]) / 2, (d[0.2] + d[0.5]) / 2)
    assert toy.sjsd(A, B) == pytest.approx(means, abs=1e-6)
    assert toy.acc(A, B) == (0.5, 0.5)  # beside he `is` is the best guess, beside she `kind`
    assert toy.acc("he is is", "she is is") == (1.0, 0.0)
    for metric in (toy.cps, toy.sjsd, toy.acc):
        assert metric("he", "she") is None  # nothing is shared
        assert metric("he is", "heis") is None  # nothing differs


def test_differing_tokens_by_hand(toy: Naive) -> None:
    assert toy.sss(A, B) == pytest.approx((ln(0.6), ln(0.2)), abs=1e-6)
    sides = toy.sss("he is he", "she is she")  # both masked at once: neither helps the other
    assert sides == pytest.approx((ln(0.6), ln(0.2)), abs=1e-6)
    assert toy.sss("he is", "he is kind") is None


def test_unmasked_likelihood_by_hand(toy: Naive) -> None:
    expected = (ln(0.1) + ln(0.4) + ln(0.2)) / 3
    assert toy.likelihood(A, attention=False) == pytest.approx(expected, abs=1e-6)
    # Five positions: the mean of 1/5 everywhere and of 1 at position 2, the word `is`.
    expected = (0.1 * ln(0.1) + 0.6 * ln(0.4) + 0.1 * ln(0.2)) / 3
    assert toy.likelihood(A, attention=True) == pytest.approx(expected, abs=1e-6)
    assert toy.likelihood("", attention=True) is None


def test_pseudo_log_likelihood_by_hand(toy: Naive) -> None:
    sides = toy.pll(A, B)
    assert sides is not None
    assert sides[0] == pytest.approx(ln(0.6) + ln(0.4) + ln(0.2), abs=1e-6)
    # kindhe is one word: to the left the later piece is hidden too, to the right it is not.
    sides = toy.pll("kindhe", "kind he", within_word=True)
    assert sides is not None
    assert sides == pytest.approx((ln(0.05) + ln(0.6), ln(0.2) + ln(0.6)), abs=1e-6)
    inside = toy.cps("kindhe is", "kindshe is", within_word=True)
    assert inside == pytest.approx((ln(0.05) + ln(0.4), ln(0.05) + ln(0.2)), abs=1e-6)


def test_multilingual_bias_by_hand(toy: Naive) -> None:
    """`he is` beats `she is`, not `is`; its mean state is (1, 0.5), theirs (0.5, 1) and (1, 1)."""
    u, v = np.array([1, 0.5]), np.array([1.0, 1.0])
    far = float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))
    value = toy.mbe(["he is"], ["she is", "is"])
    assert value == pytest.approx(100 * 0.8 / (0.8 + far), abs=1e-6)
    assert toy.mbe(["he is"], ["she is", "is"], cosine=False) == pytest.approx(40.0, abs=1e-6)


def test_direct_comparison_by_hand(toy: Naive) -> None:
    assert toy.dbm("he is kind", 0, 2, "he", "she") == pytest.approx((0.6, 0.2), abs=1e-6)
    sides = toy.dbm("he is kind", 0, 2, "kindhe", "she")  # two masks, then kind and one mask
    assert sides == pytest.approx((0.05 * 0.6, 0.2), abs=1e-6)


def test_compatible_scores_by_hand(toy: Naive) -> None:
    """Shared with the special tokens: CLS, is, kind, SEP; the first and last go."""
    sides = toy.nangia2020(A, B)
    assert sides == pytest.approx((ln(0.4) + ln(0.2), ln(0.2) + ln(0.5)), abs=1e-6)
    assert toy.kaneko2022_sss("he is", "he is kind") == (None, pytest.approx(ln(0.2), abs=1e-6))
    inner = toy.kaneko2022_likelihood(A, attention=False)
    assert inner == pytest.approx((ln(0.1) + ln(0.4) + ln(0.2)) / 3, abs=1e-6)


class OneWordBack:
    """After he comes `is` (0.4), after she `kind` (0.5), after anything else he (0.6)."""

    config = SimpleNamespace(bos_token_id=None)

    def __call__(self, ids: Any) -> Any:
        logits = torch.full((1, ids.shape[1], 8), -1e9)
        for at, seen in enumerate(ids[0].tolist()):
            known = {HE: WHERE_HE, SHE: WHERE_SHE}.get(seen, ELSEWHERE)
            for token, p in known.items():
                logits[0, at, token] = ln(p)
        return SimpleNamespace(logits=logits)


def test_perplexity_by_hand() -> None:
    tokenizer = FiveWords()
    naive = NaiveCausal(tokenizer, OneWordBack())
    assert naive.perplexity("he is kind") == pytest.approx((0.4 * 0.05) ** (-1 / 2), rel=1e-6)
    assert naive.perplexity("he") is None  # the first word has nothing to its left
    tokenizer.bos_token_id = CLS
    assert naive.perplexity("he is kind") == pytest.approx((0.6 * 0.4 * 0.05) ** (-1 / 3), rel=1e-6)


@pytest.mark.parametrize("p", [0.0, 1e-12, 0.25, 1.0])
def test_the_distance_is_that_of_scipy(p: float) -> None:
    rest = (1 - p) / 4
    expected = jensenshannon([p, rest, rest, rest, rest], [1, 0, 0, 0, 0], base=2)
    assert distance(p) == pytest.approx(expected, abs=1e-7)


def test_alignment_does_not_depend_on_the_order() -> None:
    """difflib alone does: of two equal short blocks it takes the first of its first list."""
    one, other = [1, 2], [2, 1]
    assert [(j, i) for i, j in equal_blocks(other, one, autojunk=False)] != equal_blocks(
        one, other, autojunk=False
    )
    assert shared(one, other) == [(j, i) for i, j in shared(other, one)]
    assert shared([5, 6, 7], [6, 7, 8]) == [(1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He didn't go.", ["He", "didn't", "go"]),
        ("low-cost -- 'tis", ["low-cost", "tis"]),
        ("aujourd’hui, 3.5 %", ["aujourd’hui", "3", "5"]),
        ("मेरा डॉक्टर", ["मेरा", "डॉक्टर"]),
        ("snake_case", ["snake", "case"]),
        ("他KTV里", ["KTV"]),
        ("ฉันเป็น ok", ["ok"]),
        ("할머니는 갔다", ["할머니는", "갔다"]),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in words(text)] == found


def test_pieces_of_a_word() -> None:
    """A hyphenated word of three tokens; Han apart, but for three bytes of one character."""
    assert later_pieces("a bc", ((0, 1), (1, 2), (2, 3), (3, 4))) == [[], [2, 3], [3], []]
    spans = ((0, 3), (3, 4), (4, 8), (9, 10), (9, 10), (9, 10), (10, 11))
    assert later_pieces("low-cost 他是", spans) == [[1, 2], [2], [], [4, 5], [5], [], []]

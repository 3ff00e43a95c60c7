"""Near-duplicates against exact truth, a naive reading of shingles, and datasketch itself."""

from __future__ import annotations

import gzip
import sys
import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.errors import MissingExtraError, UsageError
from curate.language.scripts import weight
from curate.sources import near_duplicates
from curate.sources.kept_keys import KeptKeys
from curate.sources.near_duplicates import NearDuplicates
from curate.sources.shingles import fold_texts, jaccard, shingle_folded
from curate.sources.signatures import KEY_BITS, Signer, banding

LONG = "The old teacher told us that {} had never been to the mountains in the far north before."


def naive_shingles(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in folded)
    line = " ".join(letters.split(" ")).strip()
    line = f" {' '.join(line.split()) or ' '.join(text.split())} "
    found = set()
    for at in range(len(line) - 1):
        if weight(line[at]) > 1 or weight(line[at + 1]) > 1:
            found.add(line[at : at + 2])
        elif at + 3 <= len(line):
            found.add(line[at : at + 3])
    return found or {""}


def naive_jaccard(one: str, other: str) -> float:
    a, b = naive_shingles(one), naive_shingles(other)
    return len(a & b) / len(a | b)


SCRIPTS = st.text(alphabet="ab Ab.,!é ßñ 我是医生かカ한국 दे वि 12 \n\t", max_size=14)
ANY = st.text(max_size=12)
FAMILY = st.builds(
    "the {} of {} was never seen again by the {} in town".format,
    *[st.sampled_from(["son", "aunt", "king", "cook", "son,", "KING"])] * 3,
)


@given(st.lists(SCRIPTS | ANY, min_size=1, max_size=8))
def test_shingles_are_those_of_a_naive_reading(texts: list[str]) -> None:
    shingles = shingle_folded(fold_texts(texts))
    assert shingles.sizes.tolist() == [len(naive_shingles(text)) for text in texts]
    pairs = [(a, b) for a in range(len(texts)) for b in range(len(texts))]
    left, right = np.array(pairs).T
    wanted = [naive_jaccard(texts[a], texts[b]) for a, b in pairs]
    assert jaccard(shingles, left, shingles, right).tolist() == pytest.approx(wanted)
    assert [fold_texts([text])[0] for text in texts] == fold_texts(texts)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("I'm here!", "i m HERE", True),
        ("Ｆｕｌｌ width", "full width", True),
        ("¡Hola, Tomás!", "Hola Tomás", True),
        ("Straße", "STRASSE", True),
        ("我是医生。", "我是医生", True),
        ("我是医生。", "我是医師", False),
        ("वह डॉक्टर है।", "वह डॉक्टर है", True),
        ("दो", "दे", False),  # vowel signs count
        ("ab", "a b", False),
        ("🙂", "🙁", False),
        ("?!", "?!", True),
    ],
)
def test_what_counts_and_what_does_not(one: str, other: str, alike: bool) -> None:
    assert (NearDuplicates(0.9).earlier([one, other]) == [None, 0]) is alike


def test_signatures_are_those_of_datasketch() -> None:
    from datasketch import MinHash

    signer = Signer(0.8, 7)
    texts = ["Tom went home.", "", "我是医生。", LONG.format("she"), LONG * 90]
    texts.append(" ".join(map(str, range(4000))))
    shingles = shingle_folded(fold_texts(texts))
    size = signer.banding.bands * signer.banding.rows
    for place, row in enumerate(signer.least_hashes(shingles)):
        own = MinHash(num_perm=size, seed=7, scheme="affine32", hashfunc=int)
        own.update_batch(sorted(shingles.of(place)))
        assert np.array_equal(own.hashvalues, row)


@given(st.lists(SCRIPTS | FAMILY, max_size=40), st.data())
def test_neither_calls_nor_signatures_made_elsewhere_change_anything(
    texts: list[str], data: st.DataObject
) -> None:
    whole = NearDuplicates(0.8).matches(texts)
    cut = data.draw(st.integers(1, 9))
    parts, other = NearDuplicates(0.8), NearDuplicates(0.8)
    found = []
    for at in range(0, len(texts), cut):
        some = texts[at : at + cut]
        found += parts.matches(some, other.signatures(some))
    assert found == whole
    assert parts.kept == whole.count(None)


@pytest.mark.parametrize("most", [1, 3])
@given(texts=st.lists(FAMILY, max_size=60), cut=st.integers(1, 30))
def test_calls_change_nothing_where_not_all_are_compared(
    most: int, texts: list[str], cut: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(near_duplicates, "_COMPARED", most)
        whole = NearDuplicates(0.8).matches(texts)
        patched.setattr(near_duplicates, "_BLOCK", 11)
        patched.setattr(near_duplicates, "_CHARACTERS", 400)
        patched.setattr(near_duplicates, "_SHINGLES", 150)
        parts = NearDuplicates(0.8)
        assert [m for at in range(0, len(texts), cut) for m in parts.matches(texts[at:at + cut])] \
            == whole  # fmt: skip


@given(st.lists(SCRIPTS | ANY | FAMILY, max_size=30))
def test_what_is_found_is_kept_earlier_and_as_alike_as_said(texts: list[str]) -> None:
    found = NearDuplicates(0.7).matches(texts)
    for place, match in enumerate(found):
        if match is not None:
            assert match.text < place
            assert found[match.text] is None
            assert match.similarity == pytest.approx(naive_jaccard(texts[place], texts[match.text]))
            assert match.similarity >= 0.7


@given(st.lists(SCRIPTS | ANY, min_size=1, max_size=20), st.sampled_from([0.5, 0.8, 0.95, 1.0]))
def test_the_same_text_again_is_always_found(texts: list[str], threshold: float) -> None:
    near = NearDuplicates(threshold)
    first = near.earlier(texts)
    again = near.earlier([text.upper() if text.isascii() else text for text in texts])
    assert None not in again
    # what was kept is found as itself or, as it may be, as an earlier one
    assert all(other <= place for place, other in enumerate(again) if first[place] is None)


def test_a_similarity_that_is_the_threshold_is_enough_in_any_call() -> None:
    texts = ["abcdefghijklmn opqrstuvwx", "abcdefghijklmn"]
    assert naive_jaccard(*texts) == 14 / 25
    together, one_by_one = NearDuplicates(0.56), NearDuplicates(0.56)
    assert together.earlier(texts) == [None, 0]
    assert [one_by_one.earlier([text]) for text in texts] == [[None], [0]]


def test_keys_keep_texts_apart_however_alike() -> None:
    texts = [LONG.format("he"), LONG.format("she"), LONG.format("He")]
    near = NearDuplicates(0.8)
    assert naive_jaccard(texts[0], texts[1]) > 0.9
    assert near.earlier(texts, near.signatures(texts, ["he", "she", "he"])) == [None, None, 0]
    assert NearDuplicates(0.8).earlier(texts) == [None, 0, 0]


def test_one_word_makes_a_short_sentence_another_and_a_long_one_not() -> None:
    short = ["Tom is a good doctor.", "Ken is a good doctor."]
    assert NearDuplicates(0.8).earlier(short) == [None, None]
    assert NearDuplicates(0.8).earlier([LONG.format("Tom"), LONG.format("Ken")]) == [None, 0]


@pytest.mark.parametrize("lang", ["en", "de", "zh"])
@pytest.mark.parametrize("threshold", [0.7, 0.8, 0.9])
def test_against_the_exact_truth_of_real_sentences(
    shared_data: Path, lang: str, threshold: float
) -> None:
    texts, similarity = neighbours(shared_data / "tatoeba" / f"{lang}.txt.gz")
    alike = {pair for pair, value in similarity.items() if value >= threshold}
    found = NearDuplicates(threshold).earlier(texts)
    kept = {place for place, other in enumerate(found) if other is None}
    assert all((other, place) in alike for place, other in enumerate(found) if other is not None)
    left = sum(one in kept and other in kept for one, other in alike)
    assert len(alike) > 10
    assert left <= 0.02 * len(alike) + 1


@cache
def neighbours(path: Path) -> tuple[list[str], dict[tuple[int, int], float]]:
    """Sentences next to each other in a sorted corpus; all pairs of them that are 0.7 alike."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        known = sorted({line.strip() for line in lines})
    texts = known[len(known) // 2 :][:5000]
    shingles = shingle_folded(fold_texts(texts))
    terms, columns = np.unique(shingles.hashes, return_inverse=True)
    shape = (len(texts), len(terms))
    ones = np.ones(len(columns), dtype=np.float32)
    matrix = scipy.sparse.csr_matrix((ones, columns, shingles.starts), shape=shape)
    found = {}
    for start in range(0, len(texts), 1000):
        common = (matrix[start : start + 1000] @ matrix.T).tocoo()
        rows, others = common.row + start, common.col
        shared = common.data.astype(np.float64)
        alike = shared / (shingles.sizes[rows] + shingles.sizes[others] - shared)
        near = np.flatnonzero((others < rows) & (alike >= 0.7))
        for pair in near.tolist():
            found[int(others[pair]), int(rows[pair])] = float(alike[pair])
    return texts, found


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True), max_size=60),
    st.data(),
)
@settings(max_examples=50)
def test_the_first_texts_of_a_key_are_found(keys: list[list[int]], data: st.DataObject) -> None:
    held = KeptKeys(most=2)
    table = np.array(keys, dtype=np.uint64).reshape(-1, 2)
    at = 0
    while at < len(keys):
        step = data.draw(st.integers(1, 20))
        rows, numbers, counts = held.look_up(table[at : at + step])
        wanted = {
            (row, number)
            for row, own in enumerate(keys[at : at + step])
            for key in own
            for number in [n for n in range(at) if key in keys[n]][:2]
        }
        assert list(zip(rows.tolist(), numbers.tolist(), strict=True)) == sorted(wanted)
        assert counts.max(initial=0) <= 2
        held.add(table[at : at + step], at)
        at += step


def test_keys_leave_room_for_the_number_of_a_text() -> None:
    keys = NearDuplicates(0.8).signatures(["one text", "another text"])
    assert int(keys.max()) < 1 << KEY_BITS


@pytest.mark.parametrize("threshold", [0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0])
def test_the_banding_finds_98_percent_at_the_threshold(threshold: float) -> None:
    chosen = banding(threshold)
    assert chosen.found(threshold) >= 0.98
    assert chosen.bands <= 20


@pytest.mark.parametrize("threshold", [-1.0, 0.2, 1.01, float("nan")])
def test_a_senseless_threshold_is_refused(threshold: float) -> None:
    with pytest.raises(UsageError, match="makes no near-duplicates"):
        NearDuplicates(threshold)


def test_without_datasketch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(MissingExtraError, match="datasketch") as caught:
        NearDuplicates()
    assert "[clean]" in caught.value.hint


def test_signatures_of_other_texts_are_refused() -> None:
    near = NearDuplicates()
    with pytest.raises(ValueError, match="signatures of shape"):
        near.earlier(["one"], near.signatures(["one", "two"]))

"""The masked engine against a naive reading of the definitions, one context at a time."""

from __future__ import annotations

import itertools
import math
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from curate.errors import UsageError
from curate.models.masked import MaskedText, load_model

TEXTS = [
    "He is a doctor.", "My grandmother said that he left early, very early.",
    "The stepfather (he was old) sang; the stepmother did not.", "Die Schwiegermutter hat gelacht.",
    "她是我的姐姐，我爱她。", "Two  spaces and a tab\there.",
]  # fmt: skip
HOLES = [
    MaskedText(TEXTS[0], 0, 2), MaskedText(TEXTS[1], 3, 14), MaskedText(TEXTS[1], 25, 27),
    MaskedText(TEXTS[2], 4, 14), MaskedText(TEXTS[2], 16, 18), MaskedText(TEXTS[3], 4, 19),
    MaskedText(TEXTS[4], 0, 1), MaskedText(TEXTS[4], 4, 6), MaskedText(TEXTS[5], 5, 11),
]  # fmt: skip
CANDIDATES = ["he", "He", "she", "stepfather", "grandmother", "姐姐", "她", "Schwiegermutter"]


class Naive:
    """transformers, one text at a time, all logits, no batches."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager")
        self.model.eval()

    def logp(self, ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            return torch.log_softmax(self.model(torch.tensor([ids])).logits[0].double(), -1)

    def masked_ids(self, hole: MaskedText, count: int) -> tuple[list[int], int]:
        mask = self.tokenizer.mask_token
        ids = self.tokenizer(hole.text[: hole.start] + mask * count + hole.text[hole.end :])
        return ids["input_ids"], ids["input_ids"].index(self.tokenizer.mask_token_id)

    def word(self, hole: MaskedText, pieces: list[int]) -> float:
        ids, at = self.masked_ids(hole, len(pieces))
        total = 0.0
        for place, piece in enumerate(pieces):
            total += float(self.logp(ids)[at + place, piece])
            ids[at + place] = piece
        return math.exp(total)

    def pieces(self, hole: MaskedText, word: str) -> list[int]:
        """The pieces of the word in the place of the hole, behind a space where there is one."""
        before = hole.text[: hole.start]
        lead = "a " if before[-1:].isspace() else before[-1:]
        whole = self.tokenizer(lead + word, add_special_tokens=False)["input_ids"]
        return whole[len(self.tokenizer(lead.rstrip(), add_special_tokens=False)["input_ids"]) :]

    def aul(self, text: str) -> tuple[float, float, int]:
        ids = self.tokenizer(text)["input_ids"]
        with torch.no_grad():
            output = self.model(torch.tensor([ids]), output_attentions=True)
        logp = torch.log_softmax(output.logits[0].double(), -1)
        attention = torch.cat(output.attentions).double().mean(0).mean(0).mean(0)
        inner = range(1, len(ids) - 1)
        terms = [float(logp[i, ids[i]]) for i in inner]
        weighted = [float(attention[i] * logp[i, ids[i]]) for i in inner]
        return sum(terms) / len(terms), sum(weighted) / len(terms), len(terms)


def test_the_best_entries_are_those_of_one_sentence_at_a_time(folder: Path) -> None:
    naive, engine = Naive(folder), load_model(str(folder))
    for hole, fill in zip(HOLES, engine.fill(HOLES, k=5), strict=True):
        ids, at = naive.masked_ids(hole, 1)
        best, entries = naive.logp(ids)[at].exp().topk(5)
        assert [p.p for p in fill.top] == pytest.approx(best.tolist(), abs=1e-4)
        assert [p.token for p in fill.top] == [
            naive.tokenizer.decode([entry]).strip() for entry in entries.tolist()
        ]


def test_words_of_one_and_several_pieces_have_the_naive_probability(folder: Path) -> None:
    naive, engine = Naive(folder), load_model(str(folder))
    fills = engine.fill(HOLES, k=1, candidates=[CANDIDATES] * len(HOLES))
    lengths = set()
    for hole, fill in zip(HOLES, fills, strict=True):
        for word in ("stepfather", "grandmother", "Schwiegermutter"):
            if not hole.text[: hole.start][-1:].isspace():
                continue
            pieces = naive.pieces(hole, word)
            lengths.add(len(pieces))
            expected = naive.word(hole, pieces)
            assert fill.words[word] == pytest.approx(expected, rel=1e-4)
    assert max(lengths) > 1


def test_words_of_n_pieces_share_one_unit_of_probability(model_folders: dict[str, Path]) -> None:
    engine = load_model(str(model_folders["bert"]))
    tokenizer = AutoTokenizer.from_pretrained(model_folders["bert"])
    whole = [t for t in tokenizer.get_vocab() if t.isascii() and t.isalpha()]
    rest = [t for t in tokenizer.get_vocab() if t.startswith("##")]
    words = [
        first + second[2:]
        for first, second in itertools.product(whole, rest)
        if tokenizer.tokenize(first + second[2:]) == [first, second]
    ]
    fill = engine.fill([HOLES[0]], candidates=[words])[0]
    assert len(fill.words) == len(words)
    assert 0 < sum(fill.words.values()) <= 1


def test_the_floor_leaves_out_exactly_the_longer_words_below_it(folder: Path) -> None:
    engine = load_model(str(folder))
    candidates = [CANDIDATES] * len(HOLES)
    for every, kept in zip(
        engine.fill(HOLES, candidates=candidates),
        engine.fill(HOLES, candidates=candidates, floor=0.003),
        strict=True,
    ):
        assert kept.words == {
            word: p for word, p in every.words.items() if p >= 0.003 or word not in every.longer
        }
        assert kept.top == every.top


def test_a_beam_follows_words_whose_first_entry_is_among_the_best(folder: Path) -> None:
    engine = load_model(str(folder))
    candidates = [CANDIDATES] * len(HOLES)
    size = len(AutoTokenizer.from_pretrained(folder))
    everything = engine.fill(HOLES, candidates=candidates)
    assert engine.fill(HOLES, candidates=candidates, beam=size) == everything
    narrow = engine.fill(HOLES, candidates=candidates, beam=size // 3)
    kept = [len(fill.longer) for fill in narrow]
    assert 0 < sum(kept) < sum(len(fill.longer) for fill in everything)
    for few, every in zip(narrow, everything, strict=True):
        assert few.words.items() <= every.words.items()


def test_order_batches_and_repetition_change_nothing(folder: Path) -> None:
    rng = random.Random(3)  # noqa: S311
    holes = HOLES * 3
    candidates: list[list[str]] = [rng.sample(CANDIDATES, 4) for _ in holes]
    whole = load_model(str(folder)).fill(holes, candidates=candidates)
    small = load_model(str(folder), budget=1).fill(holes, candidates=candidates)
    assert small == whole
    order = rng.sample(range(len(holes)), len(holes))
    mixed = load_model(str(folder), budget=40).fill(
        [holes[i] for i in order], candidates=[candidates[i] for i in order]
    )
    assert mixed == [whole[i] for i in order]


def test_aul_and_aula_follow_the_definition(folder: Path) -> None:
    naive, engine = Naive(folder), load_model(str(folder))
    for text, score in zip(TEXTS, engine.aul(TEXTS, attention=True), strict=True):
        mean, weighted, count = naive.aul(text)
        assert score.mean_logp == pytest.approx(mean, abs=1e-4)
        assert score.aula == pytest.approx(weighted, abs=1e-4)
        assert score.n_tokens == count


def test_aul_depends_neither_on_batches_nor_on_attention_nor_on_what_ran_before(
    folder: Path,
) -> None:
    engine = load_model(str(folder))
    fills = engine.fill(HOLES, candidates=[CANDIDATES] * len(HOLES))
    whole = engine.aul(TEXTS * 2)
    assert whole[: len(TEXTS)] == whole[len(TEXTS) :]
    assert load_model(str(folder), budget=1).aul(TEXTS) == whole[: len(TEXTS)]
    plain = engine.aul(TEXTS, attention=False)
    assert [s.mean_logp for s in plain] == [s.mean_logp for s in whole[: len(TEXTS)]]
    assert all(s.aula is None for s in plain)
    assert engine.fill(HOLES, candidates=[CANDIDATES] * len(HOLES)) == fills


def test_texts_that_a_model_cannot_take_are_refused_one_by_one(folder: Path) -> None:
    engine = load_model(str(folder))
    mask = AutoTokenizer.from_pretrained(folder).mask_token
    long = "He " + "sang and " * 60 + "left."
    texts = [TEXTS[0], long, f"He saw a {mask} there.", ""]
    codes = [score.refused for score in engine.aul(texts)]
    assert codes == [None, "too-long", "special-token", "no-tokens"]
    fills = engine.fill([MaskedText(t, 0, 2) for t in texts[:3]], candidates=[["He"]] * 3)
    assert [fill.refused for fill in fills] == [None, "too-long", "special-token"]
    assert fills[1].words == {} and fills[1].top == ()


def test_the_longest_text_that_fits_is_taken(folder: Path) -> None:
    engine = load_model(str(folder))
    naive = Naive(folder)
    text = "a" + " a" * 200
    words = text.split()
    fits = max(
        n for n in range(1, 80) if len(naive.tokenizer(" ".join(words[:n]))["input_ids"]) <= 64
    )
    kept, refused = engine.aul([" ".join(words[:fits]), " ".join(words[: fits + 1])])
    assert kept.refused is None and refused.refused == "too-long"
    assert kept.mean_logp == pytest.approx(naive.aul(" ".join(words[:fits]))[0], abs=1e-4)


def test_a_text_outside_the_hole_reaches_the_model_as_it_is(folder: Path) -> None:
    """Another character, space or letter case elsewhere is another context."""
    engine = load_model(str(folder))
    variants = ["He is a doctor.", "He is a Doctor.", "He is a doctor!", "He is a low-cost doctor."]
    fills = engine.fill([MaskedText(text, 0, 2) for text in variants])
    assert len({fill.top for fill in fills}) == len(variants)


def test_words_that_no_vocabulary_entry_spells_are_absent(model_folders: dict[str, Path]) -> None:
    engine = load_model(str(model_folders["bert"]))
    fill = engine.fill([HOLES[0]], candidates=[["He", "Ωμέγα"]])[0]
    assert set(fill.words) == {"He"}


def test_reduced_precision_stays_near(folder: Path) -> None:
    full = load_model(str(folder)).aul(TEXTS)
    half = load_model(str(folder), precision="bf16").aul(TEXTS)
    pairs: list[tuple[Any, Any]] = [
        (a.mean_logp, b.mean_logp) for a, b in zip(full, half, strict=True)
    ]
    assert all(abs(a - b) < 0.3 for a, b in pairs)
    assert any(a != b for a, b in pairs)


def test_candidate_lists_must_match_the_contexts(folder: Path) -> None:
    with pytest.raises(UsageError):
        load_model(str(folder)).fill(HOLES, candidates=[["he"]])

"""The metrics once more, line by line from the papers: one mask at a time, in double precision.

Slow and simple on purpose, and independent: nothing here is imported from the package. Every score
is a pair of values, one a side, or None where the metric has no value for the pair. Sources:
Nangia et al. 2020 (CPS), Steinborn et al. 2022 (S_JSD, eq. 2 and 3; token accuracy), Nadeem et al.
2021 (SSS), Kaneko and Bollegala 2022 (AUL, AULA), Yu et al. 2024 (MBE, DBM), Salazar et al. 2020
(PLL), Kauf and Ivanova 2023 (PLL within the word).
"""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Naive", "NaiveCausal", "Sides", "Text", "distance", "equal_blocks", "shared", "words"]

Sides = tuple[float, float] | None
Span = tuple[int, int]
UNSPACED = ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
JOINERS = "'’-"
SPACES = ("▁", "Ġ")


@dataclass(frozen=True)
class Text:
    """One side: all its ids, and where the tokens stand that are not special.

    `own` are positions in `ids`; `spans` are the characters of each own token.
    """

    text: str
    ids: tuple[int, ...]
    own: tuple[int, ...]
    spans: tuple[Span, ...]

    @property
    def own_ids(self) -> list[int]:
        return [self.ids[i] for i in self.own]


def equal_blocks(x: list[int], y: list[int], *, autojunk: bool) -> list[tuple[int, int]]:
    """Positions (in x, in y) of the equal blocks, in order."""
    matcher = difflib.SequenceMatcher(None, x, y, autojunk=autojunk)
    return [
        (block.a + i, block.b + i)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    ]


def shared(ids_a: list[int], ids_b: list[int]) -> list[tuple[int, int]]:
    """Positions (in a, in b) of the shared tokens, whichever side is called a."""
    if ids_a <= ids_b:
        return equal_blocks(ids_a, ids_b, autojunk=False)
    return [(i, j) for j, i in equal_blocks(ids_b, ids_a, autojunk=False)]


def distance(p: float) -> float:
    """The Jensen-Shannon distance of a prediction from the true token of probability p."""
    p_log_p = p * math.log2(p) if p > 0 else 0.0
    return math.sqrt(max(0.0, (p_log_p - (p + 1) * math.log2(p + 1) + 2) / 2))


def _is_spaced(character: str) -> bool:
    """A letter, mark or digit of a script that puts spaces between words."""
    return unicodedata.category(character)[0] in "LMN" and not unicodedata.name(
        character, ""
    ).startswith(UNSPACED)


def words(text: str) -> list[Span]:
    """Where words stand: runs of letters, marks and digits, joined by an inner ' ’ or -."""
    found: list[Span] = []
    at = 0
    while at < len(text):
        if not _is_spaced(text[at]):
            at += 1
            continue
        end = at + 1
        while end < len(text):
            if _is_spaced(text[end]):
                end += 1
            elif text[end] in JOINERS and end + 1 < len(text) and _is_spaced(text[end + 1]):
                end += 2
            else:
                break
        found.append((at, end))
        at = end
    return found


def _overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def later_pieces(text: str, spans: tuple[Span, ...]) -> list[list[int]]:
    """For each own token the later own tokens of the same word.

    A token that is only the mark of a space opens the word behind it.
    """
    group = list(range(len(spans)))
    for word in words(text):
        inside = [i for i, span in enumerate(spans) if _overlap(span, word)]
        before = inside[0] - 1 if inside else -1
        if before >= 0 and spans[before][1] == word[0] and not text[slice(*spans[before])].strip():
            inside.insert(0, before)
        for i in inside:
            group[i] = group[inside[0]]
    for j, span in enumerate(spans):
        for i in range(j):
            if _overlap(spans[i], span):
                old, new = group[j], group[i]
                group = [new if g == old else g for g in group]
    return [
        [j for j in range(i + 1, len(group)) if group[j] == group[i]] for i in range(len(group))
    ]


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None


def _both(a: float | None, b: float | None) -> Sides:
    return None if a is None or b is None else (a, b)


class Naive:
    """A masked model read one sentence and one mask at a time."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self.tokenizer = tokenizer
        self.model = model
        self.encode = cache(self._encode)
        self.forward = cache(self._forward)
        self.at_masks = cache(self._at_masks)

    @classmethod
    def load(cls, folder: Path | str) -> Naive:
        from transformers import AutoModelForMaskedLM, AutoTokenizer

        model = AutoModelForMaskedLM.from_pretrained(
            folder, attn_implementation="eager", dtype="float32"
        )
        return cls(AutoTokenizer.from_pretrained(folder), model.eval())

    def _encode(self, text: str) -> Text:
        coded = self.tokenizer(text, return_special_tokens_mask=True, return_offsets_mapping=True)
        own = [i for i, special in enumerate(coded["special_tokens_mask"]) if not special]
        spans = [tuple(coded["offset_mapping"][i]) for i in own]
        pieces = self.tokenizer.convert_ids_to_tokens(coded["input_ids"])
        for place, i in enumerate(own):
            start, end = spans[place]
            if pieces[i] in SPACES and text[start:end].strip():
                spans[place] = (start, start)  # a mark put before the text, said to cover a letter
        return Text(text, tuple(coded["input_ids"]), tuple(own), tuple(spans))

    def _logits(self, ids: Iterable[int], **wanted: bool) -> Any:
        import torch

        with torch.no_grad():
            return self.model(torch.tensor([list(ids)]), **wanted)

    def _forward(self, ids: tuple[int, ...]) -> tuple[list[float], list[float], Any]:
        """Of the whole sentence: ln p of each token, attention to each, last hidden states."""
        output = self._logits(ids, output_attentions=True, output_hidden_states=True)
        logp = output.logits[0].double().log_softmax(-1)
        layers = [layer[0].double() for layer in output.attentions]  # (heads, queries, keys)
        weights = sum(layer.mean(dim=(0, 1)) for layer in layers) / len(layers)
        own = [logp[i, token].item() for i, token in enumerate(ids)]
        return own, weights.tolist(), output.hidden_states[-1][0].double()

    def _at_masks(
        self, ids: tuple[int, ...], masked: frozenset[int]
    ) -> dict[int, tuple[float, bool]]:
        """With these positions masked: of each, ln p of the true token, and whether it is best."""
        seen = [self.tokenizer.mask_token_id if i in masked else t for i, t in enumerate(ids)]
        logp = self._logits(seen).logits[0].double().log_softmax(-1)
        return {
            i: (logp[i, ids[i]].item(), int(logp[i].argmax()) == ids[i]) for i in sorted(masked)
        }

    def one_mask(self, side: Text, own: int, *, within_word: bool = False) -> tuple[float, bool]:
        """ln p of one own token and whether the model gets it right."""
        rest = later_pieces(side.text, side.spans)[own] if within_word else []
        masked = frozenset(side.own[i] for i in [own, *rest])
        return self.at_masks(side.ids, masked)[side.own[own]]

    def _at_shared(self, a: str, b: str, *, within_word: bool) -> list[list[tuple[float, bool]]]:
        """Per side what `one_mask` says of the shared tokens; nothing where the ids are equal."""
        one, other = self.encode(a), self.encode(b)
        if one.own_ids == other.own_ids:
            return [[], []]
        places = shared(one.own_ids, other.own_ids)
        return [
            [self.one_mask(one, i, within_word=within_word) for i, _ in places],
            [self.one_mask(other, j, within_word=within_word) for _, j in places],
        ]

    def cps(self, a: str, b: str, *, within_word: bool = False) -> Sides:
        """Σ ln p of the shared tokens."""
        sides = self._at_shared(a, b, within_word=within_word)
        if not sides[0]:
            return None
        return math.fsum(p for p, _ in sides[0]), math.fsum(p for p, _ in sides[1])

    def sjsd(self, a: str, b: str, *, within_word: bool = False) -> Sides:
        """Mean distance from the gold distribution over the shared tokens."""
        sides = self._at_shared(a, b, within_word=within_word)
        return _both(*(_mean(distance(math.exp(p)) for p, _ in side) for side in sides))

    bsjsd = sjsd

    def acc(self, a: str, b: str) -> Sides:
        """The share of shared tokens that the model gets right."""
        sides = self._at_shared(a, b, within_word=False)
        return _both(*(_mean(float(right) for _, right in side) for side in sides))

    def sss(self, a: str, b: str) -> Sides:
        """Mean ln p of the differing tokens, all of them masked together."""
        one, other = self.encode(a), self.encode(b)
        places = shared(one.own_ids, other.own_ids)
        values = []
        for side, known in ((one, {i for i, _ in places}), (other, {j for _, j in places})):
            masked = [p for i, p in enumerate(side.own) if i not in known]
            values.append(self._together(side, masked))
        return _both(*values)

    def _together(self, side: Text, masked: list[int]) -> float | None:
        if not masked:
            return None
        return _mean(p for p, _ in self.at_masks(side.ids, frozenset(masked)).values())

    def likelihood(self, text: str, *, attention: bool) -> float | None:
        """AUL, or AULA with `attention`: mean over own tokens of (α_i ·) ln p(w_i | S)."""
        side = self.encode(text)
        logp, weights, _ = self.forward(side.ids)
        return _mean(logp[i] * (weights[i] if attention else 1.0) for i in side.own)

    def aul(self, a: str, b: str) -> Sides:
        return _both(self.likelihood(a, attention=False), self.likelihood(b, attention=False))

    def aula(self, a: str, b: str) -> Sides:
        return _both(self.likelihood(a, attention=True), self.likelihood(b, attention=True))

    sbm = aula

    def pll(self, a: str, b: str, *, within_word: bool = False) -> Sides:
        """Σ ln p over all own tokens, each masked in its turn."""
        values = []
        for side in (self.encode(a), self.encode(b)):
            terms = [
                self.one_mask(side, i, within_word=within_word)[0] for i in range(len(side.own))
            ]
            values.append(math.fsum(terms) if terms else None)
        return _both(*values)

    def mean_hidden(self, text: str) -> Any:
        """The mean last hidden state of the own tokens, (hidden,)."""
        side = self.encode(text)
        return self.forward(side.ids)[2][list(side.own)].mean(dim=0)

    def mbe(self, masculine: list[str], feminine: list[str], *, cosine: bool = True) -> float:
        """100 · Σ γ · I(A(m) > A(f)) / Σ γ over all masculine times feminine sentences."""
        above = total = 0.0
        for m in masculine:
            for f in feminine:
                u, v = self.mean_hidden(m), self.mean_hidden(f)
                gamma = float(u @ v)
                if cosine:
                    gamma /= float(u.norm() * v.norm())
                scores = self.aula(m, f)
                assert scores is not None
                above += gamma * (scores[0] > scores[1])
                total += gamma
        return 100 * above / total

    def dbm(self, text: str, start: int, end: int, word_m: str, word_f: str) -> Sides:
        """P(word) in the place of text[start:end]: of one piece at one mask; of several pieces
        the product of each given those before it, the rest masked. None where the tokenizer cuts
        the text around a mask in another way than around the word.
        """
        around = text[:start] + str(self.tokenizer.mask_token) + text[end:]
        values = []
        for word in (word_m, word_f):
            side = self.encode(text[:start] + word + text[end:])
            inside = self._pieces(side, (start, start + len(word)))
            ids = [
                *side.ids[: inside[0]],
                self.tokenizer.mask_token_id,
                *side.ids[inside[-1] + 1 :],
            ]
            if tuple(ids) != self.encode(around).ids:
                return None
            terms = [
                self.at_masks(side.ids, frozenset(inside[at:]))[i][0] for at, i in enumerate(inside)
            ]
            values.append(math.exp(math.fsum(terms)))
        return values[0], values[1]

    @staticmethod
    def _pieces(side: Text, word: Span) -> list[int]:
        """Positions of a word's tokens, with the mark of a space before it that is a token."""
        found = [i for i, span in zip(side.own, side.spans, strict=True) if _overlap(span, word)]
        before = found[0] - 1
        if before in side.own:
            start, end = side.spans[side.own.index(before)]
            if end == word[0] and not side.text[start:end].strip():
                found.insert(0, before)
        return found

    def nangia2020(self, a: str, b: str) -> Sides:
        """CPS as the paper's script has it: without the first and last shared token, unrounded."""
        one, other = self.encode(a), self.encode(b)
        places = equal_blocks(list(one.ids), list(other.ids), autojunk=True)[1:-1]
        values = []
        for side, at in ((one, [i for i, _ in places]), (other, [j for _, j in places])):
            values.append(math.fsum(self.at_masks(side.ids, frozenset([i]))[i][0] for i in at))
        return values[0], values[1]

    def kaneko2022_sss(self, a: str, b: str) -> tuple[float | None, float | None]:
        """SSS over the differing spans of that alignment; a side without any has no value."""
        one, other = self.encode(a), self.encode(b)
        places = equal_blocks(list(one.ids), list(other.ids), autojunk=True)
        values = []
        for side, known in ((one, {i for i, _ in places}), (other, {j for _, j in places})):
            values.append(self._together(side, [i for i in range(len(side.ids)) if i not in known]))
        return values[0], values[1]

    def kaneko2022_likelihood(self, text: str, *, attention: bool) -> float | None:
        """AUL or AULA without the first and the last token, whatever they are."""
        side = self.encode(text)
        logp, weights, _ = self.forward(side.ids)
        inner = range(1, len(side.ids) - 1)
        return _mean(logp[i] * (weights[i] if attention else 1.0) for i in inner)


class NaiveCausal:
    """A causal model read one prefix at a time."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self.tokenizer = tokenizer
        self.model = model

    @classmethod
    def load(cls, folder: Path | str) -> NaiveCausal:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
        return cls(AutoTokenizer.from_pretrained(folder), model.eval())

    def perplexity(self, text: str) -> float | None:
        """exp(- mean ln p(token | all to its left)), after the start token where there is one."""
        import torch

        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        start = self.tokenizer.bos_token_id
        if start is None:
            start = self.model.config.bos_token_id
        ids = ids if start is None else [start, *ids]
        terms = []
        for end in range(1, len(ids)):
            with torch.no_grad():
                logits = self.model(torch.tensor([ids[:end]])).logits[0, -1]
            terms.append(logits.double().log_softmax(-1)[ids[end]].item())
        mean = _mean(terms)
        return None if mean is None else math.exp(-mean)

    def ppl(self, a: str, b: str) -> Sides:
        return _both(self.perplexity(a), self.perplexity(b))

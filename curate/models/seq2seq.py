"""Encoder-decoders that write how alike two sentences are, as T5 was trained to.

    model = load_text_similarity("google-t5/t5-small")
    model.similarities([("She is walking.", "A nurse is walking.")])

The task is STS-B as T5 has it (Raffel et al. 2020, appendix D.6): the prompt holds both sentences,
and the model writes a number from 0 to 5, one of 21 steps of 0.2. The number that it writes by
greedy decoding is taken as it stands; what is no such number has no value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from curate.errors import InputError, UsageError
from curate.models.batching import distinct, equal_length_batches, token_budget
from curate.models.devices import DEVICES, choose_device
from curate.models.info import describe_model
from curate.models.memory import Halving
from curate.models.pretrained import quiet_transformers, read_pretrained
from curate.models.similarity import Similarities, TextPair
from curate.models.sources import ModelFolder, find_model
from curate.models.tokens import read_tokenizer
from curate.models.weights import check_tokenizer, check_weights

__all__ = [
    "HIGHEST",
    "Seq2seqNetwork",
    "TextSimilarity",
    "is_seq2seq",
    "load_seq2seq",
    "load_text_similarity",
    "read_number",
    "stsb_prompt",
]

HIGHEST = 5.0
_NEW_TOKENS = 8  # a number has two to four
_TOO_LONG = (float("nan"), "too-long")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def stsb_prompt(pair: TextPair) -> str:
    """Both sentences as T5 has them in its training on STS-B."""
    return f"stsb sentence1: {pair[0]} sentence2: {pair[1]}"


def read_number(written: str) -> tuple[float, str]:
    """The number that a model wrote, or NaN and the code ``no-number`` or ``out-of-range``."""
    found = _NUMBER.fullmatch(written.strip())
    if found is None or not written.isascii():
        return float("nan"), "no-number"
    number = float(found[0])
    return (number, "") if number <= HIGHEST else (float("nan"), "out-of-range")


@dataclass(frozen=True)
class Seq2seqNetwork:
    """An encoder-decoder in float32 and its tokenizer, ready to compute."""

    folder: ModelFolder
    model: Any
    tokenizer: Any
    device: str
    memory: Halving = field(default_factory=Halving, compare=False)

    @property
    def max_length(self) -> int:
        """Tokens of an input. T5 has relative positions, and so no limit but that of its
        tokenizer."""
        limit = int(getattr(self.model.config, "max_position_embeddings", 0) or 1_000_000)
        return min(limit, int(min(self.tokenizer.model_max_length, 1_000_000)))


class TextSimilarity:
    """A `SimilarityScorer` that writes a number from 0 to 5; the order of a pair matters."""

    scale = "stsb"
    pooling = ""

    def __init__(self, network: Seq2seqNetwork, *, parameters: int = 0, budget: int = 0) -> None:
        self._network = network
        self._tokens = read_tokenizer(network.tokenizer)
        self._budget = token_budget(budget, network.device)
        self.name = network.folder.name
        self.revision = network.folder.revision
        self.device = network.device
        self.parameters = parameters

    def similarities(
        self, pairs: Sequence[TextPair], *, on_done: Callable[[int], None] | None = None
    ) -> Similarities:
        """The number that the model writes for each pair; see `Similarities` for the codes."""
        written = self.written(pairs, on_done=on_done)
        read = [
            (float("nan"), "too-long") if text is None else read_number(text) for text in written
        ]
        return Similarities(
            np.array([value for value, _ in read], dtype=np.float64), tuple(c for _, c in read)
        )

    def written(
        self, pairs: Sequence[TextPair], *, on_done: Callable[[int], None] | None = None
    ) -> list[str | None]:
        """What the model writes for each pair, greedily; None for one that is too long for it."""
        firsts, inverse = distinct([stsb_prompt(pair) for pair in pairs])
        encoded = self._tokens.encode([stsb_prompt(pairs[first]) for first in firsts])
        fitting = [at for at, e in enumerate(encoded) if len(e.ids) <= self._network.max_length]
        lengths = [len(encoded[at].ids) for at in fitting]
        found: dict[int, str] = {}
        for rows in equal_length_batches(lengths, budget=self._budget):
            places = [fitting[row] for row in rows]
            texts = self._network.memory.run(
                lambda part: self._generate([encoded[at].ids for at in part]),
                places, length=lengths[rows[0]],
            )  # fmt: skip
            found |= dict(zip(places, texts, strict=True))
            if on_done:
                on_done(len(rows))
        return [found.get(place) for place in inverse]

    def _generate(self, rows: Sequence[tuple[int, ...]]) -> list[str]:
        import torch

        model = self._network.model
        with torch.inference_mode():
            ids = torch.tensor(rows, device=self._network.device)
            made = model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                do_sample=False,
                num_beams=1,
                max_new_tokens=_NEW_TOKENS,
            )
        texts = self._network.tokenizer.batch_decode(made, skip_special_tokens=True)
        return [str(text) for text in texts]


def load_text_similarity(name: str, *, device: str = "auto", budget: int = 0) -> TextSimilarity:
    """The model `name` (see `find_model`) in float32, asked by T5's prompt for STS-B.

    Raises `InputError` for a missing or unusable model, or one that is no encoder-decoder;
    `UsageError` for a device that is not there.
    """
    network = load_seq2seq(name, device=device)
    parameters = int(describe_model(name)["parameters"])
    return TextSimilarity(network, parameters=parameters, budget=budget)


def load_seq2seq(name: str, *, device: str = "auto") -> Seq2seqNetwork:
    """Load an encoder-decoder whole, or not at all; errors as `load_text_similarity`."""
    if device not in DEVICES:
        raise UsageError(f"unknown device {device!r}", hint=f"one of {', '.join(DEVICES)}")
    folder = find_model(name)
    transformers = quiet_transformers()
    _check_kind(folder)
    model, tokenizer, info = read_pretrained(
        folder, transformers.AutoModelForSeq2SeqLM, what="an encoder-decoder"
    )
    check_weights(model, info, where=folder.name)
    check_tokenizer(tokenizer, model, where=folder.name, mask=False)
    place = choose_device(device)
    return Seq2seqNetwork(folder, model.to(place).eval(), tokenizer, place)


def is_seq2seq(folder: ModelFolder) -> bool:
    """Whether transformers has the architecture of a model as an encoder-decoder."""
    from transformers.models.auto import modeling_auto

    written = json.loads((folder.path / "config.json").read_text(encoding="utf-8"))
    kind = written["model_type"]
    return kind in modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES


def _check_kind(folder: ModelFolder) -> None:
    if not is_seq2seq(folder):
        raise InputError(
            "this model has no encoder and decoder, and so writes no similarity",
            where=folder.name,
            hint="name a T5 or mT5; a sentence encoder goes with --scorer encoder",
        )

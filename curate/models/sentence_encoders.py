"""Sentence encoders: one vector of a text, and the cosine of two as their similarity.

    encoder = load_sentence_encoder("sentence-transformers/all-MiniLM-L6-v2")
    encoder.similarities([("She is walking.", "A nurse is walking.")])

A folder of sentence-transformers says itself how it pools; of a plain encoder (BERT, or the encoder
of T5) any pooling can be taken. Every text is encoded once, among texts of its own length, and so
without padding: its vector depends on nothing beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from curate.errors import InputError
from curate.models.batching import distinct, equal_length_batches, token_budget
from curate.models.hidden_loading import HiddenNetwork, load_hidden_network
from curate.models.info import describe_model
from curate.models.logits import LEAST_ROWS
from curate.models.parallel import map_batches
from curate.models.sentence_modules import (
    SentenceModules,
    plain_modules,
    read_modules,
)
from curate.models.sentence_sources import has_modules, modules_revision
from curate.models.similarity import Similarities, TextPair
from curate.models.sources import find_model
from curate.models.tokens import read_tokenizer

__all__ = ["SentenceEncoder", "load_sentence_encoder"]

Vectors = NDArray[np.float32]


class SentenceEncoder:
    """A `SimilarityScorer` whose similarity is the cosine of two vectors.

    `encoded` counts the texts that it has computed.
    """

    scale = "cosine"

    def __init__(
        self,
        network: HiddenNetwork,
        modules: SentenceModules,
        *,
        revision: str = "",
        parameters: int = 0,
        budget: int = 0,
        prefix: str = "",
    ) -> None:
        self._network = network
        self._modules = modules
        self._tokens = read_tokenizer(network.tokenizer)
        self._special = frozenset(network.tokenizer.all_special_ids)
        self._special -= {network.tokenizer.unk_token_id}
        self._budget = token_budget(budget, network.device)
        self._prefix = prefix or modules.prompt
        self.name = network.folder.name
        self.revision = revision or network.folder.revision
        self.device = network.device
        self.pooling = modules.described
        self.parameters = parameters
        self.max_length = min(modules.max_length or network.max_length, network.max_length)
        self.encoded = 0

    def embed(
        self, texts: Sequence[str], *, on_done: Callable[[int], None] | None = None
    ) -> tuple[Vectors, list[str]]:
        """(n, size) vectors of texts, NaN for those refused, and for each "" or its code.

        A text that comes twice is encoded once. Raises `InputError` where memory does not suffice
        for one text.
        """
        encoded, codes = self._read(texts)
        places = [at for at, code in enumerate(codes) if not code]
        firsts, inverse = distinct([encoded[at] for at in places])
        chosen = [encoded[places[first]] for first in firsts]
        found: dict[int, Vectors] = {}
        batches = equal_length_batches([len(ids) for ids in chosen], budget=self._budget)

        def run(rows: Sequence[int]) -> list[Vectors]:
            return self._network.memory.run(
                lambda part: self._vectors([chosen[row] for row in part]),
                rows, length=len(chosen[rows[0]]),
            )  # fmt: skip

        for rows, made in map_batches(run, batches, device=self.device):
            found |= dict(zip(rows, made, strict=True))
            self.encoded += len(rows)
            if on_done:
                on_done(len(rows))
        size = len(next(iter(found.values()))) if found else 0
        vectors = np.full((len(texts), size), np.nan, dtype=np.float32)
        for at, first in zip(places, inverse, strict=True):
            vectors[at] = found[first]
        return vectors, codes

    def similarities(
        self, pairs: Sequence[TextPair], *, on_done: Callable[[int], None] | None = None
    ) -> Similarities:
        """The cosine of the vectors of both texts of each pair, from -1 to 1."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: at for at, text in enumerate(texts)}
        vectors, codes = self.embed(texts, on_done=on_done)
        wide = vectors.astype(np.float64)
        lengths = np.sqrt((wide * wide).sum(axis=1))
        first = [place[a] for a, _ in pairs]
        second = [place[b] for _, b in pairs]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = (wide[first] * wide[second]).sum(axis=1) / (lengths[first] * lengths[second])
        reasons = [codes[a] or codes[b] for a, b in zip(first, second, strict=True)]
        return Similarities(
            np.clip(values, -1.0, 1.0),
            tuple(
                reason or ("zero-vector" if np.isnan(value) else "")
                for reason, value in zip(reasons, values, strict=True)
            ),
        )

    def _read(self, texts: Sequence[str]) -> tuple[list[tuple[int, ...]], list[str]]:
        """Token ids of every text, and the code of a refusal."""
        written = [f"{self._prefix}{text}" for text in texts]
        if self._modules.lower:
            written = [text.lower() for text in written]
        ids, codes = [], []
        for encoded in self._tokens.encode(written):
            own = [encoded.ids[place] for place in encoded.own]
            if not own:
                code = "no-tokens"
            elif any(token in self._special for token in own):
                code = "special-token"
            else:
                code = "too-long" if len(encoded.ids) > self.max_length else ""
            ids.append(encoded.ids)
            codes.append(code)
        return ids, codes

    def _vectors(self, rows: Sequence[tuple[int, ...]]) -> list[Vectors]:
        """The vector of each row; rows are of one length."""
        import torch

        # products of very few rows take other kernels: the first row stands in for more
        missing = max(0, LEAST_ROWS - len(rows))
        with torch.inference_mode():
            ids = torch.tensor([*rows, *[rows[0]] * missing], device=self._network.device)
            states = self._network.hidden(ids, -1)
            made = self._modules.vectors(states.float())[: len(rows)]
            return list(made.cpu().numpy())


def load_sentence_encoder(
    name: str, *, pooling: str = "", device: str = "auto", budget: int = 0, prefix: str = ""
) -> SentenceEncoder:
    """The encoder `name` (see `find_model`), in float32.

    `pooling`: mean, cls, max or last; "" is what a folder of sentence-transformers says, and mean
    for a plain encoder. `prefix` stands before every text, in the place of the model's own prompt;
    `budget`: tokens a batch (0: what suits the device; no result depends on it). Raises
    `InputError` for a missing or unusable model or one without an encoder, `UsageError` for an
    unknown pooling or device.
    """
    modules = plain_modules(pooling) if pooling else None
    folder = find_model(name)
    own = has_modules(folder, ask=modules is None)
    network = load_hidden_network(name, device=device)
    if network.kind == "decoder" and not own:
        raise InputError(
            "this model is a decoder: it has no encoder, whose states could be pooled",
            where=folder.name,
            hint="name a sentence encoder, an encoder (BERT) or an encoder-decoder (T5)",
        )
    if modules is None:
        modules = read_modules(folder) if own else plain_modules("mean")
    revision = modules_revision(folder) if own else folder.revision
    return SentenceEncoder(
        network, modules,
        revision=revision, parameters=int(describe_model(name)["parameters"]), budget=budget,
        prefix=prefix,
    )  # fmt: skip

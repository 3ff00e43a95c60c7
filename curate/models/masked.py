"""The masked language model: what fits a hole in a text, and how likely a text is.

    engine = load_model("mini")
    fills = engine.fill([MaskedText("He is a doctor.", 0, 2)], k=10, candidates=[["He", "She"]])
    scores = engine.aul(["He is a doctor.", "She is a doctor."])

Results come in the order of the input and depend on neither batches nor order; texts that a model
cannot take are refused one by one, with a code in `refused`, and never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from curate.errors import UsageError
from curate.models.aul import AulScore, all_unmasked_likelihood
from curate.models.batching import token_budget
from curate.models.encoding import Body, Encoder, MaskedText
from curate.models.filling import Filler
from curate.models.loading import Network, load_network
from curate.models.masking import MaskedTokens, TokenScores, read_masked

__all__ = [
    "AulScore",
    "Body",
    "Fill",
    "MaskedModel",
    "MaskedText",
    "MaskedTokens",
    "Prediction",
    "TokenScores",
    "load_model",
]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One vocabulary entry at a single mask: the token as text, and its probability."""

    token: str
    p: float


@dataclass(frozen=True, slots=True)
class Fill:
    """What a model says about one hole.

    `top`: the k most probable entries of a single mask, best first; `words`: the probability of
    every candidate of one entry, and of those of several that reach the floor; `longer`: which of
    `words` take several entries; `refused`: the code ``too-long`` (more tokens than the model has
    positions) or ``special-token`` (the text itself holds the model's own mask or separator), and
    then nothing else.
    """

    top: tuple[Prediction, ...] = ()
    words: dict[str, float] = field(default_factory=dict)
    longer: frozenset[str] = frozenset()
    refused: str | None = None


class MaskedModel:
    """A masked LM on a device. `name` and `revision` (a hash) identify it in tables."""

    def __init__(self, network: Network, *, budget: int = 0, max_length: int = 0) -> None:
        self._network = network
        longest = min(max_length or network.max_length, network.max_length)
        self._encoder = Encoder(network.tokenizer, max_length=longest)
        self._budget = token_budget(budget, network.device)
        self.mask_id = self._encoder.mask_id
        self.name = network.folder.name
        self.revision = network.folder.revision
        self.precision = network.precision
        self.device = network.device
        self.max_length = longest

    def fill(
        self,
        contexts: Sequence[MaskedText],
        *,
        k: int = 10,
        candidates: Sequence[Sequence[str]] | None = None,
        floor: float | Sequence[float] = 0.0,
        fewest_pieces: int = 1,
        most_pieces: int | None = None,
        beam: int | None = None,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Fill]:
        """Top-k entries at the mask and the probabilities of candidate words, one Fill a context.

        A candidate of one vocabulary entry has its probability at a single mask. One of n entries
        t_1 … t_n stands at n masks and has (within-word left-to-right pseudo-log-likelihood,
        Kauf and Ivanova 2023)

            P(w | C) = Π_i P(t_i | C, t_1 … t_(i-1), [MASK] × (n - i + 1)),

        so that the words of n entries share one unit of probability for every n. Candidates are
        written as they stand (case is the caller's). Words of several entries that are certain to
        stay under `floor` are not followed to their end and are absent from `words`; as
        P(w) ≤ P(t_1), no word above it is lost; a sequence gives every context a floor of its own.
        Candidates of fewer entries than `fewest_pieces` (and then the single mask itself) or of
        more than `most_pieces` are left out; with a `beam`, so are those of several entries whose
        first is not among the `beam` best of the first of their masks. `on_done` is told how many
        contexts of the current pass are computed.
        """
        if candidates is not None and len(candidates) != len(contexts):
            raise UsageError(f"{len(candidates)} candidate lists for {len(contexts)} contexts")
        filler = Filler(self._network, self._encoder, budget=self._budget, on_done=on_done)
        wanted = candidates or [()] * len(contexts)
        floors = [floor] * len(contexts) if isinstance(floor, float | int) else floor
        read = filler.fill(
            contexts,
            wanted,
            k=k,
            floors=floors,
            fewest_pieces=fewest_pieces,
            most_pieces=most_pieces,
            beam=beam,
        )
        decode = self._network.tokenizer.decode
        names: dict[int, str] = {}
        fills = []
        for hole in read:
            for entry in hole.top:
                if entry not in names:
                    names[entry] = str(decode([entry])).strip()
            top = tuple(Prediction(names[e], p) for e, p in zip(hole.top, hole.top_p, strict=True))
            fills.append(Fill(top, hole.words, frozenset(hole.longer), hole.refused))
        return fills

    def encode(self, texts: Sequence[str], *, words: bool = False) -> list[Body | str]:
        """Each text as token ids with nothing masked, or the code of a refusal.

        With `words`, also which word each token belongs to (for within-word masking).
        """
        return self._encoder.bodies(texts, words=words)

    def read(
        self, contexts: Sequence[MaskedTokens], *, on_done: Callable[[int], None] | None = None
    ) -> list[TokenScores]:
        """ln p (and whether it is the best) of the tokens behind the masks of each context.

        Equal contexts are computed once. `on_done` is told how many contexts are read.
        """
        return read_masked(self._network, contexts, budget=self._budget, on_done=on_done)

    def sentences(
        self,
        bodies: Sequence[Body | str],
        *,
        attention: bool = True,
        embedding: bool = False,
    ) -> list[AulScore]:
        """AUL of encoded texts (see `AulScore`), with AULA and embeddings if wanted."""
        return all_unmasked_likelihood(
            self._network,
            bodies,
            attention=attention,
            embedding=embedding,
            budget=self._budget,
        )

    def aul(self, texts: Sequence[str], *, attention: bool = True) -> list[AulScore]:
        """AUL of each text (see `AulScore`), and AULA where `attention` is on."""
        return self.sentences(self.encode(texts), attention=attention)


def load_model(
    name: str = "mini",
    *,
    precision: str = "fp32",
    device: str = "auto",
    budget: int = 0,
    max_length: int = 0,
) -> MaskedModel:
    """The model `name`: ``mini`` (embedded), a local folder, or a Hub id.

    `precision`: fp32, bf16, fp16 or auto; `device`: auto, cpu, cuda or mps; `budget`: tokens a
    batch (0: what suits the device; no result depends on it); `max_length`: longer texts are
    refused (0: the model's own limit). Raises `InputError` at once for a missing model, or one
    without safetensors weights, with weights that are not a masked model's, or code of its own.
    """
    network = load_network(name, precision=precision, device=device)
    return MaskedModel(network, budget=budget, max_length=max_length)

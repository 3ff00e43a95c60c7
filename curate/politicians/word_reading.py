"""Ask a language model for the best words of a vocabulary beside names, many names at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from curate.errors import InputError, UsageError
from curate.models.batching import token_budget
from curate.models.devices import choose_device
from curate.models.encoding import Context, Encoder, MaskedText
from curate.models.filling import Filler
from curate.models.kinds import check_kind
from curate.models.loading import Network, load_network
from curate.models.sources import find_model
from curate.politicians.prompts import Prompts
from curate.politicians.word_causal import CausalEncoder
from curate.politicians.word_longer import LongerWords
from curate.politicians.word_ranking import (
    Candidates,
    Ranked,
    best_words,
)

__all__ = ["BEAM", "MOST_PIECES", "BesideNames", "WordReader", "is_causal"]

BEAM = 20
"""So many words of several entries are read at a blank, at the least (`LongerWords`)."""
MOST_PIECES = 4
"""Words of more vocabulary entries are not read."""

# names whose distributions over the vocabulary are held at a time
_CHUNK = 256
# a processor keeps memory for every new shape of a product: names are short, their batches many
_CPU_BUDGET = 256


@dataclass(frozen=True, kw_only=True)
class WordReader:
    """A masked or causal network with how far words of several entries are followed.

    `positions` are where it can read a blank: before a name, or after it.
    """

    network: Network
    causal: bool
    beam: int = BEAM
    most_pieces: int = MOST_PIECES
    budget: int = 0

    @classmethod
    def load(
        cls,
        model: str,
        *,
        precision: str = "fp32",
        device: str = "auto",
        beam: int = BEAM,
        most_pieces: int = MOST_PIECES,
        budget: int = 0,
    ) -> WordReader:
        """The model `model` (``mini``, a folder, a Hub id), masked or causal.

        Raises as `curate.models.loading.load_network`; UsageError for ``auto`` where that is a
        reduced precision: a ranking has no margin that would tell which words to read again.
        """
        causal = is_causal(model)
        if precision == "auto" and choose_device(device) == "cuda":
            raise UsageError(
                "--precision auto would read words in bf16 and check none of them in fp32",
                hint="--precision fp32, or bf16 where near ties may change places",
            )
        network = load_network(
            model, precision=precision, device=device, task="causal" if causal else "masked"
        )
        return cls(
            network=network, causal=causal, beam=beam, most_pieces=most_pieces, budget=budget
        )

    @property
    def positions(self) -> tuple[str, ...]:
        return ("after",) if self.causal else ("before", "after")

    def encoder(self) -> Encoder:
        """Token ids around a blank; it keeps what it learns of the words."""
        if self.causal:
            return CausalEncoder(self.network)
        return Encoder(self.network.tokenizer, max_length=self.network.max_length)


def is_causal(model: str) -> bool:
    """Whether a model reads from left to right alone; what is neither kind is not."""
    try:
        check_kind(find_model(model), "causal")
    except InputError:
        return False
    return True


class _Ask(NamedTuple):
    """A blank beside one name for the words of one UPOS."""

    place: int
    upos: str
    text: MaskedText
    candidates: Candidates


@dataclass
class BesideNames:
    """The words of a vocabulary beside names, in one language, with one model.

    `lemmas` has the forms of every UPOS with their lemmas, `top` the number of lemmas wanted.
    """

    reader: WordReader
    prompts: Prompts
    lemmas: Mapping[str, Mapping[str, str]]
    top: Mapping[str, int]
    _candidates: dict[str, Candidates] = field(init=False)

    def __post_init__(self) -> None:
        self._candidates = {}
        for upos, count in sorted(self.top.items()):
            position = self.prompts.positions[upos]
            if count and self.lemmas.get(upos) and position in self.reader.positions:
                own = Candidates(self.lemmas[upos], count)
                self._candidates[upos] = own.at_beginning() if position == "before" else own

    @property
    def upos(self) -> tuple[str, ...]:
        """What is read: a causal model reads no blank before a name."""
        return tuple(self._candidates)

    def words(self, names: Sequence[str]) -> list[dict[str, list[Ranked]] | str]:
        """For every name the ranked words by UPOS, or the code of a refusal.

        A word of one vocabulary entry has its probability at a single blank, one of several the
        product of theirs, each read with the earlier ones in place and masks for the later ones
        (see `curate.models.masked.MaskedModel.fill`). Of the longer words those are read that have
        at most `most_pieces` entries and promise most (`LongerWords`). A lemma has one row, with
        its most probable form. What is found for a name depends on no other name.
        """
        reading = _Reading(self.reader)
        found: dict[int, dict[str, list[Ranked]] | str] = {}
        # names of about one length share batches
        order = sorted(range(len(names)), key=lambda place: (len(names[place]), place))
        for start in range(0, len(order), _CHUNK):
            asks = [
                _Ask(place, upos, self.prompts.text(names[place], upos), candidates)
                for place in order[start : start + _CHUNK]
                for upos, candidates in self._candidates.items()
            ]
            for ask, ranked in zip(asks, reading.read(asks), strict=True):
                own = found.setdefault(ask.place, {})
                if isinstance(ranked, str):
                    found[ask.place] = ranked
                elif not isinstance(own, str):
                    own[ask.upos] = ranked
        return [found[place] for place in range(len(names))]


class _Reading:
    """The engines of one network, which keep what they learn of the words."""

    def __init__(self, reader: WordReader) -> None:
        self._network = reader.network
        device = reader.network.device
        small = _CPU_BUDGET if device == "cpu" else 0
        self._budget = token_budget(reader.budget or small, device)
        self._encoder = reader.encoder()
        self._short = self._filler()
        self._longer = LongerWords(
            reader.network, self._encoder,
            beam=reader.beam, most_pieces=reader.most_pieces, budget=self._budget,
        )  # fmt: skip

    def _filler(self) -> Filler:
        return Filler(self._network, self._encoder, budget=self._budget)

    def read(self, asks: Sequence[_Ask]) -> list[list[Ranked] | str]:
        """The ranked words of every ask, or the code of a refusal."""
        holes = self._short.fill(
            [ask.text for ask in asks],
            [ask.candidates.words for ask in asks],
            k=0, floors=[1.0] * len(asks), most_pieces=1,
        )  # fmt: skip
        found: list[list[Ranked] | str] = [
            hole.refused or best_words(hole.words, ask.candidates)
            for hole, ask in zip(holes, asks, strict=True)
        ]
        best = {place: own for place, own in enumerate(found) if isinstance(own, list)}
        contexts = self._encoder.contexts([asks[place].text for place in best])
        read = self._longer.read(
            [context for context in contexts if isinstance(context, Context)],
            [asks[place].candidates for place in best],
            list(best.values()),
        )
        for place, own in zip(best, read, strict=True):
            found[place] = own
        return found

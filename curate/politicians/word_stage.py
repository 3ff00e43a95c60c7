"""The stage that reads the words beside names, and what it depends on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from curate import schema
from curate.engine import Stage
from curate.errors import UsageError
from curate.politicians.prompts import Prompts, load_prompts
from curate.politicians.vocabulary import Vocabulary, read_vocabulary
from curate.politicians.word_reading import BEAM, MOST_PIECES, BesideNames, WordReader

__all__ = ["TOP", "VOCABULARY", "WORDS", "WordConfig", "WordSettings", "name_words"]

TOP = {"ADJ": 100, "VERB": 20}
"""Lemmas a person; the paper keeps 20 adjectives in English and these elsewhere."""

VOCABULARY = "vocabulary.tsv"

FOUND = pa.schema(
    [
        pa.field("place", pa.int64(), nullable=False),
        *(
            schema.POLITICIAN_WORDS.field(name)
            for name in ("upos", "position", "rank", "word", "lemma", "probability")
        ),
    ]
)
REFUSED = pa.schema(
    [
        pa.field("place", pa.int64(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
    ]
)


class WordSettings(BaseModel):
    """A model, how it computes and how many lemmas are wanted by UPOS.

    No value depends on the `budget` of tokens a batch, so a run that was cut off may go on with
    another.
    """

    model_config = ConfigDict(frozen=True)

    model: str = "mini"
    precision: str = "fp32"
    device: str = Field("auto", exclude=True)
    budget: int = Field(0, exclude=True)
    adjectives: int = TOP["ADJ"]
    verbs: int = TOP["VERB"]
    beam: int = BEAM
    most_pieces: int = MOST_PIECES

    def top(self) -> dict[str, int]:
        """Lemmas wanted by UPOS."""
        return {"ADJ": self.adjectives, "VERB": self.verbs}

    def check(self) -> None:
        """Raise UsageError for numbers that make no sense."""
        if min(self.top().values()) < 0 or not any(self.top().values()):
            raise UsageError(f"no words are wanted: {self.top()}", hint="--top-adjectives 100")
        if self.beam < 1 or self.most_pieces < 1 or self.budget < 0:
            raise UsageError("the beam and the entries of a word must be at least 1")


class WordConfig(BaseModel):
    """What the words of a name depend on."""

    model_config = ConfigDict(frozen=True)

    settings: WordSettings
    lang: str
    positions: tuple[tuple[str, str], ...]
    separator: str
    vocabulary: str
    where: Path = Field(exclude=True)
    device: str
    revision: str

    @classmethod
    def make(
        cls, lang: str, vocabulary: Vocabulary, settings: WordSettings, out: Path
    ) -> WordConfig:
        """What a run in `lang` depends on; the model is loaded, and stays so."""
        prompts = load_prompts(lang)
        network = _load(settings).network
        return cls(
            settings=settings,
            lang=lang,
            positions=tuple(sorted(prompts.positions.items())),
            separator=prompts.separator,
            vocabulary=vocabulary.hash,
            where=out / VOCABULARY,
            device=network.device,
            revision=network.folder.revision,
        )

    def beside(self, vocabulary: Vocabulary) -> BesideNames:
        """What is to be asked; UsageError where that is nothing."""
        reader, top = _load(self.settings), self.settings.top()
        lemmas = {upos: vocabulary.lemmas(upos) for upos in top}
        prompts = Prompts(self.lang, dict(self.positions), self.separator)
        beside = BesideNames(reader, prompts, lemmas, top)
        if not beside.upos:
            raise UsageError(
                f"nothing to read: {len(vocabulary.forms)} words are kept, their blanks stand "
                f"{', '.join(f'{where} a name ({upos})' for upos, where in self.positions)}, the "
                f"model reads one {' or '.join(reader.positions)} it",
                hint="a causal model reads words behind a name; masked models read both",
            )
        return beside


@lru_cache(maxsize=2)
def _load(settings: WordSettings) -> WordReader:
    return WordReader.load(
        settings.model,
        precision=settings.precision,
        device=settings.device,
        beam=settings.beam,
        most_pieces=settings.most_pieces,
        budget=settings.budget,
    )


@lru_cache(maxsize=2)
def _asked(config: WordConfig) -> BesideNames:
    return config.beside(read_vocabulary(config.where))


def name_words(table: pa.Table, config: WordConfig) -> dict[str, pa.Table]:
    """The stage: the ranked words beside every name, or the code of its refusal."""
    asked = _asked(config)
    positions = dict(config.positions)
    found: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    places = table.column("place").to_pylist()
    for place, words in zip(places, asked.words(table.column("name").to_pylist()), strict=True):
        if isinstance(words, str):
            refused.append({"place": place, "code": words})
            continue
        for upos, ranked in sorted(words.items()):
            own = {"place": place, "upos": upos, "position": positions[upos]}
            found += [
                {**own, "rank": rank, **one._asdict()} for rank, one in enumerate(ranked, start=1)
            ]
    return {
        "words": pa.Table.from_pylist(found, schema=FOUND),
        "refused": pa.Table.from_pylist(refused, schema=REFUSED),
    }


WORDS = Stage(
    name="politician-words",
    version="2",
    function=name_words,
    reads=("place", "name"),
    writes={"words": FOUND, "refused": REFUSED},
)

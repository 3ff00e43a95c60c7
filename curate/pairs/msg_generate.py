"""From sentences to model-based pairs: mask, read, choose, write both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from curate.genders import GENDERS, other_gender
from curate.lexicon import Lexicon
from curate.models.masked import Fill, MaskedModel, MaskedText
from curate.pairs.msg_choice import FIGURE_3_K, Ranked, rank_words, top_ranked
from curate.pairs.msg_sides import Side, differing_spans
from curate.pairs.msg_words import Choices, FittingWords
from curate.swap import Mention, Swapper, SwapResult

__all__ = ["Generator", "Outcome", "Settings"]


CHUNK = 2048  # texts at a time: as many as the swapper remembers


@dataclass(frozen=True, kw_only=True)
class Settings:
    """k and threshold of the predictions; whether agreement is set before the mask is read."""

    k: int
    threshold: float
    matched: bool
    most_pieces: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one sentence: two sides (masculine, feminine), or a code and its detail.

    `kind` is both, masculine, feminine or none once a mask was read; `ranks` are those of all
    gender words over the threshold; `predicted` the words that the model itself gave.
    """

    original: str = ""
    sides: tuple[Side, Side] | None = None
    spans: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    probabilities: tuple[float | None, float | None] = (None, None)
    kind: str = ""
    ranks: list[int] = field(default_factory=list)
    predicted: list[str] = field(default_factory=list)
    refused: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """A sentence's one gender word, and the context in which each gender's words are read."""

    swap: SwapResult
    mention: Mention
    choices: Choices
    contexts: dict[str, MaskedText]

    @property
    def text(self) -> str:
        return self.swap.text

    @property
    def counterpart(self) -> str:
        """What the swap has put in the gender word's place."""
        at = (self.mention.start, self.mention.end)
        return next((e.new for e in self.swap.edits if (e.start, e.end) == at), "")

    @property
    def shared(self) -> bool:
        """Whether one context serves both genders."""
        return self.contexts[GENDERS[0]] == self.contexts[GENDERS[1]]


class Generator:
    """Makes pairs in one language with one model; results depend on each sentence alone."""

    def __init__(self, lexicon: Lexicon, engine: MaskedModel, settings: Settings) -> None:
        self._swapper = Swapper(lexicon, remember=CHUNK)
        self._words = FittingWords(lexicon)
        self._engine = engine
        self._settings = settings

    def scan(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text could hold a gender word."""
        return self._swapper.scan(texts)

    def generate(self, texts: Sequence[str]) -> list[Outcome]:
        """An outcome for every text, in order."""
        return [
            outcome
            for start in range(0, len(texts), CHUNK)
            for outcome in self._generate(texts[start : start + CHUNK])
        ]

    def _generate(self, texts: Sequence[str]) -> list[Outcome]:
        places = [self._place(text) for text in texts]
        found = [place for place in places if isinstance(place, _Place)]
        outcomes = iter(self._with_counterparts(found, self._choose(found)))
        return [place if isinstance(place, Outcome) else next(outcomes) for place in places]

    def _place(self, text: str) -> _Place | Outcome:
        swap = self._swapper.swap(text, mentions="one")
        if swap.refused is not None:
            return Outcome(refused=swap.refused, detail=swap.detail)
        (mention,) = swap.mentions
        own = MaskedText(swap.text, mention.start, mention.end)
        contexts = dict.fromkeys(GENDERS, own)
        if self._settings.matched:
            other = self._matched(swap, mention)
            if other is None:
                return Outcome(refused="ambiguous-word", detail="in the counterpart")
            contexts[other_gender(mention.gender)] = other
        return _Place(swap, mention, self._words.choices(swap.text, mention), contexts)

    def _matched(self, swap: SwapResult, mention: Mention) -> MaskedText | None:
        """The counterpart, in which all that agrees has the other gender, with its gender word."""
        counterpart = str(swap.counterpart)
        for edit, target in zip(swap.edits, swap.target_edits, strict=True):
            if (edit.start, edit.end) == (mention.start, mention.end):
                return MaskedText(counterpart, target.start, target.end)
        found = self._swapper.mentions(counterpart)
        if len(found) != 1:
            return None
        return MaskedText(counterpart, found[0].start, found[0].end)

    def _choose(self, places: list[_Place]) -> list[Outcome]:
        """Both sides of every place, or why not; probabilities where the model was asked."""
        asked: list[tuple[MaskedText, tuple[str, ...]]] = []
        for place in places:
            if place.shared:
                asked.append((place.contexts[GENDERS[0]], place.choices.all))
            else:
                asked += [(place.contexts[gender], place.choices.of[gender]) for gender in GENDERS]
        single = self._engine.fill(
            [context for context, _ in asked],
            k=max(self._settings.k, FIGURE_3_K),
            candidates=[words for _, words in asked],
            most_pieces=1,
        )
        floors = [
            floor
            for place, fills in self._by_place(places, single)
            for floor in [self._floor(place, fills)] * (1 if place.shared else len(GENDERS))
        ]
        longer = self._engine.fill(
            [context for context, _ in asked],
            candidates=[words for _, words in asked],
            floor=floors,
            fewest_pieces=2,
            most_pieces=self._settings.most_pieces,
            beam=self._settings.k,
        )
        whole = [
            replace(one, words=one.words | more.words, longer=more.longer)
            for one, more in zip(single, longer, strict=True)
        ]
        return [self._outcome(place, fills) for place, fills in self._by_place(places, whole)]

    @staticmethod
    def _by_place(
        places: list[_Place], fills: Sequence[Fill]
    ) -> Iterator[tuple[_Place, dict[str, Fill]]]:
        """Each place with the Fill in which each gender's words are read."""
        remaining = iter(fills)
        for place in places:
            first = next(remaining)
            second = first if place.shared else next(remaining)
            yield place, {GENDERS[0]: first, GENDERS[1]: second}

    def _floor(self, place: _Place, fills: dict[str, Fill]) -> float:
        """What a word of several entries must reach to be chosen, or to move one that is.

        That is the lesser of the best words of one entry of both genders, and the threshold where
        a gender has none among the top k.
        """
        ranked = rank_words(fills, place.choices, threshold=self._settings.threshold)
        best = top_ranked(ranked, k=self._settings.k)
        if not all(best.values()):
            return self._settings.threshold
        return min(words[0].p for words in best.values())

    def _outcome(self, place: _Place, fills: dict[str, Fill]) -> Outcome:
        refused = fills[GENDERS[0]].refused or fills[GENDERS[1]].refused
        if refused:
            return Outcome(refused=refused, detail="the model cannot take this text")
        ranked = rank_words(fills, place.choices, threshold=self._settings.threshold)
        best = top_ranked(ranked, k=self._settings.k)
        read = Outcome(original=place.mention.gender, ranks=[word.rank for word in ranked])
        if not any(best.values()):
            tokens = ", ".join(prediction.token for prediction in fills[GENDERS[0]].top[:3])
            return replace(read, kind="none", refused="msg-none", detail=f"predicted: {tokens}")
        sides, refusals = self._predicted_sides(place, best)
        if not sides:
            return replace(read, refused=refusals[0][0], detail=refusals[0][1])
        kind = "both" if len(sides) == len(GENDERS) else next(iter(sides))
        predicted = [side.word.lower() for side in sides.values()]
        if kind != "both":
            other = self._counterpart(place, sides[kind], kind)
            if isinstance(other, Outcome):
                return replace(other, original=read.original, ranks=read.ranks)
            sides[other_gender(kind)] = other
        m, f = sides[GENDERS[0]], sides[GENDERS[1]]
        if m.text == f.text:
            return replace(read, refused="no-counterpart", detail=f"{m.word} and {f.word} are one")
        p_m, p_f = (fills[g].words.get(side.word) for g, side in zip(GENDERS, (m, f), strict=True))
        return replace(
            read,
            sides=(m, f),
            spans=differing_spans(m, f),
            probabilities=(p_m, p_f),
            kind=kind,
            predicted=predicted,
        )

    def _predicted_sides(
        self, place: _Place, best: dict[str, list[Ranked]]
    ) -> tuple[dict[str, Side], list[tuple[str, str]]]:
        """For each gender the best word with which the sentence can be written; the refusals."""
        sides: dict[str, Side] = {}
        refusals: list[tuple[str, str]] = []
        for gender in GENDERS:
            for word in best[gender]:
                entry = place.choices.words[word.written].rows[0].pair
                side = self._write(place, word.written, gender, entry)
                if isinstance(side, Side):
                    sides[gender] = side
                    break
                refusals.append(side)
        return sides, refusals

    def _counterpart(self, place: _Place, side: Side, gender: str) -> Side | Outcome:
        """The other side of a word that alone was predicted: its lexicon counterpart."""
        other = other_gender(gender)
        refusals = [("no-counterpart", side.word)]
        written = {(place.choices.words[text].form): text for text in place.choices.of[other]}
        for row in place.choices.words[side.word].rows:
            form = row.form(other)
            if form in written:
                found = self._write(place, written[form], other, row.pair)
                if isinstance(found, Side):
                    return found
                refusals.append(found)
        code, detail = refusals[-1]
        return Outcome(refused=code, detail=detail)

    def _write(
        self, place: _Place, written: str, gender: str, entry: str
    ) -> Side | tuple[str, str]:
        """The sentence with a word in the place, agreement mended; or (code, detail)."""
        mention = place.mention
        if written == mention.form and gender == mention.gender:
            return Side.unchanged(place.text, written, entry)
        if gender != mention.gender and written == place.counterpart:
            return Side.filled(place.swap, written, entry)
        form = place.choices.words[written].form
        result = self._swapper.fill(place.text, mention, form, gender)
        if result.refused is not None:
            return result.refused, f"{written}: {result.detail}"
        return Side.filled(result, written, entry)

    def _with_counterparts(self, places: list[_Place], outcomes: list[Outcome]) -> list[Outcome]:
        """Add the probabilities that the first reading left open: rare words of several entries."""
        missing = [
            (number, which)
            for number, outcome in enumerate(outcomes)
            for which in range(len(GENDERS))
            if outcome.sides is not None and outcome.probabilities[which] is None
        ]
        texts = [places[number].contexts[GENDERS[which]] for number, which in missing]
        words = [(outcomes[number].sides or ())[which].word for number, which in missing]
        fills = self._engine.fill(texts, k=1, candidates=[(word,) for word in words])
        found = {
            key: fill.words.get(word) for key, word, fill in zip(missing, words, fills, strict=True)
        }
        return [
            replace(
                outcome,
                probabilities=(
                    _rounded(found.get((number, 0), outcome.probabilities[0])),
                    _rounded(found.get((number, 1), outcome.probabilities[1])),
                ),
            )
            for number, outcome in enumerate(outcomes)
        ]


def _rounded(p: float | None) -> float | None:
    """Six significant digits: more than a float32 network gives the same on every machine."""
    return None if p is None else float(f"{p:.6g}")

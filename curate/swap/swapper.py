"""The gender swap: match, group, agree, reinflect, write, check again; refuse rather than guess."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from curate.errors import UsageError
from curate.genders import GENDERS, other_gender
from curate.language import compatible, fold, normalize
from curate.language.parsers import Parser
from curate.lexicon import FormIndex, Lexicon
from curate.swap.agreement import find_group, settle
from curate.swap.evidence import Evidence
from curate.swap.heads import Head, find_heads
from curate.swap.prefilter import Prefilter
from curate.swap.reader import Reader
from curate.swap.referents import (
    check_names,
    check_one_gender,
    check_one_referent,
    check_refusals,
)
from curate.swap.results import Mention, Ranker, Refusal, SwapResult
from curate.swap.sentence import Sentence
from curate.swap.spelling import Spelling, Targets, counterparts, narrow_targets, spellings
from curate.swap.suspects import with_suspects

__all__ = ["Swapper"]

MAX_CHARACTERS = 1_000_000
MAX_WORDS = 200  # gender words in one text: more is a book, not a sentence


class _Work(NamedTuple):
    """What a sentence turned into, and by which means."""

    heads: list[Head]
    counterpart: str
    spelling: Spelling
    means: list[str]


class Swapper:
    """Swaps the gender of the person a text speaks of, in one language.

    `parser` is asked where the rules would refuse for want of structure (which words agree, which
    are one person, which case a form has); `ranker` chooses where grammar leaves several forms.
    Without them such texts are refused. `remember`: for how many texts the reading is kept, for a
    `fill` that follows a `swap`.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        parser: Parser | None = None,
        ranker: Ranker | None = None,
        remember: int = 0,
    ) -> None:
        self.lexicon = lexicon
        self._index = FormIndex(lexicon)
        self._reader = Reader(lexicon, self._index)
        self._parser = parser
        self._ranker = ranker
        self._prefilter = Prefilter(lexicon, self._index)
        self._remember = remember
        self._remembered: dict[str, tuple[Sentence, list[Head]]] = {}

    def scan(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text could hold a gender word; False is certain."""
        return self._prefilter.scan(texts)

    def mentions(self, text: str) -> list[Mention]:
        """The gender words of a text whose reading is settled; ambiguous texts give none."""
        try:
            sentence = self._read(normalize(text))
            heads = self._heads(sentence)
        except Refusal:
            return []
        return [_mention(sentence, head) for head in heads]

    def gender_words(self, text: str) -> list[str]:
        """The forms that the rules leave as gender words, lower-cased; one-form words left out."""
        try:
            sentence = self._read(normalize(text))
        except Refusal:
            return []
        try:
            heads = [head.at for head in find_heads(sentence)]
        except Refusal:
            # a word that may or may not be one: it is there
            heads = [at for at, unit in enumerate(sentence.units) if unit.words]
        return [
            sentence.units[at].lower
            for at in heads
            if any(r.row and "epicene" not in r.row.flags for r in sentence.units[at].words)
        ]

    def swap(self, text: str, *, to: str = "auto", mentions: str = "referent") -> SwapResult:
        """The counterpart of `text`, or a refusal with its code.

        `to` is ``auto`` (the other gender), ``masculine`` or ``feminine``; `mentions` is ``one``
        (exactly one gender word, Yu et al. 2024), ``referent`` (all words for one person; several
        people are refused) or ``all`` (all words for everybody, as in the counterfactual data
        augmentation of Lu et al. 2020; people of both genders are refused).
        """
        if to not in {"auto", *GENDERS} or mentions not in {"one", "referent", "all"}:
            raise UsageError(f"no such direction or mentions: {to!r}, {mentions!r}")
        return self._answer(text, lambda sentence: self._swap(sentence, to, mentions))

    def fill(self, text: str, mention: Mention, word: str, gender: str) -> SwapResult:
        """`text` with `word`, a lexicon form of `gender`, in a mention's place; agreement follows.

        Refused with ``no-counterpart`` where the word does not fit the mention's features.
        """
        return self._answer(text, lambda sentence: self._fill(sentence, mention, word, gender))

    def _answer(self, text: str, work: Callable[[Sentence], _Work]) -> SwapResult:
        text = normalize(text)
        sentence = None
        try:
            sentence = self._read(text)
            done = work(sentence)
        except Refusal as refusal:
            aside = _aside(sentence) if sentence is not None else ()
            return SwapResult(
                text, None, None, refused=refusal.code, detail=refusal.detail, aside=aside
            )
        return SwapResult(
            text,
            done.counterpart,
            done.heads[0].gender,
            done.spelling.edits,
            done.spelling.mirrored,
            mentions=tuple(_mention(sentence, head) for head in done.heads),
            means=("rules", *dict.fromkeys(done.means)),
            aside=_aside(sentence),
        )

    def _read(self, text: str) -> Sentence:
        """The units of a text in NFC; Refusal(`bad-text`) for what is no sentence."""
        if text in self._remembered:
            return self._remembered[text][0]
        if len(text) > MAX_CHARACTERS:
            raise Refusal("bad-text", f"{len(text)} characters")
        if not text.isprintable() and any(
            unicodedata.category(c) == "Cc" and c not in "\t\n\r" for c in text
        ):
            raise Refusal("bad-text", "control characters")
        return self._reader.read(text)

    def _heads(self, sentence: Sentence) -> list[Head]:
        known = self._remembered.get(sentence.text)
        if known is not None:
            return known[1]
        if len(sentence.units) > MAX_WORDS:
            words = sum(1 for unit in sentence.units if unit.words)
            if words > MAX_WORDS:
                raise Refusal("two-referents", f"{words} gender words in one text")
        heads = []
        for head in find_heads(sentence):
            if settle(sentence, head):
                heads.append(head)
            else:
                sentence.set_aside(head.at, "nothing shows its gender")
        if self._remember:
            if len(self._remembered) >= self._remember:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[sentence.text] = (sentence, heads)
        return heads

    def _swap(self, sentence: Sentence, to: str, mentions: str) -> _Work:
        heads = self._heads(sentence)
        if not heads:
            raise self._nothing(sentence)
        if mentions == "one" and len(heads) > 1:
            words = ", ".join(sentence.units[head.at].text for head in heads)
            raise Refusal("several-gender-words", words)
        evidence = Evidence(self._parser, sentence) if self._parser else None
        if mentions == "all":
            check_refusals(sentence, heads, waived="two-referents")
            check_one_gender(heads)
        else:
            check_refusals(sentence, heads)
            check_one_referent(sentence, heads, evidence)
        source = heads[0].gender
        if to == source:
            raise Refusal("already-target", f"already {source}")
        if self.lexicon.grammar.refuse_names:
            check_names(sentence, source)
        targets = {head.at: counterparts(head, other_gender(source)) for head in heads}
        return self._realise(sentence, heads, targets, other_gender(source), evidence)

    def _nothing(self, sentence: Sentence) -> Refusal:
        fixed = self.lexicon.grammar.fixed
        for unit in sentence.units:
            if unit.lower in fixed:
                return Refusal("fixed-gender-noun", unit.text)
        return Refusal("no-gender-word")

    def _fill(self, sentence: Sentence, mention: Mention, word: str, gender: str) -> _Work:
        heads = [h for h in self._heads(sentence) if sentence.start(h.at) == mention.start]
        if not heads:
            raise Refusal("no-gender-word", mention.form)
        head = heads[0]
        targets = {head.at: self._fitting(head, word, gender)}
        evidence = Evidence(self._parser, sentence) if self._parser else None
        return self._realise(sentence, [head], targets, gender, evidence)

    def _fitting(self, head: Head, word: str, gender: str) -> dict[int, tuple[str, str]]:
        """What `word` can be for each reading of the head: same UPOS, compatible features."""
        key = tuple(fold(token.text) for token in self.lexicon.tokenizer(word))
        found = {}
        for number, own in enumerate(head.readings):
            for reading in self._index.words.get(key, ()):
                if reading.referent != gender or reading.upos != own.upos:
                    continue
                if compatible(reading.feats, own.feats):
                    found[number] = (reading.form, reading.gender)
        if not found:
            raise Refusal("no-counterpart", f"{word} does not fit the place of {head.row.pair}")
        return found

    def _realise(
        self,
        sentence: Sentence,
        heads: list[Head],
        targets: Targets,
        gender: str,
        evidence: Evidence | None,
    ) -> _Work:
        groups = [find_group(sentence, head) for head in heads]
        if gender != heads[0].gender:
            groups = with_suspects(sentence, groups, evidence)
        written = spellings(sentence, groups, targets)
        if len(written) > 1 and evidence is not None:
            narrowed = [narrow_targets(group, targets, evidence) for group in groups]
            written = spellings(sentence, groups, {at: t for n in narrowed for at, t in n.items()})
        means = [evidence.name] if evidence is not None and evidence.used else []
        if len(written) == 1:
            counterpart = next(iter(written))
        else:
            counterpart = self._choose(written)
            means.append("model")
        self._recheck(sentence, counterpart, gender)
        return _Work(heads, counterpart, written[counterpart], means)

    def _choose(self, written: Mapping[str, Spelling]) -> str:
        texts = sorted(written)
        chosen = self._ranker.choose(texts) if self._ranker else None
        if chosen is None:
            different = sorted({" + ".join(e.new for e in own.edits) for own in written.values()})
            raise Refusal("ambiguous-form", " | ".join(different[:6]))
        return texts[chosen]

    def _recheck(self, sentence: Sentence, counterpart: str, gender: str) -> None:
        """Read the result once more: no gender word may be left in the old gender."""
        words = [unit for unit in sentence.units if unit.words or unit.out]
        if len(words) <= 1:
            return  # nothing but the changed word could be left
        try:
            heads = find_heads(self._reader.read(counterpart))
        except Refusal:
            return  # the new form is one of many meanings: fine as a result
        wrong = [head for head in heads if head.genders == {other_gender(gender)}]
        if wrong and len(heads) > 1:
            raise Refusal(
                "agreement-unresolved", f"{wrong[0].row.form(other_gender(gender))} is left"
            )


def _aside(sentence: Sentence) -> tuple[tuple[str, str], ...]:
    if not sentence.aside:
        return ()
    return tuple((sentence.units[at].text, why) for at, why in sorted(sentence.aside.items()))


def _mention(sentence: Sentence, head: Head) -> Mention:
    return Mention(
        start=sentence.start(head.at),
        end=sentence.end(head.at),
        form=sentence.units[head.at].text,
        gender=head.gender,
        entry=head.row.pair,
        upos=head.row.upos,
        kind=head.row.kind,
        feats=head.readings[0].feats,
        ambiguous=len(head.readings) > 1,
    )

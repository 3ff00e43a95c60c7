"""The gender swap: match, group, agree, reinflect, write, check again; refuse rather than guess."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from curate.errors import UsageError
from curate.genders import GENDERS, other_gender
from curate.language import compatible, fold, normalize
from curate.language.parsers import Parser
from curate.lexicon import FormIndex, Lexicon
from curate.swap.agreement import Group, find_group, settle, spell_out, with_companion
from curate.swap.evidence import Evidence
from curate.swap.heads import Head, find_heads
from curate.swap.prefilter import Prefilter
from curate.swap.referents import (
    check_names,
    check_one_gender,
    check_one_referent,
    check_refusals,
)
from curate.swap.results import Edit, Mention, Ranker, Refusal, SwapResult
from curate.swap.sentence import Reader, Sentence
from curate.swap.surface import Replacement, apply_edits, write_edits
from curate.swap.suspects import find_suspects

__all__ = ["Swapper"]

MAX_CHARACTERS = 1_000_000
MAX_CANDIDATES = 32
MAX_WORDS = 200  # gender words in one text: more is a book, not a sentence


class _Work(NamedTuple):
    """What a sentence turned into, and by which means."""

    heads: list[Head]
    edits: list[Edit]
    means: list[str]


# for each head, by index of its readings: (new form, its grammatical gender)
Targets = dict[int, dict[int, tuple[str, str]]]


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
            counterpart, mirrored = apply_edits(text, done.edits)
        except Refusal as refusal:
            aside = _aside(sentence) if sentence is not None else ()
            return SwapResult(
                text, None, None, refused=refusal.code, detail=refusal.detail, aside=aside
            )
        return SwapResult(
            text,
            counterpart,
            done.heads[0].gender,
            tuple(done.edits),
            mirrored,
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
        targets = {head.at: _counterparts(head, other_gender(source)) for head in heads}
        return self._realise(sentence, heads, targets, other_gender(source), evidence)

    def _nothing(self, sentence: Sentence) -> Refusal:
        fixed = self.lexicon.grammar.fixed
        for unit in sentence.units:
            if unit.lower in fixed:
                return Refusal("fixed-gender-noun", unit.text)
        return Refusal("no-gender-word")

    def _fill(self, sentence: Sentence, mention: Mention, word: str, gender: str) -> _Work:
        heads = [h for h in self._heads(sentence) if sentence.units[h.at].start == mention.start]
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
            groups = _with_suspects(sentence, groups, evidence)
        written = _spellings(sentence, groups, targets)
        if len(written) > 1 and evidence is not None:
            narrowed = [_narrowed(group, targets, evidence) for group in groups]
            written = _spellings(sentence, groups, {at: t for n in narrowed for at, t in n.items()})
        means = [evidence.name] if evidence is not None and evidence.used else []
        if len(written) == 1:
            edits = next(iter(written.values()))
        else:
            edits = self._choose(written)
            means.append("model")
        self._recheck(sentence, edits, gender)
        return _Work(heads, edits, means)

    def _choose(self, written: dict[str, list[Edit]]) -> list[Edit]:
        texts = sorted(written)
        chosen = self._ranker.choose(texts) if self._ranker else None
        if chosen is None:
            different = sorted({" + ".join(e.new for e in edits) for edits in written.values()})
            raise Refusal("ambiguous-form", " | ".join(different[:6]))
        return written[texts[chosen]]

    def _recheck(self, sentence: Sentence, edits: list[Edit], gender: str) -> None:
        """Read the result once more: no gender word may be left in the old gender."""
        words = [unit for unit in sentence.units if unit.words or unit.out]
        if len(words) <= 1:
            return  # nothing but the changed word could be left
        text, _ = apply_edits(sentence.text, edits)
        try:
            heads = find_heads(self._reader.read(text))
        except Refusal:
            return  # the new form is one of many meanings: fine as a result
        wrong = [head for head in heads if head.genders == {other_gender(gender)}]
        if wrong and len(heads) > 1:
            raise Refusal(
                "agreement-unresolved", f"{wrong[0].row.form(other_gender(gender))} is left"
            )


def _with_suspects(
    sentence: Sentence, groups: list[Group], evidence: Evidence | None
) -> list[Group]:
    """The groups with the suspects that a parse ties to them; Refusal for what stays open."""
    by_head = {group.head.at: group for group in groups}
    settled = by_head.keys() | {c.at for group in groups for c in group.companions}
    for at, rule in find_suspects(sentence, [group.head for group in groups], settled):
        refusal = Refusal(rule.code, f"{sentence.units[at].text} ({rule.name})")
        other = evidence.agrees_with(at) if evidence is not None else None
        if evidence is None or other is None:
            raise refusal
        if other not in by_head and not evidence.belongs_to_thing(at):
            raise refusal
        if other in by_head:
            larger = with_companion(sentence, by_head[other], at, "parser")
            if larger is None:
                raise refusal
            by_head[other] = larger
    return list(by_head.values())


def _spellings(sentence: Sentence, groups: list[Group], targets: Targets) -> dict[str, list[Edit]]:
    """Every distinct text that the groups can become, with its edits."""
    candidates = _join([spell_out(group, targets[group.head.at]) for group in groups])
    if not candidates:
        raise Refusal("agreement-unresolved", "one word would agree with two")
    rules = _rules(groups)
    found: dict[str, list[Edit]] = {}
    for candidate in candidates:
        edits = write_edits(sentence, _replacements(candidate, rules))
        found.setdefault(apply_edits(sentence.text, edits)[0], edits)
    return found


def _narrowed(group: Group, targets: Targets, evidence: Evidence) -> Targets:
    """The head's targets for the readings that a parse allows."""
    own = group.head.readings
    kept = evidence.narrow(group.head.at, own)
    at = group.head.at
    found = {n: form for n, form in targets[at].items() if any(own[n] is r for r in kept)}
    return {at: found or targets[at]}


def _aside(sentence: Sentence) -> tuple[tuple[str, str], ...]:
    return tuple((sentence.units[at].text, why) for at, why in sorted(sentence.aside.items()))


def _mention(sentence: Sentence, head: Head) -> Mention:
    unit = sentence.units[head.at]
    return Mention(
        start=unit.start,
        end=unit.end,
        form=unit.text,
        gender=head.gender,
        entry=head.row.pair,
        upos=head.row.upos,
        kind=head.row.kind,
        feats=head.readings[0].feats,
        ambiguous=len(head.readings) > 1,
    )


def _counterparts(head: Head, gender: str) -> dict[int, tuple[str, str]]:
    found = {}
    for number, reading in enumerate(head.readings):
        row = reading.row
        if row is not None and row.form(gender):
            found[number] = (row.form(gender), row.grammatical(gender))
    if not found:
        raise Refusal("no-counterpart", head.row.pair)
    return found


def _join(spellings: list[list[dict[int, str]]]) -> list[dict[int, str]]:
    """Every way to write all groups together in which no unit is written twice differently."""
    joined = []
    for choice in itertools.islice(itertools.product(*spellings), MAX_CANDIDATES):
        merged: dict[int, str] = {}
        for part in choice:
            if any(merged.get(at, form) != form for at, form in part.items()):
                break
            merged |= part
        else:
            joined.append(merged)
    return joined


def _rules(groups: list[Group]) -> dict[int, tuple[str, str, str, str]]:
    """By unit: (old form as the lexicon writes it, UPOS, rule, entry)."""
    rules: dict[int, tuple[str, str, str, str]] = {}
    for group in groups:
        entry = group.head.row.pair
        for companion in group.companions:
            old = companion.readings[0]
            rules[companion.at] = (old.form, old.upos, companion.rule, entry)
    for group in groups:
        own = group.head.readings[0]
        why = f"pair ({group.head.why})" if group.head.why else "pair"
        rules[group.head.at] = (own.form, own.upos, why, group.head.row.pair)
    return rules


def _replacements(
    forms: Mapping[int, str], rules: Mapping[int, tuple[str, str, str, str]]
) -> dict[int, Replacement]:
    replacements = {}
    for at, form in forms.items():
        old_form, upos, rule, entry = rules[at]
        if form.lower() != old_form.lower() or " " in form:
            replacements[at] = Replacement(form, old_form, upos, rule, entry)
    return replacements

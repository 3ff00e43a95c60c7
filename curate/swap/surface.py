"""From new forms to new text: case, contractions, and forms that follow the next word's sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from curate.language import fold, keep_marks, transfer_case, without_marks
from curate.language.tokens import JOINING
from curate.swap.results import Edit, Refusal
from curate.swap.sentence import Sentence

__all__ = ["Replacement", "apply_edits", "write_edits"]


class Replacement(NamedTuple):
    """A unit's new form; `old_form` is the old one as the lexicon writes it."""

    form: str
    old_form: str
    upos: str
    rule: str
    entry: str


def write_edits(sentence: Sentence, replacements: Mapping[int, Replacement]) -> list[Edit]:
    """The edits, in order, that put the new forms into the sentence."""
    edits: dict[int, Edit] = {}
    marks = sentence.lexicon.config.marks
    for at, (form, old_form, upos, rule, entry) in sorted(replacements.items()):
        first, new, lexical = at, _contracted(sentence, form), old_form
        merged = _merged_with_previous(sentence, at, form) if upos == "DET" else None
        if merged and at - 1 not in edits:
            first, new, lexical = at - 1, merged, sentence.units[at - 1].lower
        start, end = sentence.start(first), sentence.end(at)
        old = sentence.text[start:end]
        new = _cased(sentence, first, sentence.units[first].text, lexical, new)
        if marks and without_marks(old, marks) == lexical != old:
            new = keep_marks(old, lexical, new, marks)
        if new != old:
            edits[at] = Edit(start, end, old, new, rule, entry)
    if sentence.index.sounds:
        _follow_sound(sentence, edits)
    if sentence.lexicon.config.tokens:
        edits = {at: _glued(sentence, at, edit) for at, edit in edits.items()}
    return [edits[at] for at in sorted(edits)]


def _cased(sentence: Sentence, at: int, old: str, old_form: str, new: str) -> str:
    """The new form in the case of the old one; one capital letter is like the word after it."""
    units = sentence.units
    in_capitals = at + 1 < len(units) and units[at + 1].shape == "Caps" and old[:1].isupper()
    if in_capitals and sum(map(str.isalpha, old)) == 1 and not old_form.isupper():
        return new.upper()
    return transfer_case(old, old_form, new, initial=sentence.is_initial(at))


def _contracted(sentence: Sentence, form: str) -> str:
    """`de el` -> `del` where the language has it."""
    prefix, space, rest = form.partition(" ")
    if not space:
        return form
    return sentence.index.inverse_contractions.get((prefix.lower(), rest.lower()), form)


def _merged_with_previous(sentence: Sentence, at: int, form: str) -> str | None:
    """The contraction of the word before with the new form, where the old form had none."""
    if at == 0 or sentence.gap(at) != " ":
        return None
    inverse = sentence.index.inverse_contractions
    before, old = sentence.units[at - 1].lower, sentence.units[at].lower
    if (before, old) in inverse:
        return None
    return inverse.get((before, form.lower()))


def _follow_sound(sentence: Sentence, edits: dict[int, Edit]) -> None:
    """Write what stands before a changed word, and what has changed itself, by the next sound."""
    units, sounds = sentence.units, sentence.index.sounds
    # a change reaches the unit before it and, if that changes too, goes on from there
    at = min(len(units) - 1, max(edits, default=0) + 1)
    while at > 0 and edits and at >= min(edits):
        at -= 1
        after = _edit_from(sentence, edits, at + 1)
        edit = edits.get(at)
        if edit is None and after is None:
            continue
        following = fold(after.new if after else units[at + 1].text)
        base = fold(edit.new) if edit else _base(sentence, at, following)
        start, end = (edit.start, edit.end) if edit else (sentence.start(at), sentence.end(at))
        right = sounds.written(base, following)
        old = sentence.text[start:end]
        if right != base or edit is None:
            new = _cased(sentence, at, old, fold(old), right)
            if new == old or (edit is None and right == units[at].lower):
                edits.pop(at, None)
            else:
                rule, entry = (edit.rule, edit.entry) if edit else ("phonetic", "")
                edits[at] = Edit(start, end, old, new, rule, entry)
        if edit is not None and edit.start < sentence.start(at):
            at -= 1  # the word before is part of this edit


def _edit_from(sentence: Sentence, edits: dict[int, Edit], at: int) -> Edit | None:
    """The edit that begins with unit `at`."""
    following = edits.get(at + 1)
    if following is not None and following.start <= sentence.start(at):
        return following
    return edits.get(at)


def _base(sentence: Sentence, at: int, following: str) -> str:
    """What an unchanged word before a changed one stands for; Refusal where that is open."""
    index, lower = sentence.index, sentence.units[at].lower
    if index.sounds.is_base(lower) or index.agreeing(lower):
        return lower
    bases = index.sounds.bases(lower)
    if len({index.sounds.written(base, following) for base in bases}) > 1:
        raise Refusal("ambiguous-form", sentence.units[at].text)
    return bases[0] if bases else lower


def _glued(sentence: Sentence, at: int, edit: Edit) -> Edit:
    """A form that ends in an apostrophe or hyphen stands close to the next word, others apart."""
    start, end, old, new, rule, entry = (
        edit.start, edit.end, edit.old, edit.new, edit.rule, edit.entry
    )  # fmt: skip
    if "’" in sentence.text and "'" not in sentence.text:
        new = new.replace("'", "’")
    was, is_now = _joins(sentence, old), _joins(sentence, new)
    if at + 1 < len(sentence.units):
        gap = sentence.gap(at + 1)
        if is_now and not was and gap == " ":
            old, end = old + gap, end + 1
        elif was and not is_now and not gap:
            new += " "
    return Edit(start, end, old, new, rule, entry)


def _joins(sentence: Sentence, form: str) -> bool:
    """Whether a form is a token only right before a word, as `l'` is."""
    last = fold(form).rpartition(" ")[2]
    if last[-1:] not in JOINING:
        return False
    return sentence.lexicon.tokenizer(f"{last}a")[0].text == last


def apply_edits(text: str, edits: list[Edit]) -> tuple[str, tuple[Edit, ...]]:
    """The new text, and the same edits read from its side."""
    parts: list[str] = []
    mirrored: list[Edit] = []
    at = shift = 0
    for edit in edits:
        parts += [text[at : edit.start], edit.new]
        start = edit.start + shift
        end = start + len(edit.new)
        mirrored.append(Edit(start, end, edit.new, edit.old, edit.rule, edit.entry))
        shift += len(edit.new) - (edit.end - edit.start)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts), tuple(mirrored)

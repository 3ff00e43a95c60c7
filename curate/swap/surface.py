"""From new forms to new text: case, contractions, and forms that follow the next word's sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from curate.language import transfer_case
from curate.lexicon.model import Phonetic
from curate.swap.results import Edit
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
    for at, (form, old_form, upos, rule, entry) in sorted(replacements.items()):
        first, new, lexical = at, _contracted(sentence, form), old_form
        merged = _merged_with_previous(sentence, at, form) if upos == "DET" else None
        if merged and at - 1 not in edits:
            first, new, lexical = at - 1, merged, sentence.units[at - 1].lower
        start, end = sentence.units[first].start, sentence.units[at].end
        old = sentence.text[start:end]
        written = sentence.units[first].text
        new = transfer_case(written, lexical, new, initial=sentence.is_initial(first))
        if new != old:
            edits[at] = Edit(start, end, old, new, rule, entry)
    for phonetic in sentence.lexicon.grammar.phonetics:
        _follow_sound(sentence, phonetic, edits)
    return [edits[at] for at in sorted(edits)]


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


def _follow_sound(sentence: Sentence, phonetic: Phonetic, edits: dict[int, Edit]) -> None:
    forms = {phonetic.other, phonetic.before_sound}
    for at in range(len(sentence.units) - 1):
        unit = sentence.units[at]
        after = edits.get(at + 1)
        written = edits[at].new.lower() if at in edits else unit.lower
        if written not in forms or (after is None and at not in edits):
            continue
        following = (after.new if after else sentence.units[at + 1].text).lower()
        right = phonetic.before_sound if phonetic.sound.match(following) else phonetic.other
        new = transfer_case(unit.text, unit.lower, right, initial=sentence.is_initial(at))
        if len(unit.text) == 1 and unit.text.isupper():
            new = right[:1].upper() + right[1:]
        if new != unit.text:
            edits[at] = Edit(unit.start, unit.end, unit.text, new, "phonetic", "")
        else:
            edits.pop(at, None)


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

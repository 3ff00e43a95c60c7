"""Letter case: what a replaced word takes over from the word it replaces."""

from __future__ import annotations

__all__ = ["shape", "transfer_case"]


def shape(word: str) -> str:
    """``Caps`` (two capitals or more, no small letter), ``Upper`` (first letter), or ``Lower``."""
    if not word[:1].isupper():
        return "Lower"
    return "Caps" if len(word) > 1 and word.isupper() and word[1:].lower() != word[1:] else "Upper"


def transfer_case(old: str, old_form: str, new_form: str, *, initial: bool) -> str:
    """`new_form` in the case of `old`.

    `old_form` is `old` as the lexicon writes it, so that a capital which belongs to the word
    (German nouns) is told from one that belongs to its place; `initial`: `old` opens the sentence.
    Forms of several words go word by word (*First Lady*), where they have as many.
    """
    words = [old.split(), old_form.split(), new_form.split()]
    if len(words[0]) > 1 and len({len(parts) for parts in words}) == 1:
        return " ".join(
            transfer_case(*word, initial=initial and place == 0)
            for place, word in enumerate(zip(*words, strict=True))
        )
    written = shape(old)
    if written == "Caps" and not old_form.isupper():
        return new_form.upper()
    if written != "Lower" and (shape(old_form) == "Lower" or initial):
        return new_form[:1].upper() + new_form[1:]
    return new_form

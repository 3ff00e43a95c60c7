"""Optional marks: letters that a text may write or leave out, such as Arabic vowel signs."""

from __future__ import annotations

__all__ = ["keep_marks", "without_marks"]


def without_marks(text: str, marks: str) -> str:
    return "".join(letter for letter in text if letter not in marks)


def keep_marks(written: str, old: str, new: str, marks: str) -> str:
    """`new`, which replaces `old`, with the marks that `written` has on the letters that stay.

    `written` is `old` with marks. Letters that change one for one keep their marks too.
    """
    letters = _letters(written, marks)
    if len(letters) != len(old):
        return new
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    middle = new[start : len(new) - end]
    changed = letters[start : len(letters) - end]
    if len(middle) == len(changed):
        middle = "".join(a + b[1:] for a, b in zip(middle, changed, strict=True))
    return "".join(letters[:start]) + middle + "".join(letters[len(letters) - end :])


def _letters(written: str, marks: str) -> list[str]:
    """Each letter with the marks that follow it."""
    letters: list[str] = []
    for character in written:
        if character in marks and letters:
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _common(first: str, second: str) -> int:
    """How many characters the two begin with alike."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count

"""The line a translator writes into the answer unit of an XLIFF file.

``untranslatable: grammar``, ``accept``, ``reject: meaning | the second one is a joke``,
``right-as-it-is``, ``adaptation: name, food``: statements with semicolons between, then after a
bar a note. A statement is a choice of the form, or a field and its choices; more choices may follow
after a colon. Punctuation of other scripts counts as the ASCII sign it stands for.
"""

from __future__ import annotations

from curate.annotation.files.returned import split_choices
from curate.annotation.form import Form
from curate.annotation.problems import Problem

__all__ = ["FIELD", "read_line"]

FIELD = "answer"
_SIGNS = str.maketrans({"：": ":", "；": ";", "؛": ";", "，": ",", "،": ",", "、": ",", "\n": ";"})


def read_line(line: str, form: Form) -> tuple[dict[str, str], list[Problem]]:
    """The fields that a line sets (several choices with commas between), and what it got wrong."""
    said, _, note = line.replace("｜", "|").partition("|")
    values: dict[str, list[str]] = {}
    problems = []
    for statement in said.translate(_SIGNS).split(";"):
        if not any(map(str.isalnum, statement)):
            continue  # a dash, where a program wants every unit filled
        found = _statement(statement, form)
        if found is None:
            problems.append(Problem("unknown-choice", FIELD, _wanted(statement, form)))
            continue
        for name, value in found:
            values.setdefault(name, []).append(value)
    fields = {name: ", ".join(dict.fromkeys(given)) for name, given in values.items()}
    if note.strip():
        fields["note"] = note.strip()
    return fields, problems


def _statement(statement: str, form: Form) -> list[tuple[str, str]] | None:
    """(field, choice) for each thing said; None where a word is none of the form's."""
    head, _, tail = statement.partition(":")
    words, more = split_choices(head), split_choices(tail)
    if len(words) == 1 and words[0] in form.fields:
        if not form.fields[words[0]].choices or not more:
            return None
        return [(words[0], choice) for choice in more]
    found = [(_field_of(word, form), word) for word in [*words, *more]]
    return [(name, word) for name, word in found if name] if all(one for one, _ in found) else None


def _field_of(choice: str, form: Form) -> str:
    for field in form.fields.values():
        if choice in field.choices:
            return field.name
    return ""


def _wanted(statement: str, form: Form) -> str:
    choices = ", ".join(choice for field in form.fields.values() for choice in field.choices)
    return f"{' '.join(statement.split())[:60]!r} is none of {choices}"

"""What the person who opens a file is told, in plain words."""

from __future__ import annotations

from curate.annotation.form import form_of

__all__ = ["WARNING", "answer_help", "file_help", "stage_help", "table_help"]

WARNING = (
    "The sentences repeat stereotypes, some of them hurtful. You may skip any pair, or stop, "
    "without giving a reason."
)

_STAGES = {
    "translate": "Translate both sentences of the pair. Your two sentences may differ only in what "
    "shows the contrast and in what grammar changes along with it.",
    "correct": "A translation that came back. Read the findings, then correct the two sentences, "
    "or say that they are right as they are, or that no correction is possible.",
    "validate": "Somebody else's translation. Accept it, revise it (change the sentences), or "
    "reject it with a reason. Do not validate what you wrote yourself.",
}

_FIELDS = {
    "sent_more": "sentence 1 in your language (source_more is the sentence to translate)",
    "sent_less": "sentence 2 in your language (source_less is the sentence to translate)",
    "outcome": "whether the pair is translated or cannot be translated",
    "reason": "why it cannot be translated, or why it is rejected; else leave it empty",
    "adaptation": "what you changed to fit the culture, if anything; several with commas between",
    "response": "your answer to the findings",
    "verdict": "your judgement of the translation",
    "note": "a word to the curator, if you want; nothing about yourself or other real people",
}


def stage_help(stage: str) -> str:
    """What is to be done in a stage."""
    return _STAGES[stage]


def answer_help(stage: str) -> str:
    """The choices of a stage on one line: ``verdict: accept / revise / reject; …``."""
    fields = [field for field in form_of(stage).fields.values() if field.choices]
    return "; ".join(f"{field.name}: {' / '.join(field.choices)}" for field in fields)


def file_help(stages: list[str]) -> list[str]:
    """The lines for a file in which an answer is one line of text beside the two sentences."""
    lines = [
        WARNING,
        "Three units belong together: sent_more (sentence 1), sent_less (sentence 2), and answer.",
        "Where the two sentences say it all, leave the answer empty: two new sentences mean "
        "translated, corrected or revise. What nobody changed is no answer; a machine's suggestion "
        "that you take as it stands needs the word translated.",
        "Else write into answer, with semicolons between: translated; untranslatable: grammar; "
        "right-as-it-is; no-correction-meaning; accept; reject: meaning; adaptation: name, food. "
        "A note follows after a bar: reject: meaning | the second sentence is a joke",
        "If names are listed, use those and no others.",
    ]
    return [*lines, *(f"{stage}: {stage_help(stage)}" for stage in stages)]


def table_help(stages: list[str]) -> list[tuple[str, str]]:
    """The lines of the sheet of instructions: what it is about, and what is said of it."""
    lines = [
        ("First", WARNING),
        ("The job", "Each row of the sheet tasks is one task. Fill in the coloured columns; the "
         "others are locked, so that your answer finds its way back."),
        ("Names", "If names are listed, use those and no others."),
        ("Skipping", "A row that you leave as it is counts as not answered."),
        ("Sorting", "Sort and filter whole rows only. Delete no column."),
    ]  # fmt: skip
    for stage in stages:
        lines.append((stage, stage_help(stage)))
        for field in form_of(stage).fields.values():
            choices = f": {', '.join(field.choices)}" if field.choices else ""
            must = "; must be filled in" if field.required else ""
            lines.append((f"  {field.name}", f"{_FIELDS.get(field.name, '')}{choices}{must}"))
    return lines

"""Merge and evaluate sentiment lexica of any languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.politicians.study.extras import optional
from curate.politicians.study.inputs import by_language, expected_sentiment, read_views
from curate.politicians.study.labelled import (
    Labelled,
    label_names,
    read_labelled,
    without_contradictions,
)
from curate.politicians.study.lexicon_files import begin_anew, write_evaluation, write_lexicon
from curate.politicians.study.records import input_record, lexicon_records
from curate.politicians.study.sentiment_evaluation import compare_on_texts, compare_on_words

__all__ = ["merge_and_evaluate"]


def merge_and_evaluate(
    lexica: Sequence[str],
    out: Path,
    *,
    texts: Sequence[str] = (),
    words: Sequence[str] = (),
    labels: str = "",
    share: float = 0.2,
    seed: int = 0,
) -> dict[str, Any]:
    """Merge the lexica of each language (``LANG=FILE`` texts), evaluate them, write all to `out`.

    `texts` and `words` name tables with labels, `labels` says what these mean; a `share` of the
    words is held out. Everything is read before anything is fitted. Returns the summary.
    """
    optional("torch", package="torch", extra="models")
    names = label_names(labels)
    files = by_language(lexica)
    views = {lang: read_views(own) for lang, own in files.items()}
    asked = [(lang, "text", path) for lang, own in by_language(texts).items() for path in own]
    asked += [(lang, "word", path) for lang, own in by_language(words).items() for path in own]
    for lang, _, path in asked:
        if lang not in views:
            raise UsageError(f"no lexicon of the language {lang!r}", where=path)
    tables = [
        (lang, kind, path, read_labelled(path, column=kind, names=names))
        for lang, kind, path in asked
    ]
    records = [one for lang, own in files.items() for one in lexicon_records(lang, own)]
    records += [input_record(f"labelled {kind}s", path, lang=lang) for lang, kind, path in asked]
    notes = [note for _, kind, path, table in tables for note in _notes(kind, path, table)]
    notes += [
        f"{name} is of an earlier run, and not of what is told here"
        for name in begin_anew(out) if name not in {f"{lang}.tsv" for lang in views}
    ]  # fmt: skip
    rows: list[dict[str, Any]] = []
    about = {}
    for lang, own in views.items():
        _, merged = expected_sentiment(own, seed=seed)
        write_lexicon(out / f"{lang}.tsv", merged, own)
        single = [{"name": view.name, "words": len(view.words)} for view in own]
        about[lang] = {"words": len(merged.words), "single": single}
        for _, kind, _, table in (one for one in tables if one[0] == lang):
            if kind == "text":
                rows += compare_on_texts(
                    lang, own, merged.view(), table.texts, table.labels, seed=seed
                )
            else:
                gold, _ = without_contradictions(table)
                rows += compare_on_words(lang, own, gold, share=share, seed=seed)
    settings = {"labels": labels, "held_out": share, "seed": seed}
    return write_evaluation(
        out, rows, {"settings": settings, "inputs": records, "lexica": about, "notes": notes}
    )


def _notes(kind: str, path: Path, table: Labelled) -> list[str]:
    """What of a table does not count; InputError where too little does."""
    found = [
        f"{path.name}: {count:,} rows were left out ({reason})"
        for reason, count in sorted(table.left_out.items())
    ]
    if kind == "word":
        clear, several = without_contradictions(table)
        if len(set(clear.values())) < 2:
            raise InputError("words of two sentiments are needed, each with one label", where=path)
        if several:
            found.append(f"{path.name}: {several:,} words were left out (several labels)")
    return found

"""From text files to what training reads: tokenizer, token arrays, held-out sentences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.models.pretraining.corpus import Source, encode, split
from curate.models.pretraining.vocabulary import train_tokenizer, whole_word_share

__all__ = ["Prepared", "load_tokenizer", "prepare", "read_arrays", "read_run"]

RUN, TOKENS, HELD, TOKENIZER = "run.json", "tokens.npz", "held.json", "tokenizer"

_LARGEST_VOCABULARY = 65_536  # token ids are kept in 16 bits


@dataclass(frozen=True)
class Prepared:
    """Token arrays and shares by source, held-out sentences by language, and the tokenizer."""

    tokenizer: Any
    arrays: list[tuple[Any, Any]]
    weights: list[float]
    held: dict[str, list[str]]


def prepare(
    sources: Sequence[Source],
    folder: Path,
    *,
    words: Sequence[str],
    vocabulary: int,
    max_length: int,
    on_stage: Callable[[str], None] | None = None,
) -> Prepared:
    """Read the sources into `folder`, or find there what the same call left.

    Raises UsageError where `folder` holds a run on other text or with other words.
    """
    if not sources or not any(source.evaluate for source in sources):
        raise UsageError("no corpus to train on and evaluate", hint="--corpus LANG=FILE")
    if not 0 < vocabulary <= _LARGEST_VOCABULARY:
        raise UsageError(f"a vocabulary of {vocabulary} entries is not possible")
    tell = on_stage or (lambda _: None)
    key = _key(sources, words, vocabulary, max_length)
    before = read_run(folder)
    if before is not None:
        if before.get("key") != key:
            raise UsageError(
                "a run on other text, words or sizes lies here",
                where=folder,
                hint="give the same options to go on, or name another folder",
            )
    else:
        _make(
            sources, folder, words=words, vocabulary=vocabulary, max_length=max_length, key=key,
            tell=tell,
        )  # fmt: skip
    tell("reading what was prepared")
    return _load(folder, [source.weight for source in sources])


def _make(
    sources: Sequence[Source],
    folder: Path,
    *,
    words: Sequence[str],
    vocabulary: int,
    max_length: int,
    key: str,
    tell: Callable[[str], None],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for source in sources:
        tell(f"reading {source.path.name}")
        texts.append(split(source))
    tell("learning the vocabulary")
    tokenizer = train_tokenizer(
        _lines(sources, texts), words=words, size=vocabulary, max_length=max_length
    )
    tokenizer.save_pretrained(folder / TOKENIZER)
    described = []
    arrays: list[tuple[Any, Any]] = []
    for source, (train, held) in zip(sources, texts, strict=True):
        tell(f"encoding {source.path.name}")
        arrays.append(encode(tokenizer, train, max_length=max_length))
        described.append(_described(source, train, held, tokens=len(arrays[-1][0])))
    _write_arrays(folder / TOKENS, arrays)
    held_out: dict[str, list[str]] = {}
    for source, (_, held) in zip(sources, texts, strict=True):
        if source.evaluate:
            held_out.setdefault(source.lang, []).extend(held)
    _write_json(folder / HELD, held_out)
    run = {
        "key": key,
        "sources": described,
        "words": len(words),
        "whole_words": whole_word_share(tokenizer, words),
    }
    _write_json(folder / RUN, run)  # last: it says that the rest is whole


def _described(source: Source, train: list[str], held: list[str], *, tokens: int) -> dict[str, Any]:
    """A source as the card will name it."""
    return {
        "lang": source.lang,
        "name": source.name or source.path.name,
        "licence": source.licence,
        "sentences": len(train),
        "tokens": tokens,
        "held_out": len(held),
        "weight": source.weight,
    }


def _write_arrays(path: Path, arrays: Sequence[tuple[Any, Any]]) -> None:
    import numpy as np

    named = {f"{i}_f": flat for i, (flat, _) in enumerate(arrays)}
    named |= {f"{i}_o": offsets for i, (_, offsets) in enumerate(arrays)}
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as handle:
        np.savez(handle, **named)
    temporary.replace(path)


def read_arrays(folder: Path) -> list[tuple[Any, Any]]:
    """(token ids, offsets) of every source of a run, in order."""
    import numpy as np

    with np.load(folder / TOKENS, allow_pickle=False) as stored:
        return [(stored[f"{i}_f"], stored[f"{i}_o"]) for i in range(len(stored.files) // 2)]


def _lines(
    sources: Sequence[Source], texts: Sequence[tuple[list[str], list[str]]]
) -> Iterator[str]:
    """What the vocabulary is learnt from: all corpora, and every fourth line of extra prose."""
    for source, (train, _) in zip(sources, texts, strict=True):
        yield from train if source.evaluate else train[::4]


def _load(folder: Path, weights: list[float]) -> Prepared:
    held = json.loads((folder / HELD).read_text(encoding="utf-8"))
    return Prepared(load_tokenizer(folder), read_arrays(folder), weights, held)


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a run folder."""
    from transformers import PreTrainedTokenizerFast

    if not (folder / TOKENIZER).is_dir():
        raise InputError("no training run here: tokenizer/ is missing", where=folder)
    return PreTrainedTokenizerFast.from_pretrained(folder / TOKENIZER, local_files_only=True)


def read_run(folder: Path) -> dict[str, Any] | None:
    """What ``run.json`` says of the text of a run, or None."""
    path = folder / RUN
    if not path.is_file():
        return None
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _key(sources: Sequence[Source], words: Sequence[str], vocabulary: int, max_length: int) -> str:
    digest = hashlib.sha256(json.dumps([list(words), vocabulary, max_length]).encode())
    for source in sources:
        if not source.path.is_file():
            raise InputError("no such file", where=source.path)
        with source.path.open("rb") as handle:
            content = hashlib.file_digest(handle, "sha256").hexdigest()
        part = [source.lang, content, source.evaluate, source.max_sentences, source.weight]
        digest.update(json.dumps(part).encode())
    return digest.hexdigest()


def _write_json(path: Path, value: Any) -> None:
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    temporary.replace(path)

"""Read training text, hold some of it out, and keep the rest as token arrays."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curate.errors import InputError

__all__ = ["HELD_OUT_ONE_IN", "Source", "encode", "is_held_out", "read_sentences", "split"]

HELD_OUT_ONE_IN = 50


@dataclass(frozen=True)
class Source:
    """One text file of one language: a sentence a line, plain, ``.gz`` or ``.xz``.

    A source that is not evaluated holds no sentence out. `weight` is its share of the batches.
    """

    lang: str
    path: Path
    evaluate: bool = True
    max_sentences: int | None = None
    weight: float = 1.0
    name: str = ""
    licence: str = "unstated"


def read_sentences(path: Path) -> Iterator[str]:
    """The lines that are not blank, in NFC. Raises InputError for a file that is no such text."""
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as handle:  # type: ignore[operator]
            for line in handle:
                number += 1
                text = unicodedata.normalize("NFC", line.strip())
                if text:
                    yield text
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 ({error.reason})", where=f"{path}:{number + 1}") from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"cannot be read: {error}", where=path) from error


def is_held_out(sentence: str) -> bool:
    """Whether a sentence is kept from training: by content, so the same on every machine."""
    digest = hashlib.blake2b(sentence.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_ONE_IN == 0


def split(source: Source) -> tuple[list[str], list[str]]:
    """Distinct sentences as (training, held out). Raises InputError where there is none."""
    seen: dict[str, None] = {}
    for sentence in read_sentences(source.path):
        seen.setdefault(sentence)
        if source.max_sentences and len(seen) >= source.max_sentences:
            break
    if not seen:
        raise InputError("holds no text", where=source.path)
    if not source.evaluate:
        return list(seen), []
    train = [sentence for sentence in seen if not is_held_out(sentence)]
    held = [sentence for sentence in seen if is_held_out(sentence)]
    return train, held


def encode(tokenizer: Any, sentences: list[str], *, max_length: int) -> tuple[Any, Any]:
    """Token ids of all sentences in one flat uint16 array, and the offsets between them.

    Sentences longer than `max_length` tokens (special tokens counted) are cut.
    """
    import numpy as np

    parts: list[Any] = []
    lengths: list[int] = []
    for start in range(0, len(sentences), 20_000):
        batch = tokenizer.backend_tokenizer.encode_batch(sentences[start : start + 20_000])
        for encoding in batch:
            ids = encoding.ids
            if len(ids) > max_length:
                ids = [*ids[: max_length - 1], ids[-1]]
            parts.append(np.asarray(ids, dtype=np.uint16))
            lengths.append(len(ids))
    flat = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint16)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return flat, offsets

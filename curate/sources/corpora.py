"""A corpus of any size as Arrow batches of sentences, with what was wrong beside each bad row."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.errors import InputError
from curate.sources.duplicates import Seen
from curate.sources.files import readable, sha256_file
from curate.sources.formats import TextBlock, read_texts
from curate.sources.hub import HubTexts, is_hub
from curate.sources.lines import Problem

__all__ = ["CORPUS", "READING", "Corpus", "OnError", "admit", "drops_table", "read_corpus"]

OnError = Literal["drop", "stop"]

CORPUS = pa.schema(
    [
        *schema.SENTENCES,
        pa.field("row", pa.int64(), nullable=False),
        pa.field("problem", pa.string()),
        pa.field("detail", pa.string()),
    ]
)
"""Sentences with their row in the corpus (from 0); where `problem` is a drop code, `detail` says
what was seen, `text` and (unless it is a duplicate) `sent_id` are empty."""

READING = "read"
"""The stage of the drops of rows that are no sentences, or sentences seen before."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BATCH = 8192


class Corpus:
    """One source of sentences: a file (text, TSV, CSV, jsonl, parquet; .gz, .xz) or ``hub:…``.

    `column` names the text in a table. `progress` is (read, all), in bytes on disk or, for parquet
    and the Hub, rows; `normalised` counts the texts that were not in NFC and now are.
    """

    def __init__(
        self,
        spec: str | Path,
        *,
        lang: str,
        source: str | None = None,
        licence: str = "unstated",
        column: str = "text",
        on_error: OnError = "drop",
    ) -> None:
        self.lang, self.licence, self.column, self.on_error = lang, licence, column, on_error
        self.normalised = 0
        self._hub = HubTexts(str(spec), column=column) if is_hub(str(spec)) else None
        self.path = readable(Path(spec)) if self._hub is None else None
        self.name = self._hub.repo if self._hub else Path(spec).name
        self.source = source or self.name
        self.progress = (0, self._hub.rows if self._hub else Path(spec).stat().st_size)

    def fingerprint(self) -> str:
        """The same rows give the same fingerprint: a file's SHA-256, or the Hub's own."""
        if self._hub:
            return f"hub-{self._hub.fingerprint}"
        assert self.path is not None
        return sha256_file(self.path)

    def settings(self) -> dict[str, str]:
        """What the batches depend on, for a manifest: name, fingerprint and the options."""
        return {
            "name": self.name,
            "fingerprint": self.fingerprint(),
            "source": self.source,
            "licence": self.licence,
            "column": self.column,
            "on_error": self.on_error,
        }

    def batches(self, rows: int = _BATCH) -> Iterator[pa.Table]:
        """Tables of `CORPUS` with `rows` rows each (the last one has fewer), from the first row on.

        Raises InputError for wrong encoding and for a corpus without a line, and with
        ``on_error="stop"`` for the first bad row.
        """
        rest, number = TextBlock([]), 0
        seen = Seen()
        for block in self._blocks():
            rest = _joined(rest, block)
            while len(rest.texts) >= rows:
                part, rest = _cut(rest, rows)
                yield self._table(part, number, seen)
                number += rows
        if rest.texts:
            yield self._table(rest, number, seen)
        elif not number:
            raise InputError("the corpus holds no text", where=self.path or self.name)

    def _blocks(self) -> Iterator[TextBlock]:
        def on_bytes(done: int) -> None:
            self.progress = (done, self.progress[1])

        if self._hub:
            return self._hub.texts(on_bytes)
        assert self.path is not None
        return read_texts(self.path, column=self.column, on_bytes=on_bytes)

    def _table(self, block: TextBlock, number: int, seen: Seen) -> pa.Table:
        texts = self._clean(block)
        problems = block.problems
        if problems and self.on_error == "stop":
            place = min(problems)
            code, detail = problems[place]
            raise InputError(
                f"{code}: {detail or 'no text'}",
                where=f"{self.path or self.name}: row {number + place}",
                hint="--on-error drop leaves such rows out and goes on",
            )
        ids, keys = _sentence_ids(self.lang, texts)
        self._mark_duplicates(keys, problems, seen)
        for place, (code, _) in problems.items():
            texts[place] = ""
            if code != "duplicate":
                ids[place] = ""
        codes: list[str | None] = [None] * len(texts)
        details: list[str | None] = [None] * len(texts)
        for place, problem in problems.items():
            codes[place], details[place] = problem
        n = len(texts)
        columns = [
            ids, pa.repeat(self.lang, n), texts, pa.repeat(self.source, n),
            pa.repeat(self.licence, n), np.arange(number, number + n), codes, details,
        ]  # fmt: skip
        return pa.table(columns, schema=CORPUS)

    def _clean(self, block: TextBlock) -> list[str]:
        """The texts without white space around them, in NFC; control characters become problems."""
        texts = [text.strip() for text in block.texts]
        whole = "\n".join(texts)
        if not unicodedata.is_normalized("NFC", whole):
            normal = [unicodedata.normalize("NFC", text) for text in texts]
            self.normalised += sum(a != b for a, b in zip(texts, normal, strict=True))
            texts = normal
        if _CONTROL.search(whole) or whole.count("\n") >= len(texts):
            for place, text in enumerate(texts):
                if place not in block.problems and (found := _CONTROL.search(text)):
                    detail = f"U+{ord(found[0]):04X} at {found.start()}"
                    block.problems[place] = ("control-character", detail)
                elif "\n" in text:
                    texts[place] = text.replace("\n", " ")
        for place, text in enumerate(texts):
            if not text and place not in block.problems:
                block.problems[place] = ("empty-line", "")
        return texts

    @staticmethod
    def _mark_duplicates(
        keys: np.typing.NDArray[np.uint64], problems: dict[int, Problem], seen: Seen
    ) -> None:
        good = np.ones(len(keys), dtype=np.bool_)
        good[list(problems)] = False
        places = np.flatnonzero(good)
        for place in places[~seen.first(keys[places])]:
            problems[int(place)] = ("duplicate", "the same sentence stands further up")


def read_corpus(
    spec: str | Path, *, lang: str, source: str | None = None, licence: str = "unstated",
    column: str = "text", on_error: OnError = "drop", batch_rows: int = _BATCH,
) -> Iterator[pa.Table]:  # fmt: skip
    """Stream a corpus as tables of `CORPUS`; see `Corpus`."""
    corpus = Corpus(
        spec, lang=lang, source=source, licence=licence, column=column, on_error=on_error
    )
    return corpus.batches(batch_rows)


def admit(table: pa.Table, *, stage: str = READING) -> tuple[pa.Table, pa.Table]:
    """Split a table of `CORPUS` into the good sentences and the `schema.DROPS` of the others.

    The sentences have the columns of `schema.SENTENCES` and `row`.
    """
    problem = table.column("problem")
    good = pc.is_null(problem)
    bad = table.filter(pc.invert(good))
    drops = drops_table(
        bad.column("sent_id"), bad.column("row"), stage, bad.column("problem"), bad.column("detail")
    )
    return table.filter(good).select([*schema.SENTENCES.names, "row"]), drops


def drops_table(
    sent_ids: pa.ChunkedArray, rows: pa.ChunkedArray, stage: str,
    codes: str | pa.ChunkedArray | list[str], details: str | pa.ChunkedArray | list[str] = "",
) -> pa.Table:  # fmt: skip
    """A table of `schema.DROPS`, column by column; a code or detail may be one for all rows."""
    n = len(sent_ids)
    columns = [sent_ids, rows, stage, codes, details]
    arrays = [pa.repeat(c, n) if isinstance(c, str) else c for c in columns]
    return pa.table(arrays, schema=schema.DROPS)


def _joined(a: TextBlock, b: TextBlock) -> TextBlock:
    shift = len(a.texts)
    moved = {place + shift: problem for place, problem in b.problems.items()}
    return TextBlock(a.texts + b.texts, a.problems | moved)


def _cut(block: TextBlock, rows: int) -> tuple[TextBlock, TextBlock]:
    first = {place: problem for place, problem in block.problems.items() if place < rows}
    rest = {place - rows: p for place, p in block.problems.items() if place >= rows}
    return TextBlock(block.texts[:rows], first), TextBlock(block.texts[rows:], rest)


def _sentence_ids(lang: str, texts: list[str]) -> tuple[list[str], np.typing.NDArray[np.uint64]]:
    """`schema.sentence_id` of many NFC texts at once, and the first 64 bits of each as a key."""
    start = hashlib.blake2b(digest_size=10)
    encoded = lang.encode()
    start.update(len(encoded).to_bytes(8, "big") + encoded)
    digests = []
    for text in texts:
        encoded = text.encode()
        digest = start.copy()
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
        digests.append(digest.digest())
    raw = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, 10)
    keys = raw[:, :8].copy().view(np.uint64).ravel()
    return ["s" + digest.hex() for digest in digests], keys

"""A corpus of any size as Arrow batches of sentences, with what was wrong beside each bad row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from curate.errors import InputError, UsageError
from curate.sources.blocks import ORIGINS, TextBlock
from curate.sources.files import MissingFile, plain_suffix
from curate.sources.formats import Reading, read_texts
from curate.sources.hub import HubTexts, is_hub
from curate.sources.parts import Part, Parts, find_parts
from curate.sources.sentences import CORPUS, READING, SentenceTables, admit, drops_table
from curate.sources.tidy import TidyRows, recut, tidied

__all__ = ["CORPUS", "READING", "Corpus", "OnError", "admit", "drops_table", "read_corpus"]

OnError = Literal["stop", "drop", "skip"]

UNSTATED = "unstated"
_BATCH = 8192


class Corpus:
    """One source of sentences: files (text, TSV, CSV, jsonl, parquet; .gz, .xz) or ``hub:…``.

    `spec` is a file, a folder of part files or a pattern (``'texts/*.parquet'``), on this machine
    or by URL in a store (``s3://…``), see `curate.sources.parts.find_parts`; or
    ``hub:REPO[:config[:split]]``, which is not downloaded as a whole where it is `streaming`. The
    rows of all parts are numbered through, in order of the parts' names.

    `column` names the text in a table. The columns ``source`` and ``licence`` (or ``license``) of a
    table are carried row by row where `source` and `licence` are not given; what a table does not
    tell is the name of the corpus, and ``unstated``.

    `on_error` is what a fault does. ``stop``: the first bad row ends the run. ``drop``: bad rows
    become drops, and a part that is not what it claims ends the run. ``skip``: that becomes drops
    too: a row that is no UTF-8, the rest of a corrupt part, a part that is gone.

    `progress` is (read, all), in bytes on disk or, for the Hub, rows (all is 0 where the Hub does
    not say); `normalised` counts the texts that were not in NFC and now are; `left_out` names the
    files of a folder that are no parts.
    """

    def __init__(
        self,
        spec: str | Path,
        *,
        lang: str,
        source: str | None = None,
        licence: str = UNSTATED,
        column: str = "text",
        on_error: OnError = "drop",
        streaming: bool = False,
    ) -> None:
        self.lang, self.licence, self.column, self.on_error = lang, licence, column, on_error
        self.normalised = 0
        told = {"source": source, "licence": licence if licence != UNSTATED else None}
        self._carried = tuple(name for name in ORIGINS if not told[name])
        self._hub = _hub(str(spec), column, streaming)
        self._parts = Parts("", []) if self._hub else find_parts(spec)
        self.left_out = self._parts.left_out
        self.path = self._parts.parts[0].path if self._parts.whole else None
        self.name = self._hub.repo if self._hub else self._parts.name
        self.source = source or self.name
        self.progress = (0, self._hub.rows if self._hub else self._parts.size)

    def fingerprint(self) -> str:
        """The same rows give the same fingerprint.

        It is a file's SHA-256, what a store tells of an object, one hash of the names and hashes of
        all parts, or the Hub's own.
        """
        return f"hub-{self._hub.fingerprint}" if self._hub else self._parts.fingerprint()

    def settings(self) -> dict[str, Any]:
        """What the batches depend on, for a manifest: name, fingerprint, parts and the options.

        `curate.sources.changed_parts` tells the parts of two such settings apart.
        """
        settings: dict[str, Any] = {
            "name": self.name,
            "fingerprint": self.fingerprint(),
            "source": self.source,
            "licence": self.licence,
            "column": self.column,
            "on_error": self.on_error,
        }
        if self._carried and (self._hub or self._parts.tables):
            settings["carried"] = list(self._carried)
        return settings | self._parts.settings()

    def batches(self, rows: int = _BATCH) -> Iterator[pa.Table]:
        """Tables of `CORPUS` with `rows` rows each (the last one has fewer), from the first row on.

        Raises InputError for a corpus without a line, for a part that is not what it claims (unless
        ``on_error="skip"``), and with ``on_error="stop"`` for the first bad row.
        """
        number = 0
        tables = SentenceTables(self.lang, {"source": self.source, "licence": self.licence})
        for part in recut(self._tidied(), rows):
            self._stop_at(part, number)
            yield tables.table(part, number)
            number += len(part.rows)
        if not number:
            raise InputError("the corpus holds no text", where=self.path or self.name)

    def _tidied(self) -> Iterator[TidyRows]:
        for block in self._blocks():
            tidy = tidied(block)
            self.normalised += tidy.normalised
            yield tidy

    def _blocks(self) -> Iterator[TextBlock]:
        whole = self.progress[1]

        def on_rows(done: int) -> None:
            self.progress = (done, whole)

        if self._hub:
            strict = self.on_error != "skip"
            return self._hub.texts(on_rows, carried=self._carried, strict=strict)
        return self._part_blocks(whole)

    def _part_blocks(self, whole: int) -> Iterator[TextBlock]:
        before = 0
        for part in self._parts.parts:

            def on_bytes(done: int, before: int = before) -> None:
                self.progress = (before + done, whole)

            before += part.size
            reading = Reading(
                column=self.column, carried=self._carried, strict=self.on_error != "skip",
                on_bytes=on_bytes,
            )  # fmt: skip
            if self._is_blank(part):
                continue
            try:
                yield from read_texts(part.path, reading)
            except InputError as error:
                if self.on_error != "skip":
                    raise
                code = "missing-part" if isinstance(error, MissingFile) else "corrupt-part"
                yield TextBlock(b"", 1, {0: (code, f"{part.name}: {error.message}")})

    def _is_blank(self, part: Part) -> bool:
        """Programs that write parts leave empty ones; an empty parquet file is none at all."""
        blank = not part.size and not self._parts.whole
        there = blank and (bool(part.told) or part.path.exists())
        return there and plain_suffix(part.path) != ".parquet"

    def _stop_at(self, part: TidyRows, number: int) -> None:
        if part.problems and self.on_error == "stop":
            place = min(part.problems)
            code, detail = part.problems[place]
            raise InputError(
                f"{code}: {detail or 'no text'}",
                where=f"{self.path or self.name}: row {number + place}",
                hint="--on-error drop leaves such rows out and goes on",
            )


def _hub(spec: str, column: str, streaming: bool) -> HubTexts | None:
    if not is_hub(spec):
        if streaming:
            raise UsageError(
                "only datasets of the Hub are streamed by choice; files always are", where=spec
            )
        return None
    if streaming:
        from curate.sources.hub_stream import HubStream

        return HubStream(spec, column=column)
    return HubTexts(spec, column=column)


def read_corpus(
    spec: str | Path, *, lang: str, source: str | None = None, licence: str = UNSTATED,
    column: str = "text", on_error: OnError = "drop", batch_rows: int = _BATCH,
) -> Iterator[pa.Table]:  # fmt: skip
    """Stream a corpus as tables of `CORPUS`; see `Corpus`."""
    corpus = Corpus(
        spec, lang=lang, source=source, licence=licence, column=column, on_error=on_error
    )
    return corpus.batches(batch_rows)

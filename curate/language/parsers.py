"""Dependency parsers behind one protocol: a text in, Universal Dependencies words out.

    parser = load_parser("spacy:fr_core_news_sm", {})
    [words] = parser.parse(["La directrice est fatiguée."])

A parser is loaded with its first text, so that naming one costs nothing.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from curate.errors import InputError, MissingExtraError, UsageError
from curate.language.features import Features

__all__ = ["ParsedWord", "Parser", "load_parser"]

# the relations of Universal Dependencies, version 2; what a pipeline calls otherwise is no relation
_RELATIONS = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
    dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis
    punct reparandum root vocative xcomp
"""
RELATIONS = frozenset(_RELATIONS.split())


class ParsedWord(NamedTuple):
    """A syntactic word: `start` and `end` count code points of the text; `feats` as in UD.

    `head`: the index of the governor among the words of the text, -1 for a root; `relation`: a UD
    relation with its subtype, empty where the pipeline does not speak UD.
    """

    start: int
    end: int
    lemma: str
    upos: str
    feats: Features
    head: int
    relation: str


class Parser(Protocol):
    """`name` identifies the pipeline in records."""

    @property
    def name(self) -> str: ...

    def parse(self, texts: Sequence[str]) -> list[list[ParsedWord]]:
        """The words of each text, in order."""
        ...


class SpacyParser:
    """A spaCy pipeline: the name of an installed package, or a folder."""

    def __init__(self, pipeline: str) -> None:
        self._pipeline = pipeline
        self.name = f"spacy:{Path(pipeline).name}"

    @cached_property
    def _nlp(self) -> Any:
        try:
            import spacy
        except ImportError:
            raise MissingExtraError("spacy", "spacy") from None
        try:
            return spacy.load(self._pipeline)
        except OSError as error:
            raise InputError(
                f"no spaCy pipeline {self._pipeline!r}",
                hint=f"python -m spacy download {self._pipeline}",
            ) from error

    def parse(self, texts: Sequence[str]) -> list[list[ParsedWord]]:
        return [list(_spacy_words(document)) for document in self._nlp.pipe(texts)]


class StanzaParser:
    """A stanza pipeline: a language code of downloaded models, or a folder of models.

    A folder holds ``tokenize.pt``, ``pos.pt``, ``depparse.pt`` and, if they need it,
    ``pretrain.pt``.
    """

    def __init__(self, pipeline: str) -> None:
        self._pipeline = pipeline
        self.name = f"stanza:{Path(pipeline).name}"

    @cached_property
    def _nlp(self) -> Any:
        try:
            import stanza
        except ImportError:
            raise MissingExtraError("stanza", "stanza") from None
        options: dict[str, Any] = {"download_method": None, "verbose": False, "use_gpu": False}
        folder = Path(self._pipeline)
        if folder.is_dir():
            options |= _stanza_folder(folder)
        else:
            options |= {"lang": self._pipeline}
        try:
            return stanza.Pipeline(**options)
        except Exception as error:  # stanza has no error of its own for a missing model
            raise InputError(
                f"no stanza pipeline {self._pipeline!r}: {error}",
                hint=f'python -c "import stanza; stanza.download({self._pipeline!r})"',
            ) from error

    def parse(self, texts: Sequence[str]) -> list[list[ParsedWord]]:
        return [list(_stanza_words(self._nlp(text))) for text in texts]


def load_parser(wish: str, names: Mapping[str, str]) -> Parser | None:
    """The parser that `wish` asks for; `names`: pipelines by library, as language.toml has them.

    `wish`: ``none``; ``auto`` (the first of `names` that is installed); ``spacy`` or ``stanza``;
    ``spacy:NAME`` or ``stanza:FOLDER``. None where there is none. Raises UsageError for anything
    else, MissingExtraError or InputError (with the first text) for what is not installed.
    """
    if wish == "none":
        return None
    if wish == "auto":
        # stanza cannot tell without loading whether a model is there: it is used when asked for
        name = names.get("spacy", "")
        found = name and importlib.util.find_spec("spacy") and importlib.util.find_spec(name)
        return SpacyParser(name) if found else None
    library, _, pipeline = wish.partition(":")
    if library not in _LIBRARIES:
        raise UsageError(
            f"unknown parser {wish!r}", hint="none, auto, spacy[:NAME], stanza[:FOLDER]"
        )
    pipeline = pipeline or names.get(library, "")
    if not pipeline:
        raise UsageError(
            f"the language names no {library} pipeline", hint=f"give one: {library}:NAME"
        )
    return _LIBRARIES[library](pipeline)


_LIBRARIES: dict[str, type[SpacyParser] | type[StanzaParser]] = {
    "spacy": SpacyParser,
    "stanza": StanzaParser,
}


def _relation(label: str) -> str:
    label = label.lower()
    return label if label.partition(":")[0] in RELATIONS else ""


def _spacy_words(document: Any) -> Iterable[ParsedWord]:
    places = {token.i: at for at, token in enumerate(t for t in document if not t.is_space)}
    for token in document:
        if token.is_space:
            continue
        head = places.get(token.head.i, -1)
        yield ParsedWord(
            token.idx,
            token.idx + len(token.text),
            token.lemma_,
            token.pos_,
            dict(token.morph.to_dict()),
            -1 if head == places[token.i] else head,
            _relation(token.dep_),
        )


def _stanza_words(document: Any) -> Iterable[ParsedWord]:
    offset = 0
    for sentence in document.sentences:
        spans = {
            identity: (token.start_char, token.end_char)
            for token in sentence.tokens
            for identity in [word.id for word in token.words]
        }
        for word in sentence.words:
            start, end = spans[word.id]
            feats = dict(part.split("=", 1) for part in (word.feats or "").split("|") if part)
            head = -1 if not word.head else offset + int(word.head) - 1
            relation = _relation(word.deprel or "")
            yield ParsedWord(start, end, word.lemma or "", word.upos or "", feats, head, relation)
        offset += len(sentence.words)


def _stanza_folder(folder: Path) -> dict[str, Any]:
    """Options of a pipeline whose models are files of one folder."""
    if not (folder / "resources.json").is_file():
        raise InputError("no resources.json", where=folder, hint='it may hold "{}"')
    found = {
        processor: folder / f"{processor}.pt"
        for processor in ("tokenize", "mwt", "pos", "lemma", "depparse")
        if (folder / f"{processor}.pt").is_file()
    }
    options: dict[str, Any] = {
        "lang": folder.name,
        "dir": str(folder),
        "allow_unknown_language": True,
        "processors": ",".join(found),
    }
    options |= {f"{name}_model_path": str(path) for name, path in found.items()}
    if (folder / "pretrain.pt").is_file():
        options |= {
            f"{name}_pretrain_path": str(folder / "pretrain.pt") for name in ("pos", "depparse")
        }
    return options

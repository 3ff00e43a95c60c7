"""Train a small spaCy pipeline (morphologizer and dependency parser) from a UD treebank.

python tests/language/small_pipeline.py es ../shared/data/ud/es_gsd-ud-dev.conllu.gz OUT
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WIDTH = 96


def read_treebank(file: Path, limit: int) -> list[Any]:
    """The first `limit` sentences as spaCy documents; a contraction is one token."""
    from spacy.training.converters import conllu_to_docs

    with gzip.open(file, "rt", encoding="utf-8") as handle:
        text = handle.read()
    found = conllu_to_docs(text, n_sents=1, merge_subtokens=True, no_print=True)
    return [document for _, document in zip(range(limit), found, strict=False)]


def train_pipeline(lang: str, documents: Sequence[Any], epochs: int, seed: int = 0) -> Any:
    """A pipeline with hashed word shapes for input; about 2,000 words a second and core."""
    import spacy
    from spacy.training import Example
    from spacy.util import fix_random_seed, minibatch

    fix_random_seed(seed)
    nlp = spacy.blank(lang)
    tok2vec = {
        "@architectures": "spacy.HashEmbedCNN.v2", "width": WIDTH, "depth": 4,
        "embed_size": 2000, "window_size": 1, "maxout_pieces": 3, "subword_features": True,
        "pretrained_vectors": None,
    }  # fmt: skip
    nlp.add_pipe("tok2vec", config={"model": tok2vec})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "*"}
    tagger = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
    nlp.add_pipe("morphologizer", config={"model": tagger})
    transitions = {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser",
        "extra_state_tokens": False, "hidden_width": 64, "maxout_pieces": 2, "use_upper": True,
        "tok2vec": listener,
    }  # fmt: skip
    nlp.add_pipe("parser", config={"model": transitions, "min_action_freq": 5})
    examples = [Example(nlp.make_doc(d.text), d) for d in documents]
    optimizer = nlp.initialize(lambda: examples)
    shuffler = random.Random(seed)  # noqa: S311
    for _ in range(epochs):
        shuffler.shuffle(examples)
        for batch in minibatch(examples, size=16):
            nlp.update(batch, sgd=optimizer, drop=0.1)
    return nlp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lang")
    parser.add_argument("treebank", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    documents = [d for file in args.treebank for d in read_treebank(file, 10**6)]
    train_pipeline(args.lang, documents, args.epochs).to_disk(args.out)


if __name__ == "__main__":
    main()

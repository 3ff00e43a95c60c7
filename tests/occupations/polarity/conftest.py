"""A tiny encoder with gender planted in its embeddings, and a table of sentences for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from curate import schema
from curate.occupations.build import Built
from curate.occupations.folder import write_table
from tests.models.conftest import BERT_NAMES

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
transformers = pytest.importorskip("transformers", reason="needs the extra gender-curate[models]")

STRENGTHS = {
    "miner": -0.8, "judge": -0.5, "pilot": -0.2, "baker": 0.1, "clerk": 0.4, "nurse": 0.7,
    "nanny": 1.0,
}  # fmt: skip
VERBS = ("sings", "eats", "runs", "reads", "cooks", "waits", "talks", "walks")
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # numbered as the template has them


@dataclass(frozen=True)
class Toy:
    """A model's folder, the folder of a table, and the direction that was planted."""

    model: Path
    table: Path
    direction: Any


def long_row(verb: str, row: int, column: str) -> dict[str, Any]:
    """A row of the long table: he, she or an occupation does what the verb says."""
    pronoun = column in {"he", "she"}
    subject = column.capitalize() if pronoun else f"A {column}"
    form = {"he": "masculine", "she": "feminine"}.get(column, "common")
    shown = {
        "sent_id": f"s{row}", "row": row, "lang": "en", "occupation": column, "column": column,
        "kind": "pronoun" if pronoun else "occupation", "form": form, "gender": "",
        "subject": subject, "start": 0 if pronoun else 2, "end": len(subject),
        "text": f"{subject} {verb}.", "original": "masculine", "source_text": f"A man {verb}.",
        "isco": "", "status": "", "source": "toy", "licence": "CC0", "lexicon_version": "0",
        "occupations_version": "0",
    }  # fmt: skip
    share = None if pronoun else (STRENGTHS[column] + 1) / 2
    return shown | {"share_women": share}


def long_table(columns: tuple[str, ...] = ("he", "she", *STRENGTHS)) -> pa.Table:
    rows = [long_row(verb, at, column) for at, verb in enumerate(VERBS) for column in columns]
    return pa.Table.from_pylist(rows, schema=schema.OCCUPATIONS)


def write_long(table: pa.Table, folder: Path) -> Path:
    """A folder as `curate occupations build` writes it, with this long table."""
    wide = pa.table({"sent_id": pa.array([], pa.string())})
    drops = pa.Table.from_pylist([], schema=schema.DROPS)
    write_table(Built(table, wide, drops, {}), folder, {"lang": "en", "source": "toy"})
    return folder


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = [*MARKS, "He", "She", "A", ".", *STRENGTHS, *VERBS]
    numbers = {word: at for at, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(numbers, unk_token=BERT_NAMES["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder = tmp_path_factory.mktemp("toy")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=32, **BERT_NAMES
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=32,
    )  # fmt: skip
    model = transformers.BertModel(config).eval()
    random = np.random.default_rng(1)
    direction = random.normal(size=64)
    direction -= direction.mean()  # a layer's norm takes the mean away
    embeddings = random.normal(size=(len(words), 64))
    embeddings[numbers["He"]] = embeddings[numbers["She"]]
    for word, strength in {"He": -1.0, "She": 1.0, **STRENGTHS}.items():
        own = embeddings[numbers[word]]
        own -= (own @ direction) / (direction @ direction) * direction
        own += strength * direction
    with torch.no_grad():
        model.embeddings.word_embeddings.weight.copy_(torch.tensor(embeddings))
    model.save_pretrained(folder)
    table = write_long(long_table(), tmp_path_factory.mktemp("table"))
    return Toy(folder, table, direction)

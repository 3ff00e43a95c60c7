"""Tiny masked LMs with random weights and real tokenizers of the three families, built in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
pytest.importorskip("transformers", reason="needs the extra gender-curate[models]")

TEXTS = [
    "He is a doctor.", "She is a doctor.", "My grandmother said that he left early, very early.",
    "The stepfather (he was old) sang; the stepmother did not.", "A low-cost ticket, isn't it?",
    "Der Großvater schläft.", "Die Schwiegermutter hat gelacht.", "Él es médico y ella también.",
    "他是医生。", "她是我的姐姐，我爱她。", "Two  spaces and a tab\there.", "Yes.",
]  # fmt: skip
WORDS = ["he", "she", "stepfather", "grandmother", "姐姐", "Schwiegermutter", "él", "doctor"]

Built = dict[str, Path]

torch.set_num_threads(1)  # products this small only lose by being shared

BERT_NAMES = {
    "unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}  # fmt: skip
ROBERTA_NAMES = {
    "unk_token": "<unk>", "pad_token": "<pad>", "bos_token": "<s>", "cls_token": "<s>",
    "eos_token": "</s>", "sep_token": "</s>",
}  # fmt: skip


def wordpiece() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordPiece(unk_token=BERT_NAMES["unk_token"]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=150, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **BERT_NAMES)


def byte_level() -> Any:
    from tokenizers import (
        AddedToken,
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
        processors,
        trainers,
    )
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=special, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=False
    )
    mask = AddedToken("<mask>", lstrip=True, special=True)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token=mask, **ROBERTA_NAMES)


def sentencepiece() -> Any:
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(
        vocab_size=150,
        special_tokens=special,
        unk_token=ROBERTA_NAMES["unk_token"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    mask = AddedToken("<mask>", lstrip=True, special=True)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, mask_token=mask, **ROBERTA_NAMES)


def bert(vocabulary: int) -> Any:
    from transformers import BertConfig, BertForMaskedLM

    return BertForMaskedLM(
        BertConfig(
            vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=64, max_position_embeddings=64, initializer_range=0.4,
        )
    )  # fmt: skip


def roberta(vocabulary: int) -> Any:
    from transformers import RobertaConfig, RobertaForMaskedLM

    return RobertaForMaskedLM(
        RobertaConfig(
            vocab_size=vocabulary, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            intermediate_size=64, max_position_embeddings=66, initializer_range=0.4,
            pad_token_id=1, bos_token_id=0, eos_token_id=2,
        )
    )  # fmt: skip


FAMILIES: dict[str, tuple[Callable[[], Any], Callable[[int], Any]]] = {
    "bert": (wordpiece, bert),
    "roberta": (byte_level, roberta),
    "xlm-roberta": (sentencepiece, roberta),
}


@pytest.fixture(scope="session")
def model_folders(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A saved model of each family."""
    folders = {}
    for name, (make_tokenizer, make_model) in FAMILIES.items():
        torch.manual_seed(7)
        folder = tmp_path_factory.mktemp(name)
        tokenizer = make_tokenizer()
        tokenizer.save_pretrained(folder)
        make_model(len(tokenizer)).eval().save_pretrained(folder)
        folders[name] = folder
    return folders


@pytest.fixture(params=sorted(FAMILIES))
def folder(request: pytest.FixtureRequest, model_folders: Built) -> Path:
    return model_folders[request.param]

"""The sixty pairs, and tiny models of the three families whose tokenizers were trained on them."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SIXTY_PAIRS = Path(__file__).with_name("sixty_pairs.tsv")
POSITIONS = 256
COMMON = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
BERT_NAMES = {
    "unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}  # fmt: skip
ROBERTA_NAMES = {
    "unk_token": "<unk>", "pad_token": "<pad>", "bos_token": "<s>", "cls_token": "<s>",
    "eos_token": "</s>", "sep_token": "</s>",
}  # fmt: skip

BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]

Pairs = list[tuple[str, str]]


def read_sixty() -> Pairs:
    with SIXTY_PAIRS.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["sent_more"], row["sent_less"]) for row in rows]


def frequent(pieces: Counter[str], size: int) -> list[str]:
    """The commonest pieces, ties by spelling (the library's trainers leave ties to chance)."""
    return sorted(pieces, key=lambda piece: (-pieces[piece], piece))[:size]


def substrings(word: str, *, longest: int) -> Iterator[tuple[int, str]]:
    for start in range(len(word)):
        for end in range(start + 1, min(len(word), start + longest) + 1):
            yield start, word[start:end]


def wordpiece(
    texts: list[str], size: int, *, template: str = "[CLS] $A [SEP]", least: int = 2
) -> Any:
    """BERT's kind. Letters seen less often than `least` are not in it: their words are [UNK]."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    splitter = pre_tokenizers.BertPreTokenizer()
    letters: Counter[str] = Counter()
    longer: Counter[str] = Counter()
    for text in texts:
        for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)):
            for start, piece in substrings(word, longest=5):
                counts = letters if len(piece) == 1 else longer
                counts["##" * (start > 0) + piece] += 1
    known = [p for p in frequent(letters, size) if letters[p] >= least]
    listed = [*BERT_SPECIAL, *known, *frequent(longer, size - len(known) - len(BERT_SPECIAL))]
    vocabulary = {piece: i for i, piece in enumerate(listed)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=BERT_NAMES["unk_token"]))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    tokenizer.post_processor = processors.TemplateProcessing(
        single=template, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=POSITIONS, **BERT_NAMES
    )


def byte_level(texts: list[str], size: int) -> Any:
    """RoBERTa's kind: letters outside ASCII are often two or three tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=ROBERTA_SPECIAL, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=False
    )
    return _with_mask(tokenizer)


def sentencepiece(texts: list[str], size: int) -> Any:
    """XLM-R's kind: unigram pieces with a mark where a word begins."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    splitter = pre_tokenizers.Metaspace()
    letters: Counter[str] = Counter()
    longer: Counter[str] = Counter()
    for text in texts:
        for word, _ in splitter.pre_tokenize_str(text):
            for _, piece in substrings(word, longest=6):
                (letters if len(piece) == 1 else longer)[piece] += 1
    known = [p for p in frequent(letters, size) if letters[p] > 1]
    pieces = [*known, *frequent(longer, size - len(known) - len(ROBERTA_SPECIAL))]
    total = sum(letters.values())
    listed = [(piece, 0.0) for piece in ROBERTA_SPECIAL]
    listed += [(piece, math.log((letters + longer)[piece] / total)) for piece in pieces]
    tokenizer = Tokenizer(models.Unigram(listed, unk_id=ROBERTA_SPECIAL.index("<unk>")))
    tokenizer.pre_tokenizer = splitter
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return _with_mask(tokenizer)


def _with_mask(tokenizer: Any) -> Any:
    from tokenizers import AddedToken
    from transformers import PreTrainedTokenizerFast

    mask = AddedToken("<mask>", lstrip=True, special=True)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, mask_token=mask, model_max_length=POSITIONS, **ROBERTA_NAMES
    )


def bert(vocabulary: int, **sizes: Any) -> Any:
    from transformers import BertConfig, BertForMaskedLM

    known = {"intermediate_size": 64, "initializer_range": 0.3} | COMMON | sizes
    return BertForMaskedLM(
        BertConfig(vocab_size=vocabulary, max_position_embeddings=POSITIONS, **known)
    )


def roberta(vocabulary: int, *, family: str = "Roberta") -> Any:
    import transformers

    config = getattr(transformers, f"{family}Config")(
        vocab_size=vocabulary, max_position_embeddings=POSITIONS + 2, intermediate_size=64,
        initializer_range=0.3, pad_token_id=1, bos_token_id=0, eos_token_id=2, **COMMON,
    )  # fmt: skip
    return getattr(transformers, f"{family}ForMaskedLM")(config)


def xlm_roberta(vocabulary: int) -> Any:
    return roberta(vocabulary, family="XLMRoberta")


def know_frequencies(model: Any, tokenizer: Any, texts: list[str]) -> None:
    """Let the output bias know how often a token occurs, so that it is sometimes right."""
    import torch

    counts = Counter(i for ids in tokenizer(texts)["input_ids"] for i in ids[1:-1])
    head = model.get_output_embeddings()
    with torch.no_grad():
        for token, count in counts.items():
            head.bias[token] = 2 * math.log(1 + count)


FAMILIES: dict[str, tuple[Callable[..., Any], int, Callable[..., Any]]] = {
    "bert": (wordpiece, 900, bert),
    "roberta": (byte_level, 900, roberta),
    "xlm-roberta": (sentencepiece, 1000, xlm_roberta),
}


def save(folder: Path, tokenizer: Any, model: Any) -> Path:
    tokenizer.save_pretrained(folder)
    model.eval().save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def sixty() -> Pairs:
    """The pairs as texts; 19 have the longer side first, 19 second."""
    return read_sixty()


@pytest.fixture(scope="session")
def oracle_folders(tmp_path_factory: pytest.TempPathFactory, sixty: Pairs) -> dict[str, Path]:
    """A saved random model of each family that holds the sixty pairs in words and in pieces."""
    torch = pytest.importorskip("torch", reason="needs the extra gender-curate[models]")
    pytest.importorskip("transformers", reason="needs the extra gender-curate[models]")
    torch.set_num_threads(1)
    texts = [text for pair in sixty for text in pair]
    folders = {}
    for name, (make_tokenizer, size, make_model) in FAMILIES.items():
        torch.manual_seed(11)
        tokenizer = make_tokenizer(texts, size)
        model = make_model(len(tokenizer))
        know_frequencies(model, tokenizer, texts)
        folders[name] = save(tmp_path_factory.mktemp(name), tokenizer, model)
    return folders

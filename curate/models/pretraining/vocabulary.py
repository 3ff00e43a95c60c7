"""A cased WordPiece vocabulary in which every given word is one entry."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from curate.errors import InputError

__all__ = ["SPECIAL", "read_words", "train_tokenizer", "whole_word_share"]

PAD, UNKNOWN, START, END, MASK = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def train_tokenizer(
    sentences: Iterator[str], *, words: Sequence[str], size: int, max_length: int
) -> Any:
    """Train a BERT-shaped fast tokenizer of `size` entries.

    Words that `BertPreTokenizer` leaves whole join the WordPiece vocabulary; words that it cuts
    (Han script is cut into characters) become added tokens, matched in the raw text.
    Returns a ``transformers.PreTrainedTokenizerFast``.
    """
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.BertNormalizer(
                lowercase=False, strip_accents=False, handle_chinese_chars=True
            ),
        ]
    )
    splitter = pre_tokenizers.BertPreTokenizer()
    whole, cut = _split_words(words, normalizer, splitter)

    learner = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    learner.normalizer = normalizer
    learner.pre_tokenizer = splitter
    learner.train_from_iterator(
        sentences,
        trainers.WordPieceTrainer(
            vocab_size=size - len(cut),
            special_tokens=list(SPECIAL),
            limit_alphabet=4000,
            min_frequency=2,
            show_progress=False,
        ),
    )
    vocabulary = _with_words(learner, whole, size - len(cut))

    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = splitter
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token=UNKNOWN,
        pad_token=PAD,
        cls_token=START,
        sep_token=END,
        mask_token=MASK,
        model_max_length=max_length,
    )
    fast.add_tokens([AddedToken(word, normalized=False) for word in cut])
    _add_sentence_template(fast)
    return fast


def _split_words(
    words: Iterable[str], normalizer: Any, splitter: Any
) -> tuple[list[str], list[str]]:
    whole: list[str] = []
    cut: list[str] = []
    for word in dict.fromkeys(unicodedata.normalize("NFC", w) for w in words):
        pieces = splitter.pre_tokenize_str(normalizer.normalize_str(word))
        if len(pieces) == 1:
            whole.append(word)
        elif " " not in word and "-" not in word and "'" not in word:
            cut.append(word)
    return whole, cut


def _with_words(learner: Any, words: Sequence[str], size: int) -> dict[str, int]:
    """The learned entries with `words` in the place of the last-learned (rarest) merges."""
    learned = [entry for entry, _ in sorted(learner.get_vocab().items(), key=lambda item: item[1])]
    missing = [word for word in words if word not in set(learned)]
    protected = set(words) | set(SPECIAL)
    surplus = max(0, len(learned) + len(missing) - size)
    for entry in reversed(list(learned)):
        if surplus == 0:
            break
        if entry not in protected and len(entry.removeprefix("##")) > 1:
            learned.remove(entry)
            surplus -= 1
    return {entry: index for index, entry in enumerate([*learned, *missing])}


def _add_sentence_template(fast: Any) -> None:
    from tokenizers import processors

    fast.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", fast.cls_token_id), ("[SEP]", fast.sep_token_id)],
    )


def read_words(path: Path) -> list[str]:
    """One word a line; blank lines and ``#`` comments are skipped.

    Raises InputError for a file that cannot be read as UTF-8.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"no list of words: {error}", where=path) from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def whole_word_share(tokenizer: Any, words: Sequence[str]) -> float:
    """Share of `words` that the tokenizer keeps as one entry."""
    if not words:
        return 0.0
    single = sum(len(tokenizer.tokenize(word)) == 1 for word in words)
    return single / len(words)

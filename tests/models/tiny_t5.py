"""A tiny T5 with random weights and a real tokenizer, in 0.1 s."""

from __future__ import annotations

from pathlib import Path

__all__ = ["NUMBERS", "save_tiny_t5"]

NUMBERS = [f"{fifths / 5:.1f}" for fifths in range(26)]
NAMES = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
TEXTS = [
    "stsb sentence1: He is walking in the park. sentence2: A nurse is walking in the park.",
    "stsb sentence1: She sings and he dances. sentence2: An engineer sings and dances.",
    " ".join(NUMBERS),
]


def save_tiny_t5(folder: Path, *, seed: int = 0) -> Path:
    """Save model and tokenizer to `folder`; the tokenizer writes all numbers from 0.0 to 5.0."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=list(NAMES.values()), unk_token=NAMES["unk_token"],
        show_progress=False,
    )  # fmt: skip
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=128, **NAMES)
    torch.manual_seed(seed)
    model = T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(fast), d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
            decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
        )
    )  # fmt: skip
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder

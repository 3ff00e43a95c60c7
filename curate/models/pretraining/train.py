"""The training loop: trapezoid schedule, checkpoints, resume; CPU or GPU, bf16 where it helps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curate.errors import UsageError
from curate.models.pretraining.batches import IGNORED, Batches
from curate.models.pretraining.checkpoint import read_metadata, restore, save_state
from curate.models.pretraining.evaluate import masked_accuracy, masked_logits
from curate.models.pretraining.vocabulary import SPECIAL

__all__ = [
    "Batches", "TrainConfig", "build_model", "learning_rate", "masked_accuracy", "train",
]  # fmt: skip

_CLIP = 1.0


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Everything that decides the weights, apart from the text itself."""

    steps: int = 6000
    batch_tokens: int = 6144
    learning_rate: float = 2e-3
    warmup: float = 0.03
    decay: float = 0.3
    weight_decay: float = 0.01
    mask_rate: float = 0.2
    hidden: int = 256
    layers: int = 4
    heads: int = 4
    max_length: int = 128
    seed: int = 13
    checkpoint_every: int = 200
    bf16: bool = True


def build_model(config: TrainConfig, vocabulary: int) -> Any:
    """A BERT-shaped masked LM with tied embeddings, randomly initialised from the seed."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(config.seed)
    shape = BertConfig(
        vocab_size=vocabulary,
        hidden_size=config.hidden,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        intermediate_size=4 * config.hidden,
        max_position_embeddings=config.max_length,
        type_vocab_size=2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="sdpa",
    )
    return BertForMaskedLM(shape)


def learning_rate(step: int, config: TrainConfig) -> float:
    """Linear warm-up, constant, linear decay to zero over the last `decay` share of the steps."""
    warmup = max(1, int(config.warmup * config.steps))
    decay_from = int((1 - config.decay) * config.steps)
    if step < warmup:
        return config.learning_rate * (step + 1) / warmup
    if step < decay_from:
        return config.learning_rate
    return config.learning_rate * max(0.0, (config.steps - step) / (config.steps - decay_from))


def train(
    batches: Batches,
    tokenizer: Any,
    *,
    config: TrainConfig,
    folder: Path,
    on_step: Callable[[int, float, float], None] | None = None,
    on_checkpoint: Callable[[int, Any], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Any:
    """Train, or go on from the last checkpoint in `folder`; returns the model.

    `on_step` is told (steps done, loss, tokens a second), `on_checkpoint` (steps done, model).
    Where `stop` says so, the state is saved and the model returned before all steps are done.
    Raises UsageError where `folder` holds a run with another config.
    """
    import torch

    _check_same(folder, config)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = build_model(config, len(tokenizer)).to(device)
    optimizer = torch.optim.AdamW(_groups(model, config.weight_decay), betas=(0.9, 0.98), eps=1e-6)
    step = restore(folder, model, optimizer)
    model.train()
    while step < config.steps:
        started = time.monotonic()
        arrays = batches.at(step, tokenizer.mask_token_id, len(tokenizer), len(SPECIAL))
        inputs, attention, labels = (torch.from_numpy(array).to(device) for array in arrays)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, config)
        loss = _update(model, optimizer, inputs, attention, labels, bf16=config.bf16)
        step += 1
        if on_step:
            on_step(step, loss, inputs.numel() / (time.monotonic() - started))
        stopped = stop is not None and stop()
        if step % config.checkpoint_every == 0 or step == config.steps or stopped:
            save_state(folder, model, optimizer, step=step, config=asdict(config))
            if on_checkpoint:
                on_checkpoint(step, model)
        if stopped:
            break
    return model


def _update(
    model: Any, optimizer: Any, inputs: Any, attention: Any, labels: Any, *, bf16: bool
) -> float:
    """One step of the optimizer; the loss."""
    import torch

    positions = labels != IGNORED
    with torch.autocast(inputs.device.type, dtype=torch.bfloat16, enabled=bf16):
        # a batch is about one length; where it is exactly one, no mask means the fast kernel
        full = None if bool(attention.all()) else attention
        logits = masked_logits(model, inputs, full, positions)
        loss = torch.nn.functional.cross_entropy(logits.float(), labels[positions])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), _CLIP)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return float(loss.detach())


def _check_same(folder: Path, config: TrainConfig) -> None:
    found = read_metadata(folder)
    if found is None:
        return
    _, before = found
    changed = [
        name
        for name, value in asdict(config).items()
        if name != "checkpoint_every" and before.get(name) != value
    ]
    if changed:
        raise UsageError(
            f"a run with another {', '.join(changed)} lies here",
            where=folder,
            hint="give the same options to go on, or name another folder",
        )


def _groups(model: Any, weight_decay: float) -> list[dict[str, Any]]:
    decayed = [p for p in model.parameters() if p.ndim >= 2]
    plain = [p for p in model.parameters() if p.ndim < 2]
    return [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]

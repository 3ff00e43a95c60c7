"""The training loop: trapezoid schedule, checkpoints, resume; CPU or GPU, bf16 where it helps."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

IGNORED = -100
POOL = 4096


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


class Batches:
    """Batches of similar length, drawn without end from weighted sources.

    The batch at a given step depends on the seed and the step only, so a resumed run goes on with
    the batches that an undisturbed one would have seen.
    """

    def __init__(
        self, arrays: list[tuple[Any, Any]], weights: list[float], config: TrainConfig
    ) -> None:
        import numpy as np

        self._arrays = arrays
        self._config = config
        self._np = np
        total = sum(weights)
        self._shares = [weight / total for weight in weights]
        self._lengths = [np.diff(offsets) for _, offsets in arrays]
        self._counts = np.array([len(lengths) for lengths in self._lengths])

    def at(self, step: int, mask_id: int, vocabulary: int, n_special: int) -> tuple[Any, Any, Any]:
        """(input ids, attention mask, labels), each [batch, length]; labels -100 off the masks."""
        np = self._np
        rng = np.random.default_rng([self._config.seed, step])
        sources = rng.choice(len(self._arrays), size=POOL, p=self._shares)
        rows = (rng.random(POOL) * self._counts[sources]).astype(np.int64)
        lengths = np.array([self._lengths[s][r] for s, r in zip(sources, rows, strict=True)])
        order = np.argsort(lengths, kind="stable")
        chosen = order[self._window(lengths[order], int(rng.integers(POOL)))]
        ids = np.zeros((len(chosen), int(lengths[chosen].max())), dtype=np.int64)
        for place, index in enumerate(chosen):
            flat, offsets = self._arrays[sources[index]]
            begin = offsets[rows[index]]
            ids[place, : lengths[index]] = flat[begin : begin + lengths[index]]
        return self._masked(ids, rng, mask_id, vocabulary, n_special)

    def _window(self, lengths: Any, middle: int) -> slice:
        """The run of sorted rows around `middle` that fills the token budget."""
        budget = self._config.batch_tokens
        start, end = middle, middle + 1
        while True:
            if end < len(lengths) and (end - start + 1) * int(lengths[end]) <= budget:
                end += 1
            elif start > 0 and (end - start + 1) * int(lengths[end - 1]) <= budget:
                start -= 1
            else:
                return slice(start, end)

    def _masked(
        self, ids: Any, rng: Any, mask_id: int, vocabulary: int, n_special: int
    ) -> tuple[Any, Any, Any]:
        np = self._np
        attention = ids != 0
        chosen = (rng.random(ids.shape) < self._config.mask_rate) & (ids >= n_special)
        labels = np.where(chosen, ids, IGNORED)
        action = rng.random(ids.shape)
        inputs = np.where(chosen & (action < 0.8), mask_id, ids)
        noise = rng.integers(n_special, vocabulary, size=ids.shape)
        inputs = np.where(chosen & (action > 0.9), noise, inputs)
        return inputs, attention.astype(np.int64), labels


def masked_logits(model: Any, inputs: Any, attention: Any, positions: Any) -> Any:
    """Vocabulary logits [n, vocabulary] at the n true `positions` of a [batch, length] mask."""
    hidden = model.bert(input_ids=inputs, attention_mask=attention).last_hidden_state
    return model.cls(hidden[positions])


def train(
    batches: Batches,
    tokenizer: Any,
    *,
    config: TrainConfig,
    folder: Path,
    on_step: Callable[[int, float, float], None] | None = None,
    on_checkpoint: Callable[[int, Any], None] | None = None,
) -> Any:
    """Train, or go on from the last checkpoint in `folder`; returns the model."""
    import torch

    from curate.models.pretraining.vocabulary import SPECIAL

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = build_model(config, len(tokenizer)).to(device)
    optimizer = torch.optim.AdamW(_groups(model, config.weight_decay), betas=(0.9, 0.98), eps=1e-6)
    step = _resume(folder, model, optimizer)
    model.train()
    while step < config.steps:
        started = time.monotonic()
        arrays = batches.at(step, tokenizer.mask_token_id, len(tokenizer), len(SPECIAL))
        inputs, attention, labels = (torch.from_numpy(array).to(device) for array in arrays)
        positions = labels != IGNORED
        rate = learning_rate(step, config)
        for group in optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast(device, dtype=torch.bfloat16, enabled=config.bf16):
            # every sentence of a CPU batch is about one length: no mask means the fast kernel
            full = None if bool(attention.all()) else attention
            logits = masked_logits(model, inputs, full, positions)
            loss = torch.nn.functional.cross_entropy(logits.float(), labels[positions])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        if on_step:
            on_step(step, float(loss.detach()), inputs.numel() / (time.monotonic() - started))
        if step % config.checkpoint_every == 0 or step == config.steps:
            save_state(folder, model, optimizer, step, config)
            if on_checkpoint:
                on_checkpoint(step, model)
    return model


def _groups(model: Any, weight_decay: float) -> list[dict[str, Any]]:
    decayed = [p for p in model.parameters() if p.ndim >= 2]
    plain = [p for p in model.parameters() if p.ndim < 2]
    return [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]


def save_state(folder: Path, model: Any, optimizer: Any, step: int, config: TrainConfig) -> None:
    """Weights and optimizer moments as safetensors, the step as JSON; each renamed into place."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"model.{k}": v.contiguous().clone() for k, v in model.state_dict().items()}
    state = optimizer.state_dict()["state"]
    for index, moments in state.items():
        for name, value in moments.items():
            tensors[f"optimizer.{index}.{name}"] = value.contiguous().clone()
    temporary = folder / "state.safetensors.part"
    save_file(
        tensors, str(temporary), metadata={"step": str(step), "config": json.dumps(asdict(config))}
    )
    os.replace(temporary, folder / "state.safetensors")


def _resume(folder: Path, model: Any, optimizer: Any) -> int:
    from safetensors import safe_open

    path = folder / "state.safetensors"
    if not path.is_file():
        return 0
    with safe_open(str(path), framework="pt") as stored:  # type: ignore[no-untyped-call]
        step = int(stored.metadata()["step"])
        tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
    model.load_state_dict({k[6:]: v for k, v in tensors.items() if k.startswith("model.")})
    moments: dict[int, dict[str, Any]] = {}
    for key, value in tensors.items():
        if key.startswith("optimizer."):
            _, index, name = key.split(".", 2)
            moments.setdefault(int(index), {})[name] = value
    state = optimizer.state_dict()
    state["state"] = moments
    optimizer.load_state_dict(state)
    return step


def masked_accuracy(
    model: Any,
    tokenizer: Any,
    sentences: list[str],
    *,
    seed: int,
    max_length: int,
    rate: float = 0.15,
) -> tuple[float, int]:
    """Top-1 accuracy over `rate` of the tokens, all replaced by the mask; (share, n tokens)."""
    import numpy as np
    import torch

    from curate.models.pretraining.corpus import encode
    from curate.models.pretraining.vocabulary import SPECIAL

    device = next(model.parameters()).device
    flat, offsets = encode(tokenizer, sentences, max_length=max_length)
    rng = np.random.default_rng(seed)
    lengths = np.diff(offsets)
    order = np.argsort(lengths, kind="stable")
    right = total = 0
    was_training = model.training
    model.eval()
    for rows in _blocks(order, lengths, 8192):
        width = int(lengths[rows].max())
        ids = np.zeros((len(rows), width), dtype=np.int64)
        for i, row in enumerate(rows):
            ids[i, : lengths[row]] = flat[offsets[row] : offsets[row + 1]]
        chosen = (rng.random(ids.shape) < rate) & (ids >= len(SPECIAL))
        if not chosen.any():
            continue
        inputs = torch.from_numpy(np.where(chosen, tokenizer.mask_token_id, ids)).to(device)
        attention = torch.from_numpy((ids != 0).astype(np.int64)).to(device)
        with torch.inference_mode():
            logits = masked_logits(model, inputs, attention, torch.from_numpy(chosen).to(device))
        right += int((logits.argmax(-1).cpu().numpy() == ids[chosen]).sum())
        total += int(chosen.sum())
    model.train(was_training)
    return (right / total if total else math.nan), total


def _blocks(order: Any, lengths: Any, budget: int) -> Iterator[Any]:
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end - start + 1) * int(lengths[order[end]]) <= budget:
            end += 1
        yield order[start:end]
        start = end

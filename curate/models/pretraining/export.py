"""From a checkpoint to a model folder that transformers opens, with a card made of measurements."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.models.pretraining.batches import Batches
from curate.models.pretraining.card import render_card
from curate.models.pretraining.checkpoint import read_metadata, read_weights
from curate.models.pretraining.evaluate import masked_accuracy
from curate.models.pretraining.prepare import HELD, TOKENS, load_tokenizer, read_arrays, read_run
from curate.models.pretraining.train import TrainConfig, build_model

__all__ = ["CARD", "export_model"]

CARD = "card.json"
_MEASURED_SENTENCES = 4000


def export_model(folder: Path, out: Path, *, name: str = "curate-mini") -> dict[str, Any]:
    """Write the model of the run in `folder` to `out`; returns the card.

    `out` gets config.json, the tokenizer's files, model.safetensors in bf16, card.json and
    README.md, all at once. The accuracies on the card are those of the weights as exported, on
    up to 4,000 held-out sentences a language, 15 % of the tokens masked (seed 1). Raises InputError
    where `folder` holds no run, UsageError where `out` holds something that is no such model.
    """
    found = read_metadata(folder)
    if found is None:
        raise InputError("no training run here: state.safetensors is missing", where=folder)
    step, settings = found
    if out.exists() and any(out.iterdir()) and not (out / CARD).is_file():
        raise UsageError("this folder holds other files", where=out, hint="name an empty folder")
    config = TrainConfig(**settings)
    temporary = out.with_name(out.name + ".part")
    shutil.rmtree(temporary, ignore_errors=True)
    tokenizer = load_tokenizer(folder)
    _save(folder, temporary, config, tokenizer)
    card = _card(folder, temporary, config, tokenizer, step=step, name=name)
    text = json.dumps(card, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (temporary / CARD).write_text(text, encoding="utf-8")
    (temporary / "README.md").write_text(render_card(card), encoding="utf-8")
    shutil.rmtree(out, ignore_errors=True)
    temporary.replace(out)
    return card


def _save(folder: Path, out: Path, config: TrainConfig, tokenizer: Any) -> None:
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    model = build_model(config, len(tokenizer))
    model.load_state_dict(read_weights(folder))
    model.to(torch.bfloat16).save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "model.safetensors").chmod(0o644)


def _card(
    folder: Path, out: Path, config: TrainConfig, tokenizer: Any, *, step: int, name: str
) -> dict[str, Any]:
    import torch
    from transformers import AutoModelForMaskedLM

    model = AutoModelForMaskedLM.from_pretrained(
        out, dtype=torch.float32, use_safetensors=True, local_files_only=True
    )
    held = json.loads((folder / HELD).read_text(encoding="utf-8"))
    accuracy = {}
    for lang, sentences in held.items():
        measured = sentences[:_MEASURED_SENTENCES]
        share, count = masked_accuracy(
            model, tokenizer, measured, seed=1, max_length=config.max_length
        )
        accuracy[lang] = {"top1": round(share, 4), "tokens": count, "sentences": len(measured)}
    run = read_run(folder) or {"sources": [], "words": None, "whole_words": None}
    return {
        "name": name,
        "licence": "CC BY 4.0",
        "languages": sorted(held),
        "parameters": model.num_parameters(),
        "vocabulary": len(tokenizer),
        "hidden": config.hidden,
        "layers": config.layers,
        "heads": config.heads,
        "max_length": config.max_length,
        "bytes": (out / "model.safetensors").stat().st_size,
        "steps": step,
        "steps_planned": config.steps,
        "tokens_seen": _tokens_seen(folder, run, config, step),
        "training": _settings(config),
        "sources": run["sources"],
        "notes": run.get("notes", []),
        "whole_words": {"words": run["words"], "share": run["whole_words"]},
        "held_out_accuracy": accuracy,
    }


def _settings(config: TrainConfig) -> dict[str, Any]:
    """The settings of the optimisation, for the card."""
    names = (
        "batch_tokens",
        "learning_rate",
        "warmup",
        "decay",
        "weight_decay",
        "mask_rate",
        "seed",
    )
    return {name: getattr(config, name) for name in names}


def _tokens_seen(folder: Path, run: dict[str, Any], config: TrainConfig, step: int) -> int | None:
    """Tokens in all batches so far, counted by drawing them again."""
    if not (folder / TOKENS).is_file() or not run["sources"]:
        return None
    arrays = read_arrays(folder)
    batches = Batches(arrays, [source["weight"] for source in run["sources"]], config)
    return sum(batches.tokens(number) for number in range(step))

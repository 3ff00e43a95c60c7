"""What a model folder says about itself, without loading its weights."""

from __future__ import annotations

import json
from typing import Any

from curate.errors import InputError
from curate.models.sources import find_model

__all__ = ["describe_model"]


def describe_model(name: str) -> dict[str, Any]:
    """Name, revision, architecture, shape, parameters and bytes of a model; its card if ours.

    Raises InputError for a missing model or a folder that is none.
    """
    from safetensors import safe_open

    folder = find_model(name)
    try:
        config = json.loads((folder.path / "config.json").read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"not JSON ({error})", where=folder.path / "config.json") from error
    parameters = size = 0
    for file in sorted(folder.path.glob("*.safetensors")):
        size += file.stat().st_size
        with safe_open(str(file), framework="numpy") as stored:
            for key in stored.keys():  # noqa: SIM118
                count = 1
                for length in stored.get_slice(key).get_shape():
                    count *= length
                parameters += count
    described: dict[str, Any] = {
        "name": folder.name,
        "revision": folder.revision,
        "architecture": ", ".join(config.get("architectures") or [str(config.get("model_type"))]),
        "layers": config.get("num_hidden_layers"),
        "hidden": config.get("hidden_size"),
        "vocabulary": config.get("vocab_size"),
        "positions": config.get("max_position_embeddings"),
        "parameters": parameters,
        "bytes": size,
    }
    card = folder.path / "card.json"
    if card.is_file():
        described["card"] = json.loads(card.read_text(encoding="utf-8"))
    return described

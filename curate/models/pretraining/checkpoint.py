"""Save and restore a training run: weights and optimizer moments as safetensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["STATE", "read_metadata", "read_weights", "restore", "save_state"]

STATE = "state.safetensors"


def save_state(
    folder: Path, model: Any, optimizer: Any, *, step: int, config: dict[str, Any]
) -> None:
    """Write the state after `step` steps, renamed into place when whole."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {f"model.{k}": v.contiguous().clone() for k, v in model.state_dict().items()}
    for index, moments in optimizer.state_dict()["state"].items():
        for name, value in moments.items():
            tensors[f"optimizer.{index}.{name}"] = value.contiguous().clone()
    temporary = folder / f"{STATE}.part"
    metadata = {"step": str(step), "config": json.dumps(config)}
    save_file(tensors, str(temporary), metadata=metadata)
    temporary.replace(folder / STATE)


def read_metadata(folder: Path) -> tuple[int, dict[str, Any]] | None:
    """(steps done, config) of the state in `folder`, or None where there is none."""
    from safetensors import safe_open

    path = folder / STATE
    if not path.is_file():
        return None
    with safe_open(str(path), framework="pt") as stored:
        metadata = stored.metadata()
    return int(metadata["step"]), dict(json.loads(metadata["config"]))


def read_weights(folder: Path) -> dict[str, Any]:
    """The model's part of the state, by parameter name."""
    return {k.removeprefix("model."): v for k, v in _tensors(folder).items() if k[:6] == "model."}


def restore(folder: Path, model: Any, optimizer: Any) -> int:
    """Put the state in `folder` into model and optimizer; the steps done, 0 without a state."""
    found = read_metadata(folder)
    if found is None:
        return 0
    tensors = _tensors(folder)
    model.load_state_dict({k[6:]: v for k, v in tensors.items() if k.startswith("model.")})
    moments: dict[int, dict[str, Any]] = {}
    for key, value in tensors.items():
        if key.startswith("optimizer."):
            _, index, name = key.split(".", 2)
            moments.setdefault(int(index), {})[name] = value
    state = optimizer.state_dict()
    state["state"] = moments
    optimizer.load_state_dict(state)
    return found[0]


def _tensors(folder: Path) -> dict[str, Any]:
    from safetensors import safe_open

    with safe_open(str(folder / STATE), framework="pt") as stored:
        return {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118

"""How a sentence encoder makes one vector of the hidden states of a text.

Reads the folder layout of sentence-transformers: ``modules.json`` names a transformer, a pooling,
and what follows. The package itself is not needed for it: rows of one length have no padding, so
each pooling is one line, and its import alone takes longer than most of our tables. The tests hold
every step against the package.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.errors import InputError, UsageError
from curate.models.sources import ModelFolder

__all__ = [
    "MODULES",
    "MODULE_FILES",
    "POOLINGS",
    "SentenceModules",
    "plain_modules",
    "read_modules",
]

MODULES = "modules.json"
MODULE_FILES = (
    MODULES, "sentence_bert_config.json", "config_sentence_transformers.json", "*/config.json",
    "*/model.safetensors",
)  # fmt: skip
"""The files that this layout has beside those of a plain transformer."""

Step = Callable[[Any], Any]
"""From [rows, size] vectors to [rows, other size] vectors."""


def _weighted(states: Any) -> Any:
    import torch

    weights = torch.arange(1, states.shape[1] + 1, device=states.device, dtype=states.dtype)
    return (states * weights[:, None]).sum(1) / weights.sum()


# [rows, length, size] states of texts of one length -> [rows, size] vectors
_POOLED: dict[str, Step] = {
    "mean": lambda states: states.mean(1),
    "cls": lambda states: states[:, 0],
    "max": lambda states: states.amax(1),
    "last": lambda states: states[:, -1],
    "mean_sqrt_len_tokens": lambda states: states.sum(1) / states.shape[1] ** 0.5,
    "weightedmean": _weighted,
}
POOLINGS = ("mean", "cls", "max", "last")
"""What ``--pooling`` may say; a folder of sentence-transformers may say more."""

_OLD_NAMES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "last",
}  # in the order in which several are put together
_ACTIVATIONS = ("Identity", "Tanh", "ReLU", "GELU", "Sigmoid", "SiLU")


@dataclass(frozen=True)
class SentenceModules:
    """From hidden states to vectors: `poolings`, whose results are put side by side, then `steps`.

    `max_length` (0: the model's own) counts tokens; `lower` texts are written in small letters
    first, and `prompt` stands before each.
    """

    poolings: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    max_length: int = 0
    lower: bool = False
    prompt: str = ""
    names: tuple[str, ...] = field(default=())

    @property
    def described(self) -> str:
        """What it does, for tables: ``mean + Dense + Normalize``."""
        return " + ".join([",".join(self.poolings), *self.names])

    def vectors(self, states: Any) -> Any:
        """[rows, size] vectors of [rows, length, size] states without padding."""
        import torch

        made = torch.cat([_POOLED[name](states) for name in self.poolings], dim=-1)
        for step in self.steps:
            made = step(made)
        return made


def plain_modules(pooling: str) -> SentenceModules:
    """One pooling and nothing else. Raises UsageError for a pooling that is not known."""
    if pooling not in POOLINGS:
        raise UsageError(f"unknown pooling {pooling!r}", hint=f"one of {', '.join(POOLINGS)}")
    return SentenceModules((pooling,))


def read_modules(folder: ModelFolder) -> SentenceModules:
    """What the ``modules.json`` of a folder says. InputError for a module that is not known."""
    listed = _json(folder.path / MODULES, list)
    if not all(isinstance(m, dict) and {"type", "path"} <= m.keys() for m in listed):
        raise InputError("not a list of modules", where=folder.path / MODULES)
    kinds = [(str(m["type"]), str(m["path"])) for m in listed]
    if len(kinds) < 2 or _kind(kinds[0][0]) != "Transformer" or _kind(kinds[1][0]) != "Pooling":
        raise InputError(
            "its modules do not begin with a transformer and a pooling: "
            + ", ".join(_kind(kind) for kind, _ in kinds),
            where=folder.name,
        )
    if kinds[0][1]:
        raise InputError(
            f"its transformer lies in {kinds[0][1]!r}, not in the folder itself",
            where=folder.name,
            hint="save it again with a newer sentence-transformers",
        )
    for _, path in kinds[1:]:
        if Path(path).name != path:  # the revision is of the folders right below
            raise InputError(f"its module lies in {path!r}, not in a folder of its own",
                             where=folder.name)  # fmt: skip
    poolings = _poolings(folder, kinds[1][1])
    prompt = _prompt(folder)
    made = [(_kind(kind), _step(folder, kind, path)) for kind, path in kinds[2:]]
    settings = _settings(folder.path / "sentence_bert_config.json")
    return SentenceModules(
        poolings=poolings,
        steps=tuple(step for _, step in made if step is not None),
        max_length=int(settings.get("max_seq_length") or 0),
        lower=bool(settings.get("do_lower_case")),
        prompt=prompt,
        names=tuple(kind for kind, step in made if step is not None),
    )


def _kind(name: str) -> str:
    """The class of a module of sentence-transformers; the whole name of any other."""
    return name.rsplit(".", 1)[-1] if name.startswith("sentence_transformers.") else name


def _poolings(folder: ModelFolder, path: str) -> tuple[str, ...]:
    where = folder.path / path / "config.json"
    said = _json(where, dict)
    if "pooling_mode" in said:
        modes = said["pooling_mode"]
        named = [modes] if isinstance(modes, str) else list(modes)
        named = ["last" if mode == "lasttoken" else str(mode) for mode in named]
    else:
        named = [name for key, name in _OLD_NAMES.items() if said.get(key)] or ["mean"]
    unknown = [name for name in named if name not in _POOLED]
    if unknown:
        raise InputError(f"unknown pooling {unknown[0]!r}", where=where)
    if said.get("include_prompt") is False and _prompt(folder):
        raise InputError(
            "it leaves its prompt out of the pooling, which is not done here",
            where=folder.name,
            hint="--pooling mean makes vectors of all tokens, without a prompt",
        )
    return tuple(named)


def _prompt(folder: ModelFolder) -> str:
    """The text that the model puts before every sentence by default."""
    said = _settings(folder.path / "config_sentence_transformers.json")
    prompts, default = said.get("prompts") or {}, said.get("default_prompt_name")
    return str(prompts.get(default) or "") if isinstance(prompts, dict) and default else ""


def _step(folder: ModelFolder, kind: str, path: str) -> Step | None:
    name = _kind(kind)
    if name == "Dropout":
        return None
    if name == "Normalize":
        return _normalise
    if name == "Dense":
        return _dense(folder.path / path)
    raise InputError(
        f"its module {name!r} is not known here",
        where=folder.name,
        hint="known: Transformer, Pooling, Dense, Normalize, Dropout; --pooling leaves them out",
    )


def _normalise(vectors: Any) -> Any:
    import torch

    return torch.nn.functional.normalize(vectors, p=2, dim=1)


def _dense(path: Path) -> Step:
    """A linear layer and its activation, from safetensors."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    said = _json(path / "config.json", dict)
    activation = str(said.get("activation_function", "torch.nn.modules.linear.Identity"))
    name = activation.rsplit(".", 1)[-1]
    if not activation.startswith("torch.nn.modules.") or name not in _ACTIVATIONS:
        raise InputError(f"unknown activation {activation!r}", where=path / "config.json")
    weights = path / "model.safetensors"
    if not weights.is_file():
        raise InputError("no model.safetensors here; pickled weights are never loaded", where=path)
    try:
        layer = torch.nn.Linear(
            int(said["in_features"]), int(said["out_features"]), bias=bool(said.get("bias", True))
        )
        stored = {key.removeprefix("linear."): value for key, value in load_file(weights).items()}
        layer.load_state_dict(stored)
    except (SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
        raise InputError("weights and config.json do not fit each other", where=path) from error
    function = getattr(torch.nn, name)()

    def step(vectors: Any) -> Any:
        return function(layer.to(vectors.device)(vectors))

    return step


def _settings(path: Path) -> dict[str, Any]:
    return dict(_json(path, dict)) if path.is_file() else {}


def _json(path: Path, kind: type) -> Any:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"not JSON ({type(error).__name__})", where=path) from error
    if not isinstance(found, kind):
        raise InputError(f"not a JSON {'list' if kind is list else 'object'}", where=path)
    return found

"""Whether a checkpoint is of the kind that is asked for: masked or causal, in known code."""

from __future__ import annotations

import json
from typing import Any, Literal

from curate.errors import InputError
from curate.models.sources import ModelFolder

__all__ = ["Task", "check_kind"]

Task = Literal["masked", "causal"]

_CLASSES = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
_SAID = {
    "masked": "a masked model",
    "causal": "a causal model",
    "seq2seq": "an encoder and decoder",
    None: "no language model",
}
_USE = {
    "masked": "--metric pll takes masked models",
    "causal": "--metric ppl takes causal models",
    "seq2seq": "name a masked model, or a causal one for --metric ppl",
}


def check_kind(folder: ModelFolder, task: Task) -> None:
    """Raise `InputError` unless transformers itself has this architecture, for this task.

    Code that a checkpoint brings along is never run; one whose classes have since become part of
    transformers is read by these.
    """
    import transformers
    from transformers.models.auto import configuration_auto, modeling_auto

    classes = {
        "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    }
    written = _read(folder, "config.json")
    kind = written["model_type"]
    _check_code(folder, written, classes[task].get(kind), task)
    if kind not in configuration_auto.CONFIG_MAPPING_NAMES:
        raise InputError(
            f"transformers {transformers.__version__} knows no architecture {kind!r}",
            where=folder.name,
            hint="check model_type in its config.json, or install a newer transformers",
        )
    try:
        config = configuration_auto.CONFIG_MAPPING[kind].from_dict(written)
    except Exception as error:  # of several libraries, validators among them
        why = " ".join(str(error).split())
        raise InputError(
            f"config.json does not describe a {kind} model: {why[:200]}", where=folder.name
        ) from error
    found = _task(config, masked=kind in classes["masked"], causal=kind in classes["causal"])
    if found != task:
        raise InputError(
            f"this {kind} model is {_SAID[found]}; {_SAID[task]} is needed here",
            where=folder.name,
            hint=_USE[found] if found else f"name one that {_CLASSES[task]} can load",
        )


def _check_code(
    folder: ModelFolder, written: dict[str, Any], native: str | None, task: Task
) -> None:
    """Refuse a model or tokenizer of a class that transformers does not have by this name."""
    import transformers

    own = _own_classes(written, _CLASSES[task])
    if (own and native not in own) or ("auto_map" in written and not (own or native)):
        raise _needs_code(folder, "model", own or [written["model_type"]])
    own = _own_classes(_read(folder, "tokenizer_config.json"), "AutoTokenizer")
    if own and not any(hasattr(transformers, name) for name in own):
        raise _needs_code(folder, "tokenizer", own)


def _read(folder: ModelFolder, name: str) -> dict[str, Any]:
    try:
        found = json.loads((folder.path / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # a tokenizer may do without; config.json has been read before
    return found if isinstance(found, dict) else {}


def _needs_code(folder: ModelFolder, part: str, names: list[str]) -> InputError:
    return InputError(
        f"its {part} needs code of its own ({', '.join(names)}), which is never run",
        where=folder.name,
        hint="name a model whose parts transformers has",
    )


def _task(config: Any, *, masked: bool, causal: bool) -> str | None:
    if getattr(config, "is_encoder_decoder", False):
        return "seq2seq"
    if getattr(config, "is_decoder", False) and causal:
        return "causal"
    if masked:
        return "masked"
    return "causal" if causal else None


def _own_classes(written: dict[str, Any], auto: str) -> list[str]:
    """The names of the classes of its own that a checkpoint wants in the place of `auto`."""
    table = written.get("auto_map")
    named = table.get(auto) if isinstance(table, dict) else None
    several = named if isinstance(named, list) else [named]
    return [name.rsplit(".", 1)[-1] for name in several if isinstance(name, str)]

"""Load a masked language model in a chosen precision, on a chosen device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from curate.errors import InputError, MissingExtraError, UsageError
from curate.models.heads import find_head
from curate.models.sources import ModelFolder, find_model

__all__ = ["DEVICES", "PRECISIONS", "Network", "load_network"]

PRECISIONS = ("fp32", "bf16", "fp16", "auto")
DEVICES = ("auto", "cpu", "cuda")
_UNBOUNDED = 1_000_000  # tokenizers without a limit of their own report 1e30


@dataclass(frozen=True)
class Network:
    """A model and its tokenizer, ready to compute; `max_length` counts the special tokens."""

    folder: ModelFolder
    model: Any
    tokenizer: Any
    head: Callable[[Any], Any] | None
    device: str
    precision: str
    max_length: int

    def hidden(self, ids: Any, *, attention: bool = False) -> tuple[Any, Any]:
        """Last hidden state [rows, length, size] and, if wanted, the attentions by layer."""
        output = self.model.base_model(input_ids=ids, output_attentions=attention)
        return output.last_hidden_state, output.attentions if attention else None


def load_network(name: str, *, precision: str = "fp32", device: str = "auto") -> Network:
    """Load `name` (see `find_model`).

    `precision` ``auto`` is bf16 on a GPU and fp32 on a CPU. Raises `InputError` for a missing or
    unusable model, `UsageError` for an unknown precision or a device that is not there.
    """
    if precision not in PRECISIONS or device not in DEVICES:
        raise UsageError(
            f"unknown precision or device: {precision!r}, {device!r}",
            hint=f"precision: {', '.join(PRECISIONS)}; device: {', '.join(DEVICES)}",
        )
    folder = find_model(name)
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "torch", "models") from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    device = _device(torch, device)
    precision = ("bf16" if device == "cuda" else "fp32") if precision == "auto" else precision
    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]
    model, tokenizer = _load(transformers, folder, dtype)
    model = model.to(device).eval()
    return Network(
        folder=folder,
        model=model,
        tokenizer=tokenizer,
        head=find_head(model, torch),
        device=device,
        precision=precision,
        max_length=_max_length(model, tokenizer),
    )


def _device(torch: Any, device: str) -> str:
    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise UsageError("no GPU is available here", hint="--device cpu")
    return "cuda" if has_gpu and device == "auto" else device.replace("auto", "cpu")


def _load(transformers: Any, folder: ModelFolder, dtype: Any) -> tuple[Any, Any]:
    settings = {"trust_remote_code": False, "local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder.path, **settings)
        model = transformers.AutoModelForMaskedLM.from_pretrained(
            folder.path,
            dtype=dtype,
            use_safetensors=True,
            # plain products: attention weights are visible, and a row's last bits do not depend
            # on the rows beside it, as with the fused kernels
            attn_implementation="eager",
            **settings,
        )
    except Exception as error:  # transformers and tokenizers raise a dozen kinds
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(
            f"not a masked language model that transformers can load: {reason[:200]}",
            where=folder.name,
            hint="models that need code of their own are refused",
        ) from error
    if not getattr(tokenizer, "is_fast", False) or tokenizer.mask_token_id is None:
        raise InputError("its tokenizer has no mask token or no fast version", where=folder.name)
    return model, tokenizer


def _max_length(model: Any, tokenizer: Any) -> int:
    """Positions that the model has, less those that RoBERTa's numbering skips."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or _UNBOUNDED)
    embeddings = getattr(model.base_model, "embeddings", None)
    # RoBERTa counts positions from padding_idx + 1 and keeps that index as an attribute
    padding = getattr(embeddings, "padding_idx", None)
    if isinstance(padding, int):
        positions -= padding + 1
    return min(positions, int(min(tokenizer.model_max_length, _UNBOUNDED)))

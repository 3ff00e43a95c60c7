"""Read a model and its tokenizer with transformers: safetensors alone, and no code of theirs."""

from __future__ import annotations

from typing import Any

from curate.errors import InputError, MissingExtraError
from curate.models.sources import ModelFolder

__all__ = ["quiet_transformers", "read_pretrained"]


def quiet_transformers() -> Any:
    """The module `transformers`, without its bars and hints. Raises MissingExtraError."""
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "torch", "models") from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return transformers


def read_pretrained(
    folder: ModelFolder, auto: Any, *, what: str, dtype: Any = "float32"
) -> tuple[Any, Any, Any]:
    """(model, tokenizer, what transformers tells of the loading) by its class `auto`.

    The weights are as they lie there: what is missing or of another shape is for the caller to
    refuse (`check_weights`). Raises InputError, which calls the folder not `what`.
    """
    import transformers

    settings = {"trust_remote_code": False, "local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder.path, **settings)
        model, info = auto.from_pretrained(
            folder.path,
            dtype=dtype,
            use_safetensors=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # reported, and refused, by check_weights
            # plain products: attention weights are visible, and a row's last bits do not depend
            # on the rows beside it, as with the fused kernels
            attn_implementation="eager",
            **settings,
        )
    except Exception as error:  # transformers and tokenizers raise a dozen kinds
        said = str(error).replace(str(folder.path), folder.name).strip()
        reason = said.splitlines()[0] if said else type(error).__name__
        raise InputError(
            f"not {what} that transformers can load: {reason[:200]}",
            where=folder.name,
            hint="if its files may be damaged or cut off, fetch or save them again",
        ) from error
    return model, tokenizer, info

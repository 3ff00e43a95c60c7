"""Find a model: the embedded one, a local folder, or a Hub id; never its code, never a pickle."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from curate.errors import InputError, MissingExtraError, RemoteError

__all__ = ["MINI", "ModelFolder", "embedded_mini", "find_model", "folder_revision"]

MINI = "mini"

_HUB_ID = re.compile(r"(?P<repo>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[\w./-]+))?")
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_TOKENIZER = (
    "tokenizer.json", "tokenizer.model", "vocab.txt", "vocab.json", "merges.txt", "spiece.model",
    "sentencepiece.bpe.model", "sentencepiece.model", "spm.model", "bpe.codes", "dict.txt",
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
)  # fmt: skip
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
_DECISIVE = ("config.json", *_WEIGHTS, "model-*-of-*.safetensors", *_TOKENIZER)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on this disk: its name for tables, its files, and the hash that pins them."""

    name: str
    path: Path
    revision: str


def embedded_mini() -> Path:
    """Where the package carries its own small model."""
    return Path(__file__).resolve().parent / "embedded" / MINI


def find_model(name: str) -> ModelFolder:
    """`mini`, a local folder, or a Hub id (``owner/name``, optionally ``@revision``).

    Raises `InputError` where there is no such model or it has no safetensors weights;
    `RemoteError` where the Hub fails. ``HF_HUB_OFFLINE=1`` looks in the local cache only.
    """
    if name == MINI:
        path = embedded_mini()
        if not path.is_dir():
            raise InputError(
                "the embedded model 'mini' is missing from this installation",
                hint="name another model (--model), or train one: curate model pretrain --help",
            )
        return _checked(ModelFolder(MINI, path, folder_revision(path)))
    local = Path(name).expanduser()
    if name and local.is_dir():
        return _checked(ModelFolder(local.resolve().name, local, folder_revision(local)))
    found = _HUB_ID.fullmatch(name)
    if found is None or name.startswith("."):
        raise InputError("no such model folder", where=name, hint="mini, a folder, or a Hub id")
    return _checked(_from_hub(found["repo"], found["revision"]))


def _from_hub(repo: str, revision: str | None) -> ModelFolder:
    try:
        from huggingface_hub import errors as hub
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtraError("huggingface_hub", "models") from None
    try:
        path = Path(
            snapshot_download(
                repo, revision=revision, allow_patterns=list(_DECISIVE), etag_timeout=10
            )
        )
    except (hub.RepositoryNotFoundError, hub.RevisionNotFoundError, hub.HFValidationError):
        raise InputError(
            f"no model {repo!r} on the Hub", hint="check the id and revision"
        ) from None
    except (hub.LocalEntryNotFoundError, hub.OfflineModeIsEnabled):
        offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}
        why = "HF_HUB_OFFLINE is set" if offline else "the Hub cannot be reached"
        raise InputError(
            f"no model {repo!r}: no such folder, not in the local cache, and {why}",
            hint="--model mini needs no network; a folder saved by save_pretrained works too",
        ) from None
    except (hub.HfHubHTTPError, OSError) as error:
        raise RemoteError(f"the Hub did not deliver {repo!r}: {type(error).__name__}") from error
    return ModelFolder(repo, path, path.name)


def _checked(folder: ModelFolder) -> ModelFolder:
    where = folder.name if folder.name == MINI else str(folder.path)
    if not (folder.path / "config.json").is_file():
        raise InputError("this folder holds no model: config.json is missing", where=where)
    _readable(folder.path / "config.json")
    if not any((folder.path / name).is_file() for name in _WEIGHTS):
        local = folder.path.name != folder.revision  # of a Hub model, other files are not fetched
        if local and not any(any(folder.path.glob(pattern)) for pattern in _PICKLES):
            raise InputError("no weights here: model.safetensors is missing", where=where)
        raise InputError(
            "no safetensors weights here; pickled weights are never loaded",
            where=where,
            hint="convert them: AutoModelForMaskedLM.from_pretrained(…).save_pretrained(…)",
        )
    if not any((folder.path / name).is_file() for name in _TOKENIZER):
        raise InputError("no tokenizer files here", where=where)
    return folder


def _readable(path: Path) -> None:
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"not JSON ({error})", where=path) from error
    if not isinstance(config, dict):
        raise InputError("not a JSON object, so no configuration of a model", where=path)
    if not isinstance(config.get("model_type"), str):
        raise InputError("it names no architecture: model_type is missing", where=path)


def folder_revision(path: Path) -> str:
    """A hash of the files that decide a model's scores: ``sha256:`` and 16 hexadecimal digits."""
    digest = hashlib.sha256()
    files = {file for pattern in _DECISIVE for file in path.glob(pattern) if file.is_file()}
    for file in sorted(files):
        with file.open("rb") as handle:
            content = hashlib.file_digest(handle, "sha256").hexdigest()
        digest.update(f"{file.name} {content}\n".encode())
    return f"sha256:{digest.hexdigest()[:16]}"

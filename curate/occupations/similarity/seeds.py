"""A folder of `curate occupations train` stands for the models of all its seeds."""

from __future__ import annotations

import json
from pathlib import Path

from curate.errors import InputError

__all__ = ["TRAINING", "seeds_of", "trained_name"]

TRAINING = "training.json"


def seeds_of(name: str) -> list[str]:
    """The models that `name` stands for: those of its seeds, or itself.

    Raises InputError where a training was cut off before all its seeds were done.
    """
    folder = Path(name).expanduser()
    path = folder / TRAINING
    if not name or not path.is_file():
        return [name]
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        folders = {int(run["seed"]): folder / str(run["folder"]) for run in record["runs"]}
        missing = sorted(set(record["seeds"]) - set(folders))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("not a record of a training", where=path) from error
    if missing or not folders:
        raise InputError(
            f"seed {missing[0] if missing else '?'} is not trained to its end",
            where=folder,
            hint="give the command curate occupations train again: it goes on",
        )
    return [str(folders[seed]) for seed in record["seeds"]]


def trained_name(name: str) -> str:
    """What the seeds of a training are called together; "" for a model that is no such folder."""
    path = Path(name).expanduser() / TRAINING
    if not name or not path.is_file():
        return ""
    try:
        return f"{json.loads(path.read_text(encoding='utf-8'))['model']} (trained)"
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("not a record of a training", where=path) from error

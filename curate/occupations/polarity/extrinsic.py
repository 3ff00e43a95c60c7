"""Differences of similarity that another measurement of the same table found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curate.errors import InputError
from curate.sources.tables import read_parquet

__all__ = ["read_differences"]

_FILE = "summary.parquet"
_WHOLE = "similarity.json"  # written last
_WANTED = ("column", "difference", "model")


def read_differences(
    folders: Sequence[Path], *, lang: str, version: str = ""
) -> dict[str, dict[str, float]]:
    """By model, each column's mean similarity with she less that with he.

    `folders` are what `curate occupations score` wrote; a model that comes twice is told apart by
    its folder. Raises InputError for another folder, one whose scoring was cut off, and one of
    another language or, where `version` says which it must be, of another table.
    """
    found: dict[str, dict[str, float]] = {}
    for folder in folders:
        path = Path(folder) / _FILE
        for file in (_FILE, _WHOLE):
            if not (Path(folder) / file).is_file():
                raise InputError(
                    f"no {file} here: no scores of occupations, or a run that was cut off",
                    where=folder,
                    hint="--scores names a folder that curate occupations score wrote",
                )
        table = read_parquet(path)
        missing = [name for name in _WANTED if name not in table.schema.names]
        if missing:
            raise InputError(
                f"no table of similarities: it has no column {missing[0]!r}", where=path
            )
        rows = table.to_pylist()
        langs = {row["lang"] for row in rows if "lang" in row}
        if langs and lang not in langs:
            raise InputError(f"scores of {', '.join(sorted(langs))}, not of {lang!r}", where=path)
        others = {str(row["version"]) for row in rows if "version" in row} - {version}
        if version and others:
            raise InputError(
                f"scores of another table ({', '.join(sorted(others))}, not {version}): its "
                "sentences are not these",
                where=path,
                hint="score the table of --data: curate occupations score",
            )
        models = sorted({str(row["model"]) for row in rows})
        for model in models:
            name = model if model not in found else f"{model} ({Path(folder).name})"
            found[name] = {
                row["column"]: float(row["difference"])
                for row in rows
                if row["model"] == model and row["difference"] is not None
                and row.get("lang", lang) == lang
            }  # fmt: skip
    return found

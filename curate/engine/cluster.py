"""The parts of a run made by Ray Data: one reader, a map over its tables wherever there is room.

The reader runs as a task of the cluster and streams tables; each is mapped by the same `Parts.make`
that runs on one machine, and whoever made a part writes it. What comes back to the driver is a line
a part. A task or actor whose process dies is run again by Ray, and writes the same bytes.
"""

from __future__ import annotations

import inspect
import json
import logging
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from curate import errors
from curate.engine.local import keep_what_is_loaded
from curate.engine.parts import Part, Parts, gaps
from curate.engine.ray_start import connected, last_line
from curate.engine.storage import not_written
from curate.errors import CurateError, RemoteError

if TYPE_CHECKING:
    from curate.engine.running import Engine

__all__ = ["made_by_ray"]

_READER_CPUS = 0.5
"""Another share of a processor than the map asks for: Ray joins steps that ask for the same, and
one process would then read and do all the work."""

_AGAIN = 2
"""How often a table goes to another process after one that had it was killed; without a number Ray
would go on with a table that is too much for any, for ever."""

_CARRIED = pa.schema([("start", pa.int64()), ("table", pa.large_binary()), ("error", pa.string())])
"""How a table travels: as one value, so that Ray neither cuts nor joins nor retypes it. An error of
ours travels in its place, since Ray passes on no more than the text of one."""

_MADE = pa.schema(
    [
        ("start", pa.int64()),
        ("rows", pa.int64()),
        ("written", pa.string()),
        ("error", pa.string()),
    ]
)


def made_by_ray(batches: Iterable[pa.Table], parts: Parts, engine: Engine) -> Iterator[Part]:
    """The part of every table that is not done yet, in the order in which they are finished.

    Raises RemoteError where the cluster cannot be reached, or loses what it cannot make again.
    """
    ray = connected(engine)
    try:
        yield from _made(ray, batches, parts, engine)
    except ray.exceptions.RayError as error:
        raise RemoteError(
            f"Ray gave up: {last_line(error)}",
            hint="the finished parts are kept: run the same command again",
        ) from error
    finally:
        ray.shutdown()


def _made(ray: Any, batches: Iterable[pa.Table], parts: Parts, engine: Engine) -> Iterator[Part]:
    from ray.data import DataContext

    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what matters is raised
    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.target_max_block_size = 1  # no two tables in one block
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # see _bounded
        read = ray.data.read_datasource(
            _reader(batches, parts), num_cpus=_READER_CPUS, override_num_blocks=1,
            **_bounded(ray.data.read_datasource, ray_remote_args={"max_retries": _AGAIN}),
        )  # fmt: skip
        tries = "max_task_retries" if parts.stage.model else "max_retries"
        made = read.map_batches(
            batch_size=None, batch_format="pyarrow", num_cpus=1,
            **_mapping(ray, parts, engine), **_bounded(read.map_batches, **{tries: _AGAIN}),
        )  # fmt: skip
    for told in made.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        for row in told.to_pylist():
            if row["error"] is not None:
                raise _raised(row["error"])
            yield Part(row["start"], row["rows"], json.loads(row["written"]))


def _bounded(function: Any, **settings: Any) -> dict[str, Any]:
    """`settings` where `function` still takes them: Ray 2.60 warns that 2.64 will not."""
    return settings if "ray_remote_args" in inspect.signature(function).parameters else {}


def _mapping(ray: Any, parts: Parts, engine: Engine) -> dict[str, Any]:
    """How the map runs: in any free process; a model in actors of its own, with a GPU if any."""
    from ray.data import ActorPoolStrategy, TaskPoolStrategy

    if not parts.stage.model:
        pool = TaskPoolStrategy(size=engine.workers or None)
        return {"fn": _make, "fn_kwargs": {"parts": parts}, "compute": pool}
    there = ray.cluster_resources()
    gpus = int(there.get("GPU", 0))
    room = gpus or max(1, int(there.get("CPU", 1)) - 1)
    return {
        "fn": _Maker,
        "fn_constructor_args": (parts,),
        "compute": ActorPoolStrategy(size=min(engine.workers or room, room)),
        "num_gpus": 1 if gpus else None,
    }


def _make(carried: pa.Table, parts: Parts) -> pa.Table:
    """In the cluster: the parts of the tables that came, written; a line a part."""
    return pa.Table.from_pylist([_made_of(row, parts) for row in carried.to_pylist()], schema=_MADE)


def _made_of(row: dict[str, Any], parts: Parts) -> dict[str, Any]:
    if row["error"] is not None:
        return {"start": row["start"], "error": row["error"]}
    try:
        with pa.ipc.open_stream(row["table"]) as stream:
            part = parts.make(row["start"], stream.read_all())
    except (CurateError, OSError) as error:
        return {"start": row["start"], "error": _told(error, parts)}
    keep_what_is_loaded()
    return {"start": part.start, "rows": part.rows, "written": json.dumps(part.written)}


class _Maker:
    """An actor that makes parts: what the stage has loaded stays with it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __call__(self, carried: pa.Table) -> pa.Table:
        return _make(carried, self._parts)


def _reader(batches: Iterable[pa.Table], parts: Parts) -> Any:
    """A source of Ray Data with one task, which streams the tables that are not done."""
    from ray.data.block import BlockMetadata
    from ray.data.datasource import Datasource, ReadTask

    done = list(parts.done)

    def read() -> Iterator[pa.Table]:
        start = 0
        try:
            for start, table in gaps(batches, done):
                yield pa.table([[start], [_packed(table)], [None]], schema=_CARRIED)
        except (CurateError, OSError) as error:
            yield pa.table([[start], [None], [_told(error, parts)]], schema=_CARRIED)

    class Reader(Datasource):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[Any]:
            about = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
            return [ReadTask(read, about, schema=_CARRIED)]

    return Reader()


def _packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def _told(error: CurateError | OSError, parts: Parts) -> str:
    if isinstance(error, OSError):
        error = not_written(error, parts.folder)
    told = {"message": error.message, "where": error.where, "hint": error.hint}
    return json.dumps({"kind": type(error).__name__, **told})


def _raised(text: str) -> CurateError:
    """The error that `_told` wrote down."""
    told = json.loads(text)
    kind = getattr(errors, told.pop("kind"), CurateError)
    return errors.restored(kind, **told)

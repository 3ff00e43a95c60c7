"""The people whose names are asked about: one language of a table, in the order of their ids."""

from __future__ import annotations

import hashlib
import itertools
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from curate import schema
from curate.errors import InputError, UsageError
from curate.sources.tables import read_parquet

__all__ = ["FILE_NAME", "choose_people", "one_line", "qid_order", "read_people"]

FILE_NAME = "politicians.parquet"

_READ = ("qid", "lang", "name", "gender")
_BREAKS = re.compile("[\t\n\r\x85\u2028\u2029]+")
_NUMBERED = re.compile(r"(.*?)(\d+)")


def qid_order(qid: str) -> tuple[str, int, str]:
    """A key that sorts Q9 before Q10, and ids of other kinds by name and number."""
    match = _NUMBERED.fullmatch(qid)
    return (match[1], int(match[2]), qid) if match else (qid, -1, qid)


def one_line(name: str) -> str:
    """A name with a space for every tab and every end of a line in it."""
    return _BREAKS.sub(" ", name)


def read_people(path: Path, *, lang: str) -> pa.Table:
    """The columns qid, lang, name and gender of the people with a name in `lang`, sorted by qid.

    `path` is a file of `schema.POLITICIANS` or a folder that holds ``politicians.parquet``. Every
    gender is kept. Raises InputError for what is no such table, for a language that it lacks, and
    where a person stands twice.
    """
    path = path / FILE_NAME if path.is_dir() else path
    if not path.exists():
        raise InputError("no such file", where=path, hint="curate politicians fetch, or import")
    table = read_parquet(path, wanted=_READ)
    wanted = pa.schema([schema.POLITICIANS.field(name) for name in _READ])
    try:
        table = table.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise InputError(
            f"columns of other types ({str(error).splitlines()[0]})", where=path
        ) from error
    own = table.filter(pc.equal(table.column("lang"), lang)).combine_chunks()
    if not own.num_rows:
        langs = sorted(table.column("lang").unique().to_pylist())
        raise InputError(
            f"nobody has a name in {lang!r} here; there are: {', '.join(langs) or 'none'}",
            where=path,
        )
    qids = own.column("qid").to_pylist()
    order = sorted(range(len(qids)), key=lambda place: qid_order(qids[place]))
    for first, second in itertools.pairwise(order):
        if qids[first] == qids[second]:
            raise InputError(f"{qids[first]} stands twice in {lang!r}", where=path)
    return own.take(pa.array(order, pa.int64()))


def choose_people(people: pa.Table, *, limit: int, seed: int) -> pa.Table:
    """`limit` people drawn at random (0: everybody), still sorted; a larger limit adds people.

    Whoever is drawn depends on the seed and the ids alone. Raises UsageError for a negative limit.
    """
    if limit < 0:
        raise UsageError(f"{limit} people cannot be drawn", hint="--limit 0 takes everybody")
    if not limit or limit >= people.num_rows:
        return people
    drawn = [
        (hashlib.blake2b(f"{seed} {qid}".encode(), digest_size=16).digest(), place)
        for place, qid in enumerate(people.column("qid").to_pylist())
    ]
    places = sorted(place for _, place in sorted(drawn)[:limit])
    return people.take(pa.array(places, pa.int64()))

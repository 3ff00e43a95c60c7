"""A real SPARQL server with made-up people: Oxigraph on this machine."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.parts import wikidata_people
from tests.parts.wikidata_people import people, write_triples

__all__ = ["serving"]


def _program() -> str:
    beside = Path(sys.executable).with_name("oxigraph")
    found = str(beside) if beside.is_file() else shutil.which("oxigraph")
    if not found:
        raise LookupError("no SPARQL server: pip install oxigraph")
    return found


def _database(count: int, folder: Path) -> Path:
    """The people in a database, made once for as long as they are the same."""
    source = Path(wikidata_people.__file__).read_bytes()
    database = folder / f"{count}-{hashlib.sha256(source).hexdigest()[:12]}"
    if database.is_dir():
        return database
    for old in folder.glob(f"{count}-*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    triples, loading = folder / f"{count}-people.nt", folder / f"{count}-loading"
    write_triples(triples, people(count))
    command = [_program(), "load", "--location", str(loading), "--file", str(triples)]
    subprocess.run(command, check=True, capture_output=True)
    triples.unlink()
    return loading.rename(database)


@contextmanager
def serving(count: int, folder: Path) -> Iterator[str]:
    """The address of an endpoint with `count` people; their database is kept in `folder`.

    Raises LookupError where the server is not installed.
    """
    database = _database(count, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [_program(), "serve-read-only", "--location", str(database),
               "--bind", f"127.0.0.1:{port}", "--timeout-s", "60"]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/query"
    try:
        _wait_for(url, server)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    with httpx.Client(trust_env=False) as client:
        for _ in range(300):
            if server.poll() is not None:
                raise RuntimeError("the SPARQL server ended at once")
            try:
                if client.get(url, params={"query": "ASK {}"}).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
    raise RuntimeError("the SPARQL server does not answer")

"""Two programs never ask one host at once, and an endpoint that asks for rest has it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from curate.errors import RemoteError, UsageError
from curate.politicians.parts import Parts
from curate.politicians.parts_lock import held
from curate.sources.wikidata import Endpoint, client, host_turn
from curate.sources.wikidata.failures import Failure
from tests.politicians.test_fetch_endpoint import QUERY, ROWS, Answer, Stub

pytest.importorskip("SPARQLWrapper")
pytest.importorskip("tenacity")


@pytest.fixture
def stub() -> Iterator[Callable[..., Stub]]:
    made: list[Stub] = []

    def make(*answers: Answer) -> Stub:
        made.append(Stub(list(answers)))
        return made[-1]

    yield make
    for one in made:
        one.server.shutdown()
        one.server.server_close()


def ask(endpoint: Endpoint, times: int) -> None:
    for _ in range(times):
        assert endpoint.select(QUERY, kind="test") == ROWS


def test_two_clients_take_turns(stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_turn, "_TOLD", 0.1)
    server = stub(Answer(wait=0.2))
    told: list[str] = []
    both = [server.endpoint(on_wait=lambda _, reason: told.append(reason)) for _ in range(2)]
    threads = [threading.Thread(target=ask, args=(endpoint, 4)) for endpoint in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(server.times), server.most) == (8, 1)
    assert 1 <= len(told) <= 2  # once a client
    assert set(told) == {"another program asks this host, in turn with this one"}


ASK = """
import sys
from curate.sources.wikidata import Endpoint
Endpoint(sys.argv[1], contact="me@example.org").select(sys.argv[2], kind="test")
"""


def test_whoever_dies_gives_its_turn_back(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(wait=3.0), Answer())
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", ASK, server.url, QUERY], cwd=root, env=os.environ.copy()
    )
    deadline = time.monotonic() + 60
    while not server.times:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    began = time.monotonic()
    waiting = threading.Thread(target=ask, args=(server.endpoint(), 1))
    waiting.start()
    time.sleep(0.3)
    assert len(server.times) == 1, "the other program is at work"
    process.send_signal(signal.SIGKILL)
    process.wait()
    waiting.join()
    assert len(server.times) == 2
    assert time.monotonic() - began < 2.5, "nobody waits for an answer that nobody reads"


def test_a_rest_holds_for_everybody(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(429, b"", Retry_After="1"), Answer())
    with pytest.raises(RemoteError, match="429"):
        server.endpoint(attempts=1).select(QUERY, kind="test")
    ask(server.endpoint(), 1)
    assert server.times[1] - server.times[0] >= 1.0


def test_a_rest_of_hours_is_had(stub: Callable[..., Stub], own_turns: Path) -> None:
    """Neither another client nor one that knows of it alone asks before."""
    server = stub(Answer(429, b"", Retry_After="3600"), Answer())
    until: list[float] = []
    with pytest.raises(RemoteError, match="429"):
        server.endpoint(on_rest=until.append).select(QUERY, kind="test")
    assert 3590 < until[0] - time.time() <= 3600
    with pytest.raises(RemoteError, match="has asked for rest") as raised:
        server.endpoint().select(QUERY, kind="test")
    assert "s of rest" in raised.value.hint
    for file in (own_turns / "curate" / "hosts").iterdir():
        file.unlink()
    with pytest.raises(RemoteError, match="has asked for rest"):
        server.endpoint(rest=until[0]).select(QUERY, kind="test")
    assert len(server.times) == 1
    ask(server.endpoint(rest=time.time() - 5), 1)


def test_a_rest_is_kept_beside_the_parts(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "parts", {"langs": ["en"]})
    parts.open(restart=False)
    assert parts.rest == 0
    parts.keep_rest(123456.5)
    again = Parts(tmp_path / "parts", {"langs": ["en"]})
    again.open(restart=False)
    assert again.rest == 123456.5


def test_a_short_rest_is_waited_for_and_told(stub: Callable[..., Stub]) -> None:
    server, told = stub(Answer()), list[tuple[float, str]]()
    endpoint = server.endpoint(rest=time.time() + 1, on_wait=lambda *heard: told.append(heard))
    began = time.monotonic()
    ask(endpoint, 1)
    assert time.monotonic() - began >= 0.9
    assert [reason for _, reason in told] == ["before the next query"]


def test_a_turn_may_be_interrupted(
    stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stub(Answer(wait=0.5))
    first = threading.Thread(target=ask, args=(server.endpoint(), 1))
    first.start()
    while not server.times:
        time.sleep(0.01)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(host_turn, "_TOLD", 0.05)
    with pytest.raises(KeyboardInterrupt):
        server.endpoint(on_wait=interrupt).select(QUERY, kind="test")
    first.join()
    assert len(server.times) == 1


def test_what_stands_in_a_lock_is_no_matter(stub: Callable[..., Stub], own_turns: Path) -> None:
    server = stub(Answer())
    ask(server.endpoint(), 1)
    (path,) = (own_turns / "curate" / "hosts").iterdir()
    far = time.time() + 1e9
    for text in ("", "nonsense", "nan nan", f"1 {far}", f"{far} {far + 1e9}", "-5 -5", "1 2 3"):
        path.write_text(text)
        ask(server.endpoint(), 1)


def test_a_cache_that_cannot_be_written(
    stub: Callable[..., Stub], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    server = stub(Answer())
    with pytest.raises(UsageError, match="no lock can be made"):
        server.endpoint().select(QUERY, kind="test")
    assert not server.times


def moved(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the clock that locks are written by."""
    shown = SimpleNamespace(
        time=lambda: time.time() + seconds, monotonic=time.monotonic, sleep=time.sleep
    )
    monkeypatch.setattr(host_turn, "time", shown)


def left_at(turn: host_turn.HostTurn, seconds: float) -> None:
    """Leave a rest in the lock."""
    with turn.taken():
        turn.rest = time.time() + seconds


def test_a_clock_that_is_set_back_stops_no_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is had once more from its beginning, not until the clock is where it was."""
    turn = host_turn.HostTurn("a.b", 443, on_wait=lambda *_: None)
    left_at(turn, 0.4)
    moved(monkeypatch, -7200)
    began = time.monotonic()
    with turn.taken():
        took = time.monotonic() - began
    assert 0.3 <= took < 2


def test_a_rest_of_more_than_a_week_is_one_of_a_week() -> None:
    turn = host_turn.HostTurn("a.b", 443, on_wait=lambda *_: None)
    left_at(turn, 9 * 86_400)
    with pytest.raises(Failure, match="asked for rest"), turn.taken():
        pass


def test_a_rest_is_not_told_as_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_turn, "_TOLD", 0.1)
    told: list[str] = []
    turn = host_turn.HostTurn("a.b", 443, on_wait=lambda _, reason: told.append(reason))
    left_at(turn, 0.5)
    with turn.taken():
        pass
    assert told == ["the host rests after an earlier query"]


def test_a_disk_without_locks_and_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = host_turn.HostTurn("a.b", 443, on_wait=lambda *_: None)

    def none(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patched:
        patched.setattr("fcntl.flock", none)
        with pytest.raises(UsageError, match="No locks available"), turn.taken():
            pass

    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(UsageError, match="no home folder"), turn.taken():
        pass


def test_an_error_in_telling_is_not_one_of_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(host_turn, "_TOLD", 0.1)
    turn = host_turn.HostTurn("a.b", 443, on_wait=closed)
    left_at(turn, 0.5)
    with pytest.raises(BrokenPipeError), turn.taken():
        pass


def test_a_full_disk_loses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    turn = host_turn.HostTurn("a.b", 443, on_wait=lambda *_: None)
    monkeypatch.setattr(os, "pwrite", full)
    with turn.taken():
        answer = 1
    assert answer


def test_no_lock_stays_after_an_error(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "new"):
        with pytest.raises(RuntimeError), held(folder):
            assert (folder / ".lock").exists()
            raise RuntimeError
        assert not (folder / ".lock").exists()
    assert not (tmp_path / "new").exists()
    with held(tmp_path):
        pass


def test_hosts_have_turns_of_their_own() -> None:
    assert client.HostTurn is host_turn.HostTurn
    names = {
        host_turn.HostTurn(host, port, on_wait=print)._name
        for host, port in (("127.0.0.1", 1), ("localhost", 1), ("::1", 1), ("::1", 2), ("a.b", 1))
    }
    assert names == {"loopback-1", "loopback-2", "a.b-1"}

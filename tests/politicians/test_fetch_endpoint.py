"""One query at a time to an endpoint that does what such services do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from curate.errors import RemoteError, UsageError
from curate.sources.wikidata import (
    Endpoint,
    QueryTimeoutError,
    checked_contact,
    client,
    qid_of,
    shown_address,
)
from curate.sources.wikidata.failures import Failure, read_answer

pytest.importorskip("SPARQLWrapper")
pytest.importorskip("tenacity")

QUERY = "SELECT ?x WHERE { ?x ?y ?z }"
ROWS = [{"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q42"}}]
GOOD = json.dumps({"head": {"vars": ["x"]}, "results": {"bindings": ROWS}}).encode()
JSON = "application/sparql-results+json"


class Answer:
    """`length` is the length that is announced; `wait` seconds pass first."""

    def __init__(
        self, status: int = 200, body: bytes = GOOD, *, kind: str = JSON, length: int | None = None,
        wait: float = 0.0, **headers: str,
    ) -> None:  # fmt: skip
        self.status, self.body, self.kind, self.wait = status, body, kind, wait
        self.length = len(body) if length is None else length
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Stub:
    """Gives `answers` in turn, the last one for ever."""

    def __init__(self, answers: list[Answer]) -> None:
        self.times: list[float] = []
        self.agents: list[str] = []
        self.most, self._now = 0, 0
        own, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # (http.server's name)
                self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    own._now += 1
                    own.most = max(own.most, own._now)
                    answer = answers[min(len(own.times), len(answers) - 1)]
                    own.times.append(time.monotonic())
                    own.agents.append(self.headers["User-Agent"])
                time.sleep(answer.wait)
                with lock:
                    own._now -= 1
                try:
                    self.send_response(answer.status)
                    self.send_header("Content-Type", answer.kind)
                    self.send_header("Content-Length", str(answer.length))
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(answer.body)
                except OSError:
                    pass
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/sparql"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def endpoint(self, **options: Any) -> Endpoint:
        return Endpoint(self.url, contact="me@example.org", **{"backoff": 0.01, **options})


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


PASSING = {
    "busy": Answer(429, b"slow down", Retry_After="0"),
    "gateway": Answer(502, b"bad gateway"),
    "maintenance": Answer(503, b"<html>later</html>", kind="text/html"),
    "error": Answer(500, b"java.lang.NullPointerException"),
    "too slow": Answer(504, b"upstream"),
    "page": Answer(200, b"<html>hello</html>", kind="text/html"),
    "cut": Answer(200, GOOD[:40], length=len(GOOD)),
    "cut by the clock": Answer(200, GOOD[:40]),
    "nothing": Answer(200, b""),
    "not what it says": Answer(200, b'{"hello": 1}'),
    "no list": Answer(200, b'{"results": {"bindings": null}}'),
    "no rows": Answer(200, b'{"results": {"bindings": [1]}}'),
    "no terms": Answer(200, b'{"results": {"bindings": [{"x": "Q1"}]}}'),
    "no value": Answer(200, b'{"results": {"bindings": [{"x": {"type": "uri"}}]}}'),
    "no text": Answer(200, b'{"results": {"bindings": [{"x": {"value": 1}}]}}'),
}


@pytest.mark.parametrize("case", PASSING)
def test_what_passes_is_tried_again(stub: Callable[..., Stub], case: str) -> None:
    server = stub(PASSING[case], Answer())
    heard: list[tuple[str, str]] = []
    endpoint = server.endpoint(on_request=lambda kind, outcome, _: heard.append((kind, outcome)))
    assert endpoint.select(QUERY, kind="test") == ROWS
    assert len(server.times) == len(heard) == 2
    assert heard[1] == ("test", "ok")
    assert heard[0][1] != "ok"
    assert all("me@example.org" in agent for agent in server.agents)


def test_retry_after_is_obeyed(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(429, b"", Retry_After="1"), Answer())
    assert server.endpoint().select(QUERY, kind="test") == ROWS
    assert server.times[1] - server.times[0] >= 1.0


def test_retry_after_of_a_500_is_obeyed(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(500, b"busy", Retry_After="1"), Answer())
    assert server.endpoint().select(QUERY, kind="test") == ROWS
    assert server.times[1] - server.times[0] >= 1.0


def test_retry_after_holds_for_the_next_query_too(
    stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query that is too much is given up; the smaller one after it waits all the same."""
    monkeypatch.setattr(client, "_SLOW", 0.0)
    waits: list[float] = []
    server = stub(Answer(504, b"upstream", Retry_After="1"), Answer())
    endpoint = server.endpoint(on_wait=lambda seconds, _: waits.append(seconds))
    with pytest.raises(QueryTimeoutError):
        endpoint.select(QUERY, kind="test")
    assert len(server.times) == 1
    assert endpoint.select(QUERY, kind="test") == ROWS
    assert server.times[1] - server.times[0] >= 1.0
    assert len(waits) == 1
    assert 0.5 < waits[0] <= 1.0


def test_a_504_that_asks_for_hours_ends_the_run(stub: Callable[..., Stub]) -> None:
    """Smaller queries would have to wait as long: it is no matter of their size."""
    server = stub(Answer(504, b"", Retry_After="86400"))
    with pytest.raises(RemoteError, match="504") as raised:
        server.endpoint().select(QUERY, kind="test")
    assert not isinstance(raised.value, QueryTimeoutError)
    assert len(server.times) == 1


def test_a_settled_answer_that_is_no_table_is_one_line(stub: Callable[..., Stub]) -> None:
    server = stub(PASSING["no list"])
    with pytest.raises(RemoteError, match="no table") as raised:
        server.endpoint(attempts=2).select(QUERY, kind="test")
    assert not isinstance(raised.value, QueryTimeoutError)


def test_an_endpoint_does_not_steer_the_terminal(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(405, b"\x1b[2Jgone\x9b1m"))
    with pytest.raises(RemoteError, match="gone") as raised:
        server.endpoint().select(QUERY, kind="test")
    assert str(raised.value).isprintable()


def test_no_key_in_an_address_is_shown(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(404, b"gone"))
    url = f"{server.url}?apikey=SECRET&graph=SECRET#SECRET"
    with pytest.raises(RemoteError) as raised:
        Endpoint(url, contact="me@example.org").select(QUERY, kind="test")
    assert "SECRET" not in f"{raised.value} {raised.value.hint}"
    assert shown_address(url) == f"{server.url}?apikey=…&graph=…"
    assert shown_address(server.url) == server.url
    assert shown_address("http://a.b/c?SECRET") == "http://a.b/c?…"
    with pytest.raises(UsageError) as refused:
        Endpoint("http://me:SECRET@example.org/", contact="me@example.org")
    assert "SECRET" not in f"{refused.value} {refused.value.hint}"


def test_retry_after_may_be_a_date(stub: Callable[..., Stub]) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    server = stub(Answer(503, b"", Retry_After=later), Answer())
    assert server.endpoint().select(QUERY, kind="test") == ROWS
    assert server.times[1] - server.times[0] >= 1.5  # a date has whole seconds


def test_a_wait_of_hours_ends_the_run(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(429, b"", Retry_After="86400"))
    with pytest.raises(RemoteError, match="429") as raised:
        server.endpoint().select(QUERY, kind="test")
    assert "86,400 s of rest" in raised.value.hint
    assert len(server.times) == 1


def test_the_waits_grow(stub: Callable[..., Stub]) -> None:
    waits: list[float] = []
    server = stub(Answer(503, b""))
    endpoint = server.endpoint(on_wait=lambda seconds, _: waits.append(seconds), backoff=0.02)
    with pytest.raises(RemoteError, match="503"):
        endpoint.select(QUERY, kind="test")
    assert len(server.times) == 6
    assert all(0.02 * 2**n <= wait <= 0.02 * 2**n + 0.02 for n, wait in enumerate(waits))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 414])
def test_what_does_not_pass_is_asked_once(stub: Callable[..., Stub], status: int) -> None:
    server = stub(Answer(status, b"line one\nline two"))
    with pytest.raises(RemoteError) as raised:
        server.endpoint().select(QUERY, kind="test")
    assert raised.value.exit_code == 3
    assert "\n" not in str(raised.value)
    assert not isinstance(raised.value, QueryTimeoutError)
    assert len(server.times) == 1


HEAVY = {
    "says so": (Answer(500, b"java.util.concurrent.TimeoutException: Query deadline"), 1),
    "says so elsewhere": (Answer(429, b'{"exception": "Operation timed out"}'), 1),
    "at the end": (Answer(200, GOOD[:40] + b"\njava.util.concurrent.TimeoutException"), 1),
    "always cut": (Answer(200, GOOD[:40]), 3),
    "always 504": (Answer(504, b""), 3),
}


@pytest.mark.parametrize("case", HEAVY)
def test_a_query_that_is_too_much(stub: Callable[..., Stub], case: str) -> None:
    answer, attempts = HEAVY[case]
    server = stub(answer)
    with pytest.raises(QueryTimeoutError):
        server.endpoint().select(QUERY, kind="test")
    assert len(server.times) == attempts


def test_no_answer_in_time_is_too_much(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(wait=2.0))
    with pytest.raises(QueryTimeoutError):
        server.endpoint(timeout=1.0).select(QUERY, kind="test")
    assert len(server.times) == 1


def test_a_query_given_up_may_still_be_at_work(
    stub: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere than on this machine the next one waits for the limit that endpoints have."""
    monkeypatch.setattr(client, "_LOOPBACK", frozenset())
    monkeypatch.setattr(client, "_OWN_LIMIT", 1.8)
    server = stub(Answer(wait=1.6))
    endpoint = server.endpoint(timeout=1.0, pause=0.0)
    for _ in range(2):
        with pytest.raises(QueryTimeoutError):
            endpoint.select(QUERY, kind="test")
    assert len(server.times) == 2
    assert server.most == 1


def test_the_words_of_an_error_are_whole(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(500, "\nein Fehler: größer\nmehr".encode()))
    with pytest.raises(RemoteError) as raised:
        server.endpoint(attempts=1).select(QUERY, kind="test")
    assert raised.value.message == "fails with 500 ein Fehler: größer"


def test_one_at_a_time_with_a_pause(stub: Callable[..., Stub]) -> None:
    server = stub(Answer(wait=0.05))
    endpoint = server.endpoint(pause=0.1)
    ask = [threading.Thread(target=endpoint.select, args=(QUERY,), kwargs={"kind": "test"})
           for _ in range(4)]  # fmt: skip
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    assert server.most == 1
    gaps = [after - before for before, after in zip(server.times, server.times[1:], strict=False)]
    assert min(gaps) >= 0.15


def test_nobody_listens() -> None:
    endpoint = Endpoint("http://127.0.0.1:9/", contact="me@example.org", backoff=0.01)
    with pytest.raises(RemoteError, match="cannot be reached"):
        endpoint.select(QUERY, kind="test")


@pytest.mark.parametrize("contact", ["", "me", "me@home", "me @example.org", "a@b.c\r\nX: y"])
def test_a_contact_is_needed(contact: str) -> None:
    with pytest.raises(UsageError, match="whom to write to"):
        checked_contact(contact)


def test_contacts() -> None:
    assert checked_contact(" me@example.org ") == "me@example.org"
    assert checked_contact("https://example.org/me")


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org", "http://", "http://[", "http://a:b@c.d"]
)
def test_addresses(url: str) -> None:
    with pytest.raises(UsageError):
        Endpoint(url, contact="me@example.org")


def test_items() -> None:
    def uri(value: str) -> dict[str, str]:
        return {"type": "uri", "value": value}

    assert qid_of(uri("http://www.wikidata.org/entity/Q42")) == "Q42"
    assert qid_of(uri("http://www.wikidata.org/.well-known/genid/0a1b")) == ""
    assert qid_of(uri("http://www.wikidata.org/entity/L42")) == ""
    assert qid_of({"type": "bnode", "value": "Q42"}) == ""
    assert qid_of({"type": "literal", "value": "http://www.wikidata.org/entity/Q42"}) == ""
    assert qid_of(None) == ""


def test_every_cut_is_noticed() -> None:
    for length in range(len(GOOD)):
        with pytest.raises(Failure):
            read_answer(GOOD[:length], JSON)
    assert read_answer(GOOD, JSON) == ROWS

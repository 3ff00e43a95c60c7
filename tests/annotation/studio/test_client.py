"""What becomes of a failing server: real sockets that misbehave in every way."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from curate.annotation.studio.access import Access
from curate.annotation.studio.client import Client, LostError
from curate.errors import RemoteError, UsageError
from tests.loopback import served

pytest.importorskip("label_studio_sdk")

TOKEN = "5ec4e7" * 6 + "cafe"
EMPTY = json.dumps({"count": 0, "next": None, "previous": None, "results": []})


class Server:
    """Answers the next request with the next of `answers`, and the last one for ever.

    An answer is (status, content type, body); a status of 0 breaks the connection off before the
    answer, -1 in the middle of it.
    """

    def __init__(self, *answers: tuple[int, str, str], headers: dict[str, str]) -> None:
        self.requests: list[str] = []
        own = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                own.requests.append(self.command)
                status, kind, body = answers[min(len(own.requests), len(answers)) - 1]
                if status == 0:
                    self.connection.close()
                    return
                self.send_response(status if status > 0 else 200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body) + (100 if status < 0 else 0)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())
                if status < 0:
                    self.connection.close()

            do_GET = do_POST = answer  # noqa: N815 (the names are http.server's)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@contextmanager
def serving(*answers: tuple[int, str, str], **headers: str) -> Iterator[Server]:
    server = Server(*answers, headers=headers)
    with served(server.http):
        yield server


def api(status: int, body: Any = "") -> tuple[int, str, str]:
    text = body if isinstance(body, str) else json.dumps(body)
    return status, "application/json", text


def client(url: str, **options: Any) -> Client:
    return Client(Access(url, TOKEN), **({"pause": 0.01} | options))


def read(url: str, **options: Any) -> Any:
    return client(url, **options).read("the projects", lambda studio: studio.projects.list())


def write(url: str) -> Any:
    return client(url).write("a project", lambda studio: studio.projects.create(title="x"))


BROKEN = [api(0), api(-1, '{"count":'), api(500), api(502, "<html>"), api(503), api(429, "{}")]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_read_is_tried_again_and_then_succeeds(broken: tuple[int, str, str]):
    with serving(broken, broken, api(200, EMPTY)) as server:
        assert read(server.url).items == []
        assert len(server.requests) == 3


@pytest.mark.parametrize("broken", BROKEN)
def test_a_read_gives_up_after_its_attempts(broken: tuple[int, str, str]):
    with serving(broken) as server, pytest.raises(RemoteError, match="the projects: ") as caught:
        read(server.url)
    assert len(server.requests) == 4
    assert caught.value.where == server.url
    assert "\n" not in str(caught.value)
    assert "<html>" not in str(caught.value)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_write_is_made_once_and_then_nobody_knows(broken: tuple[int, str, str]):
    with serving(broken, api(201, {"id": 3})) as server, pytest.raises(LostError):
        write(server.url)
    assert server.requests == ["POST"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (api(401, {"detail": "Invalid token."}), "does not take the token (Invalid token.)"),
        (api(403, {"detail": "No."}), "this account may not do that (No.)"),
        (api(404, {"detail": "No Project."}), "not found (No Project.)"),
        (api(400, {"detail": "Bad.", "validation_errors": {"title": ["Too long."]}}),
         "refuses with 400 (Bad. title: Too long.)"),
        ((404, "text/html", "<html>Lost</html>"), "a page instead of data (status 404)"),
        (api(302), "the address leads elsewhere, to nowhere"),
        ((200, "text/html", "<html>Welcome</html>"), "a page instead of data (status 200)"),
        (api(200, "[1, 2]"), "an answer that Label Studio does not give"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_line_at_once(answer: tuple[int, str, str], text: str):
    for call in (read, write):
        with serving(answer) as server, pytest.raises(RemoteError) as caught:
            call(server.url)
        assert text in str(caught.value)
        assert not isinstance(caught.value, LostError)
        assert len(server.requests) == 1
        assert caught.value.exit_code == 3


def listed(url: str) -> list[int]:
    rows = client(url).read_all("rows", lambda studio, page: studio.projects.list(page=page))
    return [row.id for row in rows]


def page(count: int, *ids: int) -> tuple[int, str, str]:
    rows = [{"id": one} for one in ids]
    return api(200, {"count": count, "next": None, "previous": None, "results": rows})


def test_pages_are_read_again_where_rows_moved_between_them():
    with serving(page(3, 1, 2), page(3, 3)) as server:
        assert listed(server.url) == [1, 2, 3]
    with serving(page(3, 1, 2), page(2), page(2, 1, 2)) as server:  # one was deleted
        assert listed(server.url) == [1, 2]
    with serving(page(3, 2, 1), page(4, 1, 0), page(4, 3, 2), page(4, 1, 0)) as server:  # one came
        assert listed(server.url) == [3, 2, 1, 0]
    with serving(page(0)) as server:
        assert listed(server.url) == []
    with serving(page(3, 1), page(3)) as server, pytest.raises(RemoteError, match="changing"):
        listed(server.url)


def test_a_list_of_something_else_is_no_list():
    for body in ({"ok": True}, [1], "null"):
        with serving(api(200, body)) as server, pytest.raises(RemoteError, match="does not give"):
            listed(server.url)


def test_a_server_that_is_not_there():
    with serving(api(200)) as server:
        gone = server.url
    with pytest.raises(RemoteError, match="cannot be reached") as caught:
        read(gone, attempts=2)
    assert "curate translate serve" in caught.value.hint


def test_a_server_that_never_answers():
    release = threading.Event()
    with serving(api(200, EMPTY)) as server:
        server.http.RequestHandlerClass.do_GET = lambda _: release.wait(5)  # type: ignore[attr-defined]
        with pytest.raises(RemoteError, match="does not answer in time"):
            read(server.url, attempts=1, timeout=0.2)
        release.set()


def test_the_wait_that_a_server_asks_for_is_kept(monkeypatch: pytest.MonkeyPatch):
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with serving(api(429, "{}"), api(200, EMPTY), **{"Retry-After": "7"}) as server:
        read(server.url)
    assert waits == [7.0]


def test_the_token_is_nowhere(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    echo = api(400, {"detail": f"I do not know {TOKEN}."})
    with serving(echo) as server, pytest.raises(RemoteError) as caught:
        read(server.url)
    said = [repr(client(server.url)), repr(caught.value), str(caught.value), caught.value.hint]
    assert not any(TOKEN in one for one in [*said, caplog.text])
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "ключ", "tab\t"])
def test_a_token_that_cannot_be_one_is_refused_without_being_shown(token: str):
    with pytest.raises(UsageError) as caught:
        Client(Access("http://127.0.0.1:1", token))
    assert token not in str(caught.value) + caught.value.hint

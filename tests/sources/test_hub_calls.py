"""Calls to the Hub: what is tried again, how long is waited, and what the user is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

pytest.importorskip("huggingface_hub")
from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

from curate.errors import CurateError, InputError, RemoteError, UsageError
from curate.sources.hub_calls import Calls, short_reason, status_of


class _Answer:
    """As much of an HTTP answer as the client's errors carry."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        self.status_code, self.headers, self.request = status, headers, None


def failure(status: int, message: str = "no", **headers: str) -> HfHubHTTPError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HfHubHTTPError(message, response=_Answer(status, named), server_message=message)  # type: ignore[arg-type]


class _Flaky:
    """Fails with each error in turn, and then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.calls = list(errors), 0

    def __call__(self, answer: str = "done") -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return answer


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", slept.append)
    return slept


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_busy_hub_is_asked_again(status: int, waits: list[float]) -> None:
    flaky = _Flaky(failure(status), failure(status))
    assert Calls("a/b")("look", flaky, answer="yes") == "yes"
    assert flaky.calls == 3
    assert len(waits) == 2


@pytest.mark.parametrize("error", [ConnectionResetError("cut"), TimeoutError("slow")])
def test_a_cut_connection_is_tried_again(error: Exception, waits: list[float]) -> None:
    assert Calls("a/b")("look", _Flaky(error)) == "done"


def test_retry_after_is_obeyed_in_seconds_and_as_a_date(waits: list[float]) -> None:
    told: list[tuple[float, str]] = []
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    flaky = _Flaky(failure(429, Retry_After="7"), failure(503, Retry_After=date))
    Calls("a/b", on_wait=lambda seconds, why: told.append((seconds, why)))("look", flaky)
    assert waits[0] == 7
    assert 55 < waits[1] <= 60
    assert [seconds for seconds, _ in told] == waits


def test_tries_are_bounded_and_the_error_says_so(waits: list[float]) -> None:
    flaky = _Flaky(*[failure(503, "overloaded") for _ in range(9)])
    with pytest.raises(RemoteError, match="a/b: could not look: overloaded"):
        Calls("a/b", attempts=4)("look", flaky)
    assert flaky.calls == 4


def test_a_wait_of_an_hour_is_left_to_the_user(waits: list[float]) -> None:
    with pytest.raises(RemoteError) as caught:
        Calls("a/b")("look", _Flaky(failure(429, Retry_After="3600")))
    assert "3600 s" in caught.value.hint
    assert not waits


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (failure(401, "bad token"), UsageError, "no right to look"),
        (failure(403, "read only"), UsageError, "no right to look"),
        (LocalTokenNotFoundError("none"), UsageError, "no right to look"),
        (failure(413, "too large"), InputError, "refuses to look: too large"),
        (failure(400, "bad card"), InputError, "refuses to look: bad card"),
        (failure(402, "no room"), InputError, "refuses to look: no room"),
    ],
)
def test_what_no_retry_mends_is_told_at_once(
    error: Exception, kind: type[CurateError], words: str, waits: list[float]
) -> None:
    flaky = _Flaky(error, error)
    with pytest.raises(kind, match=words):
        Calls("a/b")("look", flaky)
    assert flaky.calls == 1


def test_a_failed_upload_is_known_by_what_it_wraps(waits: list[float]) -> None:
    wrapped = RuntimeError("Error while uploading")
    wrapped.__cause__ = failure(503, "overloaded")
    assert Calls("a/b")("upload", _Flaky(wrapped)) == "done"
    with pytest.raises(RemoteError, match="could not upload: overloaded"):
        Calls("a/b")("upload", _Flaky(*[wrapped] * 9))


@pytest.mark.parametrize("status", [404, 409, 412])
def test_answers_pass_through(status: int, waits: list[float]) -> None:
    with pytest.raises(HfHubHTTPError) as caught:
        Calls("a/b")("look", _Flaky(failure(status)))
    assert status_of(caught.value) == status
    assert not waits


def test_a_token_in_an_answer_is_not_shown(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "hf_" + "s" * 20
    monkeypatch.setenv("HF_TOKEN", secret)
    with pytest.raises(CurateError) as caught:
        Calls("a/b")("look", _Flaky(failure(403, f"token {secret} may not")))
    assert secret not in str(caught.value)


def test_our_own_errors_are_not_wrapped(waits: list[float]) -> None:
    flaky = _Flaky(InputError("wrong"))
    with pytest.raises(InputError, match=r"^wrong$"):
        Calls("a/b")("look", flaky)
    assert flaky.calls == 1


def test_other_errors_are_not_hidden(waits: list[float]) -> None:
    def wrong() -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Calls("a/b")("look", wrong)


@pytest.mark.parametrize("status", [404, 409, 412])
def test_answers_are_left_to_the_caller(status: int) -> None:
    with pytest.raises(HfHubHTTPError):
        Calls("a/b")("look", _Flaky(failure(status)))


def test_no_right_is_shown_that_an_address_or_a_token_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret-of-ann")
    told = "no: https://cdn.example/x.parquet?Signature=abc&Expires=9 secret-of-ann hf_AbCd1234efGH"
    shown = short_reason(failure(500, told))
    assert shown == "no: https://cdn.example/x.parquet?… … hf_…"

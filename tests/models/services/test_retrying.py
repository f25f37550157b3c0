"""Which failures are worth another try, and when."""

import http.client
import io
import time
import urllib.error
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import format_datetime
from threading import Event, Timer
from types import SimpleNamespace

import httpx
import httpx2
import pytest

from abalo.models.services import retrying
from abalo.models.services.retrying import asked_wait, is_passing, with_retries
from tests.rows import every


def http_error(status, **headers):
    message = Message()
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    return urllib.error.HTTPError("http://localhost", status, "no", message, io.BytesIO())


def httpx_error(status, **headers):
    request = httpx.Request("POST", "http://localhost")
    response = httpx.Response(status, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return httpx.HTTPStatusError("no", request=request, response=response)


def with_status(**attributes):
    error = RuntimeError("no")
    vars(error).update(attributes)
    return error


def caused(error, by):
    error.__cause__ = by
    return error


def of_library(module, name):
    return type(name, (Exception,), {"__module__": module})("lost")


def raised_in_handler():
    """As of an ``except`` that raises another error without ``from``."""
    error = RuntimeError("the service failed")
    error.__context__ = ConnectionResetError()
    return error


PASSING = [
    ConnectionResetError(),
    ConnectionRefusedError(),
    TimeoutError(),
    http.client.RemoteDisconnected(),
    http.client.IncompleteRead(b""),
    urllib.error.URLError(ConnectionRefusedError()),
    httpx.ConnectError("no"),
    httpx.ReadTimeout("no"),
    httpx.RemoteProtocolError("no"),
    httpx2.ReadError("no"),
    of_library("requests.exceptions", "ConnectionError"),
    of_library("openai", "APIConnectionError"),
    of_library("aiohttp.client_exceptions", "ClientConnectionError"),
    *(http_error(status) for status in (408, 429, 500, 503)),
    httpx_error(502),
    with_status(status_code=429),
    with_status(status=504),
    with_status(response={"ResponseMetadata": {"HTTPStatusCode": 503}}),
    caused(RuntimeError("the service failed"), ConnectionResetError()),
    raised_in_handler(),
]
LASTING = [
    ValueError("no JSON"),
    KeyError("label"),
    http_error(400),
    http_error(401),
    httpx_error(404),
    with_status(status_code=422),
    with_status(code="rate_limit"),
    with_status(code=3),
    urllib.error.URLError("unknown url type"),
    FileNotFoundError(),
    caused(with_status(status_code=400), ConnectionResetError()),
    httpx.InvalidURL("no"),
]


@every(("error", "passing"), [*((each, True) for each in PASSING), *((each, False) for each in LASTING)])
def test_lost_connections_and_busy_services_are_passing(error, passing):
    assert is_passing(error) is passing


def soon():
    return format_datetime(datetime.now(UTC) + timedelta(seconds=300), usegmt=True)


@every(
    ("error", "least", "most"),
    [
        (http_error(429, Retry_After="7"), 7, 7),
        (http_error(429, Retry_After="0.5"), 0.5, 0.5),
        (httpx_error(503, retry_after="12"), 12, 12),
        (http_error(429, Retry_After="Mon, 01 Jan 2001 00:00:00 GMT"), 0, 0),
        (http_error(429, Retry_After="1e9"), 600, 600),
        (http_error(429, Retry_After="-3"), 0, 0),
        (caused(RuntimeError(), http_error(429, Retry_After="2")), 2, 2),
        (with_status(response=SimpleNamespace(headers={"Retry-After": "4"})), 4, 4),
    ],
)
def test_the_service_says_how_long_to_wait(error, least, most):
    assert least <= asked_wait(error) <= most


def test_a_service_may_name_a_time():
    assert 250 <= asked_wait(http_error(429, Retry_After=soon())) <= 300


@every("said", ["soon", "", "nan", "inf", "-inf", "1;2", "32 Foo 2026"])
def test_a_header_that_names_no_time_is_left_out(said):
    assert asked_wait(http_error(429, Retry_After=said)) is None


def failing(times, error):
    left = [error] * times

    def call():
        if left:
            raise left.pop()
        return "done"

    return call


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(retrying, "FIRST_WAIT", 0.001)


@pytest.mark.usefixtures("quick")
def test_a_call_has_six_tries():
    taken = []
    assert with_retries(failing(5, TimeoutError()), lambda: not taken.append(1), Event()) == "done"
    assert len(taken) == 5
    with pytest.raises(TimeoutError):
        with_retries(failing(6, TimeoutError()), lambda: True, Event())


@pytest.mark.usefixtures("quick")
def test_no_retry_is_taken_for_what_lasts_or_if_none_is_left():
    taken = []
    with pytest.raises(ValueError, match="no"):
        with_retries(failing(1, ValueError("no")), lambda: not taken.append(1), Event())
    assert taken == []
    with pytest.raises(TimeoutError):
        with_retries(failing(1, TimeoutError()), lambda: False, Event())


def test_the_wait_is_that_of_the_header_and_ends_if_the_run_stops():
    started = time.monotonic()
    with_retries(failing(1, http_error(429, Retry_After="0.2")), lambda: True, Event())
    assert 0.2 <= time.monotonic() - started < 2
    stop = Event()
    Timer(0.1, stop.set).start()
    started = time.monotonic()
    with pytest.raises(urllib.error.HTTPError):
        with_retries(failing(9, http_error(429, Retry_After="60")), lambda: True, stop)
    assert time.monotonic() - started < 2

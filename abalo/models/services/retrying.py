"""Which failures of a call are worth another try, and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any, TypeVar

T = TypeVar("T")

TRIES = 6
"""Most tries of one call."""

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds: at most as long before the second try, twice as long before each further one."""

LONGEST_ASKED = 600.0
"""Seconds that a service may ask for by ``Retry-After``."""

_BUSY = frozenset((408, 429))

_LOST = frozenset(
    (
        "aiohttp.client_exceptions.ClientConnectionError",
        "aiohttp.client_exceptions.ClientPayloadError",
        "anthropic.APIConnectionError",
        "asyncio.exceptions.TimeoutError",
        "http.client.IncompleteRead",
        "httpcore.NetworkError",
        "httpcore.TimeoutException",
        "httpx.TransportError",
        "httpx2.TransportError",
        "openai.APIConnectionError",
        "requests.exceptions.ChunkedEncodingError",
        "requests.exceptions.ConnectionError",
        "requests.exceptions.Timeout",
        "urllib3.exceptions.ProtocolError",
        "urllib3.exceptions.TimeoutError",
    )
)
"""Exceptions of usual clients that a lost connection raises and that are no `ConnectionError`."""


def is_passing(error: BaseException) -> bool:
    """Whether a call can succeed if repeated: a lost connection, a timeout, or the status 408, 429 or 5xx.

    The causes of the error count, too, also without ``raise … from``.
    """
    for each in _causes(error):
        status = _status(each)
        if status is not None:
            return status in _BUSY or 500 <= status < 600
        reason = getattr(each, "reason", None)  # of urllib.error.URLError
        names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(each).__mro__}
        if isinstance(each, _PASSING) or isinstance(reason, _PASSING) or not names.isdisjoint(_LOST):
            return True
    return False


def asked_wait(error: BaseException) -> float | None:
    """The seconds that the service asks to wait by ``Retry-After``, at most `LONGEST_ASKED`; None if it does not."""
    for each in _causes(error):
        for owner in (each, getattr(each, "response", None)):
            headers: Any = getattr(owner, "headers", None)
            said = headers.get("Retry-After") or headers.get("retry-after") if hasattr(headers, "get") else None
            seconds = None if said is None else _seconds(str(said))
            if seconds is not None:
                return min(seconds, LONGEST_ASKED)
    return None


_PASSING = (ConnectionError, TimeoutError)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


def _seconds(said: str) -> float | None:
    try:
        return max(0.0, float(said)) if math.isfinite(float(said)) else None
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(said)
    except (OverflowError, TypeError, ValueError):
        return None
    then = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())


def _status(error: BaseException) -> int | None:
    """The HTTP status that an exception of a usual client has."""
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):  # of botocore
        about = response.get("ResponseMetadata")
        found = about.get("HTTPStatusCode") if isinstance(about, Mapping) else None
        return found if isinstance(found, int) else None
    for owner, name in ((error, "status_code"), (error, "status"), (error, "code"), (response, "status_code")):
        value = getattr(owner, name, None)
        if isinstance(value, int) and not isinstance(value, bool) and 100 <= value < 600:
            return int(value)
    return None


def with_retries(call: Callable[[], T], allowed: Callable[[], bool], stop: Event) -> T:
    """The result of the call, tried again if its failure `is_passing`.

    Args:
        call: the call.
        allowed: takes one retry of the run's; False if none is left.
        stop: ends waiting and further tries.

    Raises the last error.
    """
    import tenacity

    jittered = tenacity.wait_random_exponential(multiplier=FIRST_WAIT, max=LONGEST_WAIT)

    def wait(state: tenacity.RetryCallState) -> float:
        asked = asked_wait(error) if (error := _error_of(state)) is not None else None
        return jittered(state) if asked is None else asked + jittered(state) / 10  # not all at once

    def ends(state: tenacity.RetryCallState) -> bool:
        return stop.is_set() or state.attempt_number >= TRIES or not allowed()

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(is_passing),
        wait=wait,
        stop=ends,
        sleep=tenacity.sleep_using_event(stop),
        reraise=True,
    )
    result: T = retrying(call)
    return result


def _error_of(state: Any) -> BaseException | None:
    found: BaseException | None = None if state.outcome is None else state.outcome.exception()
    return found

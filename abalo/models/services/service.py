"""Calls to a user's code, which may be a service: in batches, several in flight, tried again, counted and kept."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from abalo.core.records.words import count
from abalo.errors import AbaloError, visible
from abalo.models.options import ModelOptions
from abalo.models.prompts.cache import Kept, ReplyCache
from abalo.models.prompts.calls import CallLimit, Calls
from abalo.models.services.limits import Flight, StoppedError, rate_limit
from abalo.models.services.retrying import with_retries
from abalo.models.user_code import OnProgress, UserCode, draws_of, identity, optional_text
from perturbations.suggestions import did_you_mean

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

InputT = TypeVar("InputT")
OutputT = TypeVar("OutputT")

USUAL_IN_FLIGHT = 16
"""Calls of an ``async def`` in flight, if it does not say how many."""

USUAL_RETRIES = 1_000

_METHODS = ("replies", "predict", "predict_proba", "scores", "entities")

_HEARTBEAT = 1.0
"""Seconds between two shows of progress while no answer comes."""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What a model, or ``--abalo-model-args``, says about its calls; None if nothing.

    * ``concurrency``: calls in flight, by default 1, or 16 of an ``async def``.
    * ``batch``: inputs in one call, by default as the kind of model has them.
    * ``retries``: failed calls of a run that are made again, by default 1,000.
    """

    concurrency: int | None = None
    batch: int | None = None
    retries: int | None = None

    @classmethod
    def of(cls, made: object, code: UserCode, given: Mapping[str, object]) -> ServiceSettings:
        """The settings ``given``, else the model's own; raises `AbaloError`."""
        names = [each.name for each in fields(cls)]
        if unknown := next((name for name in given if name not in names), None):
            raise AbaloError(
                f"model {code.spec}: --abalo-model-args {unknown}: no argument of a model in Python"
                f"{did_you_mean(unknown, names)}; expected {', '.join(names)}"
            )
        found: dict[str, int | None] = {}
        for name in names:
            value = given[name] if name in given else code.attribute(made, name)
            least = 0 if name == "retries" else 1
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise AbaloError(
                    f"model {code.spec}: its {name} is {visible(repr(value))}; expected a whole number from {least}, "
                    "such as 16, or none at all"
                )
            found[name] = value
        return cls(**found)


class Service:
    """The calls to one model in Python.

    Args:
        made: What the factory returned.
        code: Its code.
        options: Its options.
        calls: The calls of a prompted model, which counts, limits and keeps them; None if the service does.
    """

    def __init__(self, made: object, code: UserCode, options: ModelOptions, calls: Calls | None = None) -> None:
        said = ServiceSettings.of(made, code, options.model_args)
        is_async = any(map(_is_async, (made, *(code.attribute(made, name) for name in _METHODS))))
        self.batch, calling = said.batch, options.calling
        self.concurrency = said.concurrency or (USUAL_IN_FLIGHT if is_async else 1)
        self.fingerprint, self.version = identity(made, code, options.model_version)
        declared = is_async or said != ServiceSettings() or calling.max_calls is not None or calling.rate is not None
        self._is_prompted = calls is not None
        self._keeps = not self._is_prompted and self.version is not None and options.with_text
        self._keeps &= not calling.no_cache
        self.is_counted = not self._is_prompted and (declared or self._keeps)
        self.calls = Calls(CallLimit(calling.max_calls), calling.price) if calls is None else calls
        self._cache = ReplyCache(self.fingerprint, calling.replies, code.watched) if self._keeps else None
        self._flight = Flight(self.concurrency if is_async or said.concurrency else None)
        self.rate = rate_limit(calling.rate)
        self._retries = CallLimit(USUAL_RETRIES if said.retries is None else said.retries)
        self.code, self._stop, self._lock = code, Event(), threading.Lock()
        self._running: set[Future[Any]] = set()
        self._repeat, self._cancelled, self._size = 0, False, 1
        self._fresh = threading.local()

    @property
    def spec(self) -> str:
        """The spec of the model."""
        return self.code.spec

    @property
    def usage(self) -> Sequence[int]:
        """The tokens in prompts and replies of the last call in this thread, as `used` told them."""
        found: Sequence[int] = self._fresh.usage
        return found

    def share(self, limit: CallLimit, folder: Path | None) -> None:
        """Counts calls towards a run's limit; processes share the ``folder``."""
        if not self._is_prompted:
            self.calls.limit = limit
        if folder is not None:
            self._retries = CallLimit(self._retries.most, folder / "retries")
            self._flight.folder = folder
            if self.rate is not None:
                self.rate.shared = folder / "rate"

    def foresee(self, inputs: int) -> str:
        """Expects the calls for ``inputs`` more, at most; returns them in words, "" if calls are not counted."""
        if not self.is_counted:
            return ""
        calls = math.ceil(inputs / self._size)
        self.calls.estimated = self.calls.made + calls
        return f"at most {count(calls, 'call')} to {self.spec}, {self.concurrency} in flight"

    @contextmanager
    def repeating(self, index: int) -> Iterator[None]:
        """Keeps answers for another repeat, from 0."""
        before, self._repeat = self._repeat, index
        try:
            yield
        finally:
            self._repeat = before

    def in_batches(
        self,
        inputs: Sequence[InputT],
        size: int,
        predict: Callable[[Sequence[InputT]], Sequence[OutputT]],
        on_progress: OnProgress | None = None,
        take: Callable[[int, Sequence[OutputT]], None] | None = None,
    ) -> list[OutputT]:
        """One output per input, in order, with as many batches at once as may be in flight.

        Args:
            inputs: The inputs.
            size: Inputs in a batch, if the model does not say how many.
            predict: Makes the outputs of a batch, with `ask`.
            on_progress: Receives finished and all inputs.
            take: Receives the first place and the outputs of each batch, as they come.

        Raises the error of the first batch that failed. Outputs that came are taken before, also on Ctrl-C.
        """
        size = self._size = self.batch or size
        batches = {at: inputs[at : at + size] for at in range(0, len(inputs), size)}
        found: dict[int, Sequence[OutputT]] = {}

        def progress() -> None:
            if on_progress is not None:
                on_progress(sum(map(len, found.values())), len(inputs))

        def taken(at: int, outputs: Sequence[OutputT]) -> None:
            found[at] = outputs
            if take is not None:
                take(at, outputs)
            progress()

        def predicted(at: int) -> Sequence[OutputT]:
            self._fresh.answers = {}
            outputs = predict(batches[at])
            self._keep(self._fresh.answers)
            return outputs

        self._stop.clear()
        self._cancelled = self.calls.stopping = False
        if self._cache is not None:
            self._cache.refresh()
        if min(self.concurrency, len(batches)) <= 1:
            for at in batches:
                taken(at, predicted(at))
        else:
            self._all(list(batches), predicted, taken, progress)
        return [each for at in batches for each in found[at]]

    def ask(self, doing: str, function: Callable[..., object], *arguments: object) -> Any:
        """Calls the user's function, or finds its kept answer; raises `AbaloError` like `UserCode.call`."""
        key = self._key(getattr(function, "__name__", ""), arguments)
        kept = None if key is None or self._cache is None else self._cache.get(key)
        if kept is not None:
            with self._lock:
                self.calls.keep([kept.day])
                self.calls.estimated = self.calls.estimated and self.calls.estimated - 1
            return kept.parsed
        with self._lock:
            if not self._is_prompted and not self.calls.allowed(1):
                raise AbaloError(
                    f"model {self.spec}: {doing} would be one call more than --abalo-max-calls "
                    f"{self.calls.limit.most:,} allows; allow more, or read fewer examples with --abalo-limit"
                )

        def sent() -> object:
            return self._sent(function, arguments)

        usage = [0, 0]
        token = _USAGE.set(usage)
        try:
            made = self.code.call(doing, lambda: with_retries(sent, self._retried, self._stop))
        except AbaloError as error:
            if not _is_stopped(error):
                with self._lock:
                    self.calls.failed += 1
            raise
        finally:
            _USAGE.reset(token)
            if self.rate is not None:
                self.rate.spent(sum(usage))
        self._fresh.usage = usage
        if not self._is_prompted:
            with self._lock:
                self.calls.count(*usage)
        if key is not None:
            try:
                made = as_json_values(made)
            except TypeError:
                return made
            self._fresh.answers[key] = made
        return made

    def _sent(self, function: Callable[..., object], arguments: Sequence[object]) -> object:
        with self._flight.place(self._stop):
            if self.rate is not None:
                self.rate.wait(self._stop)
            with self._lock:
                self.calls.in_flight += 1
            try:
                return self._awaited(function(*arguments))
            finally:
                with self._lock:
                    self.calls.in_flight -= 1

    def _awaited(self, made: object) -> object:
        if not inspect.isawaitable(made):
            return made

        async def wait() -> object:
            return await made

        future = portal().start_task_soon(wait)
        self._running.add(future)
        try:
            if self._cancelled:
                future.cancel()
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise
        finally:
            self._running.discard(future)

    def _retried(self) -> bool:
        with self._lock:
            allowed = self._retries.take(1) == 1
            self.calls.retried += allowed
            return allowed

    def _key(self, name: str, arguments: Sequence[object]) -> str | None:
        """The digest of a call, 32 hexadecimal digits; None if its answer is not kept."""
        if self._cache is None:
            return None
        try:
            said = json.dumps([self.fingerprint, name, as_json_values(arguments), self._repeat])
        except TypeError:
            return None
        return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _keep(self, answers: Mapping[str, object]) -> None:
        """Keeps answers that could be read."""
        for key, answer in answers.items():
            assert self._cache is not None
            with self._lock:
                self._cache.put(key, Kept(parsed=answer, has_text=False))

    def _all(
        self,
        places: Sequence[int],
        predicted: Callable[[int], Any],
        taken: Callable[[int, Any], None],
        beat: Callable[[], None],
    ) -> None:
        todo, done = SimpleQueue[int](), SimpleQueue[tuple[int, Any, BaseException | None]]()
        for at in places:
            todo.put(at)

        def work() -> None:
            while not self._stop.is_set():
                try:
                    at = todo.get_nowait()
                except Empty:
                    return
                try:
                    done.put((at, predicted(at), None))
                except BaseException as error:  # noqa: BLE001 - raised where the answers are awaited
                    done.put((at, None, error))

        errors: dict[int, BaseException] = {}

        def receive(at: int, outputs: Any, error: BaseException | None) -> None:
            if error is None:
                taken(at, outputs)
            else:
                errors[at] = error

        with self.code.calling():
            threads = [
                Thread(target=copy_context().run, args=(work,), name="abalo call", daemon=True)
                for _ in range(min(self.concurrency, len(places)))
            ]
            for thread in threads:
                thread.start()
            try:
                received = 0
                while received < len(places) and not errors:
                    try:
                        receive(*done.get(timeout=_HEARTBEAT))
                        received += 1
                    except Empty:
                        beat()
            except BaseException:
                self._cancel()
                beat()
                raise
            finally:
                try:
                    self._stop.set()
                    for thread in threads:  # a second Ctrl-C ends the wait for calls in flight
                        while thread.is_alive():
                            thread.join(_HEARTBEAT)
                finally:
                    while not done.empty():
                        receive(*done.get())
        told = {at: error for at, error in errors.items() if not _is_stopped(error)} or errors
        if told:
            raise told[min(told)]

    def _cancel(self) -> None:
        """Cancels what an ``async def`` is doing, and begins no further call."""
        self._cancelled = self.calls.stopping = True
        self._stop.set()
        for future in tuple(self._running):
            future.cancel()


_USAGE: ContextVar[list[int] | None] = ContextVar("_USAGE", default=None)


def used(input_tokens: int = 0, output_tokens: int = 0) -> None:
    """Tells the tokens of a call from within it, for the rate and the report; without effect outside of one.

    Raises ValueError for numbers below 0.
    """
    if input_tokens < 0 or output_tokens < 0:
        raise ValueError(f"used({input_tokens}, {output_tokens}): expected numbers of tokens from 0")
    usage = _USAGE.get()
    if usage is not None:
        usage[0] += int(input_tokens)
        usage[1] += int(output_tokens)


class Served(ABC):
    """Base of models in Python. A ``service`` makes batches, repeats and calls; None if the code is bundled."""

    service: Service | None = None
    on_progress: OnProgress | None = None

    @abstractmethod
    def predict(self, given: Sequence[Any], /) -> list[Any]:
        """One prediction per input, in order."""

    def repeat(self, given: Sequence[Any], index: int, /) -> list[Any]:
        """Another repeat, from 0."""
        with nullcontext() if self.service is None else self.service.repeating(index):
            return self.predict(given)

    @property
    def calls(self) -> Calls:
        """The calls so far; models that are no service have none."""
        if self.service is None or not self.service.is_counted:
            raise AttributeError("calls")
        return self.service.calls

    def share_calls(self, limit: CallLimit, folder: Path | None) -> None:
        """Counts calls towards a run's limit."""
        if self.service is not None:
            self.service.share(limit, folder)

    def foresee(self, inputs: int) -> str:
        """Expects calls, as `Service.foresee` does."""
        return "" if self.service is None else self.service.foresee(inputs)

    def in_batches(
        self, inputs: Sequence[InputT], size: int, predict: Callable[[Sequence[InputT]], Sequence[OutputT]]
    ) -> list[OutputT]:
        """One output per input, in order, in batches of ``size`` unless the model has its own size."""
        if self.service is None:
            return in_batches(inputs, size, predict, self.on_progress)
        return self.service.in_batches(inputs, size, predict, self.on_progress)


class FunctionModel(Served):
    """Base of models around a user's function; the options' version overrides its own."""

    device = "unknown"
    black_box = True
    labels: tuple[str, ...] = ()

    def __init__(self, spec: str, function: object, code: UserCode, options: ModelOptions, expected: str) -> None:
        if not callable(function):
            raise AbaloError(f"model {spec}: the factory returned {type(function).__name__}; expected {expected}")
        self.service = Service(function, code, options)
        self.name = optional_text(function, "name", code) or spec
        self.fingerprint, self.version = self.service.fingerprint, self.service.version
        self.draws = draws_of(function, code)
        self.settings: dict[str, Any] = {}
        self._function = function

    def ask(self, doing: str, *arguments: object) -> Any:
        """Calls the function, as `Service.ask` does."""
        assert self.service is not None
        return self.service.ask(doing, self._function, *arguments)


def in_batches(
    inputs: Sequence[InputT],
    size: int,
    predict: Callable[[Sequence[InputT]], Sequence[OutputT]],
    on_progress: OnProgress | None = None,
) -> list[OutputT]:
    """One output per input, in batches of ``size``, with progress."""
    outputs: list[OutputT] = []
    for start in range(0, len(inputs), size):
        outputs += predict(inputs[start : start + size])
        if on_progress is not None:
            on_progress(len(outputs), len(inputs))
    return outputs


def as_json_values(value: object) -> Any:
    """The value as JSON has it: arrays and tuples are lists; raises TypeError for others."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Mapping):
        if not all(type(name) is str for name in value):
            raise TypeError("a mapping with other names than strings")
        return {name: as_json_values(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json_values(each) for each in value]
    if type(value).__module__ == "numpy":
        return as_json_values(value.tolist())  # type: ignore[attr-defined]
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _is_stopped(error: BaseException) -> bool:
    return isinstance(error.__cause__, StoppedError | CancelledError)


def _is_async(function: object) -> bool:
    called = getattr(type(function), "__call__", None)  # noqa: B004 - whether it is asynchronous
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def portal() -> BlockingPortal:
    """The event loop of this process for ``async def``, in a thread that ends with the process."""
    with _OPENING:  # else several threads, each with the first call, would open one
        return _portal(os.getpid())


_OPENING = threading.Lock()


@cache
def _portal(_process: int) -> BlockingPortal:
    import anyio
    from anyio.from_thread import BlockingPortal

    made: Future[BlockingPortal] = Future()

    async def serve() -> None:
        async with BlockingPortal() as opened:
            made.set_result(opened)
            await opened.sleep_until_stopped()

    Thread(target=anyio.run, args=(serve,), name="abalo event loop", daemon=True).start()
    return made.result()

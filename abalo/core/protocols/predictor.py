"""The predictions of a session, each input once."""

from __future__ import annotations

import hashlib
import json
import os
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from abalo.core.protocols.options import PART
from abalo.core.protocols.preflight import BATCH, Preflight, differing
from abalo.core.protocols.withholding import withhold_text
from abalo.errors import AbaloError, ends_the_run, redacted, visible

CacheKey = tuple[Any, ...]
"""What a model sees of an input, as JSON values."""


class Predicted(Protocol):
    """A prediction; ``inputs`` counts its model inputs."""

    @property
    def inputs(self) -> int:
        """Model inputs, at least 0."""
        ...


FloatTuple = tuple[float, ...]

Arrays = Mapping[str, NDArray[np.generic]]

_NUMBERS = "abalo_numbers"

_CALLS = "abalo_calls"

LEFT_OUT = "left_out"

_REASON = 400

_ROWS = "rows"

_RECENT = 4
"""Sets of inputs whose predictions stay in memory: those of a case serve the next one, which is compared with it."""

I = TypeVar("I")  # noqa: E741 - an input
P = TypeVar("P", bound=Predicted)


def pack_rows(rows: Sequence[object]) -> dict[str, NDArray[np.generic]]:
    """JSON values as an array."""
    return {_ROWS: np.frombuffer(json.dumps(rows).encode(), dtype=np.uint8)}


def unpack_rows(stored: Arrays) -> Any:
    """The JSON values of `pack_rows`."""
    return json.loads(stored[_ROWS].tobytes())


@dataclass(frozen=True, slots=True, eq=False)
class CasePredictions(Generic[P]):
    """One prediction per input, in order.

    ``inputs`` counts distinct ones beyond the clean corpus, ``shared`` those that related inputs also need.
    """

    predictions: list[P]
    inputs: int
    shared: int = 0


class Predictor(ABC, Generic[I, P]):
    """A model with its predictions so far. Equal inputs share one prediction object.

    * ``inputs``: the unperturbed corpus.
    * ``store``: folder in which processes share clean predictions; None for a single process.
    * ``repeat``: from 0; passed to a model with ``repeat(inputs, index)``.

    More than `PART` inputs are predicted in `parts`.
    """

    miscount: ClassVar[str] = "{} predictions for {} inputs"
    """Message about a wrong number."""

    def __init__(self, model: Any, inputs: Sequence[I], store: Path | None = None) -> None:
        self.model = model
        self._store = store
        self.part_of_scale: tuple[object] | None = None
        self.with_text = True
        self.repeat = 0
        self._told: set[tuple[str, str, int]] = set()
        self._begin(inputs)

    def _begin(self, inputs: Sequence[I]) -> None:
        self.inputs = tuple(inputs)
        self._parts: list[Self] = []
        self._clean: dict[CacheKey, P] | None = None
        self._first: dict[CacheKey, P] = {}
        self._preflight: Preflight | None = None
        self._cases: dict[bytes, CasePredictions[P]] = {}
        self._calls_elsewhere: Counter[str] = Counter()

    # What a task knows of its models ----------------------------------------------------------------------------------

    @abstractmethod
    def key(self, given: I) -> CacheKey:
        """The key of the input: all that the model sees of it."""

    def checked(self, given: Sequence[I], predictions: Sequence[P]) -> list[P]:
        """The predictions; raises `AbaloError` if they do not fit the inputs."""
        if len(predictions) != len(given):
            told = self.miscount.format(len(predictions), len(given))
            raise AbaloError(f"model {self.model.name}: {told}; expected one each")
        return list(predictions)

    @abstractmethod
    def labels(self, prediction: P) -> Sequence[Any]:
        """The prediction as JSON values without scores."""

    @abstractmethod
    def pack(self, predictions: Sequence[P]) -> Arrays:
        """The predictions as NumPy arrays, without pickle."""

    @abstractmethod
    def unpack(self, stored: Arrays) -> list[P]:
        """The predictions from the arrays of `pack`."""

    def check_clean(self, predictions: Sequence[P]) -> None:
        """Raises `AbaloError` if clean predictions show that judging is impossible."""

    def scale(self) -> Any:
        """How to read scores; None if unscored."""
        return None

    def scored(self) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
        """The arrays for fitting the scale; None if nothing is fitted."""
        return None

    # Predicting -------------------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[Self]:
        """The predictors of parts of `PART` inputs; itself if one part suffices."""
        if self.is_part or len(self.inputs) <= PART:
            return (self,)
        if not self._parts:
            self._parts = [self._part(self.inputs[at : at + PART]) for at in range(0, len(self.inputs), PART)]
        return self._parts

    def _part(self, inputs: Sequence[I]) -> Self:
        made = copy(self)
        made.as_part(None)
        made._begin(inputs)
        return made

    def clean(self) -> list[P]:
        """One prediction per clean input, in order; the model runs at most once."""
        known = [part.known() for part in self.parts()]
        pairs = zip(self.parts(), known, strict=True)
        return [found[self.key(each)] for part, found in pairs for each in part.inputs]

    def predict(self, inputs: Sequence[I], beside: Sequence[I] = ()) -> CasePredictions[P]:
        """Predictions for a case, in one call for all inputs outside the clean corpus.

        Inputs that are also ``beside``, a related case's inputs, come from its batches. Batches never depend on earlier
        predictions.
        """
        keys, others = [[self.key(each) for each in part] for part in (inputs, beside)]
        digest = _digest([*keys, (), *others])
        if digest not in self._cases:
            shared = dict(zip(others, self.predict(beside).predictions, strict=True)) if beside else {}
            self._cases[digest] = self._predict(inputs, keys, shared)
            while len(self._cases) > _RECENT:
                del self._cases[next(iter(self._cases))]
        return self._cases[digest]

    def predict_each(self, inputs: Sequence[I]) -> CasePredictions[P]:
        """Predictions for inputs that stand for the corpus's examples, in order."""
        taken = iter(inputs)
        found = [part.predict([*islice(taken, len(part.inputs))]) for part in self.parts()]
        predictions = [each for part in found for each in part.predictions]
        known = self.known()
        new = {
            key: each for given, each in zip(inputs, predictions, strict=True) if (key := self.key(given)) not in known
        }
        return CasePredictions(predictions, sum(each.inputs for each in new.values()))

    def asking(self, model: Any) -> Self:
        """The same repeat of another model, without predictions."""
        made = self._part(self.inputs)
        made.model = model
        return made

    def ask(self, inputs: Sequence[I]) -> list[P]:
        """One prediction per input, without the store."""
        keys = [self.key(each) for each in inputs]
        found = self.run(distinct_inputs(keys, inputs))
        return [found[key] for key in keys]

    def answering(self) -> Answering[I, P]:
        return Answering(self)

    def preflight(self, *, twice: bool = False, size: int = BATCH) -> Preflight:
        """Predicts the first ``size`` distinct clean inputs, ``twice`` to compare.

        Raises `AbaloError` if the model cannot predict.
        """
        if self.parts()[0] is not self:
            return self.parts()[0].preflight(twice=twice, size=size)
        if self._preflight is None:
            batch = dict(islice(self._distinct().items(), size))
            self._first, numbers = self._shared("first", batch, lambda batch: self._tried(batch, twice=twice))
            seconds, labels, other = numbers
            self._preflight = Preflight(len(batch), seconds, int(labels), None if other < 0 else int(other))
        return self._preflight

    def _tried(self, batch: dict[CacheKey, I], *, twice: bool) -> tuple[dict[CacheKey, P], FloatTuple]:
        found, seconds = self._timed(batch, self.repeat)
        first = [self.labels(each) for each in found.values()]
        counted = sum(map(len, first))
        if not twice:
            return found, (seconds, counted, -1)
        again, _ = self._timed(batch, self.repeat + 1)  # the time of a model that remembers tells nothing
        return found, (seconds, counted, differing(first, map(self.labels, again.values())))

    def _timed(self, batch: dict[CacheKey, I], repeat: int) -> tuple[dict[CacheKey, P], float]:
        """The predictions of the batch and the seconds for it, by all but its first `BATCH` inputs if they suffice."""
        given, warm_up = iter(batch.items()), BATCH if len(batch) >= 2 * BATCH else 0
        found = self.run(dict(islice(given, warm_up)), repeat)
        started = time.perf_counter()
        found |= self.run(dict(given), repeat)
        return found, (time.perf_counter() - started) * len(batch) / max(1, len(batch) - warm_up)

    def calls(self) -> Mapping[str, int]:
        """The calls to a language model so far."""
        found = Counter(calls_of(self.model))
        for part in self.parts():
            found.update(part._calls_elsewhere)
        return found

    def digest(self) -> str:
        """BLAKE2b digest of clean inputs and labels, 32 hexadecimal digits."""
        return digest_of(self.digests())

    def digests(self) -> list[bytes]:
        """BLAKE2b digest of each clean input and its labels, 16 bytes."""
        found = [each for part in self.parts() for each in part.known().items()]
        return [_hash_line(json.dumps([key, list(self.labels(each))])) for key, each in found]

    def unanswered(self, prediction: P) -> bool:
        """Whether a prediction is invalid, such as a reply without an option."""
        return False

    def unanswered_of(self) -> tuple[int, int]:
        """The numbers of invalid and of all clean predictions."""
        found = [self.unanswered(each) for part in self.parts() for each in part.known().values()]
        return sum(found), len(found)

    @property
    def is_part(self) -> bool:
        """Whether its inputs are one of several parts."""
        return self.part_of_scale is not None

    def as_part(self, scale: object) -> None:
        """Declares its inputs a part, with the whole's ``scale``."""
        self.part_of_scale = (scale,)

    def _distinct(self) -> dict[CacheKey, I]:
        return distinct_inputs(map(self.key, self.inputs), self.inputs)

    def _predict(
        self, inputs: Sequence[I], keys: Sequence[CacheKey], shared: Mapping[CacheKey, P]
    ) -> CasePredictions[P]:
        known = self.known()
        distinct = {key: each for key, each in distinct_inputs(keys, inputs).items() if key not in known}
        found = self.run({key: each for key, each in distinct.items() if key not in shared})
        taken = {key: shared[key] for key in distinct if key in shared}
        everything = {**known, **taken, **found}
        new, related = (sum(prediction.inputs for prediction in part.values()) for part in (found, taken))
        return CasePredictions([everything[key] for key in keys], new + related, related)

    def known(self) -> dict[CacheKey, P]:
        """The clean predictions, from memory, store or model."""
        if self._clean is None:
            if self.is_part:
                self.preflight()  # so that the batches of a part are the same wherever it is run
            if self.parts()[0] is self:
                self._clean, _ = self._shared("clean", self._distinct(), self._rest)
            else:
                self._clean = {}
                for part in self.parts():
                    for key, found in part.known().items():
                        self._clean.setdefault(key, found)
            if not self.is_part:
                self.check_clean(list(self._clean.values()))
        return self._clean

    def _rest(self, distinct: dict[CacheKey, I]) -> tuple[dict[CacheKey, P], FloatTuple]:
        return {**self._first, **self.run({key: distinct[key] for key in distinct if key not in self._first})}, ()

    def _shared(
        self,
        part: str,
        distinct: dict[CacheKey, I],
        made: Callable[[dict[CacheKey, I]], tuple[dict[CacheKey, P], FloatTuple]],
    ) -> tuple[dict[CacheKey, P], FloatTuple]:
        if self._store is None:
            return made(distinct)
        store = self._store
        store.mkdir(parents=True, exist_ok=True)
        name = hashlib.blake2b(self.model.fingerprint.encode() + _digest(distinct), digest_size=16).hexdigest()
        path = store / f"{part}-{name}{f'-{self.repeat}' if self.repeat else ''}.npz"
        before, is_made_here = calls_of(self.model), False
        with FileLock(f"{path}.lock"):
            if not path.exists():
                fresh, is_made_here = path.with_suffix(f".{os.getpid()}.npz"), True
                predictions, numbers = made(distinct)
                calls = {name: number - before.get(name, 0) for name, number in calls_of(self.model).items()}
                told = np.frombuffer(json.dumps(calls).encode(), dtype=np.uint8)
                further: dict[str, NDArray[np.generic]] = {_NUMBERS: np.array(numbers, dtype=np.float64), _CALLS: told}
                np.savez(fresh, allow_pickle=False, **self.pack(list(predictions.values())), **further)
                fresh.replace(path)
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        calls = json.loads(arrays.pop(_CALLS).tobytes())
        if not is_made_here:
            self._calls_elsewhere.update(calls)
        numbers = tuple(arrays.pop(_NUMBERS).tolist())
        found = self.checked(list(distinct.values()), self.unpack(arrays))
        return dict(zip(distinct, found, strict=True)), numbers

    def run(self, distinct: dict[CacheKey, I], repeat: int | None = None) -> dict[CacheKey, P]:
        """The checked predictions of one call, not stored; ``repeat`` None uses the predictor's.

        Raises `AbaloError` for any error of the model.
        """
        if not distinct:
            return {}
        with nullcontext() if self.with_text else withhold_text(self._told):
            return self._asked(distinct, self.repeat if repeat is None else repeat)

    def _asked(self, distinct: dict[CacheKey, I], repeat: int) -> dict[CacheKey, P]:
        inputs, again = list(distinct.values()), getattr(self.model, "repeat", None)
        try:
            predictions = self.model.predict(inputs) if again is None or not repeat else again(inputs, repeat)
        except AbaloError:
            raise
        except BaseException as error:
            if ends_the_run(error):
                raise
            raise AbaloError(_cannot_predict(self.model.name, len(inputs), error)) from error
        return dict(zip(distinct, self.checked(inputs, predictions), strict=True))

    def clean_inputs(self) -> int:
        """The distinct model inputs of the clean corpus."""
        return sum(prediction.inputs for prediction in self.known().values())


class Answering(Generic[I, P]):
    """Predictions for a search."""

    def __init__(self, predictor: Predictor[I, P]) -> None:
        self.inputs = 0
        self._predictor = predictor
        self._found: dict[CacheKey, P] = {}

    def __call__(self, inputs: Sequence[I]) -> list[P]:
        keys = [self._predictor.key(each) for each in inputs]
        known = self._predictor.known()
        new = {
            key: each
            for key, each in distinct_inputs(keys, inputs).items()
            if key not in known and key not in self._found
        }
        fresh = self._predictor.run(new)
        self.inputs += sum(prediction.inputs for prediction in fresh.values())
        self._found |= fresh
        return [known[key] if key in known else self._found[key] for key in keys]


def calls_of(model: object) -> Mapping[str, int]:
    """The calls to a language model so far, if any."""
    return dict(getattr(getattr(model, "calls", None), "facts", {}))


def distinct_inputs(keys: Iterable[CacheKey], inputs: Iterable[I]) -> dict[CacheKey, I]:
    """The first input of each key, in order."""
    distinct: dict[CacheKey, I] = {}
    for key, each in zip(keys, inputs, strict=True):
        distinct.setdefault(key, each)
    return distinct


def digest_of(predictions: Iterable[bytes]) -> str:
    """The digest from single digests, in any order."""
    return hashlib.blake2b(b"".join(sorted(set(predictions))), digest_size=16).hexdigest()


def _hash_line(line: str) -> bytes:
    return hashlib.blake2b(line.encode(), digest_size=16).digest()


def _cannot_predict(name: str, inputs: int, error: BaseException) -> str:
    reason = redacted(visible(error))
    reason = reason if len(reason) <= _REASON else f"{reason[:_REASON]}…"
    *_, frame = traceback.extract_tb(error.__traceback__)
    return (
        f"model {name}: predicting {inputs:,} inputs raised {type(error).__name__}: {reason} "
        f"({frame.filename}:{frame.lineno}); expected a prediction for each: try the model on one of them by itself"
    )


def _digest(keys: Iterable[CacheKey]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for key in keys:
        digest.update(json.dumps(key).encode())
    return digest.digest()

"""Predictions of one session: every input once, the clean corpus once for all workers."""

from __future__ import annotations

import hashlib
import json
import os
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from abalo.core.parts import PART
from abalo.core.preflight import BATCH, Preflight, differing
from abalo.core.withholding import withheld
from abalo.errors import AbaloError, ends_the_run, visible

Key = tuple[Any, ...]
"""The parts of an input that a model can see, as JSON values: equal inputs have equal keys."""


class Predicted(Protocol):
    """A prediction; ``windows`` is how many model inputs it took."""

    @property
    def windows(self) -> int:
        """Model inputs, at least 0."""
        ...


Numbers = tuple[float, ...]

_NUMBERS = "abalo_numbers"
"""The array of numbers beside predictions in the store."""

_REASON = 400

I = TypeVar("I")  # noqa: E741 - an input
P = TypeVar("P", bound=Predicted)


@dataclass(frozen=True, slots=True, eq=False)
class CasePredictions(Generic[P]):
    """One prediction per input, in order.

    ``forwards`` counts the distinct windows needed beyond the clean corpus, ``shared`` those of them that the inputs
    beside which these were predicted need too.
    """

    predictions: list[P]
    forwards: int
    shared: int = 0


class Predictor(ABC, Generic[I, P]):
    """A model with what it has predicted so far. Predictions are shared: equal inputs get the same object.

    ``inputs`` are the unperturbed corpus. ``store`` is a folder, shared by the workers of one session, where the first
    to get there leaves the clean predictions for the others; None where there is one process. All predictions are kept
    until the predictor goes.

    A corpus of more than `PART` inputs is predicted in `parts`, as a run in shards does it. An input that stands in two
    of them is then predicted twice.
    """

    def __init__(self, model: Any, inputs: Sequence[I], store: Path | None = None) -> None:
        self.model = model
        self._store = store
        self.part_of_scale: tuple[Any] | None = None
        self.with_text = True
        self._told: set[tuple[str, str, int]] = set()
        self._begin(inputs)

    def _begin(self, inputs: Sequence[I]) -> None:
        self.inputs = tuple(inputs)
        self._parts: list[Self] = []
        self._clean: dict[Key, P] | None = None
        self._first: dict[Key, P] = {}
        self._preflight: Preflight | None = None
        self._cases: dict[bytes, CasePredictions[P]] = {}

    # What a task knows of its models ----------------------------------------------------------------------------------

    @abstractmethod
    def key(self, given: I) -> Key:
        """The key of the input: all that the model sees of it."""

    @abstractmethod
    def checked(self, given: Sequence[I], predictions: Sequence[P]) -> list[P]:
        """The predictions; raises `AbaloError` where they do not fit the inputs."""

    @abstractmethod
    def labels(self, prediction: P) -> Sequence[Any]:
        """All that is predicted, as JSON values, without scores: what a model that is not random gives again."""

    @abstractmethod
    def pack(self, predictions: Sequence[P]) -> dict[str, NDArray[Any]]:
        """The predictions as arrays that NumPy writes without pickle."""

    @abstractmethod
    def unpack(self, stored: Mapping[str, NDArray[Any]]) -> list[P]:
        """The predictions that `pack` made arrays of."""

    def check_clean(self, predictions: Sequence[P]) -> None:
        """Raises `AbaloError` where the clean predictions show that the model cannot be judged on this corpus."""

    def scale(self) -> Any:
        """How the scores in predictions are read; None where there are none."""
        return None

    def scored(self) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
        """The arrays that a part has to give for fitting how scores are read; None where nothing is fitted."""
        return None

    # Predicting -------------------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[Self]:
        """The predictors of parts of `PART` inputs, in order; no batch crosses a part. Itself where there is one."""
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
        """One prediction per input of the clean corpus, in order; the model runs at most once for it, part by part."""
        known = [part.known() for part in self.parts()]
        pairs = zip(self.parts(), known, strict=True)
        return [found[self.key(each)] for part, found in pairs for each in part.inputs]

    def again(self) -> list[P]:
        """One prediction per input of the clean corpus, in order, of a second pass: the model is asked anew."""
        found = []
        for part in self.parts():
            second, _ = part._shared("again", part._distinct(), lambda distinct: (self.run(distinct), ()))
            found += [second[self.key(each)] for each in part.inputs]
        return found

    def predict(self, inputs: Sequence[I], beside: Sequence[I] = ()) -> CasePredictions[P]:
        """Predictions for the inputs of one case: one call of the model for all that are not in the clean corpus.

        Which inputs share a batch depends on the case alone, never on what was predicted before. Inputs that are also
        ``beside``, the inputs of a case that has much in common with this one, are taken from the batches of that case,
        which are predicted first. The same inputs again cost nothing.
        """
        keys, others = [[self.key(each) for each in part] for part in (inputs, beside)]
        digest = _digest([*keys, (), *others])
        if digest not in self._cases:
            shared = dict(zip(others, self.predict(beside).predictions, strict=True)) if beside else {}
            self._cases[digest] = self._predict(inputs, keys, shared)
        return self._cases[digest]

    def predict_each(self, inputs: Sequence[I]) -> CasePredictions[P]:
        """The same for inputs of which each stands for an example of the corpus, in its order; fewer for its beginning.

        No batch crosses a part.
        """
        taken = iter(inputs)
        found = [part.predict([*islice(taken, len(part.inputs))]) for part in self.parts()]
        predictions = [each for part in found for each in part.predictions]
        known = self.known()
        new = {
            key: each for given, each in zip(inputs, predictions, strict=True) if (key := self.key(given)) not in known
        }
        return CasePredictions(predictions, sum(each.windows for each in new.values()))

    def answering(self) -> Answering[I, P]:
        """Predictions for a search, which comes back again and again."""
        return Answering(self)

    def preflight(self, *, twice: bool = False) -> Preflight:
        """The first `BATCH` distinct inputs of the clean corpus, predicted; with ``twice`` the model is asked again.

        These are then the clean predictions of these inputs. The same again costs nothing; of several processes one
        asks. Raises `AbaloError` where the model cannot predict them.
        """
        if self.parts()[0] is not self:
            return self.parts()[0].preflight(twice=twice)
        if self._preflight is None:
            batch = dict(islice(self._distinct().items(), BATCH))
            self._first, numbers = self._shared("first", batch, lambda batch: self._tried(batch, twice=twice))
            seconds, labels, other = numbers
            self._preflight = Preflight(len(batch), seconds, int(labels), None if other < 0 else int(other))
        return self._preflight

    def _tried(self, batch: dict[Key, I], *, twice: bool) -> tuple[dict[Key, P], Numbers]:
        """The predictions of the batch; the seconds they took, how many labels they have, how many of these changed.

        The last is -1 where the model is asked once.
        """
        started = time.perf_counter()
        found = self.run(batch)
        between = time.perf_counter()
        first = [self.labels(each) for each in found.values()]
        counted = sum(map(len, first))
        if not twice:
            return found, (between - started, counted, -1)
        began = time.perf_counter()
        again = self.run(batch)
        seconds = min(between - started, time.perf_counter() - began)
        return found, (seconds, counted, differing(first, map(self.labels, again.values())))

    def digest(self) -> str:
        """BLAKE2b digest of the clean predictions, 32 hexadecimal digits: of each distinct input with its labels.

        Neither the order of the corpus, nor batches, nor the last bits of scores have a part in it.
        """
        return digest_of(self.digests())

    def digests(self) -> list[bytes]:
        """BLAKE2b digests, 16 bytes, of each distinct input of the clean corpus with its labels."""
        found = [each for part in self.parts() for each in part.known().items()]
        return [_hashed(json.dumps([key, list(self.labels(each))])) for key, each in found]

    def unanswered(self, prediction: P) -> bool:  # noqa: ARG002 - of models that always predict
        """Whether a prediction is none that counts, such as a reply that names no option."""
        return False

    def unanswered_of(self) -> tuple[int, int]:
        """How many distinct inputs of the clean corpus have no valid prediction, and how many there are."""
        found = [self.unanswered(each) for part in self.parts() for each in part.known().values()]
        return sum(found), len(found)

    @property
    def is_part(self) -> bool:
        """Whether its inputs are one of several parts of a corpus."""
        return self.part_of_scale is not None

    def as_part(self, scale: Any) -> None:
        """Makes its inputs one of several parts of a corpus, by the whole of which scores are read as ``scale`` says.

        A part need not hold every label, so it shows nothing about whether those of the model fit.
        """
        self.part_of_scale = (scale,)

    def _distinct(self) -> dict[Key, I]:
        return distinct_inputs(map(self.key, self.inputs), self.inputs)

    def _predict(self, inputs: Sequence[I], keys: Sequence[Key], shared: Mapping[Key, P]) -> CasePredictions[P]:
        known = self.known()
        distinct = {key: each for key, each in distinct_inputs(keys, inputs).items() if key not in known}
        found = self.run({key: each for key, each in distinct.items() if key not in shared})
        taken = {key: shared[key] for key in distinct if key in shared}
        everything = {**known, **taken, **found}
        windows = [sum(prediction.windows for prediction in part.values()) for part in (found, taken)]
        return CasePredictions([everything[key] for key in keys], sum(windows), windows[1])

    def known(self) -> dict[Key, P]:
        """The clean predictions, from memory, else from the store, else from the model; of two parts the first's."""
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

    def _rest(self, distinct: dict[Key, I]) -> tuple[dict[Key, P], Numbers]:
        return {**self._first, **self.run({key: distinct[key] for key in distinct if key not in self._first})}, ()

    def _shared(
        self, part: str, distinct: dict[Key, I], made: Callable[[dict[Key, I]], tuple[dict[Key, P], Numbers]]
    ) -> tuple[dict[Key, P], Numbers]:
        """Predictions for the inputs, and numbers about them: from the store, else as ``made``, which it then keeps."""
        if self._store is None:
            return made(distinct)
        store = self._store
        store.mkdir(parents=True, exist_ok=True)
        name = hashlib.blake2b(self.model.fingerprint.encode() + _digest(distinct), digest_size=16).hexdigest()
        path = store / f"{part}-{name}.npz"
        with FileLock(f"{path}.lock"):
            if not path.exists():
                fresh = path.with_suffix(f".{os.getpid()}.npz")
                predictions, numbers = made(distinct)
                arrays = {**self.pack(list(predictions.values())), _NUMBERS: np.array(numbers, dtype=np.float64)}
                np.savez(fresh, allow_pickle=False, **arrays)
                fresh.replace(path)
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        numbers = tuple(arrays.pop(_NUMBERS).tolist())
        found = self.checked(list(distinct.values()), self.unpack(arrays))
        return dict(zip(distinct, found, strict=True)), numbers

    def run(self, distinct: dict[Key, I]) -> dict[Key, P]:
        """The predictions of the model, checked, from one call; they are not stored.

        Raises `AbaloError` for whatever a model raises. Unless it is ``with_text``, no message quotes what the model
        has read.
        """
        if not distinct:
            return {}
        with nullcontext() if self.with_text else withheld(self._told):
            return self._asked(distinct)

    def _asked(self, distinct: dict[Key, I]) -> dict[Key, P]:
        inputs = list(distinct.values())
        try:
            predictions = self.model.predict(inputs)
        except AbaloError:
            raise
        except BaseException as error:
            if ends_the_run(error):
                raise
            raise AbaloError(_cannot_predict(self.model.name, len(inputs), error)) from error
        return dict(zip(distinct, self.checked(inputs, predictions), strict=True))

    def windows(self) -> int:
        """Distinct model inputs of the clean corpus: equal inputs count once."""
        return sum(prediction.windows for prediction in self.known().values())


class Answering(Generic[I, P]):
    """Predictions for a search: one call of the model for all inputs that are new to it.

    ``forwards`` counts the distinct windows needed beyond the clean corpus.
    """

    def __init__(self, predictor: Predictor[I, P]) -> None:
        self.forwards = 0
        self._predictor = predictor
        self._found: dict[Key, P] = {}

    def __call__(self, inputs: Sequence[I]) -> list[P]:
        """One prediction per input, in order."""
        keys = [self._predictor.key(each) for each in inputs]
        known = self._predictor.known()
        new = {
            key: each
            for key, each in distinct_inputs(keys, inputs).items()
            if key not in known and key not in self._found
        }
        fresh = self._predictor.run(new)
        self.forwards += sum(prediction.windows for prediction in fresh.values())
        self._found |= fresh
        return [known[key] if key in known else self._found[key] for key in keys]


def distinct_inputs(keys: Iterable[Key], inputs: Iterable[I]) -> dict[Key, I]:
    """The first input of each key, in order."""
    distinct: dict[Key, I] = {}
    for key, each in zip(keys, inputs, strict=True):
        distinct.setdefault(key, each)
    return distinct


def digest_of(predictions: Iterable[bytes]) -> str:
    """The digest of clean predictions whose own digests these are, in any order and as often as may be."""
    return hashlib.blake2b(b"".join(sorted(set(predictions))), digest_size=16).hexdigest()


def _hashed(line: str) -> bytes:
    return hashlib.blake2b(line.encode(), digest_size=16).digest()


def _cannot_predict(name: str, inputs: int, error: BaseException) -> str:
    """The message about what the model raised, with the line where it did."""
    reason = visible(error)
    reason = reason if len(reason) <= _REASON else f"{reason[:_REASON]}…"
    *_, frame = traceback.extract_tb(error.__traceback__)
    return (
        f"model {name}: predicting {inputs:,} inputs raised {type(error).__name__}: {reason} "
        f"({frame.filename}:{frame.lineno}); expected a prediction for each: try the model on one of them by itself"
    )


def _digest(keys: Iterable[Key]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for key in keys:
        digest.update(json.dumps(key).encode())
    return digest.digest()

"""Any Python callable as a model: ``module:factory``, where ``factory()`` returns one of three things.

* a function from a list of token lists to a list of BIO tag lists;
* an object with ``labels`` and ``scores(batch)``, which gives a (tokens × labels) array of floats for each token list;
* an object with ``entities(texts)``, which gives a list of character spans ``(start, end, type)`` for each raw text.

``labels``, ``mask_token``, ``name`` and ``fingerprint`` are read from what it returns, where they are present.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from abalo.errors import AbaloError
from abalo.models.checks import refuse_non_finite
from abalo.models.labels import OUTSIDE, BioColumns, bio_columns, bio_label, types_of
from abalo.models.options import ModelOptions
from abalo.models.spans import tags_from_spans
from abalo.models.user_code import UserCode, make
from abalo.models.prediction import Prediction
from perturbations import Sentence

BATCH = 32
"""Sentences in one call."""


class Reader(Protocol):
    """One of the three things that a black box can be; raises `AbaloError` for answers that cannot be used."""

    @property
    def labels(self) -> tuple[str, ...]:
        """BIO; empty where the user's code tells none."""
        ...

    @property
    def reads_text(self) -> bool:
        """Whether it sees the white space between tokens."""
        ...

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order."""
        ...


class BlackBoxModel:
    """A `TokenModel` around a user's own code, called with batches of one fixed size, sorted by length."""

    def __init__(self, name: str, fingerprint: str, mask_token: str | None, reader: Reader, interface: str) -> None:
        self._reader = reader
        self.name = name
        self.fingerprint = fingerprint
        self.labels = reader.labels
        self.mask_token = mask_token
        self.device = "unknown"
        self.reads_text = reader.reads_text
        self.settings: dict[str, str | int | float | bool | None] = {"interface": interface}
        no_scores = np.zeros((0, len(self.labels)), dtype=np.float32) if interface == "scores" else None
        self._nothing = Prediction((), no_scores, windows=0)
        self.on_progress: Callable[[int, int], None] | None = None

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order; raises `AbaloError` for whatever goes wrong in the user's code."""
        predictions = [self._nothing] * len(sentences)
        order = sorted((i for i, each in enumerate(sentences) if each.tokens), key=lambda i: len(sentences[i]))
        for done in range(0, len(order), BATCH):
            chosen = order[done : done + BATCH]
            for i, prediction in zip(chosen, self._reader.predict([sentences[i] for i in chosen]), strict=True):
                predictions[i] = prediction
            if self.on_progress is not None:
                self.on_progress(done + len(chosen), len(order))
        return predictions


def load(spec: str, options: ModelOptions) -> BlackBoxModel:
    """The model that the factory called ``spec`` returns; raises `AbaloError` where it cannot be found or used."""
    options.refuse_for("a module:factory model")
    model, code = make(spec)
    name = _optional_text(model, "name", code) or spec
    label_map = options.label_map or {}
    reader, interface = _reader(model, code, label_map)
    fingerprint = _optional_text(model, "fingerprint", code) or code.digest
    if label_map:
        fingerprint += "+" + ",".join(f"{own}={kind}" for own, kind in label_map.items())
    return BlackBoxModel(name, fingerprint, _optional_text(model, "mask_token", code), reader, interface)


def _reader(model: Any, code: UserCode, label_map: Mapping[str, str]) -> tuple[Reader, str]:
    labels = _optional_labels(model, code)
    columns = None if labels is None else bio_columns(labels, label_map, code.spec)
    if callable(getattr(model, "scores", None)):
        if columns is None:
            raise AbaloError(
                f"model {code.spec}: has scores() but no labels; give it labels, one for each column of scores"
            )
        return ScoreReader(code, model.scores, columns), "scores"
    if callable(getattr(model, "entities", None)):
        return SpanReader(code, model.entities, () if columns is None else columns.labels, label_map), "entities"
    if callable(model):
        return TagReader(code, model, () if columns is None else columns.labels, label_map), "tags"
    raise AbaloError(
        f"model {code.spec}: the factory returned {type(model).__name__}; expected a function from token lists to tag "
        "lists, an object with labels and scores(batch), or an object with entities(texts)"
    )


def _optional_text(model: Any, attribute: str, code: UserCode) -> str | None:
    value = getattr(model, attribute, None)
    if value is not None and not isinstance(value, str):
        raise AbaloError(f"model {code.spec}: its {attribute} is {value!r}; expected a string, or none at all")
    return value


def _optional_labels(model: Any, code: UserCode) -> list[str] | None:
    labels = getattr(model, "labels", None)
    if labels is None:
        return None
    if isinstance(labels, str) or not isinstance(labels, Sequence) or not all(isinstance(each, str) for each in labels):
        raise AbaloError(
            f"model {code.spec}: its labels are {labels!r}; expected a list such as ['O', 'B-PER', 'I-PER']"
        )
    return list(labels)


# The three things a black box can be ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TagReader:
    """A function from token lists to tag lists."""

    code: UserCode
    function: Callable[..., Any]
    labels: tuple[str, ...]
    label_map: Mapping[str, str]
    reads_text: bool = False

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, without scores."""
        rows = _rows(self.code, "the function", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [Prediction(self._tags(row, sentence)) for row, sentence in zip(rows, batch, strict=True)]

    def _tags(self, row: Any, sentence: Sentence) -> tuple[str, ...]:
        tags = tuple(_as_list(self.code, "tags", row))
        if len(tags) != len(sentence):
            raise AbaloError(
                f"model {self.code.spec}: {len(tags)} tags for {len(sentence)} tokens; return one tag per token"
            )
        for tag in tags:
            if not isinstance(tag, str) or not (tag == OUTSIDE or (tag[:2] in ("B-", "I-") and tag[2:].strip())):
                raise AbaloError(
                    f"model {self.code.spec}: found tag {tag!r}; expected BIO: 'O', or 'B-' or 'I-' and an entity type"
                )
        return _renamed(self.code, tags, self.label_map, self.labels)


@dataclass(frozen=True, slots=True)
class ScoreReader:
    """A function from token lists to arrays of scores, (tokens × the model's own labels)."""

    code: UserCode
    function: Callable[..., Any]
    columns: BioColumns
    reads_text: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The BIO labels of the columns of the predictions' scores."""
        return self.columns.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, with scores; the tags are the labels with the highest ones."""
        rows = _rows(self.code, "scores()", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [self._prediction(row, sentence) for row, sentence in zip(rows, batch, strict=True)]

    def _prediction(self, row: Any, sentence: Sentence) -> Prediction:
        wanted = (len(sentence), len(self.columns.columns))
        try:
            with np.errstate(over="ignore"):  # what is too large for float32 is found below, as infinite
                # Complex numbers and text, which would be converted in silence, are no numbers here.
                scores = np.array(row).astype(np.float32, casting="same_kind")
        except (TypeError, ValueError, RuntimeError) as error:
            raise AbaloError(
                f"model {self.code.spec}: scores() gave something that is no array of numbers ({error}); expected an "
                f"array of shape {wanted} for a sentence of {len(sentence)} tokens"
            ) from error
        if scores.shape != wanted:
            raise AbaloError(
                f"model {self.code.spec}: scores() gave an array of shape {scores.shape} for a sentence of "
                f"{len(sentence)} tokens; expected {wanted}, one row per token and one column per label"
            )
        folded = self.columns.fold(scores)
        refuse_non_finite(self.code.spec, folded)
        return Prediction(tuple(self.labels[column] for column in folded.argmax(axis=1).tolist()), folded)


@dataclass(frozen=True, slots=True)
class SpanReader:
    """A function from raw texts to lists of character spans."""

    code: UserCode
    function: Callable[..., Any]
    labels: tuple[str, ...]
    label_map: Mapping[str, str]
    reads_text: bool = True

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, without scores."""
        rows = _rows(self.code, "entities()", self.function, batch, [sentence.text for sentence in batch])
        return [Prediction(self._tags(row, sentence)) for row, sentence in zip(rows, batch, strict=True)]

    def _tags(self, row: Any, sentence: Sentence) -> tuple[str, ...]:
        spans = _as_list(self.code, "spans", row)
        try:
            tags = tags_from_spans(sentence, spans)
        except ValueError as error:
            raise AbaloError(
                f"model {self.code.spec}: entities(), given a text of {len(sentence.text)} characters: {error}"
            ) from error
        return _renamed(self.code, tags, self.label_map, self.labels)


def _renamed(
    code: UserCode, tags: Sequence[str], label_map: Mapping[str, str], labels: tuple[str, ...]
) -> tuple[str, ...]:
    """BIO tags in the words of the corpus; their types are among those of ``labels``, where the model tells any."""
    renamed = tuple(bio_label(tag, label_map) for tag in tags)
    unknown = types_of(renamed) - types_of(labels) if labels else None
    if unknown:
        raise AbaloError(
            f"model {code.spec}: found entity type {min(unknown)!r}, which is not among its labels: {', '.join(labels)}"
        )
    return renamed


def _rows(
    code: UserCode, name: str, function: Callable[..., Any], batch: Sequence[Sentence], argument: list[Any]
) -> list[Any]:
    """What the user's function gives for a batch, as a list with one row per sentence."""
    shortest, longest = len(batch[0]), len(batch[-1])
    described = f"a batch of {len(batch)} sentences of {shortest} to {longest} tokens"
    rows = _as_list(code, "rows", code.call(f"{name}, given {described},", function, argument))
    if len(rows) != len(batch):
        raise AbaloError(
            f"model {code.spec}: {name} gave {len(rows)} rows for {described}; return one row per sentence"
        )
    return rows


def _as_list(code: UserCode, what: str, value: Any) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise AbaloError(
            f"model {code.spec}: found {type(value).__name__} {value!r:.60} where a list of {what} was expected"
        )
    return list(value)

"""Reads the answers of user code as predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from abalo.corpora.forms import whole_labels
from abalo.errors import AbaloError
from abalo.models.labelling.columns import Columns
from abalo.models.labelling.prediction import Prediction
from abalo.models.options import ModelOptions
from abalo.models.services.service import Service
from abalo.models.tokens.checks import refuse_non_finite
from abalo.models.tokens.spans import tags_from_spans
from abalo.models.user_code import UserCode
from perturbations import Sentence


class BoxReader(Protocol):
    """A kind of black box."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Corpus labels; empty if unknown."""
        ...

    @property
    def reads_text(self) -> bool:
        """True if it sees the white space between tokens."""
        ...

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Tags:
    """Translates user tags into corpus labels; empty ``labels`` if unknown."""

    code: UserCode
    options: ModelOptions
    labels: tuple[str, ...]

    def checked(self, tags: Sequence[Any], sentence: Sentence) -> Prediction:
        """One label per token."""
        if len(tags) != len(sentence):
            raise AbaloError(
                f"model {self.code.spec}: {len(tags)} tags for {len(sentence)} tokens; return one tag per token"
            )
        renamed = self.options.label_map or {}
        for tag in dict.fromkeys(tags) if {*map(type, tags)} == {str} else tags:
            if not (self.options.labelling.accepts(tag) or (isinstance(tag, str) and tag in renamed)):
                expected = self.options.labelling.expected
                raise AbaloError(f"model {self.code.spec}: found tag {tag!r}; expected {expected}{self._way_out(tag)}")
        return self.renamed(tags)

    def _way_out(self, tag: object) -> str:
        whole = whole_labels([tag]) if self.options.labelling.has_spans and isinstance(tag, str) else {}
        return "".join(f"; name whole labels with --abalo-label-map {own}={label},…" for own, label in whole.items())

    def renamed(self, tags: Sequence[str]) -> Prediction:
        """The tags under the label map."""
        labelling = self.options.labelling
        try:
            renamed = self.options.renamed(tags)
        except ValueError as error:
            raise AbaloError(f"model {self.code.spec}: {error}") from None
        undeclared = labelling.undeclared(renamed, self.labels)
        if undeclared is not None:
            raise AbaloError(
                f"model {self.code.spec}: found {labelling.kind} {undeclared!r}, which is not among its labels: "
                f"{', '.join(self.labels)}"
            )
        return Prediction(renamed, own_tags=tuple(tags) if self.options.label_map and not self.labels else None)


@dataclass(frozen=True, slots=True)
class TagReader:
    """A function from token lists to tag lists."""

    service: Service
    function: Callable[..., Any]
    tags: Tags
    reads_text: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return self.tags.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        rows = _rows(self.service, "the function", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [
            self.tags.checked(_as_list(self.service.code, "tags", row), sentence)
            for row, sentence in zip(rows, batch, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class ScoreReader:
    """A function from token lists to scores (tokens × own labels)."""

    service: Service
    function: Callable[..., Any]
    columns: Columns
    reads_text: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return self.columns.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        rows = _rows(self.service, "scores()", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [self._prediction(row, sentence) for row, sentence in zip(rows, batch, strict=True)]

    def _prediction(self, row: object, sentence: Sentence) -> Prediction:
        wanted = (len(sentence), len(self.columns.columns))
        try:
            with np.errstate(over="ignore"):  # a number too large for float32 is found below, as infinite
                # Complex numbers and text, which would be converted in silence, are no numbers here.
                scores = np.array(row).astype(np.float32, casting="same_kind")
        except (TypeError, ValueError, RuntimeError) as error:
            raise AbaloError(
                f"model {self.service.spec}: scores() gave something that is no array of numbers ({error}); expected "
                f"an array of shape {wanted} for a sentence of {len(sentence)} tokens"
            ) from error
        if scores.shape != wanted:
            raise AbaloError(
                f"model {self.service.spec}: scores() gave an array of shape {scores.shape} for a sentence of "
                f"{len(sentence)} tokens; expected {wanted}, one row per token and one column per label"
            )
        folded, tags = self.columns.read(scores)
        refuse_non_finite(self.service.spec, folded)
        return Prediction(tuple(tags), folded)


@dataclass(frozen=True, slots=True)
class SpanReader:
    """A function from raw texts to character spans."""

    service: Service
    function: Callable[..., Any]
    tags: Tags
    reads_text: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        return self.tags.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        rows = _rows(self.service, "entities()", self.function, batch, [sentence.text for sentence in batch])
        return [self._prediction(row, sentence) for row, sentence in zip(rows, batch, strict=True)]

    def _prediction(self, row: object, sentence: Sentence) -> Prediction:
        spans = _as_list(self.service.code, "spans", row)
        try:
            tags = tags_from_spans(sentence, spans)
        except ValueError as error:
            raise AbaloError(
                f"model {self.service.spec}: entities(), given a text of {len(sentence.text)} characters: {error}"
            ) from error
        return self.tags.renamed(tags)


def _rows(
    service: Service, name: str, function: Callable[..., object], batch: Sequence[Sentence], argument: list[object]
) -> list[object]:
    code = service.code
    shortest, longest = len(batch[0]), len(batch[-1])
    described = f"a batch of {len(batch)} sentences of {shortest} to {longest} tokens"
    rows = _as_list(code, "rows", service.ask(f"{name}, given {described},", function, argument))
    if len(rows) != len(batch):
        raise AbaloError(
            f"model {code.spec}: {name} gave {len(rows)} rows for {described}; return one row per sentence"
        )
    return rows


def _as_list(code: UserCode, items: str, value: object) -> list[object]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise AbaloError(
            f"model {code.spec}: found {type(value).__name__} {value!r:.60} where a list of {items} was expected"
        )
    return list(value)

"""Answers of a user's own code about a batch of sentences, read as predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from abalo.corpora.forms import whole_labels
from abalo.errors import AbaloError
from abalo.models.checks import refuse_non_finite
from abalo.models.columns import Columns
from abalo.models.options import ModelOptions
from abalo.models.prediction import Prediction
from abalo.models.spans import tags_from_spans
from abalo.models.user_code import UserCode
from perturbations import Sentence


class Reader(Protocol):
    """One of the three things that a black box can be; raises `AbaloError` for answers that cannot be used."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the corpus; empty where the user's code has no list of labels."""
        ...

    @property
    def reads_text(self) -> bool:
        """Whether it sees the white space between tokens."""
        ...

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags that a user's code gives, made labels of the corpus. ``labels`` are all of these; empty if unknown."""

    code: UserCode
    options: ModelOptions
    labels: tuple[str, ...]

    def checked(self, tags: Sequence[Any], sentence: Sentence) -> Prediction:
        """One label per token of the sentence; raises `AbaloError` for tags that are no labels, or too many or few."""
        if len(tags) != len(sentence):
            raise AbaloError(
                f"model {self.code.spec}: {len(tags)} tags for {len(sentence)} tokens; return one tag per token"
            )
        renamed = self.options.label_map or {}
        for tag in tags:
            if not (self.options.labelling.accepts(tag) or (isinstance(tag, str) and tag in renamed)):
                expected = self.options.labelling.expected
                raise AbaloError(f"model {self.code.spec}: found tag {tag!r}; expected {expected}{self._way_out(tag)}")
        return self.renamed(tags)

    def _way_out(self, tag: object) -> str:
        """The label map that makes a tag of another form one of BIO; empty for any other tag."""
        whole = whole_labels([tag]) if self.options.labelling.has_spans and isinstance(tag, str) else {}
        return "".join(f"; name whole labels with --abalo-label-map {own}={label},…" for own, label in whole.items())

    def renamed(self, tags: Sequence[str]) -> Prediction:
        """The tags under the label map; raises `AbaloError` for one that is not among the labels, where these are."""
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

    code: UserCode
    function: Callable[..., Any]
    tags: Tags
    reads_text: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the corpus; empty where the user's code has no list of labels."""
        return self.tags.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, without scores."""
        rows = _rows(self.code, "the function", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [
            self.tags.checked(_as_list(self.code, "tags", row), sentence)
            for row, sentence in zip(rows, batch, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class ScoreReader:
    """A function from token lists to arrays of scores, (tokens × the model's own labels)."""

    code: UserCode
    function: Callable[..., Any]
    columns: Columns
    reads_text: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the columns of the predictions' scores."""
        return self.columns.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, with scores; the tags are the labels with the highest ones."""
        rows = _rows(self.code, "scores()", self.function, batch, [list(sentence.tokens) for sentence in batch])
        return [self._prediction(row, sentence) for row, sentence in zip(rows, batch, strict=True)]

    def _prediction(self, row: Any, sentence: Sentence) -> Prediction:
        wanted = (len(sentence), len(self.columns.columns))
        try:
            with np.errstate(over="ignore"):  # a number too large for float32 is found below, as infinite
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
        folded, tags = self.columns.read(scores)
        refuse_non_finite(self.code.spec, folded)
        return Prediction(tuple(tags), folded)


@dataclass(frozen=True, slots=True)
class SpanReader:
    """A function from raw texts to lists of character spans."""

    code: UserCode
    function: Callable[..., Any]
    tags: Tags
    reads_text: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the corpus; empty where the user's code has no list of labels."""
        return self.tags.labels

    def predict(self, batch: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, without scores."""
        rows = _rows(self.code, "entities()", self.function, batch, [sentence.text for sentence in batch])
        return [self._prediction(row, sentence) for row, sentence in zip(rows, batch, strict=True)]

    def _prediction(self, row: Any, sentence: Sentence) -> Prediction:
        spans = _as_list(self.code, "spans", row)
        try:
            tags = tags_from_spans(sentence, spans)
        except ValueError as error:
            raise AbaloError(
                f"model {self.code.spec}: entities(), given a text of {len(sentence.text)} characters: {error}"
            ) from error
        return self.tags.renamed(tags)


def _rows(
    code: UserCode, name: str, function: Callable[..., Any], batch: Sequence[Sentence], argument: list[Any]
) -> list[Any]:
    """The results of the user's function for a batch, one per sentence."""
    shortest, longest = len(batch[0]), len(batch[-1])
    described = f"a batch of {len(batch)} sentences of {shortest} to {longest} tokens"
    rows = _as_list(code, "rows", code.call(f"{name}, given {described},", function, argument))
    if len(rows) != len(batch):
        raise AbaloError(
            f"model {code.spec}: {name} gave {len(rows)} rows for {described}; return one row per sentence"
        )
    return rows


def _as_list(code: UserCode, items: str, value: Any) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise AbaloError(
            f"model {code.spec}: found {type(value).__name__} {value!r:.60} where a list of {items} was expected"
        )
    return list(value)

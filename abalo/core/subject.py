"""The run as a task sees it: its corpus, its model, and what the model has predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from abalo.core.example import Example
from abalo.core.options import RunOptions
from abalo.core.predictor import Predictor


class Subject(Protocol):
    """A model that is judged on a corpus."""

    @property
    def corpus(self) -> Any:
        """The corpus, as the task read it."""
        ...

    @property
    def model(self) -> Any:
        """The model, as the task loaded it."""
        ...

    @property
    def options(self) -> RunOptions:
        """The options of the run."""
        ...

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds of the run, where a case has none of its own."""
        ...

    @property
    def examples(self) -> Sequence[Example]:
        """The examples of the corpus, in order."""
        ...

    @property
    def predictor(self) -> Predictor[Any, Any]:
        """The model with what it has predicted so far."""
        ...

"""The run as a task sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.predictor import Predictor
from abalo.core.records.example import Example


class Subject(Protocol):
    """A model judged on a corpus."""

    @property
    def corpus(self) -> Any: ...

    @property
    def model(self) -> Any: ...

    @property
    def options(self) -> RunOptions: ...

    @property
    def seeds(self) -> Sequence[int]: ...

    @property
    def examples(self) -> Sequence[Example]: ...

    @property
    def predictor(self) -> Predictor[Any, Any]: ...

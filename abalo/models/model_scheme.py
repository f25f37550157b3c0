"""Models by a scheme of one's own, such as ``flair:NAME``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from abalo.core.protocols.registry import Registry
from abalo.errors import AbaloError

_TAKEN = ("inspect", "openai", "spacy", "stanza")


@dataclass(frozen=True, slots=True)
class ModelScheme:
    """Loads the models called ``NAME:REST``.

    Attributes:
        name: the scheme, an identifier; it comes before a module of that name. Raises `AbaloError` for ``inspect``,
            ``openai``, ``spacy`` and ``stanza``.
        load: ``load(rest)`` returns what a factory of ``module:factory`` may return for the task: a function, or an
            object with ``labels`` and ``scores``. An attribute ``fingerprint`` identifies the model; without it the
            spec and the code of ``load`` do.
    """

    name: str
    load: Callable[[str], object]

    def __post_init__(self) -> None:
        if self.name in _TAKEN:
            raise AbaloError(f"there is a built-in model scheme called {self.name!r}; choose another name")

    @property
    def file(self) -> Path | None:
        """The source file of ``load``; None if unknown."""
        with suppress(TypeError, OSError):
            return Path(inspect.getfile(inspect.unwrap(self.load)))
        return None


model_schemes: Registry[ModelScheme] = Registry("model scheme", group="abalo.model_schemes")
"""All model schemes by name."""


def scheme_of(spec: str) -> ModelScheme | None:
    """The scheme that a model spec begins with, or None."""
    name, colon, _ = spec.partition(":")
    return model_schemes().get(name) if colon else None

"""A slice: a condition that some sentences of a corpus meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from abalo.core.configuring import Ranged, configured
from abalo.corpora import Corpus
from perturbations import Sentence


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Whether a sentence is in, and the condition in words, such as ``sentences of at least 41 words``."""

    holds: Callable[[Sentence], bool]
    text: str


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Generic[S]):
    """A slice. ``cut(corpus, settings)`` finds it in a corpus; the settings that it ``needs`` must be given.

    ``languages`` holds ISO 639-1 codes, the values of its setting ``language``; empty for any language.
    """

    name: str
    settings: type[S]
    cut: Callable[[Corpus, S], Cut]
    needs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: Any) -> S:
        """The settings with these values; raises TypeError or ValueError naming the one that is wrong."""
        return configured(self.name, self.settings, params)

"""A slice: a condition that some sentences of a corpus meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from abalo.core.configuring import Ranged, Settable
from abalo.core.registry import Registry
from abalo.corpora import Corpus
from perturbations import Sentence


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Whether a sentence is in, and the condition in words, such as ``sentences of at least 41 words``."""

    holds: Callable[[Sentence], bool]
    text: str


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Settable[S]):
    """A slice. ``cut(corpus, settings)`` finds it in a corpus; the settings that it ``needs`` must be given.

    ``languages`` holds ISO 639-1 codes, the values of its setting ``language``; empty for any language. A slice
    ``of_entities`` is for tasks that have labelled spans.
    """

    cut: Callable[[Corpus, S], Cut]
    needs: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    of_entities: bool = False


slices: Registry[Slice[Any]] = Registry("slice", "abalo.slices", "SLICE")
"""Every slice by name: one module each in this package, found by themselves."""

"""A slice: a condition that some sentences of a corpus meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from abalo.core.configuring import Ranged, Settable
from abalo.core.example import Example
from abalo.core.registry import Registry
from abalo.core.task import Task
from abalo.corpora import Corpus
from perturbations.languages import has, lack, with_parts


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Whether a sentence is in, and the condition in words, such as ``sentences of at least 41 words``.

    A slice of labels is asked about the labels of an example instead.
    """

    holds: Callable[[Any], bool]
    text: str


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Settable[S]):
    """A slice. ``cut(corpus, settings)`` finds it in a corpus; the settings that it ``needs`` must be given.

    ``parts`` are those that it asks of a language (`perturbations.languages.parts`), none for any language; its setting
    ``language`` is one that has them. A slice ``of_entities`` is for tasks that have labelled spans, one ``of_pairs``
    for those whose sentences are two, each under an anchor of its field, one ``of_labels`` for those that label an
    example as a whole.
    """

    cut: Callable[[Corpus, S], Cut]
    needs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    of_entities: bool = False
    of_pairs: bool = False
    of_labels: bool = False

    def fits(self, task: Task) -> bool:
        """Whether examples of the task can be in it."""
        has = "slice" in task.probes and (not self.of_labels or task.labelled == "whole")
        return (
            has
            and (task.labelled == "spans" or not self.of_entities)
            and (bool(task.fields.choices) or not self.of_pairs)
        )

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it is for, as ISO 639-1 codes; empty for any."""
        return with_parts(*self.parts) if self.parts else ()


def labels_of(example: Example) -> tuple[str, ...]:
    """The gold labels of an example as a whole; none where it has none."""
    if example.gold is None:
        return ()
    return (example.gold,) if isinstance(example.gold, str) else tuple(example.gold)


def check_language(slice_: str, language: str, parts: tuple[str, ...]) -> None:
    """Raises ValueError for a language without the parts that a slice asks for."""
    if not has(language, *parts):
        raise ValueError(lack(slice_, language, parts))


slices: Registry[Slice[Any]] = Registry("slice", "abalo.slices", "SLICE")
"""Every slice by name: one module each in this package, found by themselves."""

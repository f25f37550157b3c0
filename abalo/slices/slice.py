"""The base of slices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from string import Formatter
from typing import Any, TypeVar

from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task
from abalo.core.records.configuring import Ranged, Settable
from abalo.core.records.example import Example
from abalo.corpora import Corpus
from perturbations import Arcs, Sentence
from perturbations.languages import has, lack, with_parts
from perturbations.layers import HEADS


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A test for sentences, and its condition in words: ``sentences of at least 41 words``.

    A slice of labels tests the labels of an example instead.
    """

    holds: Callable[[Any], bool]
    text: str


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Settable[S]):
    """A slice of a corpus.

    Attributes:
        cut: makes the test from corpus and settings.
        needs: required settings.
        parts: language data required (`perturbations.languages.parts`) of the setting ``language``; empty for any
            language.
        of_entities: for labelled spans.
        of_pairs: for two sentences, each under an anchor.
        of_labels: for labelled examples.
        of_answers: for questions about a passage, each under an anchor.
        of_trees: for labelled arcs.
        of_relations: for relations of two spans.
        title: may name settings: ``{end} sentences``.
    """

    cut: Callable[[Corpus, S], Cut]
    needs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    of_entities: bool = False
    of_pairs: bool = False
    of_labels: bool = False
    of_answers: bool = False
    of_trees: bool = False
    of_relations: bool = False

    def fits(self, task: Task) -> bool:
        """Whether the slice suits the task."""
        has = "slice" in task.probes and (not self.of_labels or task.labelled == "whole")
        return (
            has
            and (task.labelled == "spans" or not self.of_entities)
            and (bool(task.fields.choices) or not self.of_pairs)
            and (task.labelled == "places" or not self.of_answers)
            and (task.labelled == "arcs" or not self.of_trees)
            and (task.group_noun == "relation" or not self.of_relations)
        )

    @property
    def named(self) -> tuple[str, ...]:
        """Settings in the title."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.title) if name)

    def usual(self) -> dict[str, Any]:
        """Default settings."""
        return {each.name: each.default for each in fields(self.settings) if each.default is not MISSING}

    @property
    def languages(self) -> tuple[str, ...]:
        """Supported ISO 639-1 codes; empty for any."""
        return with_parts(*self.parts) if self.parts else ()


def labels_of(example: Example) -> tuple[str, ...]:
    """The gold labels of a whole example."""
    if example.gold is None:
        return ()
    return (example.gold,) if isinstance(example.gold, str) else tuple(example.gold)


def spans_of_arcs(sentence: Sentence) -> list[tuple[int, int]]:
    """First and last word of each gold arc; the root's begins at -1."""
    trees = (layer for layer in sentence.layers if isinstance(layer, Arcs) and layer.name == HEADS)
    return [
        (min(word, head), max(word, head)) for tree in trees for word, head in enumerate(tree.heads) if head is not None
    ]


def check_language(slice_: str, language: str, parts: tuple[str, ...]) -> None:
    """Raises ValueError if the language lacks required parts."""
    if not has(language, *parts):
        raise ValueError(lack(slice_, language, parts))


slices: Registry[Slice[Any]] = Registry("slice", "abalo.slices", "SLICE", group="abalo.slices")
"""All slices, one per module."""

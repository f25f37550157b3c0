"""The fields of an example that a case changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from abalo.core.records.example import Example
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from perturbations import Perturbation, Pipeline, Sentence


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a task's examples.

    * ``choices``: fields to change, by a case's ``field``.
    * ``of_change``: picks the default field, else the first.
    * ``opened``: the sentence as a perturbation sees it.
    * ``answered``: adds what clean predictions show.
    * ``unfit``: why a change teaches nothing here.
    * ``fewest_clusters``: needed for an overall verdict.
    * ``cluster_noun``: a cluster in words; "" for the noun of an example.
    """

    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_change: Callable[[Perturbation | Pipeline], str] | None = None
    opened: Callable[[str, Sentence], Sentence] | None = None
    answered: Callable[[Sequence[Example], Sequence[Any]], Sequence[Example]] | None = None
    unfit: Callable[[Perturbation | Pipeline, Sequence[Example]], str | None] | None = None
    fewest_clusters: int = FEWEST_CLUSTERS
    cluster_noun: str = ""

    def usual(self, change: Perturbation | Pipeline) -> str:
        """The default value of ``field``."""
        return next(iter(self.choices), "") if self.of_change is None else self.of_change(change)

    def chosen(self, example: Example, name: str) -> Sequence[str]:
        """The fields that change; all for ""."""
        return self.choices[name] if name else tuple(example.fields)

    def given(self, example: Example, name: str) -> Mapping[str, Sentence]:
        """The changed fields as a perturbation sees them."""
        found = {each: example.fields[each] for each in self.chosen(example, name)}
        opened = self.opened
        return found if opened is None else {each: opened(name, sentence) for each, sentence in found.items()}

"""The base of invariances under single edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task
from abalo.core.records.configuring import Lists, Ranged, Ranges, Settable
from abalo.corpora import Corpus
from perturbations import Edit, Sentence

EditSite = Callable[[], Sequence[Edit]]
"""A place that could change; returns its possible edits, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvarianceSettings(Ranged):
    """Settings of every invariance; `abalo.probes.meanings` explains them."""

    draws: int = 1000
    margin: float = 0.5

    ranges: ClassVar[Ranges] = {"draws": (1, 10**6), "margin": (0, 1)}


S = TypeVar("S", bound=InvarianceSettings)

FindSites = Callable[[Sentence, frozenset[int]], Sequence[EditSite]]
"""The sites of a sentence; free tokens are outside labelled spans, gold and predicted."""


@dataclass(frozen=True, slots=True, eq=False)
class Invariance(Settable[S]):
    """An invariance under single edits.

    * ``finder(corpus, settings)``: finds the places that could change.
    * ``text``: one sentence, with ``{outside}`` for the editable words and ``{target}`` for what must not change.
    * ``of_spans``: None if it accepts any target.
    * ``lists``: by language, the settings that name word lists.
    """

    finder: Callable[[Corpus, S], FindSites]
    text: str
    of_spans: bool | None = None
    lists: Lists = field(default_factory=dict)

    def fits(self, task: Task) -> bool:
        """Whether the task has targets for this invariance."""
        return "invariance" in task.probes and self.of_spans in (None, task.labelled == "spans")

    def said(self, task: Task) -> str:
        """The invariance in the words of a task."""
        outside, target = task.targets.invariance_words
        return self.text.format(outside=outside, target=target)

    @property
    def summary(self) -> str:
        """The invariance in general words."""
        words = {None: ("", "entity or label"), True: (" outside every entity", "entity"), False: ("", "label")}
        outside, target = words[self.of_spans]
        return self.text.format(outside=outside, target=target)


invariances: Registry[Invariance[Any]] = Registry(
    "invariance", "abalo.invariances", "INVARIANCE", group="abalo.invariances"
)

"""The protocol of tasks, one discovered folder each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from abalo.core.documents.parts import InParts
from abalo.core.documents.rewording import Rewordings
from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.protocols.task_targets import Targets
from abalo.core.protocols.templates import Templates
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.lesson import Lesson
from abalo.core.records.outcome import Outcome
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.fields import Fields
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.passing import PASS_RATE
from abalo.core.statistics.plan import AnyBoundCase
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from perturbations import Perturbation, Perturbed, Span


def edits_text(perturbation: Perturbation) -> bool:
    """Whether it edits characters, words or sentences without changing labels."""
    return perturbation.level in ("character", "word", "sentence") and perturbation.labels != "changes"


def keeps_meaning(perturbation: Perturbation) -> bool:
    """Whether it edits text, and what the text says stays true."""
    return edits_text(perturbation) and perturbation.meaning == "keeps" and perturbation.relation in ("keeps", "adds")


class AnyCorpus(Protocol):
    """A named corpus."""

    @property
    def name(self) -> str: ...

    @property
    def sha256(self) -> str:
        """Digest of all that affects predictions or gold, whatever the file format."""
        ...

    @property
    def examples(self) -> Sequence[Example]:
        """The examples in order."""

    def first(self, limit: int | None, /) -> Self:
        """The first ``limit`` examples; None keeps all."""
        ...


class Model(Protocol):
    """A judged model, with a ``fingerprint`` that changes whenever predictions could.

    Optional: ``black_box = False`` if asking again is free, a ``version``, and ``settings`` for the report.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]


class ResourceFinder(Protocol):
    """Finds what perturbations need besides the sentence, such as corpora and models."""

    @property
    def language(self) -> str:
        """The language of the corpus (ISO 639-1)."""
        ...

    def named(self, perturbation: Perturbation, params: Mapping[str, object], /) -> dict[str, Any]:
        """The parameters, with open names filled in."""
        ...

    def configured(self, perturbation: Perturbation, params: Mapping[str, object], /) -> Perturbation:
        """The perturbation with the resources its parameters name."""
        ...

    def called(self, spec: str, kind: type, /) -> Any:
        """The named resource; raises `AbaloError` if missing."""
        ...


Labelled = Literal["whole", "words", "spans", "places", "arcs", "texts"]

Writer = Callable[[AnyCorpus, Sequence[Example], Path, Sequence[Mapping[str, object]]], None]
"""Writes examples, with notes, to a file that the task can read again, or nothing.

Raises `AbaloError` if the format cannot hold an example.
"""


class Task(ABC):
    """A task: its examples, predictions and counts, and everything else that only this task knows.

    * ``views``: ways to compare predictions with gold. ``usual_view``: default for bounds. ``resized_view``: default if
      labelled spans may change length.
    * ``floor``: metric of quality. ``headline``: metric of what a case costs.
    * ``noun``: an example in words. ``group_noun``: a group. ``held_noun``: what is counted, in the plural.
    * ``probes``: its kinds of case.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    metrics: ClassVar[Registry[Metric]]
    views: ClassVar[tuple[str, ...]]
    usual_view: ClassVar[str]
    resized_view: ClassVar[str]
    floor: ClassVar[str]
    headline: ClassVar[str]
    graded: ClassVar[Mapping[str, str]] = {}
    """Metrics that replace floor and headlines on a corpus with degrees."""
    probes: ClassVar[tuple[str, ...]]
    noun: ClassVar[str] = "sentence"
    group_noun: ClassVar[str] = "group"
    held_noun: ClassVar[str] = "labels"
    default_corpus: ClassVar[str] = ""
    """The default corpus; "" if users must name one."""
    corpus_kind: ClassVar[CorpusKind] = CorpusKind()
    labelled: ClassVar[Labelled] = "whole"
    """What has labels: the ``whole``, ``words`` or typed ``spans``. ``places`` are to be found, ``arcs`` join words,
    ``texts``
    are right for the whole.
    """
    fields: ClassVar[Fields] = Fields()
    rewordings: ClassVar[Rewordings] = Rewordings()
    targets: ClassVar[Targets] = Targets()
    templates: ClassVar[Templates] = Templates()
    writers: ClassVar[Mapping[str, Writer]] = {}
    """Formats for writing examples, by file ending."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "metrics" in vars(cls):
            cls.metrics.include(PASS_RATE)

    @cached_property
    def report(self) -> TaskReport:
        return TaskReport(self)

    # Corpora and models ----------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, spec: str, options: RunOptions) -> AnyCorpus:
        """The corpus called ``spec``; raises `AbaloError` with its problems."""

    def in_parts(self, spec: str, options: RunOptions) -> InParts:
        """The corpus called ``spec``, read part by part; raises `AbaloError` if impossible."""
        able = [name for name, task in tasks().items() if type(task).in_parts is not Task.in_parts]
        raise AbaloError(
            f"{spec}: a corpus of the task {self.name}, which is not read in parts; expected one of {', '.join(able)}; "
            "judge it in one process, with pytest"
        )

    @abstractmethod
    def recognises(self, spec: str) -> bool:
        """Whether ``spec`` looks like a corpus of this task; False if unreadable."""

    @abstractmethod
    def load(self, spec: str | None, options: RunOptions, corpus: Any) -> Any:
        """The model called ``spec``, or the default for None; raises `AbaloError` if it cannot be loaded."""

    @abstractmethod
    def predictor(self, model: Any, corpus: Any, store: Path | None = None) -> Predictor[Any, Any]:
        """The model with the clean corpus, each input predicted once."""

    def resources(self, corpus: Any, model: Any, options: RunOptions, language: str) -> ResourceFinder:
        """The resources for perturbations; raises TypeError if the task has none."""
        raise TypeError(f"{self.name} has no perturbations")

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """Whether the perturbation can change this task's examples."""
        return bool(perturbation)

    def input(self, example: Example) -> Any:
        """The model input of an example."""
        return example.sentence

    def lesson(self, example: Example) -> Lesson | None:
        """The example to learn from; None if gold is unknown or the task trains no models."""
        return None

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The edited example with its gold carried along; None if the edits do not apply."""
        made = {name: each.sentence for name, each in edits.items()}
        return replace(example, fields={**example.fields, **made}) if made else example

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """All labels of gold, or of a prediction, over the words of `Example.whole`."""
        return ()

    # Counting ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The groups with their own numbers, such as types or classes, sorted."""

    @abstractmethod
    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """Gold labels of each group in each outcome's example (outcomes × groups)."""

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        """The score to exceed to prove reading; None if the smallest clean score does."""
        return None

    def views_agree(self, outcome: Outcome) -> bool:
        """Whether all views compare the outcome alike."""
        return len(self.views) == 1 or outcome.variant is None

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """Why a measurement, named ``where``, cannot decide the bound; None if it can."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        known, (name, of, _) = self.metrics(), bound.metric.partition("_drop")
        if of and name in known and f"{name}_drop" in known:
            clean = sum(measurement.estimate(each, bound.type).value for each in (name, f"{name}_drop"))
            if abs(clean) < ROUNDING:
                return f"the clean {known[name].words} is 0, so nothing can be lost"
        return None

    def check(self, cases: Iterable[AnyBoundCase], subject: Subject) -> Iterable[tuple[AnyBoundCase, Bound | str, str]]:
        """Bounds, and parameters by key, that corpus and model make meaningless, with reasons."""
        return ()


def floor_of(task: Task, evidence: Evidence) -> str:
    """The quality metric, by the evidence of a case."""
    return task.floor if evidence.groups else task.graded.get(task.floor, task.floor)


tasks: Registry[Task] = Registry("task", "abalo.tasks", "TASK", group="abalo.tasks")
"""Every task by name."""


def cluster_noun(task: Task) -> str:
    """Examples of a task that count as one piece of evidence, in words, such as ``passage``."""
    return task.fields.cluster_noun or task.noun

"""The protocol of a task: what an example, a prediction and a count are. One folder a task, found by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json
from abalo.core.fields import Fields
from abalo.core.lesson import Lesson
from abalo.core.metrics import Metric
from abalo.core.options import RunOptions
from abalo.core.outcome import Outcome
from abalo.core.parts import InParts
from abalo.core.passing import PASS_RATE
from abalo.core.plan import AnyBoundPlan
from abalo.core.predictor import Predictor
from abalo.core.registry import Registry
from abalo.core.rewording import Rewordings
from abalo.core.searching import Targets
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task_report import TaskReport
from abalo.core.templates import Templates
from abalo.core.verdicts import Bound
from abalo.errors import AbaloError
from perturbations import Perturbation, Perturbed, Span


class Corpus(Protocol):
    """Examples to judge a model on, and what they were called."""

    @property
    def name(self) -> str:
        """As the user called it."""
        ...

    @property
    def sha256(self) -> str:
        """Digest of all that could change a prediction or its being right, whatever the file format."""
        ...

    @property
    def examples(self) -> Sequence[Example]:
        """The examples in order."""

    def first(self, limit: int | None, /) -> Any:
        """The first ``limit`` examples; all for None."""
        ...


class Model(Protocol):
    """A model that is judged. ``fingerprint`` changes whenever predictions could.

    A model that costs nothing to ask again says ``black_box = False``; one whose fingerprint cannot say what stands
    behind its name may have a ``version``, which is in its fingerprint too.
    ``settings`` are what else the report should name.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]


class Resources(Protocol):
    """Finds what perturbations need besides the sentence: what masks words, pools of names, corpora, models."""

    @property
    def language(self) -> str:
        """The language of the corpus, an ISO 639-1 code."""
        ...

    def named(self, perturbation: Perturbation, params: Mapping[str, Any], /) -> dict[str, Any]:
        """The parameters, with the names of what they leave open."""
        ...

    def configured(self, perturbation: Perturbation, params: Mapping[str, Any], /) -> Perturbation:
        """The perturbation with these parameters, and with what they name in place of the names."""
        ...

    def called(self, spec: str, kind: type, /) -> Any:
        """The resource of that name, of a kind in `perturbations.resources`; raises `AbaloError` without one."""
        ...


Labelled = Literal["whole", "words", "spans"]

Writer = Callable[[Corpus, Sequence[Example], Path, Sequence[Mapping[str, Any]]], None]
"""Writes examples made of a corpus to a file, each with its notes where there are any; the task reads the file again.

The file is there whole or not at all. Raises `AbaloError` for examples that the format cannot hold."""


class Task(ABC):
    """A task: its kinds of example, prediction and count, and everything else that only this task knows.

    ``views`` are the ways in which predictions can be compared with gold, ``usual_view`` the one that bounds are about,
    ``resized_view`` the same where whole labelled spans may change their length. ``floor`` is the metric that says how
    good a model is, ``headline`` the one that says what a case costs.
    ``noun`` is an example in words, ``group_noun`` a group of numbers, ``held_noun`` what is counted, in the plural.
    ``probes`` are the kinds of case that it has.
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
    """The metrics in place of floor and headlines on a corpus without labels, whose examples have degrees alone."""
    probes: ClassVar[tuple[str, ...]]
    noun: ClassVar[str] = "sentence"
    group_noun: ClassVar[str] = "group"
    held_noun: ClassVar[str] = "labels"
    default_corpus: ClassVar[str] = ""
    """The corpus to judge on unless another is named; empty where one has to be."""
    corpus_kind: ClassVar[str] = ""
    """The files that it reads, in words, such as ``JSON lines with a text and a label``."""
    labelled: ClassVar[Labelled] = "whole"
    """The parts of an example that have labels: the ``whole``, its ``words``, or ``spans`` of words with a type, at
    which a perturbation can be aimed."""
    fields: ClassVar[Fields] = Fields()
    """The fields of an example that a case changes."""
    rewordings: ClassVar[Rewordings] = Rewordings()
    """Fixed ways to put examples to a model."""
    targets: ClassVar[Targets] = Targets()
    """Targets of searches and promises."""
    templates: ClassVar[Templates] = Templates()
    """Templates of examples, for capabilities."""
    writers: ClassVar[Mapping[str, Writer]] = {}
    """The formats in which examples are written, by the ending of the name of the file."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "metrics" in vars(cls):
            cls.metrics.include(PASS_RATE)

    @cached_property
    def report(self) -> TaskReport:
        """The part of reports that is of the task alone."""
        return TaskReport(self)

    # Corpora and models ----------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, spec: str, options: RunOptions) -> Corpus:
        """The corpus called ``spec``, read as the ``options`` ask; raises `AbaloError` listing its problems."""

    def in_parts(self, spec: str, options: RunOptions) -> InParts:
        """The corpus called ``spec``, to be read part after part as the ``options`` ask.

        Raises `AbaloError` for a corpus that cannot be, and for a task whose corpora cannot.
        """
        able = [name for name, task in tasks().items() if type(task).in_parts is not Task.in_parts]
        raise AbaloError(
            f"{spec}: a corpus of the task {self.name}, which is not read in parts; expected one of {', '.join(able)}; "
            "judge it in one process, with pytest"
        )

    @abstractmethod
    def recognises(self, spec: str) -> bool:
        """Whether a corpus called ``spec`` looks like one of this task; no error where it cannot be read."""

    @abstractmethod
    def load(self, spec: str | None, options: RunOptions, corpus: Any) -> Any:
        """The model called ``spec``, ready to predict; the one that ships for None. Raises `AbaloError`."""

    @abstractmethod
    def predictor(self, model: Any, corpus: Any, store: Path | None = None) -> Predictor[Any, Any]:
        """The model with the clean corpus, each input predicted once."""

    def resources(self, corpus: Any, model: Any, options: RunOptions, language: str) -> Resources:
        """The resources that perturbations can request; raises TypeError for a task that has no perturbations."""
        raise TypeError(f"{self.name} has no perturbations")

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """Whether the perturbation can do anything to examples of this task."""
        return bool(perturbation)

    def input(self, example: Example) -> Any:
        """The model input that an example is."""
        return example.sentence

    def lesson(self, example: Example) -> Lesson | None:
        """The example to learn from; None where nobody knows what is right, or the task trains no models."""
        return None

    @abstractmethod
    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The example after edits of some fields, its gold carried along; None where they do not apply."""

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """All labels of gold, or of a prediction, over the words of `Example.whole` that they are about."""
        return ()

    # Counting ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The groups that have numbers of their own, such as types, classes or relations, sorted."""

    @abstractmethod
    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """How many gold labels of each group the example of each outcome holds (outcomes × groups)."""

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """The score that a model must exceed to show that it reads; None if the smallest clean score already asks that.

        ``evidence`` is that of the clean corpus, ``facts`` what the report says of the corpus.
        """
        return None

    def views_agree(self, outcome: Outcome) -> bool:
        """Whether all views compare the outcome alike."""
        return len(self.views) == 1 or outcome.variant is None

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """Why a measurement shows nothing about the bound; None where it does. ``where`` names the part measured."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        return None

    def check(self, cases: Iterable[AnyBoundPlan], session: Subject) -> Iterable[tuple[AnyBoundPlan, Bound | str, str]]:
        """Bounds, and parameters by their key, that corpus and model make meaningless, each with the reason."""
        return ()


def floor_of(task: Task, evidence: Evidence) -> str:
    """The metric that says how good a model is on a corpus, by the evidence of a case on it."""
    return task.floor if evidence.groups else task.graded.get(task.floor, task.floor)


tasks: Registry[Task] = Registry("task", "abalo.tasks", "TASK", group="abalo.tasks")
"""Every task by name."""

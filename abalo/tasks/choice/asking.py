"""The ways in which the questions of a file are put to a model, and putting them."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from abalo.core.configuring import Ranged, Ranges, configured
from abalo.tasks.choice.answers import Answer
from abalo.tasks.choice.models.protocol import ChoiceModel, Picked
from abalo.tasks.choice.question import (
    BASELINE,
    FORMS,
    MOST_PARAPHRASES,
    PARAPHRASES,
    SEED,
    VARIANTS,
    Choice,
    Prompt,
    paraphrased,
    reformatted,
    unchanged,
)
from perturbations.families.choice import FORMATTINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Ranged):
    """What every asking can be told. ``seed`` goes to models that take one."""

    seed: int = SEED

    ranges: ClassVar[Ranges] = {"seed": (0, 2**31 - 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewordings(Settings):
    """At most ``k`` paraphrases of each question."""

    k: int = 2

    ranges: ClassVar[Ranges] = {**Settings.ranges, "k": (1, MOST_PARAPHRASES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms(Settings):
    """The first ``k`` changes of form; those of the order of options are the fourth and fifth."""

    k: int = 3

    ranges: ClassVar[Ranges] = {**Settings.ranges, "k": (1, len(FORMATTINGS))}


S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, slots=True, eq=False)
class Asking(Generic[S]):
    """A way to put questions. ``variants`` makes of a question those that are put, the original first."""

    name: str
    settings: type[S]
    variants: Callable[[Choice, S], Sequence[Prompt]]

    @property
    def varies(self) -> bool:
        """Whether questions are put in other ways too."""
        return self.settings is not Settings

    def possible(self, settings: S) -> tuple[str, ...]:
        """The variants that there can be, by id, the original first."""
        k: int = getattr(settings, "k", 0)
        first = VARIANTS.index("para1") if self.name == PARAPHRASES else VARIANTS.index(next(iter(FORMATTINGS)))
        return (VARIANTS[0], *VARIANTS[first : first + k])

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: Any) -> S:
        """The settings with these values; raises TypeError or ValueError naming the one that is wrong."""
        return configured(self.name, self.settings, params)


ASKINGS: Mapping[str, Asking[Any]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Asking(BASELINE, Settings, lambda choice, settings: unchanged(choice, settings.seed)),
            Asking(PARAPHRASES, Rewordings, lambda choice, settings: paraphrased(choice, settings.k, settings.seed)),
            Asking(FORMS, Forms, lambda choice, settings: reformatted(choice, settings.k, settings.seed)),
        )
    }
)
"""All of them by name; those with variants are called as the tasks of Inspect are."""


@dataclass(frozen=True, slots=True, eq=False)
class Questionnaire:
    """Questions to judge a model on, and what they were called."""

    name: str
    choices: tuple[Choice, ...]

    @property
    def sha256(self) -> str:
        """Digest of all that could change an answer or its being right, whatever the file format."""
        return hashlib.sha256(json.dumps([asdict(choice) for choice in self.choices]).encode()).hexdigest()

    @property
    def copies(self) -> Mapping[str, str]:
        """By id of a question what it shares with its copies, which are no evidence of their own: a digest."""
        said = {each.id: json.dumps([each.question, each.options, each.target]) for each in self.choices}
        return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in said.items()}

    def first(self, limit: int | None) -> Questionnaire:
        """The first ``limit`` questions, all for None."""
        return self if limit is None else replace(self, choices=self.choices[:limit])


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What came of putting a questionnaire: an answer to each variant, in order."""

    questionnaire: Questionnaire
    params: Mapping[str, Any]
    variants: tuple[Prompt, ...]
    answers: tuple[Answer, ...]
    seconds: float


def ask(asking: Asking[S], settings: S, questionnaire: Questionnaire, model: ChoiceModel) -> Asked:
    """Puts every variant of every question once; raises `AbaloError` where the model cannot answer."""
    started = time.perf_counter()
    variants = tuple(variant for choice in questionnaire.choices for variant in asking.variants(choice, settings))
    answers = tuple(
        _answer(prompt, picked, model.name) for prompt, picked in zip(variants, model.predict(variants), strict=True)
    )
    return Asked(questionnaire, asdict(settings), variants, answers, time.perf_counter() - started)


def _answer(prompt: Prompt, picked: Picked, model: str) -> Answer:
    return Answer.from_json(
        {
            "id": prompt.item,
            "task": prompt.task,
            "model": model,
            "pred_index": picked.place,
            "target_index": prompt.target,
            "correct": picked.place == prompt.target,
            "seed": prompt.seed,
            "pred_option": picked.option,
            **prompt.labels,
        }
    )

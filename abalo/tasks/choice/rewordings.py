"""Ways to put questions: paraphrases, and other forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from abalo.core.configuring import Ranged, Ranges
from abalo.core.example import Example
from abalo.core.rewording import Reworded, Rewording
from abalo.tasks.choice.corpus import OPTIONS, QUESTION
from abalo.tasks.choice.question import FORMS, MOST_PARAPHRASES, PARAPHRASES, VARIANTS, Choice
from perturbations import apply
from perturbations.families.choice import FORMATTINGS, formattings, paraphrases
from perturbations.families.choice import Rewording as Put


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Ranged):
    """Settings of every case about questions. ``seed`` goes to models that take one."""

    seed: int = 123

    ranges: ClassVar[Ranges] = {"seed": (0, 2**31 - 1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrases(Settings):
    """At most ``k`` paraphrases of each question."""

    k: int = 2

    ranges: ClassVar[Ranges] = {**Settings.ranges, "k": (1, MOST_PARAPHRASES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms(Settings):
    """The first ``k`` changes of form; those of the order of options are the fourth and fifth."""

    k: int = 3

    ranges: ClassVar[Ranges] = {**Settings.ranges, "k": (1, len(FORMATTINGS))}


def _paraphrased(example: Example, settings: Paraphrases) -> Sequence[Reworded]:
    choice: Choice = example.source
    return list(_ways(example, paraphrases(choice.question, settings.k, choice.language)))


def _reformatted(example: Example, settings: Forms) -> Sequence[Reworded]:
    choice: Choice = example.source
    return list(_ways(example, formattings(choice.question, choice.options, settings.k, choice.language)))


def _ways(example: Example, put: Sequence[Put]) -> Iterator[Reworded]:
    """The rewordings without the original, which comes first."""
    for each in put[1:]:
        options = apply(example.fields[OPTIONS], each.moves)
        yield Reworded(each.id, {QUESTION: each.question, OPTIONS: options}, each.kind)


def _first(first: str, k: int) -> tuple[str, ...]:
    place = VARIANTS.index(first)
    return (VARIANTS[0], *VARIANTS[place : place + k])


REWORDINGS: Mapping[str, Rewording[Any]] = MappingProxyType(
    {
        PARAPHRASES: Rewording(PARAPHRASES, Paraphrases, _paraphrased, lambda settings: _first("para1", settings.k)),
        FORMS: Rewording(FORMS, Forms, _reformatted, lambda settings: _first(next(iter(FORMATTINGS)), settings.k)),
    }
)
"""All lists by name; they are called as the tasks of Inspect are."""

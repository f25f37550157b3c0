"""An attack: a search for each target, and the settings that a table of thresholds.toml can give it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from abalo.attacks.limits import Limit
from abalo.attacks.search import Search
from abalo.core.configuring import Lists, Ranged, Ranges, Settable
from abalo.core.gate import AUTO
from abalo.core.registry import Registry
from abalo.core.targets import Target
from abalo.core.task import Task
from abalo.corpora.training import check_training
from abalo.validators import requirements
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSettings(Ranged):
    """Settings of every attack.

    ``sample`` distinct examples are drawn, those with a gold label and, where parts of speech are known, a verb; 0
    means all. A search shows the model at most ``budget`` variants. Variants are at least
    ``least_similarity`` similar to the original by the measure ``similarity``. Words keep their part of speech:
    ``parts_of_speech`` is "auto" for those of the corpus, if it has any, "corpus" where it must have them, a tagger, or
    "off". ``training`` names the corpora that the model was trained and tuned on, one or a list, to see whether it is
    broken by rarer words or entities than those they replace. ``require`` holds limits by validator, with which every
    variant has to comply: ``{perplexity_ratio = 2}``.
    """

    sample: int = 0
    budget: int = 1000
    similarity: str = "ngrams"
    least_similarity: float = 0.8
    parts_of_speech: str = "auto"
    training: str | tuple[str, ...] = ""
    require: Mapping[str, Any] = field(default_factory=dict)

    ranges: ClassVar[Ranges] = {
        "sample": (0, 10**9),
        "budget": (1, 10**9),
        "least_similarity": (-1, 1),
    }

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        for each in training_files(self.training):
            check_training(each)
        requirements(self.require)  # says which is none

    @property
    def goal(self) -> str:
        """The one way of being wrong that counts as a success; here empty, for any."""
        return ""

    def limits(self) -> Sequence[Limit]:
        """The limits on how much of a sentence is changed; none here."""
        return ()


def training_files(training: str | Sequence[str]) -> tuple[str, ...]:
    """The corpora that the setting ``training`` names, in order; empty for none."""
    files = (training,) if isinstance(training, str) else tuple(training)
    return tuple(each for each in files if each)


S = TypeVar("S", bound=AttackSettings)


@dataclass(frozen=True, slots=True, eq=False)
class Aims:
    """The input of a plan: targets, the corpus they stand in, and the seed of all draws.

    The targets may be those of some examples only, so a plan for one must not depend on the others.
    """

    targets: Sequence[Target]
    corpus: Any
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A search for each target, in order, and how many places or candidates it can choose from.

    ``sources`` names the resources that the attack uses. ``places`` holds for each search the places of the words that
    it could replace, empty for attacks that replace no single words.
    """

    searches: Sequence[Search]
    choices: Sequence[int]
    sources: Mapping[str, str]
    places: Sequence[Sequence[int]] = ()


Reached = Callable[[S, Target, Any, Perturbed | None], bool | None]
"""Whether a search under these settings that ends with this prediction, after this change, has reached its goal.

None where the goal is that the target is broken, in whatever way.
"""

NONE = "none"
"""The name of a resource that an attack needs and does not have: its cases are skipped."""


@dataclass(frozen=True, slots=True, eq=False)
class Attack(Settable[S]):
    """An attack on the tasks with labelled spans, on those whose labels are of the whole, or on all.

    ``plan`` makes the searches; ``seeded`` says whether it draws anything under its settings; ``of_spans`` is None for
    one that takes any target, of whatever task. ``lists`` holds for each language that it is for the settings that name
    word lists; it is empty where no words are looked up. ``needs`` holds the settings that have to name a resource,
    each with its possible values in words. ``reached`` is None for an attack whose goal is always that the target is
    broken.
    """

    plan: Callable[[Aims, S], Planned]
    seeded: Callable[[S], bool]
    of_spans: bool | None = None
    lists: Lists = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    reached: Reached[S] | None = None

    def fits(self, task: Task) -> bool:
        """Whether the task has targets for it."""
        kinds = {None: True, True: task.labelled == "spans", False: task.labelled == "whole"}
        return "attack" in task.probes and kinds[self.of_spans]

    @property
    def summary(self) -> str:
        """The first line of the docstring of ``plan``."""
        return (inspect.getdoc(self.plan) or "").partition("\n")[0]

    def lacks(self, params: Mapping[str, Any], language: str) -> str | None:
        """Why it cannot be tried with these parameters on a corpus in the language: a resource is named by no one.

        None where it can, and where that depends on a language that is not known yet.
        """
        usual = self.configured()
        given = {name: getattr(usual, name) for name in self.needs} | {**self.lists.get(language, {}), **params}
        by_language = {name for each in self.lists.values() for name in each} - set(params) if language == AUTO else ()
        for name, wanted in self.needs.items():
            if given[name] == NONE and name not in by_language:
                return f"{self.name} needs {name}, given as {NONE!r}; expected {wanted}"
        return None


attacks: Registry[Attack[Any]] = Registry("attack", ("abalo.attacks", "abalo.attacks.recipes"), "ATTACK")
"""Every attack by name: one module each in this package or among the recipes, found by themselves."""

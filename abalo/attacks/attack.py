"""The base of attacks: settings, starts and the registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from abalo.attacks.limits import Limit
from abalo.attacks.search import Search
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task
from abalo.core.records.configuring import Lists, Ranged, Ranges, Settable
from abalo.core.records.example import Example
from abalo.core.records.gate import AUTO
from abalo.core.records.targets import Target
from abalo.corpora import Corpus
from abalo.corpora.training import check_training
from abalo.validators import requirements
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSettings(Ranged):
    """Settings of every attack; `abalo.probes.meanings` explains them.

    Drawn examples have a gold label and, if parts of speech are known, a verb.
    """

    sample: int = 0
    budget: int = 1000
    similarity: str = "ngrams"
    least_similarity: float = 0.8
    parts_of_speech: str = "auto"
    training: str | tuple[str, ...] = ""
    require: Mapping[str, object] = field(default_factory=dict)

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
        """The only error that counts as a success; "" for any."""
        return ""

    def limits(self) -> Sequence[Limit]:
        """Limits on how much of a sentence may change."""
        return ()


def training_files(training: str | Sequence[str]) -> tuple[str, ...]:
    """The corpora named by ``training``."""
    files = (training,) if isinstance(training, str) else tuple(training)
    return tuple(each for each in files if each)


S = TypeVar("S", bound=AttackSettings)


@dataclass(frozen=True, slots=True, eq=False)
class Aims:
    """Input of a plan: targets, corpus, seed, and the model for white-box attacks.

    Plans for different examples must be independent. ``given`` turns an example into the model's input.
    """

    targets: Sequence[Target]
    corpus: Corpus
    seed: int
    model: object = None
    given: Callable[[Example], Any] = lambda example: example.sentence.text


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A search for each target, and the number of its places or candidates.

    ``sources`` names the resources in use. ``places`` holds replaceable words; empty if single words are not replaced.
    """

    searches: Sequence[Search]
    choices: Sequence[int]
    sources: Mapping[str, str]
    places: Sequence[Sequence[int]] = ()


IsReached = Callable[[S, Target, Any, Perturbed | None], bool | None]
"""Whether a search reached its goal; None if any error counts."""

NONE = "none"
"""A missing resource; cases that need it are skipped."""


@dataclass(frozen=True, slots=True, eq=False)
class Attack(Settable[S]):
    """An attack on labelled spans, on labels or answers for a whole text, or on both.

    * ``start``: makes the searches.
    * ``seeded``: whether the attack draws anything.
    * ``of_spans``: None if the attack accepts any target.
    * ``lists``: by language, the settings that name word lists.
    * ``needs``: settings that must name a resource, each with its possible values in words.
    * ``reached``: None if the goal is always to break the target.
    * ``experimental``: why to read successes before you believe them; "" if readers accepted them.
    """

    start: Callable[[Aims, S], Started]
    seeded: Callable[[S], bool]
    of_spans: bool | None = None
    lists: Lists = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    reached: IsReached[S] | None = None
    experimental: str = ""

    def fits(self, task: Task) -> bool:
        """Whether the task has targets for this attack."""
        kinds = {None: True, True: task.labelled == "spans", False: task.labelled in ("whole", "places")}
        return "attack" in task.probes and kinds[self.of_spans]

    @property
    def summary(self) -> str:
        """First line of the docstring of ``start``."""
        return (inspect.getdoc(self.start) or "").partition("\n")[0]

    def lacks(self, params: Mapping[str, object], language: str) -> str | None:
        """The missing resource; None if nothing is missing, or if that depends on an unknown language."""
        usual = self.configured()
        given = {name: getattr(usual, name) for name in self.needs} | {**self.lists.get(language, {}), **params}
        by_language = {name for each in self.lists.values() for name in each} - set(params) if language == AUTO else ()
        for name, wanted in self.needs.items():
            if given[name] == NONE and name not in by_language:
                return f"{self.name} needs {name}; expected {wanted}"
        return None


attacks: Registry[Attack[Any]] = Registry(
    "attack", ("abalo.attacks", "abalo.attacks.recipes"), "ATTACK", group="abalo.attacks"
)

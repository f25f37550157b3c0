"""Outcomes: the predictions of an example and of its variant, and how a search or a filling fared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from abalo.core.example import Example, Variant
from abalo.core.targets import Target
from perturbations import Perturbed, Sentence, Span


class Obstacle(StrEnum):
    """The reason why a search that failed went no further."""

    NOTHING_TO_TRY = "nothing_to_try"
    SIMILARITY = "similarity"
    PART_OF_SPEECH = "part_of_speech"
    BUDGET = "budget"
    RESISTED = "resisted"


@dataclass(frozen=True, slots=True)
class Tried:
    """The candidates of a search, step by step, without those that it only ranks words by.

    ``candidates`` is how many it had; ``unlike`` how many of them were not similar enough to the original, and
    ``other_part_of_speech`` how many were, but changed the part of speech of a word; ``shown`` how many the model saw.
    The rest fell to the budget.
    """

    candidates: int
    unlike: int
    other_part_of_speech: int
    shown: int


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A variant that a search went through, and its prediction."""

    variant: Variant
    prediction: Any


@dataclass(frozen=True, slots=True)
class Searched:
    """How a search came to what it did to its target.

    ``choices`` is how many places, or other options, it could choose from; ``queries`` how many variants the model
    was asked about; ``spent`` whether it would have asked about more. ``similarity`` is that of the variant it
    settled on to the original, -1 to 1. ``best`` is the state in which the target was hit hardest, where a later step
    repaired some of it; None where that is the state it ended in. ``reached`` says whether it came to its goal, None
    where that is to break the target.
    """

    choices: int
    queries: int
    spent: bool
    similarity: float
    tried: Tried
    best: Reached | None = field(default=None, compare=False)
    reached: bool | None = None

    @property
    def obstacle(self) -> Obstacle:
        """The reason why it went no further, if it failed; of several the first of these.

        More to ask about than the budget allowed; no candidate at all; candidates shown that the model resisted;
        candidates that were similar enough, all with a word of another part of speech; none similar enough.
        """
        if self.spent:
            return Obstacle.BUDGET
        if not self.tried.candidates:
            return Obstacle.NOTHING_TO_TRY
        if self.tried.shown:
            return Obstacle.RESISTED
        return Obstacle.PART_OF_SPEECH if self.tried.other_part_of_speech else Obstacle.SIMILARITY


@dataclass(frozen=True, slots=True)
class Check:
    """The finding about a filling: ``fault`` says in words what is wrong, empty where nothing is.

    ``stratum`` names the template that it comes from, ``values`` are those of its slots by key. ``shown`` are the lines
    that a reader needs to see the fault, each with its name, such as ``("right", "…")``. Of a filling that is not
    ``decided`` the model cannot say what is asked, as one without scores cannot of its confidence.
    """

    stratum: str
    fault: str
    values: Mapping[str, str]
    shown: tuple[tuple[str, str], ...] = ()
    decided: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One example under one seed, one target in it, or one of its variants: the unit that is counted.

    ``variant`` is None where nothing fitted; then ``prediction`` is the clean one. ``scale`` says how scores are
    read, None where there are none. ``targets`` are the spans that a change was aimed at. ``searched`` is there where
    the change was searched for one target, not drawn. ``outside`` marks examples that a part of the corpus leaves out,
    and that it is compared with. ``not_found`` marks a target that is wrong in the clean example, so that there is
    nothing to search for. ``check`` says what the filling of a template showed, where the example is one. ``promised``
    are the targets that a single edit should leave right.
    """

    example: Example
    seed: int
    clean: Any
    variant: Variant | None
    prediction: Any
    scale: Any = None
    targets: tuple[Span, ...] = ()
    searched: Searched | None = None
    outside: bool = False
    not_found: bool = False
    check: Check | None = None
    promised: tuple[Target, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the model was shown anything else than the clean example."""
        return self.variant is not None

    @property
    def sentence(self) -> Sentence:
        """The clean sentence, with its labels, of an example that has just one."""
        return self.example.sentence

    @property
    def edited(self) -> Sentence:
        """The field that was changed, as it stood; the first where nothing fitted."""
        names = self.example.fields if self.variant is None else self.variant.edits
        return self.example.fields[next(iter(names))]

    @property
    def perturbed(self) -> Perturbed | None:
        """The change of the one field that was edited; None where nothing fitted."""
        return None if self.variant is None else self.variant.perturbed

    @property
    def place(self) -> str:
        """Sets apart the units of one example and seed: the target of an attack, or the kind of a variant."""
        if self.searched is not None or self.not_found:
            return ",".join(f"{span.start}-{span.stop}-{span.type}" for span in self.targets)
        return "" if self.variant is None else self.variant.kind

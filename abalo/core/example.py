"""Examples, their variants, and what a model made of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perturbations import Perturbed, Sentence, Span

Json = dict[str, Any]
"""Plain JSON values by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One item of a corpus: what a model reads, field by field, and what is right.

    ``id`` tells examples apart by what is read, so that copies share their draws. Examples of one ``cluster`` are
    copies of each other, never independent evidence. Labels of tokens stand in the sentences; ``gold`` is the label of
    the whole, None where there is none. ``source`` is what the task's own reader made of it.
    """

    id: str
    fields: Mapping[str, Sentence]
    cluster: str
    gold: Any = None
    source: Any = None

    @property
    def sentence(self) -> Sentence:
        """The sentence of an example that has just one."""
        (only,) = self.fields.values()
        return only


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """An example with some of its fields edited; ``edits`` holds by field what was done.

    ``kind`` names one of several fixed ways to change an example, ``title`` says it for people; both are empty for
    drawn variants.
    """

    example: Example
    edits: Mapping[str, Perturbed]
    kind: str = ""
    title: str = ""

    @property
    def perturbed(self) -> Perturbed:
        """The change of an example that has just one field."""
        (only,) = self.edits.values()
        return only


@dataclass(frozen=True, slots=True)
class Searched:
    """How a search came to what it did to its target.

    ``choices`` is how many places, or other options, it could choose from; ``queries`` how many variants the model
    was asked about; ``spent`` whether it would have asked about more. ``similarity`` is that of the variant it
    settled on to the original, -1 to 1.
    """

    choices: int
    queries: int
    spent: bool
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One example under one seed, one target in it, or one of its variants: the unit that is counted.

    ``variant`` is None where nothing fitted; then ``prediction`` is the clean one. ``scale`` says how scores are
    read, None where there are none. ``targets`` are the spans that a change was aimed at. ``searched`` is there where
    the change was searched for one target, not drawn. ``outside`` marks examples that a part of the corpus leaves out,
    and that it is compared with.
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

    @property
    def changed(self) -> bool:
        """Whether the model was shown anything else than the clean example."""
        return self.variant is not None

    @property
    def sentence(self) -> Sentence:
        """The clean sentence, with its labels, of an example that has just one."""
        return self.example.sentence

    @property
    def perturbed(self) -> Perturbed | None:
        """The change of an example that has just one field; None where nothing fitted."""
        return None if self.variant is None else self.variant.perturbed

    @property
    def place(self) -> str:
        """Sets apart the units of one example and seed: the target of a search, or the kind of a variant."""
        if self.searched is not None:
            return ",".join(f"{span.start}-{span.stop}-{span.type}" for span in self.targets)
        return "" if self.variant is None else self.variant.kind

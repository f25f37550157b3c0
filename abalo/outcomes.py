"""The one record that metrics, reports and attacks read: what stood there, what was made of it, what the model said."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.scores import Scale
from abalo.tasks.ner import Prediction
from perturbations import Perturbed, Sentence, Span


@dataclass(frozen=True, slots=True)
class Searched:
    """How an attack came to what it did to its target.

    ``choices`` is how many places, or other entities, it could choose from; ``queries`` how many sentences the model
    was asked about; ``spent`` whether it would have asked about more. ``similarity`` is that of the sentence it
    settled on to the original, -1 to 1.
    """

    choices: int
    queries: int
    spent: bool
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One sentence under one seed, or one target in it.

    ``sentence_id`` is that of the clean tokens: outcomes that share it are one cluster, never independent evidence.
    ``perturbed`` is None where nothing fitted; then ``prediction`` is the clean one. ``scale`` says how scores are
    read, None where there are none. ``targets`` are the spans that an attack was aimed at.
    ``searched`` is there where the change was searched for one target, not drawn. ``outside`` are sentences that the
    slice of a case leaves out, and that it is compared with.
    """

    sentence_id: str
    seed: int
    gold: Sentence
    clean: Prediction
    perturbed: Perturbed | None
    prediction: Prediction
    scale: Scale | None = None
    targets: tuple[Span, ...] = ()
    searched: Searched | None = None
    outside: bool = False

    @property
    def changed(self) -> bool:
        """Whether the model was shown anything else than the clean sentence."""
        return self.perturbed is not None

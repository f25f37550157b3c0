"""Cases, and running one: examples × seeds × model give outcomes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from abalo.corpora import Corpus
from abalo.models.predictor import Predictor
from abalo.outcomes import Outcome
from abalo.statistics import Bound
from abalo.tasks.ner import View
from perturbations import Perturbation, sentence_id

BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""

MASK_FALLBACK = "[MASK]"
"""What stands for a masked word where the model has no tokenizer with a mask token of its own."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: a perturbation with its parameters, and the bounds its result must keep.

    ``perturbation`` is None for the baseline. ``params`` are as the user wrote them. ``seeds`` and ``limit`` are None
    where those of the run apply. A ``blocking`` case fails the run when it fails.
    """

    task: str
    name: str
    perturbation: Perturbation | None
    params: Mapping[str, Any] = field(default_factory=dict)
    bounds: tuple[Bound, ...] = ()
    view: View = "projected"
    blocking: bool = True
    seeds: tuple[int, ...] | None = None
    limit: int | None = None

    @property
    def slug(self) -> str:
        """The parameters in ASCII letters, digits, ``.``, ``_`` and ``-``, such as ``rate-0.1``; empty without any."""
        shown = {**self.params, **({"limit": self.limit} if self.limit is not None else {})}
        return "-".join(f"{_ascii(name)}-{_ascii(value)}" for name, value in shown.items())

    @property
    def id(self) -> str:
        """The same however pytest was started: ``ner/character_noise[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


def _ascii(value: object) -> str:
    text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return "".join(char if char.isascii() and (char.isalnum() or char in "._+") else "_" for char in text)


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """What came of a case. ``forwards`` counts the distinct windows it needed beyond the clean corpus."""

    case: Case
    corpus: Corpus
    params: Mapping[str, Any]
    seeds: tuple[int, ...]
    outcomes: Sequence[Outcome]
    forwards: int
    seconds: float


def run(case: Case, corpus: Corpus, predictor: Predictor, seeds: Sequence[int], mask_token: str | None) -> CaseRun:
    """Perturb every sentence once per seed, predict all distinct variants, and pair them with the clean predictions."""
    started = time.perf_counter()
    examined = corpus.first(case.limit)
    clean = predictor.clean()
    if case.perturbation is None:
        used: tuple[int, ...] = (0,)
        params: dict[str, Any] = {}
        variants = [(0, i, None) for i in range(len(examined.sentences))]
    else:
        used = tuple(seeds if case.seeds is None else case.seeds)
        params = resolved(case.params, mask_token)
        perturbation = case.perturbation.configured(**params)
        variants = [
            (seed, i, perturbation.sample(sentence, seed=seed))
            for seed in used
            for i, sentence in enumerate(examined.sentences)
        ]
    predictions = predictor.predict([perturbed.sentence for _, _, perturbed in variants if perturbed is not None])
    ready = iter(predictions.predictions)
    ids = [sentence_id(sentence) for sentence in examined.sentences]
    outcomes = [
        Outcome(
            ids[i], seed, examined.sentences[i], clean[i], perturbed, clean[i] if perturbed is None else next(ready)
        )
        for seed, i, perturbed in variants
    ]
    return CaseRun(case, examined, params, used, outcomes, predictions.forwards, time.perf_counter() - started)


def resolved(params: Mapping[str, Any], mask_token: str | None) -> dict[str, Any]:
    """The parameters with ``mask_token = "auto"`` replaced by the model's own, or by `MASK_FALLBACK`."""
    own = MASK_FALLBACK if mask_token is None else mask_token
    return {k: own if k == "mask_token" and value == "auto" else value for k, value in params.items()}

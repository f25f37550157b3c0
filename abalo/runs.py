"""Cases, and running one: examples × seeds × model give outcomes."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.models.predictor import Predictor
from abalo.outcomes import Outcome
from abalo.tasks.ner import View
from abalo.verdicts import Bound
from perturbations import Perturbation, Perturbed, Sentence, sentence_id

BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""

MASK_FALLBACK = "[MASK]"
"""What stands for a masked word where the model has no tokenizer with a mask token of its own."""

AUTO = "auto"
"""The mask token that asks for the model's own."""


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
        """The parameters in ASCII letters, digits and ``._+-``, such as ``rate-0.1``; empty without any."""
        shown = {**self.params, **({"limit": self.limit} if self.limit is not None else {})}
        return "-".join(f"{_ascii(name)}-{_ascii(value)}" for name, value in shown.items())

    @property
    def id(self) -> str:
        """The same however pytest was started: ``ner/character_noise[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


def _ascii(value: object) -> str:
    text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return re.sub(r"[^A-Za-z0-9._+]", "_", text)


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
    """Perturb every sentence once per seed, predict all distinct variants, and pair them with the clean predictions.

    Outcomes come seed by seed, each in the order of the corpus. ``predictor`` knows the clean ``corpus``. The baseline
    has one seed, 0, since it draws nothing.
    """
    started = time.perf_counter()
    examined = corpus.first(case.limit)
    perturbation = configured(case, mask_token)
    used = (0,) if perturbation is None else tuple(seeds if case.seeds is None else case.seeds)
    variants = [
        None if perturbation is None else _sampled(case, perturbation, sentence, seed)
        for seed in used
        for sentence in examined.sentences
    ]
    predicted = predictor.predict([variant.sentence for variant in variants if variant is not None])
    perturbed = iter(predicted.predictions)
    clean = predictor.clean()
    ids = [sentence_id(sentence) for sentence in examined.sentences]
    outcomes = [
        Outcome(ids[i], seed, sentence, clean[i], variant, clean[i] if variant is None else next(perturbed))
        for (seed, (i, sentence)), variant in zip(product(used, enumerate(examined.sentences)), variants, strict=True)
    ]
    params, seconds = _params(case, perturbation), time.perf_counter() - started
    return CaseRun(case, examined, params, used, outcomes, predicted.forwards, seconds)


def _sampled(case: Case, perturbation: Perturbation, sentence: Sentence, seed: int) -> Perturbed | None:
    """A variant of the sentence; raises `AbaloError` where the perturbation's function breaks its promise."""
    try:
        return perturbation.sample(sentence, seed=seed)
    except Exception as error:
        code = inspect.unwrap(perturbation.function).__code__
        raise AbaloError(
            f"{case.id}: the perturbation ({code.co_filename}:{code.co_firstlineno}) failed on sentence "
            f"{sentence_id(sentence)}: {type(error).__name__}: {error}"
        ) from error


def _params(case: Case, perturbation: Perturbation | None) -> dict[str, Any]:
    """What the case gives, and the mask token that was found for it."""
    found = perturbation.params if perturbation is not None else {}
    return {**case.params, **({"mask_token": found["mask_token"]} if "mask_token" in found else {})}


def configured(case: Case, mask_token: str | None) -> Perturbation | None:
    """The case's perturbation with its parameters; None for the baseline.

    A ``mask_token`` that the case does not give, or gives as "auto", is the model's own, or `MASK_FALLBACK`.
    """
    if case.perturbation is None:
        return None
    params = dict(case.params)
    if "mask_token" in case.perturbation.params and params.get("mask_token", AUTO) == AUTO:
        params["mask_token"] = MASK_FALLBACK if mask_token is None else mask_token
    return case.perturbation.configured(**params)

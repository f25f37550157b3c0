"""Cases, and running one: examples × seeds × model give outcomes."""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.models.predictor import Predictor
from abalo.outcomes import Outcome
from abalo.tasks.ner import Prediction, View
from abalo.verdicts import Bound
from perturbations import Perturbation, Perturbed, Sentence, Span, entity_spans, sentence_id

BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""

MASK_FALLBACK = "[MASK]"
"""What stands for a masked word where the model has no tokenizer with a mask token of its own."""

SpanSource = Literal["oracle", "predicted"]
"""Where an attack takes its targets: gold spans, or the model's own clean predictions [stage 4, "Span sources"]."""

AUTO = "auto"
"""The mask token that asks for the model's own."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: a perturbation with its parameters, and the bounds its result must keep.

    ``perturbation`` is None for the baseline. ``params`` are as the user wrote them. ``seeds`` and ``limit`` are None
    where those of the run apply. A ``blocking`` case fails the run when it fails. ``span_source`` is None for what is
    not aimed at spans.
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
    span_source: SpanSource | None = None

    @property
    def slug(self) -> str:
        """Span source and parameters in ASCII letters, digits and ``._+-``, such as ``rate-0.1``; empty without any."""
        shown = {**self.params, **({"limit": self.limit} if self.limit is not None else {})}
        source = [self.span_source] if self.span_source is not None else []
        return "-".join([*source, *(f"{_ascii(name)}-{_ascii(value)}" for name, value in shown.items())])

    @property
    def id(self) -> str:
        """The same however pytest was started: ``ner/character_noise[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


def _ascii(value: object) -> str:
    text = "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return re.sub(r"[^A-Za-z0-9._+]", "_", text)


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """What came of a case.

    ``forwards`` counts the distinct windows it needed beyond the clean corpus, ``shared_forwards`` those of them that
    the same attack on gold spans needs too.
    """

    case: Case
    corpus: Corpus
    params: Mapping[str, Any]
    seeds: tuple[int, ...]
    outcomes: Sequence[Outcome]
    forwards: int
    shared_forwards: int
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
    clean, scale = predictor.clean(), predictor.scale()
    targets = _targets(case.span_source, examined.sentences, clean)
    variants = _variants(case, perturbation, examined.sentences, targets, used)
    beside: list[Perturbed | None] = []
    if case.span_source == "predicted":
        beside = _variants(case, perturbation, examined.sentences, _targets("oracle", examined.sentences, clean), used)
    predicted = predictor.predict(_inputs(variants), beside=_inputs(beside))
    perturbed = iter(predicted.predictions)
    ids = [sentence_id(sentence) for sentence in examined.sentences]
    outcomes = [
        Outcome(
            ids[i],
            seed,
            sentence,
            clean[i],
            variant,
            clean[i] if variant is None else next(perturbed),
            scale,
            targets[i] or (),
        )
        for (seed, (i, sentence)), variant in zip(product(used, enumerate(examined.sentences)), variants, strict=True)
    ]
    params, seconds = _params(case, perturbation), time.perf_counter() - started
    return CaseRun(case, examined, params, used, outcomes, predicted.forwards, predicted.shared, seconds)


def _targets(
    source: SpanSource | None, sentences: Sequence[Sentence], clean: Sequence[Prediction]
) -> list[tuple[Span, ...] | None]:
    """The spans to aim at in each sentence; None where nothing is aimed at all."""
    if source is None:
        return [None] * len(sentences)
    tags = [
        prediction.tags if source == "predicted" else sentence.tags or ()
        for sentence, prediction in zip(sentences, clean, strict=False)  # of a longer corpus under a limit
    ]
    return [tuple(entity_spans(each)) for each in tags]


def _variants(
    case: Case,
    perturbation: Perturbation | None,
    sentences: Sequence[Sentence],
    targets: Sequence[tuple[Span, ...] | None],
    seeds: Sequence[int],
) -> list[Perturbed | None]:
    """One variant per seed and sentence; None where nothing changes, as where there is no target."""
    if perturbation is None:
        return [None] * (len(seeds) * len(sentences))
    aimed = [
        sentence if spans is None else replace(sentence, anchors=spans)
        for sentence, spans in zip(sentences, targets, strict=True)
    ]
    return [
        _sampled(case, perturbation, sentence, seed) if targets[i] != () else None
        for seed in seeds
        for i, sentence in enumerate(aimed)
    ]


def _inputs(variants: Sequence[Perturbed | None]) -> list[Sentence]:
    return [variant.sentence for variant in variants if variant is not None]


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

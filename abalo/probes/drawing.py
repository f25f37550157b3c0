"""Variants drawn for every example and seed, filtered, predicted, and paired with the clean predictions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from abalo.core.case import Case
from abalo.core.example import Example, Json, Outcome, Variant
from abalo.core.probe import Ran, Taught
from abalo.core.session import Session
from abalo.core.task import Task
from abalo.errors import AbaloError
from abalo.probes.sizes import sizes
from abalo.validators.requirements import Required, passing, prepared, required_facts
from perturbations import Perturbation, Perturbed, Pipeline, Sentence, Span, sentence_id, stream
from perturbations.streams import sample

NOT_HIT, NOTHING_FITS = "not_hit", "nothing_fits"
UNCHANGED: Mapping[str, int | None] = {NOT_HIT: None, NOTHING_FITS: None}
"""Fields of a result: the examples that no seed has changed, by reason; None where that is not known."""

FIELD = "field"
"""The key of an entry that says which fields of an example change, and the parameter of its result."""

DRAWN_WITH = "drawn_with"
"""The field of a result that says which files, models and libraries its variants were drawn with."""

Targets = tuple[Span, ...] | None
"""The spans of an example that are aimed at; None where nothing is aimed."""


def drawn(
    case: Case,
    perturbation: Perturbation | Pipeline,
    params: Mapping[str, Any],
    session: Session,
    require: Mapping[str, Any],
    facts: Json,
    *,
    span_source: str | None = None,
    field: str = "",
) -> Ran:
    """One outcome per seed and example, seed by seed, each in the order of the corpus.

    ``field`` says which fields of an example change, where a case of the task can choose; empty for the usual ones.
    Where nothing fits, or a variant does not keep what is required, the clean prediction stands. A perturbation aimed
    at predicted spans takes what it shares with the same one aimed at gold spans from the batches of that.
    """
    task, examples = session.task, session.examples[: case.limit]
    seeds = session.seeds_of(case)
    clean, scale = session.predictor.clean(), session.predictor.scale()
    required = prepared(require, session.corpus.first(case.limit))
    field = field or task.usual_field(perturbation)
    draw = _Draw(case, perturbation, task, examples, seeds, required, field)
    targets = _targets(task, examples, clean, span_source)
    made = draw.variants(targets)
    variants = draw.filtered(made)
    beside: Sequence[Variant | None] = []
    if span_source == "predicted":
        beside = draw.filtered(draw.variants(_targets(task, examples, clean, "oracle")))
    predicted = session.predictor.predict(_inputs(task, variants), beside=_inputs(task, beside))
    found = iter(predicted.predictions)
    outcomes = [
        Outcome(example, seed, clean[i], variant, clean[i] if variant is None else next(found), scale, targets[i] or ())
        for (seed, (i, example)), variant in zip(product(seeds, enumerate(examples)), variants, strict=True)
    ]
    filtered = sum(each is not None for each in made) - sum(each is not None for each in variants)
    unchanged = draw.unchanged(targets, made)
    return Ran(
        outcomes,
        {**params, FIELD: field} if field else params,
        seeds,
        sizes(examples, outcomes),
        predicted.forwards,
        predicted.shared,
        {**facts, "require": required_facts(required), "filtered": filtered, **unchanged},
        {"filtered": filtered} | {name: count for name, count in unchanged.items() if count is not None},
    )


def lessons(
    case: Case,
    perturbation: Perturbation | Pipeline,
    session: Session,
    seed: int,
    most: int,
    require: Mapping[str, Any],
    *,
    aimed: bool = False,
    field: str = "",
) -> list[Taught]:
    """Changes of examples of the corpus, in random order, until there are ``most`` or no example is left.

    The model is not asked: what is ``aimed`` at spans is aimed at gold ones.
    """
    task, examples = session.task, session.examples
    order = sample(stream(seed, "lessons", case.id), range(len(examples)), len(examples))
    required, field = prepared(require, session.corpus), field or task.usual_field(perturbation)
    found: list[Taught] = []
    for start in range(0, len(order), most):
        part = [examples[i] for i in order[start : start + most]]
        draw = _Draw(case, perturbation, task, part, (seed,), required, field)
        made = draw.filtered(draw.variants(_targets(task, part, [None] * len(part), "oracle" if aimed else None)))
        found += [Taught(each.example, own) for own, each in zip(part, made, strict=True) if each is not None]
        if len(found) >= most:
            break
    return found[:most]


@dataclass(frozen=True, slots=True)
class _Draw:
    """The inputs from which the variants of one case are drawn."""

    case: Case
    perturbation: Perturbation | Pipeline
    task: Task
    examples: Sequence[Example]
    seeds: Sequence[int]
    required: Required
    field: str

    def variants(self, targets: Sequence[Targets]) -> list[Variant | None]:
        """One variant per seed and example; None where nothing changes, as where there is no target."""
        aimed = [
            example if spans is None else _aimed(example, spans)
            for example, spans in zip(self.examples, targets, strict=True)
        ]
        return [
            self._variant(example, seed) if targets[i] != () else None
            for seed in self.seeds
            for i, example in enumerate(aimed)
        ]

    def filtered(self, variants: Sequence[Variant | None]) -> list[Variant | None]:
        """The variants, seed by seed; None for those that do not keep what is required."""
        if not self.required:
            return list(variants)
        made = [(k, each) for k, each in enumerate(variants) if each is not None]
        pairs = [
            (k, (self.examples[k % len(self.examples)].fields[name], perturbed.sentence))
            for k, each in made
            for name, perturbed in each.edits.items()
        ]
        kept = passing(self.required, [pair for _, pair in pairs])
        broken = {k for (k, _), keeps in zip(pairs, kept, strict=True) if not keeps}
        return [None if k in broken else each for k, each in enumerate(variants)]

    def unchanged(self, targets: Sequence[Targets], made: Sequence[Variant | None]) -> dict[str, int | None]:
        """How many examples no seed changes, by reason: chance, or that nothing fits.

        None where a model would have to be asked which it is.
        """
        if self.perturbation.cost == "model":
            return dict(UNCHANGED)
        count = len(self.examples)
        left = set(range(count)) - {k % count for k, each in enumerate(made) if each is not None}
        missed = sum(self._fits(self.examples[i], targets[i]) for i in left) if self.perturbation.may_miss else 0
        return {NOT_HIT: missed, NOTHING_FITS: len(left) - missed}

    def _fits(self, example: Example, spans: Targets) -> bool:
        if spans == ():
            return False
        aimed = example if spans is None else _aimed(example, spans)
        return any(self.perturbation.fits(aimed.fields[name]) for name in self.task.chosen(example, self.field))

    def _variant(self, example: Example, seed: int) -> Variant | None:
        edits = {
            name: made
            for name in self.task.chosen(example, self.field)
            if (made := self._sampled(example.fields[name], seed)) is not None
        }
        new = self.task.carry(example, edits) if edits else None
        return None if new is None else Variant(new, edits)

    def _sampled(self, sentence: Sentence, seed: int) -> Perturbed | None:
        """A variant of a sentence; raises `AbaloError` where the perturbation's function breaks its promise."""
        try:
            variant = self.perturbation.sample(sentence, seed=seed)
            joins = variant is not None and self.perturbation.joins
            return replace(variant, joined=_joined(variant)) if variant is not None and joins else variant
        except Exception as error:
            raise AbaloError(
                f"{self.case.id}: the {_whereabouts(self.perturbation)} failed on sentence {sentence_id(sentence)}: "
                f"{' '.join([f'{type(error).__name__}: {error}', *getattr(error, '__notes__', ())])}"
            ) from error


def _targets(task: Task, examples: Sequence[Example], clean: Sequence[Any], source: str | None) -> list[Targets]:
    """The spans to aim at in each example; None where nothing is aimed at all."""
    if source is None:
        return [None] * len(examples)
    return [
        task.spans(example, prediction if source == "predicted" else None)
        for example, prediction in zip(examples, clean, strict=False)  # of a longer corpus under a limit
    ]


def _aimed(example: Example, spans: tuple[Span, ...]) -> Example:
    """The example with the spans as anchors of its sentence."""
    (name,) = example.fields
    return replace(example, fields={name: replace(example.sentence, anchors=spans)})


def _inputs(task: Task, variants: Sequence[Variant | None]) -> list[Any]:
    return [task.input(variant.example) for variant in variants if variant is not None]


def _joined(variant: Perturbed) -> int:
    """How many tokens at the end stand for none of the sentence."""
    last = max((new for new, origin in enumerate(variant.origins) if origin), default=-1)
    return len(variant.origins) - 1 - last


def _whereabouts(perturbation: Perturbation | Pipeline) -> str:
    """The perturbation with file and line of its code; "pipeline" for a pipeline, whose error names the step."""
    if isinstance(perturbation, Pipeline):
        return "pipeline"
    code = inspect.unwrap(perturbation.function).__code__
    return f"perturbation ({code.co_filename}:{code.co_firstlineno})"

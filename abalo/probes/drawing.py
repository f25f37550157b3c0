"""Variants drawn for every example and seed, filtered and predicted."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from typing import Any

from abalo.core.protocols.predictor import CacheKey, Predictor
from abalo.core.protocols.probe import Case, Ran, RunContext, Taught
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example, JsonObject, Variant
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.invariance import ASKED
from abalo.errors import AbaloError
from abalo.probes.sizes import sizes
from abalo.validators.requirements import Required, passing, prepare_scores, required_facts
from perturbations import Perturbation, Perturbed, Pipeline, Sentence, Span, sentence_id, stream
from perturbations.streams import sample

NOT_HIT, NOTHING_FITS = "not_hit", "nothing_fits"
UNCHANGED: Mapping[str, int | None] = {NOT_HIT: None, NOTHING_FITS: None}
"""Examples that no seed changed, by reason; None if unknown."""

UNFIT = "unfit: "
"""Prefix of the note why a change cannot be tested on the corpus."""

FIELD = "field"

DRAWN_WITH = "drawn_with"
"""Files, models and libraries that drew the variants."""

TargetSpans = tuple[Span, ...] | None

DrawnUnit = tuple[int, int]
"""A seed, and an example's index."""

Variants = dict[DrawnUnit, Variant | None]


@dataclass(frozen=True, slots=True)
class WantedVariants:
    """The variants of a case; ``field`` is "" for the usual fields."""

    perturbation: Perturbation | Pipeline
    params: Mapping[str, Any]
    require: Mapping[str, Any]
    facts: JsonObject
    span_source: str | None = None
    field: str = ""


class Drawing:
    """The variants of one case and their predictions, made at once or part by part.

    Unchanged examples and rejected variants keep the clean prediction. A change of white space is none for a model that
    reads tokens. Predicted spans reuse batches of gold spans.
    """

    def __init__(self, case: Case, engine: RunContext, wanted: WantedVariants) -> None:
        task = engine.task
        self._clean, self._scale = engine.predictor.clean(), engine.predictor.scale()
        examples, fields = engine.examples[: case.limit], task.fields
        self.examples: Sequence[Example] = fields.answered(examples, self._clean) if fields.answered else examples
        self.seeds = engine.seeds_of(case)
        self._engine, self._wanted = engine, wanted
        self._unfit = fields.unfit(wanted.perturbation, self.examples) if fields.unfit else None
        self._required = prepare_scores(wanted.require, engine.corpus.first(case.limit))
        self._field = wanted.field or task.fields.usual(wanted.perturbation)
        self._draw = _Draw(case, wanted.perturbation, task, self.examples, self._required, self._field)
        self._targets = _targets(task, self.examples, self._clean, wanted.span_source)
        gold = wanted.span_source == "predicted"
        self._gold = _targets(task, self.examples, self._clean, "oracle") if gold else None
        self._made: Variants = {}
        self._kept: Variants = {}
        self._found: dict[DrawnUnit, object] = {}
        self._answers: dict[tuple[int, CacheKey], Any] = {}
        self._beside: set[tuple[int, CacheKey]] = set()
        self._shared = self._unseen = 0

    def take(self, places: Sequence[int], seeds: Sequence[int]) -> None:
        parts = self._engine.predictor.parts()
        for number, own in groupby(places, lambda place: place // len(parts[0].inputs)):
            self._take(number, parts[number], list(product(seeds, own)))

    def _take(self, number: int, part: Predictor[Any, Any], units: Sequence[DrawnUnit]) -> None:
        drawn = self._draw.variants(units, self._targets)
        made = {unit: None if each is None or self._is_unseen(unit[1], each) else each for unit, each in drawn.items()}
        self._unseen += sum(each is not None and made[unit] is None for unit, each in drawn.items())
        kept = self._draw.filtered(made)
        beside = {} if self._gold is None else self._draw.filtered(self._draw.variants(units, self._gold))
        asked, others = self._asked(kept), self._asked(beside)
        new = {unit: each for unit, each in asked.items() if (number, each[0]) not in self._answers}
        predicted = part.predict(
            [given for _, given in new.values()],
            beside=[given for key, given in others.values() if (number, key) not in self._beside],
        )
        pairs = zip(new.values(), predicted.predictions, strict=True)
        self._answers |= {(number, key): found for (key, _), found in pairs}
        self._beside.update((number, key) for key, _ in others.values())
        self._found |= {unit: self._answers[number, key] for unit, (key, _) in asked.items()}
        self._made |= made
        self._kept |= kept
        self._shared += predicted.shared

    def ran(self) -> Ran:
        seeds = tuple(seed for seed in self.seeds if any(seed == taken for taken, _ in self._kept))
        units = sorted(self._kept, key=lambda unit: (seeds.index(unit[0]), unit[1]))
        outcomes = []
        for seed, i in units:
            example, variant, clean = self.examples[i], self._kept[seed, i], self._clean[i]
            found = clean if variant is None else self._found[seed, i]
            outcomes.append(Outcome(example, seed, clean, variant, found, self._scale, self._targets[i] or ()))
        places = sorted({i for _, i in units})
        filtered = sum(each is not None and self._kept[unit] is None for unit, each in self._made.items())
        unchanged = self._draw.unchanged(places, self._targets, self._made)
        known, wanted = self._engine.predictor.known(), self._wanted
        inputs = {key: found.inputs for (_, key), found in self._answers.items() if key not in known}
        return Ran(
            outcomes,
            {**wanted.params, FIELD: self._field} if self._field else wanted.params,
            seeds,
            sizes([self.examples[i] for i in places], outcomes),
            sum(inputs.values()),
            self._shared,
            {**wanted.facts, "require": required_facts(self._required), "filtered": filtered, **unchanged},
            {"filtered": filtered}
            | {name: count for name, count in unchanged.items() if count is not None}
            | ({} if self._unfit is None else {f"{UNFIT}{self._unfit}": 1})
            | ({ASKED: sum(each is not None for each in self._made.values())} if self._unseen else {}),
        )

    def whole(self) -> Ran:
        """Takes all examples under all seeds."""
        self.take(range(len(self.examples)), self.seeds)
        return self.ran()

    def _is_unseen(self, i: int, variant: Variant) -> bool:
        """Whether only white space changed, which the model does not see."""
        old = self.examples[i]
        if any(made.sentence.tokens != old.fields[name].tokens for name, made in variant.edits.items()):
            return False
        key, given = self._engine.predictor.key, self._engine.task.input
        return key(given(variant.example)) == key(given(old))

    def _asked(self, variants: Variants) -> dict[DrawnUnit, tuple[CacheKey, object]]:
        made = ((unit, self._engine.task.input(each.example)) for unit, each in variants.items() if each is not None)
        return {unit: (self._engine.predictor.key(given), given) for unit, given in made}


def lessons(
    case: Case,
    perturbation: Perturbation | Pipeline,
    engine: RunContext,
    seed: int,
    most: int,
    require: Mapping[str, object],
    *,
    aimed: bool = False,
    field: str = "",
) -> list[Taught]:
    """Changes examples in random order, until ``most`` are changed; aimed perturbations use gold spans."""
    task, examples = engine.task, engine.examples
    order = sample(stream(seed, "lessons", case.id), range(len(examples)), len(examples))
    required, field = prepare_scores(require, engine.corpus), field or task.fields.usual(perturbation)
    found: list[Taught] = []
    for start in range(0, len(order), most):
        part = [examples[i] for i in order[start : start + most]]
        draw = _Draw(case, perturbation, task, part, required, field)
        targets = _targets(task, part, [None] * len(part), "oracle" if aimed else None)
        made = draw.filtered(draw.variants([(seed, i) for i in range(len(part))], targets))
        found += [Taught(each.example, part[i]) for (_, i), each in made.items() if each is not None]
        if len(found) >= most:
            break
    return found[:most]


@dataclass(frozen=True, slots=True)
class _Draw:
    case: Case
    perturbation: Perturbation | Pipeline
    task: Task
    examples: Sequence[Example]
    required: Required
    field: str

    def variants(self, units: Sequence[DrawnUnit], targets: Sequence[TargetSpans]) -> Variants:
        aimed = {i: self._aimed(i, targets[i]) for i in {i for _, i in units}}
        in_a_row = sorted(units, key=lambda unit: unit[1])  # a perturbation finds the sites of an example once
        made = {(seed, i): self._variant(aimed[i], seed) if targets[i] != () else None for seed, i in in_a_row}
        return {unit: made[unit] for unit in units}

    def filtered(self, variants: Variants) -> Variants:
        if not self.required:
            return dict(variants)
        pairs = [
            (unit, (self.examples[unit[1]].fields[name], perturbed.sentence))
            for unit, each in variants.items()
            if each is not None
            for name, perturbed in each.edits.items()
        ]
        kept = passing(self.required, [pair for _, pair in pairs])
        broken = {unit for (unit, _), keeps in zip(pairs, kept, strict=True) if not keeps}
        return {unit: None if unit in broken else each for unit, each in variants.items()}

    def unchanged(self, places: Sequence[int], targets: Sequence[TargetSpans], made: Variants) -> dict[str, int | None]:
        if self.perturbation.cost == "model":
            return dict(UNCHANGED)
        left = set(places) - {i for (_, i), each in made.items() if each is not None}
        missed = sum(self._fits(i, targets[i]) for i in left) if self.perturbation.may_miss else 0
        return {NOT_HIT: missed, NOTHING_FITS: len(left) - missed}

    def _aimed(self, i: int, spans: TargetSpans) -> Example:
        return self.examples[i] if spans is None else _anchor_spans(self.examples[i], spans)

    def _fits(self, i: int, spans: TargetSpans) -> bool:
        if spans == ():
            return False
        aimed = self._aimed(i, spans)
        return any(map(self.perturbation.fits, self.task.fields.given(aimed, self.field).values()))

    def _variant(self, example: Example, seed: int) -> Variant | None:
        edits = {
            name: made
            for name, sentence in self.task.fields.given(example, self.field).items()
            if (made := self._sampled(sentence, seed)) is not None
        }
        new = self.task.carry(example, edits) if edits else None
        return None if new is None else Variant(new, edits)

    def _sampled(self, sentence: Sentence, seed: int) -> Perturbed | None:
        try:
            variant = self.perturbation.sample(sentence, seed=seed)
            joins = variant is not None and self.perturbation.joins
            return replace(variant, joined=_count_appended(variant)) if variant is not None and joins else variant
        except Exception as error:
            raise AbaloError(
                f"{self.case.id}: the {_whereabouts(self.perturbation)} failed on sentence {sentence_id(sentence)}: "
                f"{' '.join([f'{type(error).__name__}: {error}', *getattr(error, '__notes__', ())])}"
            ) from error


def _targets(task: Task, examples: Sequence[Example], clean: Sequence[object], source: str | None) -> list[TargetSpans]:
    if source is None:
        return [None] * len(examples)
    return [
        task.stated(example, prediction if source == "predicted" else None)
        for example, prediction in zip(examples, clean, strict=False)  # of a longer corpus under a limit
    ]


def _anchor_spans(example: Example, spans: tuple[Span, ...]) -> Example:
    (name,) = example.fields
    return replace(example, fields={name: replace(example.sentence, anchors=spans)})


def _count_appended(variant: Perturbed) -> int:
    last = max((new for new, origin in enumerate(variant.origins) if origin), default=-1)
    return len(variant.origins) - 1 - last


def _whereabouts(perturbation: Perturbation | Pipeline) -> str:
    if isinstance(perturbation, Pipeline):
        return "pipeline"
    code = inspect.unwrap(perturbation.function).__code__
    return f"perturbation ({code.co_filename}:{code.co_firstlineno})"

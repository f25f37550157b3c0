"""An invariance tested on a model, edit by edit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from abalo.core.documents.found import certain
from abalo.core.protocols.predictor import Predictor
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Target, place_targets
from abalo.core.statistics.invariance import broken_targets
from abalo.corpora import Corpus
from abalo.errors import AbaloError, visible
from abalo.invariances.invariance import EditSite, Invariance, InvarianceSettings
from perturbations import Edit, apply, stream
from perturbations.streams import pick

Try = tuple[Example, Edit]


class Trial:
    """An invariance with its settings, a task, a corpus and a model.

    ``examples`` are distinct, with a site and a confidently right target, shortest first. ``field`` is "" for the field
    of the targets.
    """

    def __init__(
        self,
        invariance: Invariance[Any],
        settings: InvarianceSettings,
        task: Task,
        corpus: Corpus,
        predictor: Predictor[Any, Any],
        field: str = "",
    ) -> None:
        self.invariance = invariance
        self.settings = settings
        self.task = task
        self._field = field
        self._predictor = predictor
        self._answering = predictor.answering()
        self._find = invariance.finder(corpus, settings)
        if not callable(self._find):
            self._refuse("finder returned", self._find, "a function of a sentence and its free places")
        clean = dict(zip(corpus.examples, predictor.clean(), strict=False))
        self._sure = {example: found for example, each in clean.items() if (found := self._sure_of(example, each))}
        self._sites: dict[Example, Sequence[EditSite]] = {}
        distinct = {example.id: example for example in reversed(self._sure) if self.sites(example)}.values()
        self.examples = tuple(sorted(distinct, key=self._length))
        self._order = {example: number for number, example in enumerate(self.examples)}

    @property
    def key(self) -> str:
        """A name in letters, digits and ``_-``."""
        model = hashlib.blake2b(self._predictor.model.fingerprint.encode(), digest_size=6).hexdigest()
        return f"{self.task.name}-{self.invariance.name}-{model}"

    def rank(self, outcome: Outcome) -> tuple[int, int, int]:
        """Position of an edit: example, shortest first, site, and place."""
        assert outcome.perturbed is not None
        (edit,) = outcome.perturbed.edits
        number = self._order[outcome.example]
        for place, site in enumerate(self.sites(outcome.example)):
            options = site()
            if edit in options:
                return number, place, options.index(edit)
        return number, 0, 0

    @property
    def inputs(self) -> int:
        """Distinct model inputs beyond the clean corpus so far."""
        return self._answering.inputs

    def sites(self, example: Example) -> Sequence[EditSite]:
        """The places where the example could change."""
        if example not in self._sites:
            self._sites[example] = self._sites_of(example)
        return self._sites[example]

    def _sites_of(self, example: Example) -> Sequence[EditSite]:
        targets = self._sure[example]
        predicted = self.task.stated(example, targets[0].clean) if self.task.labelled == "spans" else ()
        taken = {place for span in predicted for place in range(span.start, span.stop)}
        free = frozenset({k for each in targets for k in each.free} - taken)
        sites = self._find(targets[0].sentence, free)
        if not isinstance(sites, Sequence) or not all(map(callable, sites)):
            self._refuse("has the sites", sites, "a list of functions, each of which returns edits")
        return [partial(self._options, site, example, free) for site in sites]

    def _options(self, site: EditSite, example: Example, free: frozenset[int]) -> Sequence[Edit]:
        """The edits of a site, checked."""
        options = site()
        if not isinstance(options, Sequence) or not options or not all(isinstance(each, Edit) for each in options):
            self._refuse("has a site that returned", options, "a list of at least one Edit")
        for edit in options:
            if edit.tags is None and not free.issuperset(range(edit.start, edit.stop)):
                expected = "places in `free`, or an Edit that gives the labels of its tokens"
                self._refuse("edits labelled words:", edit, f"{expected} ({example.id})")
        return options

    def _refuse(self, problem: str, value: object, expected: str) -> NoReturn:
        raise AbaloError(
            f"invariance {self.invariance.name} {problem} {visible(repr(value))[:200]}; expected {expected}"
        )

    def _length(self, example: Example) -> tuple[int, int, tuple[str, ...], str]:
        sentence = self._sure[example][0].sentence
        return len(sentence), len(sentence.text), sentence.tokens, example.id

    def drawn(self, seed: int) -> list[Outcome]:
        """Draws example, site and edit uniformly."""
        if not self.examples:
            return []
        tries = []
        for number in range(self.settings.draws):
            draws = stream(seed, self.invariance.name, number)
            example = pick(draws, self.examples)
            tries.append((example, pick(draws, pick(draws, self.sites(example))())))
        return self.outcomes(tries, seed)

    def outcomes(self, tries: Sequence[Try], seed: int = 0) -> list[Outcome]:
        """Predicts all edits in one call."""
        variants = [
            (target := self._sure[example][0]).variant(apply(target.sentence, [edit])) for example, edit in tries
        ]
        predictions = self._answering([self.task.input(variant.example) for variant in variants])
        scale = self._predictor.scale()
        outcomes = []
        for (example, edit), variant, prediction in zip(tries, variants, predictions, strict=True):
            clean = self._sure[example][0].clean
            invariant = tuple(target for target in self._sure[example] if target.bears(edit))
            spans = tuple(span for target in invariant for span in target.spans)
            outcomes.append(Outcome(example, seed, clean, variant, prediction, scale, spans, invariant=invariant))
        return outcomes

    def again(self, outcomes: Sequence[Outcome], other: Predictor[Any, Any]) -> list[Outcome]:
        """The outcomes by another repeat of the model."""
        variants = [certain(outcome.variant) for outcome in outcomes]
        predictions = other.ask([self.task.input(variant.example) for variant in variants])
        return [replace(outcome, prediction=each) for outcome, each in zip(outcomes, predictions, strict=True)]

    def _sure_of(self, example: Example, clean: object) -> tuple[Target, ...]:
        """All right targets if the model gives no scores."""
        scale = self._predictor.scale()
        every = place_targets(self.task.targets.of(example, clean, self._predictor.model), self._field)
        right = [each for each in every if each.holds(clean)]
        margins = [each.margin(scale) for each in right]
        return tuple(
            each for each, margin in zip(right, margins, strict=True) if margin is None or margin > self.settings.margin
        )


def confidence(outcome: Outcome, target: Target) -> tuple[float, float] | None:
    """Probability of the right answer before and after; None if unscored."""
    before = target.confidence(outcome.clean, None, outcome.scale)
    after = target.confidence(outcome.prediction, outcome.perturbed, outcome.scale)
    return None if before is None or after is None else (before, after)


def drop(outcome: Outcome) -> float:
    """Largest drop in confidence over the targets, -1 to 1; without scores, 1 if one is lost, else 0."""
    pairs = [confidence(outcome, target) for target in outcome.invariant]
    known = [before - after for before, after in filter(None, pairs)]
    return max(known) if known else float(bool(broken_targets(outcome)))


@dataclass(frozen=True, slots=True, eq=False)
class Hunted:
    """The result of a search for a breaking edit.

    ``stopped`` is why it ended early, or "". ``smallest`` is the broken outcome in the shortest example, or None.
    """

    edits: int
    stopped: str
    smallest: Outcome | None


Hunt = Callable[[Trial, Sequence[Outcome]], Hunted]


@dataclass(frozen=True, slots=True, eq=False)
class TriedInvariance:
    """The drawn outcomes, and the result of a search, if any."""

    trial: Trial
    drawn: Sequence[Outcome]
    hunted: Hunted | None

    @property
    def broken(self) -> bool:
        """Whether any edit, drawn or searched for, breaks it."""
        return any(map(broken_targets, self.drawn)) or (self.hunted is not None and self.hunted.smallest is not None)

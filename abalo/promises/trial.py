"""A promise put to a model, edit by edit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.example import Example
from abalo.core.outcome import Outcome
from abalo.core.predictor import Predictor
from abalo.core.promised import lost
from abalo.core.targets import Target, placed
from abalo.core.task import Task
from abalo.promises.promise import Promise, Settings, Site
from perturbations import Edit, apply, stream
from perturbations.streams import pick

Try = tuple[Example, Edit]
"""An example and one edit of the field that its targets stand in."""


class Trial:
    """A promise with its settings, a task, a corpus and a model.

    ``examples`` are the distinct ones with a site and a target that the model has right and is sure of, the shortest
    first. ``field`` is the one that is edited, empty for that which the targets stand in.
    """

    def __init__(
        self,
        promise: Promise[Any],
        settings: Settings,
        task: Task,
        corpus: Any,
        predictor: Predictor[Any, Any],
        field: str = "",
    ) -> None:
        self.promise = promise
        self.settings = settings
        self.task = task
        self._field = field
        self._predictor = predictor
        self._answering = predictor.answering()
        self._plan = promise.plan(corpus, settings)
        clean = dict(zip(corpus.examples, predictor.clean(), strict=False))
        self._sure = {example: found for example, each in clean.items() if (found := self._sure_of(example, each))}
        self._sites: dict[Example, Sequence[Site]] = {}
        distinct = {example.id: example for example in reversed(self._sure) if self.sites(example)}.values()
        self.examples = tuple(sorted(distinct, key=self._length))
        self._order = {example: number for number, example in enumerate(self.examples)}

    @property
    def key(self) -> str:
        """A name for this promise, task and model, in letters, digits and ``_-``."""
        model = hashlib.blake2b(self._predictor.model.fingerprint.encode(), digest_size=6).hexdigest()
        return f"{self.task.name}-{self.promise.name}-{model}"

    def rank(self, outcome: Outcome) -> tuple[int, int, int]:
        """Where an edit stands among all: its example, the shortest first, its site there, its place there."""
        assert outcome.perturbed is not None
        (edit,) = outcome.perturbed.edits
        number = self._order[outcome.example]
        for place, site in enumerate(self.sites(outcome.example)):
            options = site()
            if edit in options:
                return number, place, options.index(edit)
        return number, 0, 0

    @property
    def forwards(self) -> int:
        """Distinct windows needed so far beyond the clean corpus."""
        return self._answering.forwards

    def sites(self, example: Example) -> Sequence[Site]:
        """Where the example could change."""
        if example not in self._sites:
            self._sites[example] = self._sites_of(example)
        return self._sites[example]

    def _sites_of(self, example: Example) -> Sequence[Site]:
        targets = self._sure[example]
        predicted = self.task.stated(example, targets[0].clean) if self.task.labelled == "spans" else ()
        taken = {place for span in predicted for place in range(span.start, span.stop)}
        return self._plan(targets[0].sentence, frozenset({k for each in targets for k in each.free} - taken))

    def _length(self, example: Example) -> tuple[int, int, tuple[str, ...], str]:
        """The words and the characters of what is edited, then what tells equal ones apart."""
        sentence = self._sure[example][0].sentence
        return len(sentence), len(sentence.text), sentence.tokens, example.id

    def drawn(self, seed: int) -> list[Outcome]:
        """As many single edits as the settings ask for: an example, a site and an edit, each equally likely."""
        if not self.examples:
            return []
        tries = []
        for number in range(self.settings.draws):
            draws = stream(seed, self.promise.name, number)
            example = pick(draws, self.examples)
            tries.append((example, pick(draws, pick(draws, self.sites(example))())))
        return self.outcomes(tries, seed)

    def outcomes(self, tries: Sequence[Try], seed: int = 0) -> list[Outcome]:
        """The outcomes of the edits, predicted in one call."""
        variants = [
            (target := self._sure[example][0]).variant(apply(target.sentence, [edit])) for example, edit in tries
        ]
        predictions = self._answering([self.task.input(variant.example) for variant in variants])
        scale = self._predictor.scale()
        outcomes = []
        for (example, edit), variant, prediction in zip(tries, variants, predictions, strict=True):
            clean = self._sure[example][0].clean
            promised = tuple(target for target in self._sure[example] if target.bears(edit))
            spans = tuple(span for target in promised for span in target.spans)
            outcomes.append(Outcome(example, seed, clean, variant, prediction, scale, spans, promised=promised))
        return outcomes

    def _sure_of(self, example: Example, clean: Any) -> tuple[Target, ...]:
        """The targets that the model has right and is sure of; all that it has right where it gives no scores."""
        scale = self._predictor.scale()
        every = placed(self.task.targets.of(example, clean, self._predictor.model), self._field)
        right = [each for each in every if each.holds(clean)]
        margins = [each.margin(scale) for each in right]
        return tuple(
            each for each, margin in zip(right, margins, strict=True) if margin is None or margin > self.settings.margin
        )


def confidence(outcome: Outcome, target: Target) -> tuple[float, float] | None:
    """The probability of what is right of a target before and after; None from a model without scores."""
    before = target.confidence(outcome.clean, None, outcome.scale)
    after = target.confidence(outcome.prediction, outcome.perturbed, outcome.scale)
    return None if before is None or after is None else (before, after)


def drop(outcome: Outcome) -> float:
    """The largest drop in confidence over the targets, -1 to 1; 0 or 1, whether one is lost, without scores."""
    pairs = [confidence(outcome, target) for target in outcome.promised]
    known = [before - after for before, after in filter(None, pairs)]
    return max(known) if known else float(bool(lost(outcome)))


@dataclass(frozen=True, slots=True, eq=False)
class Hunted:
    """The result of a search for an edit that breaks the promise.

    ``edits`` counts those tried beyond the drawn ones. ``stopped`` is the reason why the search ended early,
    empty where it did not. ``smallest`` is the outcome that broke the promise in the shortest example; None where none
    did.
    """

    edits: int
    stopped: str
    smallest: Outcome | None


Hunt = Callable[[Trial, Sequence[Outcome]], Hunted]
"""A search for the smallest edit that breaks a promise, given the outcomes of those that were drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Promised:
    """A promise put to a model: the drawn outcomes, and the result of a search, if there was one."""

    trial: Trial
    drawn: Sequence[Outcome]
    hunted: Hunted | None

    @property
    def broken(self) -> bool:
        """Whether an edit was found, drawn or searched for, that breaks it."""
        return any(map(lost, self.drawn)) or (self.hunted is not None and self.hunted.smallest is not None)

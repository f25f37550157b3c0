"""A promise put to a model, edit by edit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.example import Outcome
from abalo.corpora import Corpus
from abalo.corpora.examples import example_of, variant_of
from abalo.models.prediction import Prediction
from abalo.models.predictor import TokenPredictor
from abalo.promises.promise import Promise, Settings, Site
from abalo.tasks.ner.metrics.promises import lost
from abalo.tasks.tokens.alignment import carried
from perturbations import Edit, Sentence, Span, apply, entity_spans, stream
from perturbations.streams import pick

Try = tuple[Sentence, Edit]
"""A sentence and one edit of it."""


class Trial:
    """A promise with its settings, a corpus and a model.

    ``sentences`` are the distinct ones with a site and an entity that the model finds exactly and is sure of, the
    shortest first.
    """

    def __init__(self, promise: Promise[Any], settings: Settings, corpus: Corpus, predictor: TokenPredictor) -> None:
        self.promise = promise
        self.settings = settings
        self._predictor = predictor
        self._answering = predictor.answering()
        self._plan = promise.plan(corpus, settings)
        self._clean: dict[Sentence, Prediction] = dict(zip(corpus.sentences, predictor.clean(), strict=False))
        self._sites: dict[Sentence, Sequence[Site]] = {}
        self._sure = {sentence: self._sure_of(sentence) for sentence in self._clean}
        able = [sentence for sentence, spans in self._sure.items() if spans and self.sites(sentence)]
        distinct = {sentence.tokens: sentence for sentence in reversed(able)}.values()
        self.sentences = tuple(sorted(distinct, key=lambda each: (len(each), len(each.text), each.tokens)))
        self._examples = {sentence: example_of(sentence) for sentence in self._clean}
        self._order = {sentence: number for number, sentence in enumerate(self.sentences)}

    @property
    def key(self) -> str:
        """A name for this promise and this model, in letters, digits and ``_-``."""
        model = hashlib.blake2b(self._predictor.model.fingerprint.encode(), digest_size=6).hexdigest()
        return f"{self.promise.name}-{model}"

    def rank(self, outcome: Outcome) -> tuple[int, int, int]:
        """Where an edit stands among all: its sentence, the shortest first, its site there, its place there."""
        assert outcome.perturbed is not None
        (edit,) = outcome.perturbed.edits
        number = self._order[outcome.sentence]
        for place, site in enumerate(self.sites(outcome.sentence)):
            options = site()
            if edit in options:
                return number, place, options.index(edit)
        return number, 0, 0

    @property
    def forwards(self) -> int:
        """Distinct windows needed so far beyond the clean corpus."""
        return self._answering.forwards

    def sites(self, sentence: Sentence) -> Sequence[Site]:
        """Where the sentence could change."""
        if sentence not in self._sites:
            self._sites[sentence] = self._sites_of(sentence)
        return self._sites[sentence]

    def _sites_of(self, sentence: Sentence) -> Sequence[Site]:
        spans = [*entity_spans(sentence.tags or ()), *entity_spans(self._clean[sentence].tags)]
        taken = {i for span in spans for i in range(span.start, span.stop)}
        return self._plan(sentence, frozenset(range(len(sentence))) - taken)

    def drawn(self, seed: int) -> list[Outcome]:
        """As many single edits as the settings ask for: a sentence, a site and an edit, each equally likely."""
        if not self.sentences:
            return []
        tries = []
        for number in range(self.settings.draws):
            draws = stream(seed, self.promise.name, number)
            sentence = pick(draws, self.sentences)
            tries.append((sentence, pick(draws, pick(draws, self.sites(sentence))())))
        return self.outcomes(tries, seed)

    def outcomes(self, tries: Sequence[Try], seed: int = 0) -> list[Outcome]:
        """The outcomes of the edits, predicted in one call; ``targets`` are the entities that should stay."""
        made = [apply(sentence, [edit]) for sentence, edit in tries]
        predictions = self._answering([each.sentence for each in made])
        scale = self._predictor.scale()
        return [
            Outcome(
                self._examples[sentence],
                seed,
                self._clean[sentence],
                variant_of(self._examples[sentence], perturbed),
                prediction,
                scale,
                self._sure[sentence],
            )
            for (sentence, _), perturbed, prediction in zip(tries, made, predictions, strict=True)
        ]

    def _sure_of(self, sentence: Sentence) -> tuple[Span, ...]:
        prediction = self._clean[sentence]
        found, scale = entity_spans(prediction.tags), self._predictor.scale()
        if scale is None or prediction.scores is None:
            return tuple(span for span in entity_spans(sentence.tags or ()) if span in found)
        margins = scale.margins(prediction.scores)
        return tuple(
            span
            for span in entity_spans(sentence.tags or ())
            if span in found and margins[span.start : span.stop].min() > self.settings.margin
        )


def confidence(outcome: Outcome, span: Span) -> tuple[float, float] | None:
    """The mean probability of the labels of the entity's words before and after; None from a model without scores."""
    moved = carried(outcome.perturbed, span)
    before, after, scale = outcome.clean.scores, outcome.prediction.scores, outcome.scale
    if moved is None or before is None or after is None or scale is None or outcome.perturbed is None:
        return None
    old = scale.columns((outcome.sentence.tags or ())[span.start : span.stop])
    new = scale.columns((outcome.perturbed.sentence.tags or ())[moved.start : moved.stop])
    if min(old.min(), new.min()) < 0:
        return None
    return (
        float(scale.probabilities(before[span.start : span.stop], old).mean()),
        float(scale.probabilities(after[moved.start : moved.stop], new).mean()),
    )


def drop(outcome: Outcome) -> float:
    """The largest drop in confidence over the targets, -1 to 1; 0 or 1, whether one is lost, without scores."""
    pairs = [confidence(outcome, span) for span in outcome.targets]
    known = [before - after for before, after in filter(None, pairs)]
    return max(known) if known else float(bool(lost(outcome)))


@dataclass(frozen=True, slots=True, eq=False)
class Hunted:
    """The result of a search for an edit that breaks the promise.

    ``edits`` counts those tried beyond the drawn ones. ``stopped`` is the reason why the search ended early,
    empty where it did not. ``smallest`` is the outcome that broke the promise in the shortest sentence; None where none
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

"""A task that labels the tokens of a sentence: one label per token, or spans of tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from abalo.bundled import bundled
from abalo.core.evidence import Evidence
from abalo.core.example import Example
from abalo.core.lesson import Lesson
from abalo.core.options import RunOptions, mask_token_of
from abalo.core.outcome import Outcome
from abalo.core.plan import AnyBoundPlan
from abalo.core.rounding import ROUNDING
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task import Labelled, Task
from abalo.core.verdicts import Bound
from abalo.corpora.corpus import Corpus
from abalo.corpora.examples import TEXT
from abalo.models.labels import BIO, Labelling
from abalo.models.loading import load_as_asked
from abalo.models.predictor import TokenPredictor
from abalo.models.protocol import TokenModel
from abalo.models.specs import Adapter
from abalo.sources.resources import Resources
from abalo.tasks.tokens.alignment import VIEWS
from abalo.tasks.tokens.report import TokenReport
from perturbations import Perturbed, unchanged
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class TokenModels:
    """The models of such a task.

    ``path`` is that of the model that ships, ``name`` what documents call it. ``known`` gives the groups that a bound
    can be about: those of the corpus and those that the model can predict; None where they are not all known.
    ``adapters`` are those of the task alone, tried before the others.
    """

    path: str
    name: str
    known: Callable[[Subject], Collection[str] | None]
    labelling: Labelling = BIO
    adapters: Sequence[Adapter[TokenModel]] = ()


class TokenTask(Task):
    """The parts that such tasks share: models, predictions, variants, what a report says of model and corpus."""

    views = VIEWS
    usual_view = "projected"
    labelled: ClassVar[Labelled] = "words"
    resized_view = "structural"
    probes: ClassVar[tuple[str, ...]] = ("baseline", "perturbation", "pipeline", "slice")

    models: ClassVar[TokenModels]

    def load(self, spec: str | None, options: RunOptions, corpus: Corpus) -> TokenModel:
        """A model whose labels fit the corpus; the one that ships for None."""
        labels = {tag for sentence in corpus.sentences for tag in sentence.tags or ()}
        path = str(bundled(self.models.path)) if spec is None else spec
        return load_as_asked(path, options, labels, self.models.labelling, self.models.adapters, corpus.judged)

    def predictor(self, model: TokenModel, corpus: Any, store: Path | None = None) -> TokenPredictor:
        """The model with the clean corpus, each distinct sentence predicted once."""
        return TokenPredictor(model, corpus.sentences, store, self.models.labelling)

    def resources(self, corpus: Corpus, model: TokenModel, options: RunOptions, language: str) -> Resources:
        """Mask token, pools of entities, other corpora, models."""
        return Resources(corpus, mask_token_of(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        """The tokens, each with its label."""
        sentence = example.sentence
        return Lesson(sentence.tokens, sentence.tags, tagged=True) if sentence.tags is not None else None

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The changed sentence, which carries its own labels."""
        made = edits.get(TEXT)
        return example if made is None else replace(example, fields={TEXT: made.sentence})

    def views_agree(self, outcome: Outcome) -> bool:
        """Whether every token kept its place and label."""
        perturbed = outcome.perturbed
        return perturbed is None or (
            perturbed.sentence.tags == outcome.sentence.tags
            and perturbed.origins == unchanged(outcome.sentence).origins
        )

    def check(self, cases: Iterable[AnyBoundPlan], session: Subject) -> Iterable[tuple[AnyBoundPlan, Bound, str]]:
        """Bounds on groups that neither corpus nor model knows: a slip of the pen."""
        bounds = [(case, bound, bound.type) for case in cases for bound in case.bounds if bound.type is not None]
        known = self.models.known(session) if bounds else None
        if known is None:
            return
        for case, bound, group in bounds:
            if group not in known:
                there = f"{did_you_mean(group, sorted(known))}; there are {', '.join(sorted(known))}"
                yield case, bound, f"no {self.group_noun} {group!r} in corpus or model{there}"

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There is nothing to count, or a drop is bound of a model that is never right."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        if "_drop" in bound.metric:
            clean = sum(measurement.estimate(name, bound.type).value for name in (self.floor, f"{self.floor}_drop"))
            if abs(clean) < ROUNDING:
                return f"the clean {self.metrics()[self.floor].words} is 0, so there is nothing to lose"
        return None

    @property
    @abstractmethod
    def report(self) -> TokenReport:
        """The part of reports about labels of tokens."""

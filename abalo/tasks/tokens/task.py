"""Base of tasks that label tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from abalo.bundled import bundled_path
from abalo.core.protocols.options import RunOptions, mask_token_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task import Labelled, Task
from abalo.core.records.example import Example
from abalo.core.records.lesson import Lesson
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import AnyBoundCase
from abalo.core.statistics.verdicts import Bound
from abalo.corpora.corpus import Corpus
from abalo.models.labelling.labels import BIO, Labelling
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.protocol import PromptForm
from abalo.models.prompts.tags import TagForm
from abalo.models.prompts.template import JSON, MARKED, USUAL, Prompting, Shot
from abalo.models.specs import Adapter
from abalo.models.tokens.loading import load_as_asked
from abalo.models.tokens.predictor import TokenPredictor
from abalo.models.tokens.protocol import TokenModel
from abalo.sources.resources import Resources
from abalo.tasks.tokens.alignment import VIEWS
from abalo.tasks.tokens.report import TokenReport
from perturbations import UNLABELLED, unchanged
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class TokenModels:
    """The models of such a task.

    ``path`` and ``name`` belong to the bundled model. ``known`` gives the groups of corpus and model, or None if
    incomplete. ``adapters`` are tried before the shared ones.
    """

    path: str
    name: str
    known: Callable[[Subject], Collection[str] | None]
    labelling: Labelling = BIO
    adapters: Sequence[Adapter[TokenModel]] = ()


class TokenTask(Task):
    """Shared parts of tasks that label tokens."""

    views: ClassVar[tuple[str, ...]] = VIEWS
    usual_view = "projected"
    labelled: ClassVar[Labelled] = "words"
    resized_view = "structural"
    probes: ClassVar[tuple[str, ...]] = ("baseline", "perturbation", "pipeline", "slice", "prompt")

    models: ClassVar[TokenModels]

    def load(self, spec: str | None, options: RunOptions, corpus: Corpus) -> TokenModel:
        labels = Counter(tag for sentence in corpus.sentences for tag in sentence.tags or ())
        path = str(bundled_path(self.models.path)) if spec is None else spec
        return load_as_asked(
            path,
            options,
            labels,
            self.models.labelling,
            self.models.adapters,
            corpus.judged,
            self._prompting(corpus, options),
        )

    def _prompting(self, corpus: Corpus, options: RunOptions) -> Prompting:
        spans = self.models.labelling.has_spans

        def forms() -> Mapping[str, PromptForm[Any, Any]]:
            kinds = corpus.types if spans else sorted({tag for each in corpus.sentences for tag in each.tags or ()})
            labels = tuple(kind for kind in kinds if kind != UNLABELLED)
            form: PromptForm[Any, Any] = EntityForm(labels) if spans else TagForm(labels)
            return {USUAL: form, JSON: form, **({MARKED: EntityForm(labels, marked=True)} if spans else {})}

        def shots(name: str) -> list[Shot]:
            read: Any = self.read(name, RunOptions(types=options.types))
            every = enumerate(read.sentences, start=1)
            return [Shot(number, each, each.tags) for number, each in every if each.tags is not None]

        return Prompting(forms, shots, lambda: corpus.sentences)

    def predictor(self, model: TokenModel, corpus: Corpus, store: Path | None = None) -> TokenPredictor:
        return TokenPredictor(model, corpus.sentences, store, self.models.labelling)

    def resources(self, corpus: Corpus, model: TokenModel, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, mask_token_of(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        sentence = example.sentence
        return Lesson(sentence.tokens, sentence.tags, tagged=True) if sentence.tags is not None else None

    def views_agree(self, outcome: Outcome) -> bool:
        perturbed = outcome.perturbed
        return perturbed is None or (
            perturbed.sentence.tags == outcome.sentence.tags
            and perturbed.origins == unchanged(outcome.sentence).origins
        )

    def check(self, cases: Iterable[AnyBoundCase], subject: Subject) -> Iterable[tuple[AnyBoundCase, Bound, str]]:
        bounds = [(case, bound, bound.type) for case in cases for bound in case.bounds if bound.type is not None]
        known = self.models.known(subject) if bounds else None
        if known is None:
            return
        for case, bound, group in bounds:
            if group not in known:
                there = f"{did_you_mean(group, sorted(known))}; there are {', '.join(sorted(known))}"
                yield case, bound, f"no {self.group_noun} {group!r} in corpus or model{there}"

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        name, drops, _ = bound.metric.partition("_drop")
        if drops and name not in self.metrics():
            bound = replace(bound, metric=f"{self.floor}_drop")
        return super().undecidable(bound, measurement, evidence, where)

    @property
    @abstractmethod
    def report(self) -> TokenReport: ...

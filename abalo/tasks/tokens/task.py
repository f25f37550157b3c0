"""A task that labels the tokens of a sentence: one label per token, or spans of tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from abalo.bundled import bundled
from abalo.core.example import Example, Json, Outcome
from abalo.core.session import Session
from abalo.core.statistics import Measurement
from abalo.core.task import Task
from abalo.corpora.corpus import Corpus
from abalo.corpora.examples import TEXT
from abalo.models.labels import BIO, Labelling
from abalo.models.loading import Adapter, load_as_asked
from abalo.models.predictor import TokenPredictor
from abalo.models.protocol import TokenModel
from abalo.sources.resources import MASK_FALLBACK, Resources
from abalo.tasks.tokens.alignment import VIEWS
from abalo.tasks.tokens.examples import wrong
from abalo.tasks.tokens.facts import corpus_facts, model_facts
from perturbations import Perturbed, unchanged


class TokenTask(Task):
    """The parts that such tasks share: models, predictions, variants, what a report says of model and corpus."""

    views = VIEWS
    usual_view = "projected"
    resized_view = "structural"
    probes: ClassVar[tuple[str, ...]] = ("baseline", "perturbation", "pipeline", "slice")

    shipped = "the bundled model"
    foreign_notice = (
        "These bounds were measured on the bundled model, not on this one: "
        "measure your own with abalo calibrate --model MODEL --corpus CORPUS --out FILE."
    )

    labelling: ClassVar[Labelling] = BIO
    adapters: ClassVar[Sequence[Adapter]] = ()
    default_model: ClassVar[str]

    def load(self, spec: str | None, options: Any, corpus: Corpus) -> TokenModel:
        """A model whose labels fit the corpus; the one that ships for None."""
        labels = {tag for sentence in corpus.sentences for tag in sentence.tags or ()}
        path = str(bundled(self.default_model)) if spec is None else spec
        return load_as_asked(path, options, labels, self.labelling, self.adapters)

    def predictor(self, model: TokenModel, corpus: Any, store: Path | None = None) -> TokenPredictor:
        """The model with the clean corpus, each distinct sentence predicted once."""
        return TokenPredictor(model, corpus.sentences, store, self.labelling)

    def resources(self, corpus: Corpus, model: TokenModel, options: Any, language: str) -> Resources:
        """Mask token, pools of entities, other corpora, models."""
        return Resources(corpus, mask_token_of(model, options), language)

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

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """Every outcome with a wrong label."""
        return wrong(outcomes)

    def facts(self, session: Session, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        mask_token = mask_token_of(session.model, session.options)
        return {
            "notice": self.foreign_notice if session.foreign_bounds else None,
            "model": {
                **model_facts(session, bundled=self.is_bundled(session.options)),
                "mask_token": MASK_FALLBACK if mask_token is None else mask_token,
                "mask_fallback": mask_token is None,
            },
            "corpus": {**corpus_facts(session), **self.labels_in(session.corpus)},
            "device": session.model.device,
            "forwards": {"clean": session.predictor.windows()},
            "seeds": list(session.seeds),
            "baseline": {**self.baseline_facts(baseline), **self.baseline_extras(session)},
        }

    @abstractmethod
    def labels_in(self, corpus: Corpus) -> Json:
        """How many labels of each kind the corpus holds, for the document."""

    def baseline_extras(self, session: Session) -> Json:
        """Further numbers about the clean corpus."""
        return {}


def mask_token_of(model: TokenModel, options: Any) -> str | None:
    """The mask token of the options, else the model's own; None where there is none."""
    given: str | None = getattr(options, "mask_token", None)
    return model.mask_token if given is None else given

"""The task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled
from abalo.core.case import Case
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json, Outcome
from abalo.core.metrics import Metric
from abalo.core.registry import Registry
from abalo.core.session import Session
from abalo.core.statistics import Measurement
from abalo.core.targets import Target
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.corpora.examples import TEXT
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classifier
from abalo.sources.resources import MASK_FALLBACK, Resources
from abalo.tasks.classification import blocks as report
from abalo.tasks.classification import examples as shown
from abalo.tasks.classification.corpus import DEFAULT, LabelledTexts, recognises
from abalo.tasks.classification.corpus import load as load_corpus
from abalo.tasks.classification.metrics.direction import DIRECTED
from abalo.tasks.classification.models.loading import prompted
from abalo.tasks.classification.targets import labels_of, seen
from perturbations import Perturbation, Perturbed, UnknownPerturbation, find
from perturbations.suggestions import did_you_mean

_ROUNDING = 1e-9


class Classification(Task):
    """Texts, each with a label, or with any number of them."""

    name = "classification"
    title = "Text classification"
    metrics = Registry[Metric]("metric", "abalo.tasks.classification.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = resized_view = ""
    floor = "accuracy"
    headline = "accuracy_drop"
    gap = "accuracy_gap"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack")
    robust = "robust_accuracy"
    noun = "text"
    group_noun = "label"
    held_noun = "labels"
    default_corpus = DEFAULT
    corpus_kind = "a table or JSON lines with a text and a label"
    default_model = "fixtures/sentiment/weights.npz"
    scores = ("accuracy", "macro_f1")
    shipped = "the bundled sentiment model"
    foreign_notice = (
        "The bounds that ship were measured on the model and the corpus that ship, and are shown but not applied here: "
        "measure your own with abalo calibrate --model MODEL --corpus CORPUS --out FILE, or judge against an accepted "
        "run with --abalo-against RUN."
    )

    # Corpora and models ----------------------------------------------------------------------------------------------

    def read(self, spec: str, options: Any) -> LabelledTexts:
        """A table, JSON, a data set, or a bundled corpus."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient)

    recognises = staticmethod(recognises)

    def load(self, spec: str | None, options: Any, corpus: LabelledTexts) -> Classifier:
        """A model whose labels fit the corpus; the one that ships for None."""
        path = str(bundled(self.default_model)) if spec is None else spec
        adapters = (prompted(list(corpus.label_counts), getattr(options, "choice_args", {})),)
        return load_model(path, options, corpus.label_counts, several=corpus.several, adapters=adapters)

    def predictor(self, model: Classifier, corpus: LabelledTexts, store: Path | None = None) -> ClassPredictor:
        """The model with the clean corpus, each distinct text predicted once."""
        return ClassPredictor(model, [sentence.text for sentence in corpus.sentences], corpus.golds, store)

    def resources(self, corpus: LabelledTexts, model: Classifier, options: Any, language: str) -> Resources:
        """Mask token, other corpora, models."""
        return Resources(corpus, _mask_token(model, options), language)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """All after which the labels still hold, or may turn around; none that looks at labels of tokens."""
        return (
            perturbation.level in ("character", "word", "sentence")
            and perturbation.labels != "changes"
            and perturbation.meaning != "loses"
            and perturbation.scheme is None
        )

    def input(self, example: Example) -> str:
        """The text."""
        return example.sentence.text

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The changed text with the same labels, or with none where it says something else than before."""
        made = edits.get(TEXT)
        if made is None:
            return example
        gold = example.gold if made.meaning == "keeps" else None
        return replace(example, fields={TEXT: made.sentence}, gold=gold)

    def targets(self, example: Example, prediction: Any, model: Any) -> Iterable[Target]:
        """The labels of the text."""
        return labels_of(example, prediction)

    seen = staticmethod(seen)

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The labels in gold."""
        return sorted({label for outcome in outcomes for label in outcome.example.gold})

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """1 for each gold label of each text."""
        rows = [[group in outcome.example.gold for group in groups] for outcome in outcomes]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def check(self, cases: Iterable[Case], session: Session) -> Iterable[tuple[Case, Bound, str]]:
        """Bounds on labels that neither corpus nor model knows, and those that a case says nothing of.

        Of part of a corpus and a model that does not say what it can predict nothing is known.
        """
        known = sorted({*session.corpus.label_counts, *session.model.labels})
        complete = session.model.labels or getattr(session.options, "limit", None) is None
        for case in cases:
            for bound in case.bounds:
                if bound.type is not None and complete and bound.type not in known:
                    there = f"{did_you_mean(bound.type, known)}; there are {', '.join(known)}"
                    yield case, bound, f"no label {bound.type!r} in corpus or model{there}"
                if _turns(case.name) and bound.metric not in DIRECTED:
                    yield case, bound, f"{case.name} turns around what a text says; use {' or '.join(sorted(DIRECTED))}"

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There is nothing to count, no text was turned around, or a model is never right that could lose by it."""
        if not any(measurement.support.values()):
            return f"the {where} holds no labels"
        found = measurement.estimate(bound.metric, bound.type)
        if bound.metric in DIRECTED and not found.n:
            return "no text that is labelled right says the opposite after the change, or there are no probabilities"
        if "_drop" in bound.metric and bound.metric.startswith(self.floor):
            clean = sum(measurement.estimate(name, bound.type).value for name in (self.floor, self.headline))
            if abs(clean) < _ROUNDING:
                return "the clean accuracy is 0, so there is nothing to lose"
        return None

    # Reports ----------------------------------------------------------------------------------------------------------

    def facts(self, session: Session, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        model, corpus = session.model, session.corpus
        mask_token = _mask_token(model, session.options)
        found = super().facts(session, baseline)
        found["model"] |= {
            "name": self.shipped if self.is_bundled(session.options) else model.name,
            "labels": list(model.labels),
            "mask_token": MASK_FALLBACK if mask_token is None else mask_token,
            "mask_fallback": mask_token is None,
        }
        found["corpus"] |= {
            "sentences": len(session.examples),
            "labels": corpus.label_counts,
            "several": corpus.several,
            "repairs": corpus.repairs,
        }
        return {**found, "device": model.device}

    def sizes(self, corpus: Mapping[str, Any]) -> Sequence[str]:
        """Texts, labels, and whether a text can have several."""
        several = ["several labels a text"] if corpus["several"] else []
        return [*super().sizes(corpus), count(len(corpus["labels"]), "label"), *several]

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[Json]:
        """The texts that the change hurt most."""
        return shown.worst(outcomes, changed=True)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[Json]:
        """The clean texts that are labelled wrong."""
        return shown.worst(outcomes, changed=False)

    records = staticmethod(shown.wrong)
    line = staticmethod(shown.line)
    sentences = staticmethod(report.sentences)


def _turns(name: str) -> bool:
    """Whether the cases of a table turn around what texts say."""
    try:
        return find(name).meaning == "turns"
    except UnknownPerturbation:
        return False


def _mask_token(model: Classifier, options: Any) -> str | None:
    """The mask token of the options, else the model's own; None where there is none."""
    given: str | None = getattr(options, "mask_token", None)
    return model.mask_token if given is None else given


TASK = Classification()

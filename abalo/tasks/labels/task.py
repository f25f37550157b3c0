"""The common part of tasks in which an example as a whole has a label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json
from abalo.core.lesson import Lesson
from abalo.core.options import RunOptions
from abalo.core.outcome import Outcome
from abalo.core.plan import AnyRow
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.models.classifiers.loading import Adapter
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.protocol import Classifier
from abalo.models.fitting import PREDICTED, Terms, doubt, fit_of, misfit, of_corpus, predicted_counts, summed, whole_fit
from abalo.models.labels import CLASSES
from abalo.sources.resources import MASK_FALLBACK, Resources
from abalo.tasks.labels import blocks as report
from abalo.tasks.labels import examples as shown
from abalo.tasks.labels.metrics.direction import DIRECTED
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.labels.models.loading import prompted
from abalo.tasks.labels.models.prompts import OF_TEXTS, Asking
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.templates import known_ones, labels_known
from abalo.tasks.labels.unlabelled import names_values, on_unlabelled
from perturbations import Perturbed, Sentence, Span, apply

_ROUNDING = 1e-9

TERMS = Terms(
    CLASSES, "never predicts these labels of the corpus", "that the corpus has not", "label", "labels", "label"
)
"""The words of the notices about labels."""


class LabelledCorpus(Protocol):
    """A corpus whose examples have labels, one each unless there can be ``several``.

    Further fields are as `Corpus` has them.
    """

    several: bool
    repairs: int
    unlabelled: Mapping[str, int]
    doubtful: Sequence[str]
    notices: Sequence[str]
    types: Sequence[str]

    @property
    def examples(self) -> Sequence[Example]:
        """The examples in order; the gold of each is a tuple of its labels in alphabetical order."""
        ...

    @property
    def label_counts(self) -> Mapping[str, int]:
        """How many examples have each label, by label."""
        ...


class LabelTask(Task):
    """Examples with a label each, or with any number of them.

    A task says besides how corpora are read, what a model is shown (`input`), and what becomes of labels (`carry`).
    ``default_model`` is the file of the model that ships. ``asking`` says how a language model is asked for a label.
    ``adapters`` are those of the task alone, tried before the others. ``fixed_labels`` says that corpora have no other
    labels than those that the task knows; ``turns_labels`` that `carry` knows the label where a change turns around
    what a text says.
    """

    views = ("",)
    usual_view = resized_view = ""
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    targets = LabelTargets()
    group_noun = "label"
    held_noun = "labels"
    scores = ("accuracy", "macro_f1")
    default_model: str
    asking: Asking = OF_TEXTS
    adapters: Sequence[Adapter] = ()
    fixed_labels = False
    turns_labels = False

    # Models -----------------------------------------------------------------------------------------------------------

    def load(self, spec: str | None, options: RunOptions, corpus: Any) -> Classifier:
        """A model whose labels fit the corpus; the one that ships for None."""
        path = str(bundled(self.default_model)) if spec is None else spec
        asked = prompted(list(corpus.label_counts), options.model_args, self.asking)
        adapters = (asked, *self.adapters)
        return load_model(path, options, corpus.label_counts, several=corpus.several, adapters=adapters)

    def resources(self, corpus: Any, model: Classifier, options: RunOptions, language: str) -> Resources:
        """Mask token, other corpora, models."""
        return Resources(corpus, _mask_token(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        """The texts that a model is shown, with the labels of the whole."""
        given = self.input(example)
        texts = (given,) if isinstance(given, str) else tuple(given)
        return None if example.gold is None else Lesson(texts, tuple(example.gold), tagged=False)

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The labels in gold, and those that a change has made right."""
        known = (each for each in outcomes if gold_is_known(each))
        changed = {label for outcome in known for label in gold_now(outcome)}
        return sorted({label for outcome in outcomes for label in outcome.example.gold or ()} | changed)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """1 for each gold label of each example."""
        rows = [[group in (outcome.example.gold or ()) for group in groups] for outcome in outcomes]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def check(self, cases: Iterable[AnyRow], session: Subject) -> Iterable[tuple[AnyRow, Bound | str, str]]:
        """Bounds and slices of labels that neither corpus nor model knows, and bounds that a case says nothing of."""
        known = labels_known(session)
        for case in cases:
            for named in case.plan.labels:
                if known and named not in known:
                    yield case, "label", f"no label {named!r} in corpus or model{known_ones(named, known)}"
            for bound in case.bounds:
                if bound.type is not None and known and bound.type not in known:
                    yield case, bound, f"no label {bound.type!r} in corpus or model{known_ones(bound.type, known)}"
                if bound.metric not in DIRECTED and not self.turns_labels and case.plan.turns:
                    yield case, bound, f"{case.name} turns around what a text says; use {' or '.join(sorted(DIRECTED))}"

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """A mean recall of one over the number of labels, which any constant answer has.

        If examples can have several labels: the accuracy of the commonest set of them.
        """
        held = evidence.held > 0
        if not held.any():
            return None
        if facts["several"]:
            commonest = int(np.unique(held, axis=0, return_counts=True)[1].max())
            return Bound(self.floor, "min", commonest / len(held))
        return Bound("balanced_accuracy", "min", 1 / int(held.any(axis=0).sum()))

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There is nothing to count, no text was turned around, or a model has nothing that it could lose."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        found = measurement.estimate(bound.metric, bound.type)
        if bound.metric in DIRECTED and not found.n:
            return "no text that is labelled right says the opposite after the change, or there are no probabilities"
        if "_drop" in bound.metric and bound.metric.startswith(self.floor):
            clean = sum(measurement.estimate(name, bound.type).value for name in (self.floor, f"{self.floor}_drop"))
            if abs(clean) < _ROUNDING:
                return "the clean accuracy is 0, so there is nothing to lose"
        only = self._only_label(measurement)
        if only is not None and not bound.excess(found.value) > 0:
            return f"the model labels everything {only!r}, whatever it says, so no change can turn it"
        return None

    def _only_label(self, measurement: Measurement) -> str | None:
        """The label that a model has right always, where it has all others right never; None where it tells some apart.

        By the labels of the corpus, of which there must be two.
        """
        clean = {}
        for label in (label for label, support in measurement.support.items() if support):
            score, drop = (measurement.estimate(name, label).value for name in (self.floor, f"{self.floor}_drop"))
            clean[label] = score if math.isnan(drop) else score + drop
        right = [label for label, accuracy in clean.items() if abs(accuracy - 1) < _ROUNDING]
        wrong = [label for label, accuracy in clean.items() if abs(accuracy) < _ROUNDING]
        return right[0] if len(right) == 1 and wrong and len(right) + len(wrong) == len(clean) else None

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """The labels of the whole."""
        labels = (example.gold or ()) if prediction is None else prediction.labels
        return tuple(Span(0, len(example.whole), label) for label in labels if example.gold is not None)

    # Reports ----------------------------------------------------------------------------------------------------------

    def facts(self, session: Subject, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        model, corpus = session.model, session.corpus
        mask_token = _mask_token(model, session.options)
        found = super().facts(session, baseline)
        found["model"] |= {
            "name": self.shipped if session.options.model is None else model.name,
            "labels": list(model.labels),
            "mask_token": MASK_FALLBACK if mask_token is None else mask_token,
            "mask_fallback": mask_token is None,
        }
        found["corpus"] |= {
            "sentences": len(session.examples),
            "labels": dict(corpus.label_counts),
            "several": corpus.several,
            "repairs": corpus.repairs,
            "unlabelled": dict(corpus.unlabelled),
            "doubtful": list(corpus.doubtful),
            "notices": [each for each in corpus.notices if each not in self._on_unlabelled(corpus)],
        }
        found["types"] = fit_of(corpus.label_counts, corpus.types, _predicted(session), model.labels)
        return {**found, "notice": self.notice(found), "device": model.device}

    def _on_unlabelled(self, corpus: LabelledCorpus) -> set[str]:
        """The notices about examples without a label, which `notice` makes for all parts of a corpus together."""
        both = (on_unlabelled(corpus.unlabelled, corpus.doubtful, self.noun, chosen=each) for each in (True, False))
        return {line for lines in both for line in lines}

    def part_facts(self, session: Subject) -> Json:
        """With the labels that the model predicts."""
        return {**super().part_facts(session), PREDICTED: _predicted(session)}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the labels that model and corpus share in all parts."""
        found = super().whole_facts(parts)
        predicted = summed([part[PREDICTED] for part in parts])
        own = {name: value for name, value in found.items() if name != PREDICTED}
        return {**own, "types": whole_fit(found["types"], found["corpus"]["labels"], predicted)}

    def notice(self, facts: Json) -> str | None:
        """Those of all tasks, then lines about labels: rows without any, and those that model or corpus lacks."""
        found = super().notice(facts)
        return "\n".join([*([found] if found else []), *self._on_labels(facts)]) or None

    def _on_labels(self, facts: Json) -> Iterator[str]:
        if "corpus" in facts:
            corpus = facts["corpus"]
            chosen = self.fixed_labels or names_values(corpus["name"])
            yield from on_unlabelled(corpus["unlabelled"], corpus["doubtful"], self.noun, chosen=chosen)
            yield from of_corpus(corpus["labels"], self.noun, whole=corpus["limit"] is None)
        if found := misfit(facts["types"], TERMS) if "types" in facts else "":
            yield found

    def doubt(self, session: Subject) -> str:
        """A model that tells no labels never predicts one of the corpus, or predicts others."""
        types = session.corpus.types
        return doubt(fit_of(session.corpus.label_counts, types, _predicted(session), session.model.labels), TERMS)

    def sizes(self, corpus: Mapping[str, Any]) -> Sequence[str]:
        """Examples, labels, and whether an example can have several."""
        several = [f"several labels a {self.noun}"] if corpus["several"] else []
        return [*super().sizes(corpus), count(len(corpus["labels"]), "label"), *several]

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        """The example of an outcome as one sentence, and what became of it, for reports."""
        return outcome.sentence, outcome.perturbed or apply(outcome.sentence, [])

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[Json]:
        """The examples that the change hurt most."""
        return shown.worst(outcomes, self.displayed, changed=True)

    def worst(self, examples: Iterable[Json]) -> list[Json]:
        """Those that lost most."""
        return shown.worst_of(examples)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[Json]:
        """The clean examples that are labelled wrong."""
        return shown.worst(outcomes, self.displayed, changed=False)

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """Every outcome that is labelled wrong before or after the change."""
        return shown.wrong(outcomes, self.displayed)

    line = staticmethod(shown.line)
    sentences = staticmethod(report.sentences)


def _predicted(session: Subject) -> dict[str, int]:
    """How many examples of the clean corpus the model gives each label."""
    return predicted_counts(label for each in session.predictor.clean() for label in each.labels)


def _mask_token(model: Classifier, options: RunOptions) -> str | None:
    """The mask token of the options, else the model's own; None where there is none."""
    given = options.mask_token
    return model.mask_token if given is None else given

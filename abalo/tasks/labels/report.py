"""The part of reports about labels of whole examples: model, corpus, and the examples that were labelled wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.example import Json
from abalo.core.options import mask_token_of
from abalo.core.outcome import Outcome
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task_report import Described, TaskReport
from abalo.core.words import count
from abalo.models.fitting import (
    PREDICTED,
    Terms,
    doubt,
    fit_of,
    misfit,
    of_corpus,
    predicted_counts,
    with_whole_fit,
)
from abalo.models.labels import CLASSES
from abalo.tasks.labels import blocks as report
from abalo.tasks.labels import examples as shown
from abalo.tasks.labels.corpus import LabelledCorpus
from abalo.tasks.labels.unlabelled import names_values, on_unlabelled
from perturbations import Perturbed, Sentence, apply
from perturbations.families.word.masking import MASK

TERMS = Terms(
    CLASSES, "never predicts these labels of the corpus", "that the corpus has not", "label", "labels", "label"
)
"""The words of the notices about labels."""


class LabelReport(TaskReport):
    """The report of a task whose examples have labels of the whole.

    ``fixed_labels`` says that corpora have no other labels than those that the task knows.
    """

    scores = ("accuracy", "macro_f1")
    fixed_labels = False

    def __init__(self, task: Described, shipped: str) -> None:
        super().__init__(task)
        self._shipped = shipped

    def facts(self, subject: Subject, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        model, corpus = subject.model, subject.corpus
        mask_token = mask_token_of(model, subject.options)
        found = super().facts(subject, baseline)
        found["model"] |= {
            "name": self._shipped if subject.options.model is None else model.name,
            "labels": list(model.labels),
            "mask_token": mask_token or MASK,
            "mask_fallback": mask_token is None,
        }
        found["corpus"] |= {
            "sentences": len(subject.examples),
            "labels": dict(corpus.label_counts),
            "several": corpus.several,
            "repairs": corpus.repairs,
            "unlabelled": dict(corpus.unlabelled),
            "doubtful": list(corpus.doubtful),
            "notices": [each for each in corpus.notices if each not in self._on_unlabelled(corpus)],
        }
        found["types"] = fit_of(corpus.label_counts, corpus.types, _predicted(subject), model.labels)
        return {**found, "notice": self.notice(found), "device": model.device}

    def _on_unlabelled(self, corpus: LabelledCorpus) -> set[str]:
        """The notices about examples without a label, which `notice` makes for all parts of a corpus together."""
        both = (
            on_unlabelled(corpus.unlabelled, corpus.doubtful, self.task.noun, chosen=each) for each in (True, False)
        )
        return {line for lines in both for line in lines}

    def part_facts(self, subject: Subject) -> Json:
        """With the labels that the model predicts."""
        return {**super().part_facts(subject), PREDICTED: _predicted(subject)}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the labels that model and corpus share in all parts."""
        found = super().whole_facts(parts)
        return with_whole_fit(found, parts, found["corpus"]["labels"])

    def notice(self, facts: Json) -> str | None:
        """Those of all tasks, then lines about labels: rows without any, and those that model or corpus lacks."""
        found = super().notice(facts)
        return "\n".join([*([found] if found else []), *self._on_labels(facts)]) or None

    def _on_labels(self, facts: Json) -> Iterator[str]:
        if "corpus" in facts:
            corpus = facts["corpus"]
            chosen = self.fixed_labels or names_values(corpus["name"])
            yield from on_unlabelled(corpus["unlabelled"], corpus["doubtful"], self.task.noun, chosen=chosen)
            yield from of_corpus(corpus["labels"], self.task.noun, whole=corpus["limit"] is None)
        if found := misfit(facts["types"], TERMS) if "types" in facts else "":
            yield found

    def doubt(self, subject: Subject) -> str:
        """A model that tells no labels never predicts one of the corpus, or predicts others."""
        types = subject.corpus.types
        return doubt(fit_of(subject.corpus.label_counts, types, _predicted(subject), subject.model.labels), TERMS)

    def sizes(self, corpus: Mapping[str, Any]) -> Sequence[str]:
        """Examples, labels, and whether an example can have several."""
        several = [f"several labels a {self.task.noun}"] if corpus["several"] else []
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


def _predicted(subject: Subject) -> dict[str, int]:
    """How many examples of the clean corpus the model gives each label."""
    return predicted_counts(label for each in subject.predictor.clean() for label in each.labels)

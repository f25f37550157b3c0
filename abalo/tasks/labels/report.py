"""The section of reports about whole-example labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abalo.core.documents.document import CorpusFacts, TypeFacts
from abalo.core.documents.found import LabelledExample, LabelledUnit, Result, WrongUnit
from abalo.core.protocols.corpus_spec import names_in
from abalo.core.protocols.results import probe_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.models.labelling.fitting import (
    PREDICTED,
    Terms,
    doubt,
    fit_of,
    misfit,
    of_corpus,
    predicted_counts,
    with_whole_fit,
)
from abalo.models.labelling.labels import CLASSES
from abalo.tasks.labels import blocks as report
from abalo.tasks.labels import examples as shown
from abalo.tasks.labels.corpus import LabelledCorpus
from abalo.tasks.labels.unlabelled import PARAMETER, on_unlabelled
from abalo.tasks.tokens.report import mask_facts
from perturbations import Perturbed, Sentence

TERMS = Terms(
    CLASSES, "never predicts these labels of the corpus", "that the corpus does not have", "label", "labels", "label"
)


class LabelReport(TaskReport):
    """The report of a task with whole-example labels; ``fixed_labels`` if the task defines them."""

    unit = LabelledUnit
    example = LabelledExample
    scores = ("accuracy", "macro_f1")
    fixed_labels = False

    def model_facts(self, subject: Subject) -> JsonObject:
        return {"labels": list(subject.model.labels), **mask_facts(subject)}

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus = subject.corpus
        return {
            "sentences": len(subject.examples),
            "labels": dict(corpus.label_counts),
            "several": corpus.several,
            "repairs": corpus.repairs,
            "unlabelled": dict(corpus.unlabelled),
            "doubtful": list(corpus.doubtful),
            "notices": [each for each in corpus.notices if each not in self._on_unlabelled(corpus)],
        }

    def own_facts(self, subject: Subject) -> JsonObject:
        return {"types": as_json(_fit(subject))}

    def _on_unlabelled(self, corpus: LabelledCorpus) -> set[str]:
        both = (
            on_unlabelled(corpus.unlabelled, corpus.doubtful, self.task.noun, chosen=each) for each in (True, False)
        )
        return {line for lines in both for line in lines}

    def part_facts(self, subject: Subject) -> JsonObject:
        return {**super().part_facts(subject), PREDICTED: _count_predicted(subject)}

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        found = super().whole_facts(parts)
        return with_whole_fit(found, parts, found["corpus"]["labels"])

    def notice(self, facts: JsonObject) -> str | None:
        found = super().notice(facts)
        return "\n".join([*([found] if found else []), *self._on_labels(facts)]) or None

    def _on_labels(self, facts: JsonObject) -> Iterator[str]:
        if "corpus" in facts:
            corpus = facts["corpus"]
            chosen = self.fixed_labels or PARAMETER in names_in(corpus["name"])
            yield from on_unlabelled(corpus["unlabelled"], corpus["doubtful"], self.task.noun, chosen=chosen)
            yield from of_corpus(corpus["labels"], self.task.noun, whole=corpus["limit"] is None)
        if found := misfit(read(TypeFacts, facts["types"]), TERMS) if "types" in facts else "":
            yield found

    def doubt(self, subject: Subject) -> str:
        return doubt(_fit(subject), TERMS)

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        several = [f"several labels a {self.task.noun}"] if corpus.more["several"] else []
        return [*super().sizes(corpus), count(len(corpus.more["labels"]), "label"), *several]

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        """The example as one sentence, and its changed form."""
        return outcome.sentence, outcome.made

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        return shown.worst(outcomes, self.displayed, changed=True)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        return shown.worst(outcomes, self.displayed, changed=False)

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[JsonObject]:
        return shown.wrong(outcomes, self.displayed)

    def as_examples(self, records: Iterable[WrongUnit], result: Result) -> list[JsonObject]:
        if any(each.turned or each.gold != each.new_gold for each in result.examples):
            return []  # records lack the label before the change
        return shown.as_examples(records, perturbs=probe_of(result).perturbs)

    line = staticmethod(shown.line)
    sentences = staticmethod(report.sentences)


def _fit(subject: Subject) -> TypeFacts:
    corpus = subject.corpus
    return fit_of(corpus.label_counts, corpus.types, _count_predicted(subject), subject.model.labels)


def _count_predicted(subject: Subject) -> dict[str, int]:
    return predicted_counts(label for each in subject.predictor.clean() for label in each.labels)

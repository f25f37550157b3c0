"""Filled templates of pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from abalo.core.protocols.subject import Subject
from abalo.core.records.example import ARROW, Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.running_text import running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.examples import in_words
from abalo.tasks.labels.templates import LabelTemplates
from abalo.tasks.pairs.corpus import LabelledPairs
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE, example_of, texts
from abalo.tasks.pairs.relations import Relations

LABEL = "label"

FIELDS: Mapping[str, str] = {
    PREMISE: "the first sentence",
    HYPOTHESIS: "the second sentence",
    LABEL: "the label, or a relation such as non-entailment",
}


def write_filling(filled: Mapping[str, Any], labels: tuple[str, ...]) -> Filling:
    """The pair, with all matching corpus ``labels`` as gold. Raises ValueError if a sentence is missing."""
    missing = [f"{name}: {FIELDS[name]}" for name in (PREMISE, HYPOTHESIS) if name not in filled]
    if missing:
        raise ValueError(f"expected {', '.join(missing)}")
    first, second = (running_text(filled[name].plain) for name in (PREMISE, HYPOTHESIS))
    relations = Relations(labels)
    label = filled[LABEL].plain.strip() if LABEL in filled else None
    gold = None if label is None else tuple(sorted(relations.meant(label) or (label,)))
    return Filling(example_of(first, second, gold, relations))


def fault(filling: Filling, prediction: Classified) -> str:
    """The predicted label, if wrong."""
    right = filling.example.gold or ()
    allowed = len(prediction.labels) == 1 and prediction.labels[0] in right
    return "" if allowed else f"is {in_words(prediction.labels)}, not {' or '.join(right)}"


def differing(first: Classified, second: Classified) -> str:
    """Both labels, if they differ."""
    if first.labels == second.labels:
        return ""
    return f"was {in_words(first.labels)}, is {in_words(second.labels)}"


def confidence(prediction: Classified, label: str, labels: tuple[str, ...]) -> float | None:
    """The probability of a label or its relation, if available."""
    found = [prediction.probability(each) for each in Relations(labels).meant(label) or (label,)]
    known = [each for each in found if each is not None]
    return sum(known) if known else None


def say_example(example: Example, prediction: Classified | None = None) -> str:
    """Both sentences, and the predicted or else right labels."""
    labels = (example.gold or ()) if prediction is None else prediction.labels
    return f"{f' {ARROW} '.join(texts(example))} ({in_words(labels)})"


class PairTemplates(LabelTemplates):
    """Templates of pairs."""

    fields = FIELDS
    gold = LABEL
    said = staticmethod(say_example)

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: LabelledPairs | None) -> Filling:
        return write_filling(filled, () if corpus is None else corpus.known_types)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        relations = Relations(subject.corpus.known_types)
        meant = [each for label in labels for each in relations.meant(label) or (label,)]
        return super().foreign(fillings, meant, subject)

    def fault(self, filling: Filling, prediction: Classified) -> str:
        return fault(filling, prediction)

    def differing(
        self, before: Filling, first: Classified, after: Filling, second: Classified, free: Collection[str] = ()
    ) -> str:
        return differing(first, second)

    def predicted(self, filling: Filling, prediction: Classified, key: str = "") -> Collection[str]:
        return set(prediction.labels)

    def confidence(self, filling: Filling, prediction: Classified, label: str, scale: object) -> float | None:
        return confidence(prediction, label, filling.example.source.labels)

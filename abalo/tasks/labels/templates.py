"""Filled templates of labelled examples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from abalo.core.protocols.subject import Subject
from abalo.core.protocols.templates import Templates
from abalo.core.records.filling import Filling
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.examples import in_words
from perturbations.suggestions import did_you_mean


class LabelTemplates(Templates):
    """Templates with whole-example labels."""

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        known = labels_known(subject)
        gold = {label for each in fillings for label in each.example.gold or ()}
        unknown = sorted({*gold, *labels}.difference(known)) if known else ()
        return f"no label {unknown[0]!r} in corpus or model{known_labels(unknown[0], known)}" if unknown else ""

    def fault(self, filling: Filling, prediction: Classified) -> str:
        gold = filling.example.gold
        return "" if prediction.labels == gold else f"labelled {in_words(prediction.labels)}, not {in_words(gold)}"

    def differing(
        self, before: Filling, first: Classified, after: Filling, second: Classified, free: Collection[str] = ()
    ) -> str:
        if first.labels == second.labels:
            return ""
        return f"was labelled {in_words(first.labels)}, is labelled {in_words(second.labels)}"

    def predicted(self, filling: Filling, prediction: Classified, key: str = "") -> Collection[str]:
        return prediction.labels

    def confidence(self, filling: Filling, prediction: Classified, label: str, scale: object) -> float | None:
        return prediction.probability(label)


def labels_known(subject: Subject) -> list[str]:
    """The labels of corpus and model; empty if there may be more."""
    complete = subject.model.labels or subject.options.limit is None
    return sorted({*subject.corpus.label_counts, *subject.model.labels}) if complete else []


def known_labels(unknown: str, known: Sequence[str]) -> str:
    """The end of an error about an unknown label: a close match and all known ones."""
    return f"{did_you_mean(unknown, known)}; there are {', '.join(known)}"

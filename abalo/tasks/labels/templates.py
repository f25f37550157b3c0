"""Filled templates of examples with labels of the whole, and what a prediction has wrong in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from abalo.core.filling import Filling
from abalo.core.subject import Subject
from abalo.core.templates import Templates
from abalo.models.classifiers.protocol import Classified
from abalo.tasks.labels.examples import in_words
from perturbations.suggestions import did_you_mean


class LabelTemplates(Templates):
    """Templates whose gold is the labels of the whole."""

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        """They have or expect labels that neither corpus nor model has."""
        known = labels_known(subject)
        gold = {label for each in fillings for label in each.example.gold or ()}
        unknown = sorted({*gold, *labels}.difference(known)) if known else ()
        return f"no label {unknown[0]!r} in corpus or model{known_ones(unknown[0], known)}" if unknown else ""

    def fault(self, filling: Filling, prediction: Classified) -> str:
        """The labels predicted, where they are not those of gold."""
        gold = filling.example.gold
        return "" if prediction.labels == gold else f"labelled {in_words(prediction.labels)}, not {in_words(gold)}"

    def differing(
        self, before: Filling, first: Classified, after: Filling, second: Classified, free: Collection[str] = ()
    ) -> str:
        """The labels of both, where they are not the same."""
        if first.labels == second.labels:
            return ""
        return f"was labelled {in_words(first.labels)}, is labelled {in_words(second.labels)}"

    def predicted(self, filling: Filling, prediction: Classified, key: str = "") -> Collection[str]:
        """The labels."""
        return prediction.labels

    def confidence(self, filling: Filling, prediction: Classified, label: str, scale: Any) -> float | None:
        """The probability of the label, whatever label the example has."""
        return prediction.probability(label)


def labels_known(session: Subject) -> list[str]:
    """The labels of corpus and model; none where there may be others.

    Of part of a corpus and a model that does not say what it can predict nothing is known.
    """
    complete = session.model.labels or session.options.limit is None
    return sorted({*session.corpus.label_counts, *session.model.labels}) if complete else []


def known_ones(unknown: str, known: Sequence[str]) -> str:
    """The end of a message about a label that is not ``known``: one that is much like it, and all that are."""
    return f"{did_you_mean(unknown, known)}; there are {', '.join(known)}"

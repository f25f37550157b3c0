"""Slice by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice, labels_of
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSettings(Ranged):
    """The ``label`` as spelled in the corpus."""

    label: str = ""


def cut(corpus: Corpus, settings: LabelSettings) -> Cut:
    """Examples with a given label, if examples are labelled as a whole.

    If an example has several labels, one must match. The slice is empty if the corpus lacks the label.
    """
    known = sorted({label for example in corpus.examples for label in labels_of(example)})
    near = did_you_mean(settings.label, known)
    there = f" (not in the corpus{near}; there are {', '.join(known) or 'none'})"

    def holds(gold: Sequence[str]) -> bool:
        return settings.label in gold

    return Cut(holds, f"labelled {settings.label}" + there * (settings.label not in known))


SLICE = Slice("label", LabelSettings, cut, needs=("label",), of_labels=True, title="Label {label}")

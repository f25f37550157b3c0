"""The examples of one label, class, relation or polarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.configuring import Ranged
from abalo.slices.slice import Cut, Slice, labels_of
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSettings(Ranged):
    """Which ``label``, as the corpus has it."""

    label: str = ""


def cut(corpus: Any, settings: LabelSettings) -> Cut:
    """The examples that have a label, where examples are labelled as a whole.

    Of examples with several labels those that have it among them. A label that the corpus lacks leaves the slice empty.
    """
    known = sorted({label for example in corpus.examples for label in labels_of(example)})
    near = did_you_mean(settings.label, known)
    there = f" (not in the corpus{near}; there are {', '.join(known) or 'none'})"

    def holds(gold: Sequence[str]) -> bool:
        return settings.label in gold

    return Cut(holds, f"labelled {settings.label}" + there * (settings.label not in known))


SLICE = Slice("label", LabelSettings, cut, needs=("label",), of_labels=True)

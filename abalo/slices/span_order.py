"""Slice by order of subject and object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence
from perturbations.answers import OBJECT, SUBJECT


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanOrderSettings(Ranged):
    """Which span comes ``first``."""

    first: Literal["subject", "object"] = "object"


def cut(_corpus: Corpus, settings: SpanOrderSettings) -> Cut:
    """Sentences in which the chosen span begins before the other."""

    def holds(sentence: Sentence) -> bool:
        starts = {anchor.type: anchor.start for anchor in sentence.anchors}
        if not {SUBJECT, OBJECT} <= starts.keys():
            return False
        return (starts[SUBJECT] < starts[OBJECT]) == (settings.first == SUBJECT)

    return Cut(holds, f"sentences that name the {settings.first} first")


SLICE = Slice("span_order", SpanOrderSettings, cut, of_relations=True, title="The {first} first")

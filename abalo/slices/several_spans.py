"""Slice of several spans or span types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanSettings(Ranged):
    """``which``: "several" spans of any type, or "mixed" types."""

    which: Literal["several", "mixed"] = "mixed"


def cut(_corpus: Corpus, settings: SpanSettings) -> Cut:
    """Sentences with two or more spans, or with spans of several types, such as aspects with different polarities."""
    mixed = settings.which == "mixed"

    def holds(sentence: Sentence) -> bool:
        types = [span.type for span in entity_spans(sentence.entity_tags or ())]
        return len(set(types) if mixed else types) > 1

    return Cut(holds, "sentences with spans of several types" if mixed else "sentences with several spans")


SLICE = Slice("several_spans", SpanSettings, cut, title="Spans of several types")

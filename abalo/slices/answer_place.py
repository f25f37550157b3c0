"""Slice by place of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence
from perturbations.answers import answers_in


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlaceSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["first", "last"] = "last"


def cut(corpus: Corpus, settings: AnswerPlaceSettings) -> Cut:
    """Questions by the share of the passage before their first gold answer; excludes questions without an answer."""
    top, text = settings.end == "last", f"the questions whose answers come {settings.end} in the passage"
    return at_the_end(corpus, _share_before, settings.share, top=top, text=text, unit="of the passage")


def _share_before(sentence: Sentence) -> float | None:
    first = min((answer.start for answer in answers_in(sentence)), default=None)
    return None if first is None else first / max(1, len(sentence.anchors[0]))


SLICE = Slice("answer_place", AnswerPlaceSettings, cut, of_answers=True, title="Answers {end} in the passage")

"""Slice by answer length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence
from perturbations.answers import answers_in


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLengthSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["shortest", "longest"] = "longest"


def cut(corpus: Corpus, settings: AnswerLengthSettings) -> Cut:
    """Questions by the number of words in their shortest gold answer; excludes questions without an answer."""
    top, text = settings.end == "longest", f"the questions with the {settings.end} answers"
    return at_the_end(corpus, _shortest, settings.share, top=top, text=text, unit="words")


def _shortest(sentence: Sentence) -> float | None:
    return min(map(len, answers_in(sentence)), default=None)


SLICE = Slice("answer_length", AnswerLengthSettings, cut, of_answers=True, title="{end} answers")

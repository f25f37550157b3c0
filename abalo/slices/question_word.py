"""Slice by question word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence

QuestionKind = Literal["who", "what", "which", "when", "where", "why", "how", "how many", "other"]

_KINDS: dict[QuestionKind, str] = {
    "how many": r"how (?:many|much)|quant[oa]s?|combien|cu[áa]nt[oa]s?|wie ?viele?|多少|几",
    "why": r"why|por ?qu[eê]|pourquoi|por qu[ée]|warum|为什么|为何",
    "who": r"who|whom|whose|quem|qui|qui[ée]n(?:es)?|wer|wem|wen|谁",
    "when": r"when|quando|quand|cu[áa]ndo|wann|何时|什么时候",
    "where": r"where|onde|aonde|où|d[óo]nde|wo|wohin|哪里|何处",
    "which": r"which|qual|quais|quel(?:le)?s?|cu[áa]l(?:es)?|welche[rsmn]?|哪",
    "how": r"how|como|comment|c[óo]mo|wie|怎|如何",
    "what": r"what|o que|que|quoi|qué|was|什么",
}
_FIRST = re.compile(
    "|".join(
        f"(?P<k{number}>{words})" for number, words in enumerate(rf"(?<!\w)(?:{each})" for each in _KINDS.values())
    ),
)
_WHOLE = re.compile(r"\w", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWordSettings(Ranged):
    """The ``word``, always in English."""

    word: QuestionKind = "who"


def question_word(tokens: Sequence[str]) -> QuestionKind:
    """The first question word, in English; "other" if unknown."""
    text = " ".join(tokens).lower()
    text = re.sub(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", "", text)
    kinds = list(_KINDS)
    for found in _FIRST.finditer(text):
        end = text[found.end() : found.end() + 1]
        if not end.isalnum() or "\u4e00" <= found[0][-1] <= "\u9fff":
            assert found.lastgroup is not None
            return kinds[int(found.lastgroup[1:])]
    return "other"


def question_of(sentence: Sentence) -> Sequence[str]:
    """The question's tokens, under the second anchor."""
    _, span, *_ = sentence.anchors
    return sentence.tokens[span.start : span.stop]


def cut(_corpus: Corpus, settings: QuestionWordSettings) -> Cut:
    """Questions with a given question word; the first counts if a question has several."""
    return Cut(lambda each: question_word(question_of(each)) == settings.word, f"questions that ask {settings.word}")


SLICE = Slice("question_word", QuestionWordSettings, cut, of_answers=True, title="Questions that ask {word}")

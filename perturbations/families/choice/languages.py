"""The languages that questions can be reworded in."""

from __future__ import annotations

from typing import Literal, get_args

from perturbations.families.choice.questions import lower_tokens
from perturbations.lexicons import words
from perturbations.suggestions import did_you_mean
from perturbations.text import Sentence

QuestionLanguage = Literal["en", "pt"]
"""ISO 639-1 code."""

LANGUAGES: tuple[QuestionLanguage, ...] = get_args(QuestionLanguage)

_ACCENTED = frozenset("áàâãéêíóôõúç")


def language_of(question: Sentence) -> QuestionLanguage:
    """The language with more stop words in the question; when equal, Portuguese if it has an accent."""
    tokens = lower_tokens(question)
    english, portuguese = (sum(token in words(f"stop_words_{language}") for token in tokens) for language in LANGUAGES)
    if english == portuguese:
        return "pt" if any(set(token) & _ACCENTED for token in tokens) else "en"
    return "pt" if portuguese > english else "en"


def check_language(language: str | None, question: Sentence) -> QuestionLanguage:
    """``language``, or for None that of the question; raises ValueError for one that there are no rules for."""
    if language is None:
        return language_of(question)
    for known in LANGUAGES:
        if language == known:
            return known
    expected = " or ".join(map(repr, LANGUAGES))
    raise ValueError(f"language is {language!r}; expected {expected}{did_you_mean(str(language), LANGUAGES)}")

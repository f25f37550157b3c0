"""The languages that questions can be reworded in."""

from __future__ import annotations

from perturbations.languages import has, language_named, with_parts
from perturbations.languages.questions import lower_tokens
from perturbations.lexicons import words
from perturbations.suggestions import did_you_mean
from perturbations.text import Sentence


def paraphrased_languages() -> tuple[str, ...]:
    """The languages with rules or phrases by which questions are paraphrased, in alphabetical order."""
    return tuple(sorted({*with_parts("paraphrases"), *with_parts("question_phrases")}))


def question_languages() -> tuple[str, ...]:
    """These, and those with an instruction that can stand before a question."""
    return tuple(sorted({*paraphrased_languages(), *with_parts("preamble")}))


def language_of(question: Sentence) -> str:
    """The language with most stop words in the question; of equal ones that which a letter tells, else the first."""
    tokens = lower_tokens(question)
    counts = {code: _stop_words_in(tokens, code) for code in question_languages()}
    first, *others = [code for code, count in counts.items() if count == max(counts.values())]
    return next((code for code in (first, *others) if _telling(code) & {*"".join(tokens)}), first)


def _stop_words_in(tokens: tuple[str, ...], code: str) -> int:
    return sum(token in words(f"stop_words_{code}") for token in tokens) if has(code, "stop_words") else 0


def _telling(code: str) -> set[str]:
    return {*language_named(code).telling_letters}


def check_language(language: str | None, question: Sentence) -> str:
    """``language``, or for None that of the question; raises ValueError for one that there are no rules for."""
    if language is None:
        return language_of(question)
    known = question_languages()
    if language in known:
        return language
    raise ValueError(
        f"language is {language!r}; expected {' or '.join(map(repr, known))}{did_you_mean(str(language), known)}"
    )

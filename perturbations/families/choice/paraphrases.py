"""Paraphrases of questions by rule: the same words, or words of a short list, in a sentence that means the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perturbations.application import unchanged
from perturbations.families.choice import clauses, english, portuguese
from perturbations.families.choice.languages import QuestionLanguage, check_language
from perturbations.families.choice.phrases import phrase_rule
from perturbations.families.choice.questions import question_of
from perturbations.families.choice.rewording import ORIGINAL, QuestionRewording, check_count
from perturbations.text import Perturbed, Sentence

Rule = Callable[[Sentence], Perturbed | None]
"""The function that applies a rule to a question; it gives None where the rule does not apply."""

_PHRASES: Mapping[QuestionLanguage, tuple[str, ...]] = {
    "en": (
        "likely",
        "example",
        "best",
        "called",
        "task",
        "kind",
        "purpose",
        "verb",
        "about",
        "people",
        "quantity",
        "except",
        "connective",
        "adverb",
        "negation",
        "contraction",
    ),
    "pt": (
        "except",
        "correct",
        "asking",
        "according",
        "about",
        "given",
        "choose",
        "option",
        "must",
        "verb",
        "connective",
    ),
}
"""The rules of the lists of phrases, from those about what is asked to those about any word."""

PARAPHRASES: Mapping[QuestionLanguage, Mapping[str, Rule]] = {
    "en": {
        "these": english.these,
        "probable": english.probable,
        "passive": english.passive,
        "because": english.because,
        "condition": clauses.condition,
        "frame": clauses.frame,
        "meaning": clauses.meaning,
        "view": clauses.view,
        "stated": clauses.state_question,
        "determiner": english.determiner,
        **{name: phrase_rule("en", name) for name in _PHRASES["en"]},
    },
    "pt": {
        "these": portuguese.these,
        "probable": portuguese.probable,
        "passive": portuguese.passive,
        "because": portuguese.because,
        "determiner": portuguese.determiner,
        "asked": portuguese.ask_question,
        **{name: phrase_rule("pt", name) for name in _PHRASES["pt"]},
    },
}
"""The rules of each language by name, in their order [module 3, "Variant Generation"]."""


def paraphrases(question: str, k: int = 2, language: str | None = None) -> tuple[QuestionRewording, ...]:
    """The normalised question as ``orig``, then its first ``k`` paraphrases, or as many as there are.

    Their ids are ``para1``, ``para2``, …. Each comes from one rule, which is its kind; a rule that does not apply
    yields none and takes no number. Without a language, the question's own words tell it. Raises TypeError or
    ValueError for a question without a visible character, a negative ``k`` or a language without rules.
    """
    check_count(k)
    original = question_of(question)
    rules = PARAPHRASES[check_language(language, original)]
    made = [(kind, perturbed) for kind, rule in rules.items() if (perturbed := rule(original)) is not None]
    return (
        QuestionRewording(ORIGINAL, ORIGINAL, unchanged(original)),
        *(QuestionRewording(f"para{number}", *each) for number, each in enumerate(made[:k], start=1)),
    )

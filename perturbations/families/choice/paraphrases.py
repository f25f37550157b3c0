"""Paraphrases of questions by rule: the same words, or words of a short list, in a sentence that means the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from perturbations.application import unchanged
from perturbations.families.choice.languages import check_language, paraphrased_languages
from perturbations.families.choice.phrases import phrase_rule
from perturbations.families.choice.rewording import ORIGINAL, QuestionRewording, check_count
from perturbations.languages import has, optional_rules
from perturbations.languages.parts import QuestionRule, QuestionRules
from perturbations.languages.questions import question_of
from perturbations.lexicons import rows


class ParaphrasesByLanguage(Mapping[str, Mapping[str, QuestionRule]]):
    """The rules of each language by name, in their order [module 3, "Variant Generation"].

    First the rules of the language, then those of its phrases: in the order that the rules say, else in that of the
    list.
    """

    def __getitem__(self, code: str) -> Mapping[str, QuestionRule]:
        if code not in paraphrased_languages():
            raise KeyError(code)
        return _rules_of(code)

    def __iter__(self) -> Iterator[str]:
        return iter(paraphrased_languages())

    def __len__(self) -> int:
        return len(paraphrased_languages())


PARAPHRASES = ParaphrasesByLanguage()


@cache
def _rules_of(code: str) -> Mapping[str, QuestionRule]:
    own = optional_rules(code, "paraphrases", QuestionRules)
    listed = dict.fromkeys(row[2] for row in rows(f"question_phrases_{code}")) if has(code, "question_phrases") else ()
    phrases = listed if own is None else own.PHRASES
    return {**({} if own is None else own.RULES), **{name: phrase_rule(code, name) for name in phrases}}


def paraphrases(question: str, k: int = 2, language: str | None = None) -> tuple[QuestionRewording, ...]:
    """The normalised question as ``orig``, then its first ``k`` paraphrases, or as many as there are.

    Their ids are ``para1``, ``para2``, …. Each comes from one rule, which is its kind; a rule that does not apply
    yields none and takes no number. Without a language, the question's own words tell it. Raises TypeError or
    ValueError for a question without a visible character, a negative ``k`` or a language without rules.
    """
    check_count(k)
    original = question_of(question)
    rules = PARAPHRASES.get(check_language(language, original), {})
    made = [(kind, perturbed) for kind, rule in rules.items() if (perturbed := rule(original)) is not None]
    return (
        QuestionRewording(ORIGINAL, ORIGINAL, unchanged(original)),
        *(QuestionRewording(f"para{number}", *each) for number, each in enumerate(made[:k], start=1)),
    )

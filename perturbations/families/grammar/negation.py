"""A negation taken out, or one put in."""

from __future__ import annotations

from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.grammar import negation_en, negation_pt
from perturbations.families.grammar.sites import in_entities
from perturbations.families.grammar.verbs import Language, PartsOfSpeech, finite_verbs, in_lower_case
from perturbations.text import Edit, Sentence

Which = Literal["either", "remove", "add"]


@sentence_level(
    kind="lexis",
    languages=("pt", "en"),
    aliases=("ReverseNeg",),
    renews=True,
    example=("[Ana Sá PESSOA] se apresentou", "[Ana Sá PESSOA] não se apresentou"),
)
def negation(
    sentence: Sentence,
    *,
    language: Language = "pt",
    which: Which = "either",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """The first negation removed or, where there is none, one added [TextFlint, catalogue name "ReverseNeg"].

    The meaning flips: labels hold for named entities and parts of speech, not for sentiment, inference, matching or
    answers. Only "não", "nunca", "jamais", "not", "n't" and "never" are removed, and only where what is left reads on:
    never from "não só", before a full stop, or where "nenhum", "nobody" and the like hang on it. "Does not jump"
    becomes "jumps". Added is "não" before a finite verb, or "not" after one or with the help of *do*: one of a main
    clause, as far as the words before it tell, each equally likely. ``which`` confines it to one of both.
    """
    rules = negation_pt if language == "pt" else negation_en
    taken = in_entities(sentence)
    lowered = in_lower_case(sentence.tokens, language)
    if any(rules.is_negation(word) and not taken[i] for i, word in enumerate(lowered)):
        removed = rules.removal(sentence, lowered, taken) if which != "add" else None
        return [] if removed is None else [[removed]]
    if which == "remove":
        return []
    verbs = finite_verbs(sentence, language, parts_of_speech)
    return [[edit for verb in verbs if (edit := rules.addition(sentence, lowered, verb)) is not None]]

"""A negation taken out, or one put in."""

from __future__ import annotations

from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.parts import Negation, Verbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.sites import in_entities
from perturbations.text import Edit, Sentence

Which = Literal["either", "remove", "add"]


@sentence_level(
    title="Negation added or removed",
    kind="lexis",
    needs=("negation", "verbs"),
    aliases=("ReverseNeg",),
    renews=True,
    meaning="turns",
    example=("[Ana Sá PESSOA] se apresentou", "[Ana Sá PESSOA] não se apresentou"),
)
def negation(
    sentence: Sentence,
    *,
    language: str = "pt",
    which: Which = "either",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """The first negation removed or, where there is none, one added [TextFlint, catalogue name "ReverseNeg"].

    The meaning flips: labels hold for named entities and parts of speech, not for sentiment, inference, matching or
    answers. Only "não", "nunca", "jamais", "not", "n't" and "never" are removed, and only where what is left reads on:
    never from "não só", before a full stop, or where "nenhum", "nobody", "but" and the like hang on it. "Does not jump"
    becomes "jumps". Added is "não" before a finite verb with its subject, or "not" after one or with the help of *do*.
    That verb has to be the only one of its sentence, in English of the text, or others stand in clauses behind it of
    which the negation says nothing: "alega que", "is a film that". No word may go on from another claim, such as "too";
    each such verb is equally likely. ``which`` confines it to one of both.
    """
    negations, verbal = rules(language, "negation", Negation), rules(language, "verbs", Verbs)
    taken = in_entities(sentence)
    lowered = verbal.read(sentence.tokens)
    if any(negations.is_negation(word) and not taken[i] for i, word in enumerate(lowered)):
        removed = negations.removal(sentence, lowered, taken) if which != "add" else None
        return [] if removed is None else [[removed]]
    if which == "remove":
        return []
    verbs = [*finite_verbs(sentence, verbal, parts_of_speech), *negations.contracted(lowered)]
    return [[edit for verb in verbs if (edit := negations.addition(sentence, lowered, verb)) is not None]]

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
    """Removes the first negation or, if the sentence has none, adds one [TextFlint, catalogue name "ReverseNeg"].

    The meaning flips: labels hold for named entities and parts of speech, but not for sentiment, inference, matching or
    answers. ``which`` restricts it to removing or adding.

    Removes only "não", "nunca", "jamais", "not", "n't" and "never", and only if the rest is a grammatical sentence:
    never in "não só", before a full stop, or if "nenhum", "nobody", "but" or the like depends on the negation. "Does
    not jump" becomes "jumps".

    Adds "não" before a finite verb with its subject, or "not" after one, if needed with *do*. The verb must be the only
    one in the sentence (English: in the text), unless the other verbs are in later clauses that the negation does not
    affect: "alega que", "is a film that". A sentence stays if a word such as "too" continues an earlier claim. All such
    verbs are equally likely.
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

"""Words that models and vectors propose for a place, less those that are no word of that kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from perturbations.languages import optional_rules
from perturbations.languages.finite_verbs import kinds_of
from perturbations.languages.parts import GrammaticalNumber
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import pairs, words
from perturbations.resources import RankedWord
from perturbations.sites import in_case_of, in_entities
from perturbations.text import Sentence


def content_words(sentence: Sentence, language: str, *, inside_entities: bool) -> list[int]:
    """The places of words of letters that are no stop words, outside entities unless they are wanted too."""
    stop, taken = words(f"stop_words_{language}"), in_entities(sentence)
    return [
        i
        for i, token in enumerate(sentence.tokens)
        if (inside_entities or not taken[i]) and _is_word(token) and token.lower() not in stop
    ]


def propose_words(word: str, ranked: Iterable[RankedWord], language: str, least: float) -> list[str]:
    """The content words among those that are ranked from ``least`` up, in lower case or as ``word`` begins.

    Without the word itself, in whatever letter case. What begins with a capital where the word does not is a name, and
    so is what has one within.
    """
    stop = words(f"stop_words_{language}")
    found: dict[str, None] = {}
    for other, value in ranked:
        fits = word.isupper() or other.islower() or (word[0].isupper() and other.istitle())
        if value >= least and fits and _is_word(other) and other.lower() not in stop:
            lowered = other.lower()
            if word.lower() not in (lowered, in_case_of(word, lowered).lower()):  # of ß the capitals are SS
                found[lowered] = None
    return list(found)


def of_one_kind(
    sentence: Sentence,
    place: int,
    others: Sequence[str],
    language: str,
    parts_of_speech: PartsOfSpeech | None,
    *,
    known: bool,
) -> Iterator[str]:
    """Those words that are of the same kind as the token, as ``parts_of_speech`` judges each in its place.

    Without it as the list of word classes has them: they share a kind there. ``known`` says whether the list must have
    both; else what it does not have may be of any kind. Of those that it has all can be of each number that the token
    can be of.
    """
    kinds = kinds_of(sentence, parts_of_speech)
    listed = listed_kinds(language)
    token = sentence.tokens[place]
    for other in others:
        if (known and other not in listed) or (other in listed and not _fits_number(token.lower(), other, language)):
            continue
        if kinds is not None:
            tokens = (*sentence.tokens[:place], in_case_of(token, other), *sentence.tokens[place + 1 :])
            found = kinds_of(replace(sentence, tokens=tokens), parts_of_speech)
            if found is not None and found[place] == kinds[place]:
                yield other
        elif (token.lower() in listed and other in listed) or known:
            if listed.get(token.lower(), frozenset()) & listed[other]:
                yield other
        else:
            yield other


def _fits_number(word: str, other: str, language: str) -> bool:
    """Whether the other word can be of each number that the word can be of, as one of the kinds that they share.

    The kinds are those of the list, which has ``other``; a word that it lacks may be of each.
    """
    number = optional_rules(language, "grammatical_number", GrammaticalNumber)
    if number is None:
        return True
    listed = listed_kinds(language)
    kinds = listed[other] & listed.get(word, listed[other]) or listed[other]
    return any(number.numbers_of(word, kind) <= number.numbers_of(other, kind) for kind in kinds)


def _is_word(token: str) -> bool:
    return len(token) > 1 and token.isalpha()


@cache
def listed_kinds(language: str) -> Mapping[str, frozenset[str]]:
    """Words in lower case with the tags of the kinds that each can be."""
    return {word: frozenset(kinds.split("|")) for word, kinds in pairs(f"word_classes_{language}").items()}

"""Words exchanged for others that a wordnet has for their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from perturbations.families.word.fitting import listed_kinds
from perturbations.families.word.swapping import swap_at, swap_words
from perturbations.languages import has
from perturbations.languages.finite_verbs import kinds_of
from perturbations.languages.parts import Sites
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import words
from perturbations.resources import Sense, Senses, WordList
from perturbations.text import Sentence

Meant = Literal["one", "first", "any"]
"""Which words have their meaning taken for known: those that have one alone, their first one, or all of them."""


def exchange_words(
    sentence: Sentence,
    source: Senses,
    words_of: Callable[[Sense], Sequence[str]],
    meant: Meant,
    kinds: Sequence[str],
    language: str,
    *,
    inside_entities: bool,
    parts_of_speech: PartsOfSpeech | None,
) -> Sites:
    """For each word with a known meaning the edits that put ``words_of`` that meaning there.

    Without ``parts_of_speech`` a word counts as all parts of speech that it can be. Only words of ``kinds``, where some
    are given, and no stop words; nor those that the list of word classes has as something else, too. New words are
    single ones in small letters, and no names. Nouns keep an s at the end; in a language of agreement all words keep
    their last letter, since a wordnet tells no genders. None of this holds for a reviewed `WordList`:
    its words stand for each other as they are written.
    """
    reviewed = isinstance(source, WordList)
    tagged = kinds_of(sentence, parts_of_speech)
    stop = words(f"stop_words_{language}") if has(language, "stop_words") else frozenset()
    classes = listed_kinds(language) if has(language, "word_classes") else {}
    agrees = has(language, "agreement")

    def others(word: str, kind: str | None = None) -> list[str]:
        lowered = word.lower()
        if not reviewed and (lowered in stop or not lowered.isalpha()):
            return []
        found = _known_senses(source.senses(lowered), meant, kind, kinds)
        if reviewed:
            every = dict.fromkeys(other for sense in found for other in words_of(sense))
            return [other for other in every if other.lower() != lowered and other.split() == [other]]
        if kind is None and classes.get(lowered, frozenset()) - {sense.pos for sense in found}:
            return []
        return list(
            dict.fromkeys(
                other
                for sense in found
                for other in words_of(sense)
                if other.isalpha()
                and other == other.lower() != lowered
                and sense.pos in classes.get(other, (sense.pos,))
                and (sense.pos != "NOUN" or other.endswith("s") == lowered.endswith("s"))
                and (not agrees or other[-1] == lowered[-1])
            )
        )

    if tagged is None:
        return swap_words(sentence, others, language, inside_entities=inside_entities)

    def as_tagged(place: int) -> Sequence[str]:
        return others(sentence.tokens[place], tagged[place])

    return swap_at(sentence, as_tagged, language, inside_entities=inside_entities)


def _known_senses(senses: Iterable[Sense], meant: Meant, kind: str | None, kinds: Sequence[str]) -> Sequence[Sense]:
    """The meanings that the word is taken to have; none where these are not certain enough."""
    found = [sense for sense in senses if kind in (None, sense.pos) or not sense.pos]
    if meant == "one" and len(found) > 1:
        return ()
    if meant == "first":
        if len({sense.pos for sense in found}) > 1:
            return ()
        found = found[:1]
    return [sense for sense in found if not kinds or not sense.pos or sense.pos in kinds]

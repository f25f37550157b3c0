"""Words replaced by words that can be several parts of speech, by gold tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.word.swapping import fitting_article, swaps_at
from perturbations.languages import rules
from perturbations.languages.parts import Slots
from perturbations.languages.tagged import TaggedWords
from perturbations.lexicons import rows
from perturbations.sites import begins_sentence
from perturbations.text import Edit, Sentence

Class = Literal["NOUN", "VERB", "ADJ", "ADV"]
"""Universal tags of the classes whose words are replaced; TextFlint's NN, VB, JJ and RB."""


@sentence_level(
    title="Words of several parts of speech",
    kind="lexis",
    rate=0.5,
    needs=("slots", "multi_pos"),
    scheme="upos",
    aliases=("SwapMultiPOS",),
    meaning="loses",
    example=("[o =DET] [processo =NOUN] [acabou =VERB]", "[o =DET] [canto =NOUN] [acabou =VERB]"),
)
def multi_pos(sentence: Sentence, *, pos: Class = "NOUN", language: str = "pt") -> list[list[Edit]]:
    """Replaces a word that can have several parts of speech with another such word [TextFlint, "SwapMultiPOS"].

    Changes only words whose gold tag is ``pos``. Replacements are reviewed words of another meaning and the same
    inflection that can have the tag and others. The words around must leave only that tag: nouns after a determiner,
    verbs before an object, adjectives beside their noun, adverbs at the end of a clause. The tag therefore stays right.
    Sentences without parts of speech stay.
    """
    words, known, slots = TaggedWords.of(sentence), _known_words(language), rules(language, "slots", Slots)
    sites = []
    for place, tag in enumerate(words.tags):
        if tag != pos or not _of_that_case(sentence.tokens, place):
            continue
        form = slots.form_at(words, place, pos)
        options = known.get((pos, form), ()) if form is not None else ()
        fitting = fitting_article(options, words.word(place - 1), language)
        edits = swaps_at(sentence, place, fitting, None) if fitting else []
        if edits:
            sites.append(edits)
    return sites


def _of_that_case(tokens: Sequence[str], place: int) -> bool:
    """Whether the token is a word in lower case, or begins a sentence."""
    return tokens[place].isalpha() and (tokens[place].islower() or begins_sentence(tokens, place))


@cache
def _known_words(language: str) -> Mapping[tuple[str, str | None], Sequence[str]]:
    """The words of the list by part of speech and form."""
    found: dict[tuple[str, str | None], list[str]] = {}
    for word, pos, form, _others in rows(f"multi_pos_{language}"):
        found.setdefault((pos, form), []).append(word)
    return MappingProxyType({key: tuple(words) for key, words in found.items()})

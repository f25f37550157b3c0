"""Words replaced by words of the same meaning, from lists of many words and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.word.fitting import listed_kinds
from perturbations.families.word.meanings import Meant, exchanged
from perturbations.families.word.swapping import swapped, swapped_at
from perturbations.languages import has, rules
from perturbations.languages.finite_verbs import finite_verbs, kinds_of
from perturbations.languages.parts import Verbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import Entry, entries, paths, rows, words
from perturbations.resources import REVIEWED, Senses
from perturbations.text import Edit, Sentence

Kind = Literal["NOUN", "VERB", "ADJ", "ADV"]
"""Universal tags of words that have synonyms in every language."""


@sentence_level(
    kind="lexis",
    rate=0.5,
    needs=("synonyms",),
    aliases=("SwapSyn", "SwapSynWordNet"),
    renews=True,
    example=("isso acarreta custos a [Ana Sá PESSOA]", "isso causa custos a [Ana Sá PESSOA]"),
)
def synonym_wordnet(
    sentence: Sentence,
    *,
    language: str = "pt",
    inside_entities: bool = False,
    kinds: tuple[Kind, ...] = (),
    synonyms: Senses = REVIEWED,
    meant: Meant = "one",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """A word of the same meaning and inflection, in the same letter case [TextFlint, catalogue name "SwapSynWordNet"].

    Reviewed lists stand in the place of WordNet, which tells no senses apart and inflects nothing. They are short: of
    words that can stand for each other wherever they stand. With ``parts_of_speech``, the synonyms of the word as what
    it is; without, of a word that can be several, only those that it has as each, but for verbs right behind their
    subject. Only synonyms of ``kinds``, if any
    are given. Names and fixed phrases stay; words in entities too unless ``inside_entities``, in Chinese always.

    ``synonyms`` names others in their place. A list, ``lexicon:FILE.tsv`` or ``lexicon:NAME`` for one that ships: its
    words stand for each other as they are written. Or a wordnet: ``wordnet:FOLDER`` with the database files of WordNet
    or Open English WordNet, ``wordnet:FILE.tab`` of the Open Multilingual Wordnet, or ``wn:LEXICON`` that the library
    wn has. A wordnet knows far more words, and far more of its variants read wrong (docs/how-to/word-lists.md), and
    only base forms are found. Of words with several meanings it takes none; with ``meant = "first"`` the first one,
    with ``"any"`` all.
    """
    if synonyms is not REVIEWED:
        return exchanged(
            sentence,
            synonyms,
            lambda sense: sense.synonyms,
            meant,
            kinds,
            language,
            inside_entities=inside_entities,
            parts_of_speech=parts_of_speech,
        )
    offered = _offered(language)
    tagged = kinds_of(sentence, parts_of_speech)

    def wanted(word: str) -> Sequence[Entry]:
        return [entry for entry in offered.get(word.lower(), ()) if not kinds or entry.pos in kinds]

    if tagged is not None:

        def as_tagged(place: int) -> Sequence[str]:
            found = wanted(sentence.tokens[place])
            return [word for entry in found if entry.pos == tagged[place] for word in entry.synonyms]

        return swapped_at(sentence, as_tagged, language, inside_entities=inside_entities)

    classes = listed_kinds(language) if has(language, "word_classes") else {}
    unclear = words(f"verb_homographs_{language}") if f"verb_homographs_{language}" in paths() else frozenset()

    def others(word: str) -> Sequence[str]:
        if word.lower() not in offered:
            return ()
        found = wanted(word)
        known = classes.get(word.lower(), frozenset())
        if word.lower() in unclear:
            return [word for entry in found if entry.pos == "VERB" for word in entry.synonyms]
        if not found or known - {entry.pos for entry in found}:
            return ()
        return [word for word in found[0].synonyms if all(word in entry.synonyms for entry in found)]

    sites = swapped(sentence, others, language, inside_entities=inside_entities)
    places = [site[0].stop - 1 for site in sites]
    if unclear.isdisjoint(sentence.tokens[place].lower() for place in places):
        return sites
    verbal = {verb.place for verb in finite_verbs(sentence, rules(language, "verbs", Verbs))}
    return [
        site
        for site, place in zip(sites, places, strict=True)
        if place in verbal or sentence.tokens[place].lower() not in unclear
    ]


@cache
def _offered(language: str) -> Mapping[str, Sequence[Entry]]:
    """The list of the language, less the pairs that a filter has refused."""
    known = entries(f"synonyms_{language}")
    if not has(language, "refused_synonyms"):
        return known
    refused = set(rows(f"refused_synonyms_{language}"))

    def left(word: str, entry: Entry) -> Entry:
        return replace(entry, synonyms=tuple(other for other in entry.synonyms if (word, other) not in refused))

    return {word: [left(word, entry) for entry in found] for word, found in known.items()}

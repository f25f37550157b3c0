"""Words replaced by words of the same meaning, from lists of many words and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.word.fitting import listed_kinds
from perturbations.families.word.meanings import Meant, exchange_words
from perturbations.families.word.swapping import swap_at, swap_words
from perturbations.languages import has, rules
from perturbations.languages.finite_verbs import finite_verbs, kinds_of
from perturbations.languages.parts import Verbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.lexicons import SynonymEntry, entries, paths, rows, words
from perturbations.resources import REVIEWED, Senses
from perturbations.text import Edit, Sentence

WordClass = Literal["NOUN", "VERB", "ADJ", "ADV"]
"""Universal tags of words that have synonyms in every language."""


@sentence_level(
    title="Synonyms of the same inflection",
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
    kinds: tuple[WordClass, ...] = (),
    synonyms: Senses = REVIEWED,
    meant: Meant = "one",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """Replaces a word with a synonym of its inflection, in its letter case [TextFlint, "SwapSynWordNet"].

    Uses short reviewed lists instead of WordNet, which does not inflect and does not say which sense is meant. Listed
    words can replace each other in any context. With ``parts_of_speech``, the synonyms are those for the part of speech
    of the word. Without, a word with several parts of speech gets only synonyms that all of them share, except verbs
    directly after their subject. ``kinds`` restricts the parts of speech. Names and fixed phrases stay; so do words in
    entities unless ``inside_entities`` is true, and always in Chinese.

    ``synonyms`` names another list or a wordnet:

    * ``lexicon:FILE.tsv``, or ``lexicon:NAME`` for a shipped list, uses the words exactly as written.
    * ``wordnet:FOLDER`` reads the database files of WordNet or Open English WordNet.
    * ``wordnet:FILE.tab`` reads a file of the Open Multilingual Wordnet.
    * ``wn:LEXICON`` reads a lexicon of the library wn.

    A wordnet knows far more words, but far more of its variants are wrong (docs/how-to/word-lists.md), and it only
    knows base forms. Words with several meanings stay; ``meant = "first"`` uses the first meaning, ``"any"`` all.
    """
    if synonyms is not REVIEWED:
        return exchange_words(
            sentence,
            synonyms,
            lambda sense: sense.synonyms,
            meant,
            kinds,
            language,
            inside_entities=inside_entities,
            parts_of_speech=parts_of_speech,
        )
    offered = _offers(language)
    tagged = kinds_of(sentence, parts_of_speech)

    def wanted(word: str) -> Sequence[SynonymEntry]:
        return [entry for entry in offered.get(word.lower(), ()) if not kinds or entry.pos in kinds]

    if tagged is not None:

        def as_tagged(place: int) -> Sequence[str]:
            found = wanted(sentence.tokens[place])
            return [word for entry in found if entry.pos == tagged[place] for word in entry.synonyms]

        return swap_at(sentence, as_tagged, language, inside_entities=inside_entities)

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

    sites = swap_words(sentence, others, language, inside_entities=inside_entities)
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
def _offers(language: str) -> Mapping[str, Sequence[SynonymEntry]]:
    """The list of the language, less the pairs that a filter has refused."""
    known = entries(f"synonyms_{language}")
    if not has(language, "refused_synonyms"):
        return known
    refused = set(rows(f"refused_synonyms_{language}"))

    def left(word: str, entry: SynonymEntry) -> SynonymEntry:
        return replace(entry, synonyms=tuple(other for other in entry.synonyms if (word, other) not in refused))

    return {word: [left(word, entry) for entry in found] for word, found in known.items()}

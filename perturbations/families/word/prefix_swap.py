"""Words with another prefix before the same remainder."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.grammar.verbs import Language
from perturbations.families.word import slots_en, slots_pt
from perturbations.families.word.multi_pos import with_article
from perturbations.families.word.slots import TaggedWords
from perturbations.families.word.swapping import swapped
from perturbations.lexicons import entries, of_class
from perturbations.text import Edit, Sentence

_BEFORE_CLAUSES = frozenset(["que", "se", "that", "to", "whether", "if"])
"""Words that open a complement which only some verbs and nouns take."""

_VERB_FOLLOWS = {
    "en": of_class("grammar_words_en", "before-verb"),
    "pt": frozenset(["para", "ele", "ela", "eles", "elas", "quem", "não"]),
}
"""Words that stand before verbs and never before nouns, for sentences without parts of speech."""


@sentence_level(
    kind="morphology",
    rate=0.5,
    languages=("pt", "en"),
    aliases=("SwapPrefix",),
    example=("a redução de a pena", "a condução de a pena"),
)
def prefix_swap(sentence: Sentence, *, language: Language = "pt", inside_entities: bool = False) -> list[list[Edit]]:
    """A word with another prefix before the same remainder: *reduction*, *production* [TextFlint, "SwapPrefix"].

    From reviewed lists, so that each is a word, of the same part of speech and inflection. Where the sentence has parts
    of speech, the word must be what the list says; elsewhere only words that are nothing else, and verbs where a verb
    has to stand. Verbs have an object or are passive. Words in entities stay unless ``inside_entities``.
    """
    known, words = entries(f"prefixes_{language}"), TaggedWords.of(sentence)

    def options(place: int) -> Sequence[str]:
        found = known.get(words.word(place), ())
        pos = words.tag(place) or None
        if pos is None and len(found) > 1:
            return ()
        for entry in found:
            if pos in (None, entry.pos) and _stays(words, place, entry.pos, language):
                return entry.synonyms if language == "pt" else with_article(entry.synonyms, words.word(place - 1))
        return ()

    return swapped(sentence, options, english=False, inside_entities=inside_entities)


def _stays(words: TaggedWords, place: int, pos: str, language: Language) -> bool:
    """Whether any word of that part of speech would fit between the words around."""
    if words.touches(place, "-", "/") or words.word(place + 1) in _BEFORE_CLAUSES or words.word(place - 1) == "se":
        return False
    if pos != "VERB":
        return True
    if slots_en.is_passive(words, place) if language == "en" else slots_pt.is_passive(words, place):
        return True
    if not words.tag(place):
        clause = any(words.word(i) in _BEFORE_CLAUSES for i in range(place + 2, place + 6))
        if clause or words.word(place - 1) not in _VERB_FOLLOWS[language]:
            return False
    return slots_en.takes_object(words, place) if language == "en" else slots_pt.takes_object(words, place)

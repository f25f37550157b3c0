"""Words with another prefix before the same remainder."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.word.swapping import fitting_article, swap_at
from perturbations.languages import rules
from perturbations.languages.parts import Slots
from perturbations.languages.tagged import TaggedWords
from perturbations.lexicons import entries
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Other prefixes",
    kind="morphology",
    rate=0.5,
    needs=("slots", "prefixes"),
    aliases=("SwapPrefix",),
    meaning="loses",
    example=("a redução de a pena", "a condução de a pena"),
)
def prefix_swap(sentence: Sentence, *, language: str = "pt", inside_entities: bool = False) -> list[list[Edit]]:
    """Replaces the prefix of a word with another: *reduction*, *production* [TextFlint, "SwapPrefix"].

    Reviewed lists give the pairs: both are words with the same part of speech and inflection. In a sentence with parts
    of speech, the word must have the listed one. In other sentences, only words with a single part of speech change,
    and verbs in the place of a verb. Verbs must have an object or be passive. Words in entities stay unless
    ``inside_entities`` is true.
    """
    known, words = entries(f"prefixes_{language}"), TaggedWords.of(sentence)
    slots = rules(language, "slots", Slots)

    def options(place: int) -> Sequence[str]:
        found = known.get(words.word(place), ())
        pos = words.tag(place) or None
        if pos is None and len(found) > 1:
            return ()
        for entry in found:
            if pos in (None, entry.pos) and _stays(words, place, entry.pos, slots):
                return fitting_article(entry.synonyms, words.word(place - 1), language)
        return ()

    return swap_at(sentence, options, None, inside_entities=inside_entities)


def _stays(words: TaggedWords, place: int, pos: str, slots: Slots) -> bool:
    """Whether any word of that part of speech would fit between the words around."""
    if words.touches(place, "-", "/") or words.word(place + 1) in slots.BEFORE_CLAUSES or words.word(place - 1) == "se":
        return False
    if pos != "VERB":
        return True
    if slots.is_passive(words, place):
        return True
    if not words.tag(place):
        clause = any(words.word(i) in slots.BEFORE_CLAUSES for i in range(place + 2, place + 6))
        if clause or words.word(place - 1) not in slots.BEFORE_VERBS:
            return False
    return slots.takes_object(words, place)

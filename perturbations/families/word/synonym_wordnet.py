"""Words replaced by words of the same meaning, from lists of many words and kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.grammar.verbs import PartsOfSpeech, kinds_of
from perturbations.families.word.swapping import swapped
from perturbations.lexicons import entries
from perturbations.text import Edit, Sentence


@sentence_level(
    kind="lexis",
    rate=0.1,
    languages=("pt", "en"),
    aliases=("SwapSyn", "SwapSynWordNet"),
    renews=True,
    example=("isso abarca [Ana Sá PESSOA]", "isso engloba [Ana Sá PESSOA]"),
)
def synonym_wordnet(
    sentence: Sentence,
    *,
    language: Literal["pt", "en"] = "pt",
    inside_entities: bool = True,
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """A word of the same meaning and inflection, in the same letter case [TextFlint, catalogue name "SwapSynWordNet"].

    Reviewed lists stand in the place of WordNet, which has no Portuguese and inflects nothing. With
    ``parts_of_speech``, the synonyms of the word as what it is; without, of a word that can be several, only those that
    it has as each. Senses are not told apart.
    """
    known, tokens = entries(f"synonyms_{language}"), sentence.tokens
    kinds = kinds_of(sentence, parts_of_speech)

    def options(place: int) -> Sequence[str]:
        found = known.get(tokens[place].lower(), ())
        if kinds is not None:
            return [word for entry in found if entry.pos == kinds[place] for word in entry.synonyms]
        return [word for word in found[0].synonyms if all(word in entry.synonyms for entry in found)] if found else ()

    return swapped(sentence, options, english=language == "en", inside_entities=inside_entities)

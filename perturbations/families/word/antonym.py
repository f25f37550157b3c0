"""Adjectives and adverbs that say the opposite."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.word.meanings import Meant, exchange_words
from perturbations.families.word.swapping import swap_words
from perturbations.languages.parts import Sites
from perturbations.lexicons import pairs
from perturbations.resources import REVIEWED, Senses
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Words turned into their opposites",
    kind="lexis",
    rate=0.5,
    needs=("antonyms",),
    aliases=("SwapAnt", "SwapAntWordNet"),
    renews=True,
    meaning="turns",
    example=(
        "provas válidas em o [Tribunal Superior ORGANIZACAO]",
        "provas inválidas em o [Tribunal Superior ORGANIZACAO]",
    ),
)
def antonym(
    sentence: Sentence,
    *,
    language: str = "pt",
    inside_entities: bool = False,
    antonyms: Senses = REVIEWED,
    meant: Meant = "one",
) -> list[list[Edit]]:
    """Replaces an adjective or adverb with its opposite [TextFlint, catalogue name "SwapAntWordNet"].

    Opposites come from reviewed lists, in the same gender and number (Portuguese) or degree (English). The meaning
    flips: labels hold for named entities and parts of speech, but not for sentiment, inference, matching or answers.
    Words in entities stay unless ``inside_entities`` is true, and always in Chinese. Names, fixed phrases and words
    beside their opposite stay too.

    ``antonyms`` names another list or a wordnet, as in `synonym_wordnet`. The list must contain opposites; a
    ``wordnet:FILE.tab`` has none. Wordnets only know base forms. Words with several meanings stay; ``meant = "first"``
    uses the first meaning, ``"any"`` all.
    """
    if antonyms is not REVIEWED:
        sites = exchange_words(
            sentence,
            antonyms,
            lambda sense: sense.antonyms,
            meant,
            ("ADJ", "ADV"),
            language,
            inside_entities=inside_entities,
            parts_of_speech=None,
        )
        return _apart(sentence, sites)
    opposites = pairs(f"antonyms_{language}")

    def others(word: str) -> list[str]:
        found = opposites.get(word.lower())
        return found.split("|") if found else []

    return _apart(sentence, swap_words(sentence, others, language, inside_entities=inside_entities))


_NEAR = 3


def _apart(sentence: Sentence, sites: Sites) -> Sites:
    """The sites without edits whose word stands beside the place already."""
    return [kept for site in sites if (kept := [edit for edit in site if not _is_near(sentence, edit)])]


def _is_near(sentence: Sentence, edit: Edit) -> bool:
    """Whether the opposite stands beside the word already: *public or private*."""
    around = (
        *sentence.tokens[max(0, edit.start - _NEAR) : edit.start],
        *sentence.tokens[edit.stop : edit.stop + _NEAR],
    )
    return edit.tokens[-1].lower() in map(str.lower, around)

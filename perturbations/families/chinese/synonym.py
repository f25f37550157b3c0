"""Words replaced by words of the same meaning."""

from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import layout
from perturbations.families.chinese.vocabulary import occurrences
from perturbations.lexicons import entries
from perturbations.perturbation import Options
from perturbations.text import Sentence

Kind = Literal["NOUN", "VERB", "ADJ", "ADV"]


@sentence_level(
    kind="lexis",
    rate=0.1,
    languages=("zh",),
    aliases=("CnSynonym",),
    renews=True,
    example=("[王 伟 PER] 购 买 了 礼 物", "[王 伟 PER] 采 购 了 礼 品"),
)
def zh_synonym(sentence: Sentence, *, kinds: tuple[Kind, ...] = ("NOUN", "VERB")) -> list[Options]:
    """Synonyms of words of these kinds, from a reviewed list [TextFlint, catalogue name "CnSynonym"].

    Words of two characters or more, outside entities: names are not made of synonyms.
    """
    found = layout(sentence)
    if found is None:
        return []
    synonyms = _synonyms(kinds)
    return [
        [found.replacing(start, stop, (synonym,)) for synonym in synonyms["".join(sentence.tokens[start:stop])]]
        for start, stop in occurrences(found, synonyms)
        if found.is_outside(start, stop)
    ]


@cache
def _synonyms(kinds: tuple[Kind, ...]) -> dict[str, tuple[str, ...]]:
    """By word, all its synonyms of these kinds."""
    found = {
        word: tuple(synonym for entry in listed if entry.pos in kinds for synonym in entry.synonyms)
        for word, listed in entries("synonyms_zh").items()
    }
    return {word: synonyms for word, synonyms in found.items() if synonyms}

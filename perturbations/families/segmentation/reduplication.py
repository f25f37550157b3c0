"""Adjectives with both characters doubled."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import exchange, gold_words, texts_around
from perturbations.lexicons import words
from perturbations.text import Edit, Sentence

_PARTICLES = ("的", "地")
_DEGREE = frozenset("很太更最极挺较越真不没别超够颇多好常分其为加当此么点些于过比无未")
"""Last characters of words before an adjective that cannot stand before a doubled one."""


@sentence_level(
    title="Doubled adjectives",
    kind="morphology",
    needs=("doubled_adjectives",),
    aliases=("Reduplication",),
    labels="changes",
    scheme="words",
    example=(
        "[朦 =B] [胧 =E] [的 =S] [月 =B] [光 =E]",
        "[朦 =B] [朦 =M] [胧 =M] [胧 =E] [的 =S] [月 =B] [光 =E]",
    ),
)
def reduplication(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """An adjective of two characters has both doubled, and is one word [TextFlint, catalogue name "Reduplication"].

    朦胧 becomes 朦朦胧胧. Adjectives of a reviewed list before 的 or 地, or at the end of a clause behind 得, with no
    adverb of degree and no negation before them.
    """
    listed, found = words(f"doubled_adjectives_{language}"), gold_words(sentence)
    sites = []
    for place, word in enumerate(found):
        before, after = texts_around(found, place)
        fits = after in _PARTICLES or (before == "得" and not after[:1].isalnum())
        if word.text in listed and fits and before[-1:] not in _DEGREE:
            doubled = "".join(char * 2 for char in word.text)
            sites.append([exchange(sentence, word.start, word.stop, (doubled,))])
    return sites

"""Words in gold replaced by synonyms."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import exchange, gold_words, texts_around
from perturbations.lexicons import entries
from perturbations.text import Edit, Sentence

_LONGEST = 3
"""Characters of a synonym that is certainly one word."""

_BEHIND_VERBS = "了着过的得地到在于和与或后前时"
"""Words of one character that can stand behind a verb; before others, such as 树, it may be a part of a name."""


@sentence_level(
    title="Synonyms of gold words",
    kind="lexis",
    rate=0.5,
    needs=("synonyms", "borders"),
    aliases=("CwsSwapSyn",),
    labels="changes",
    scheme="words",
    example=("[我 =S] [的 =S] [想 =B] [法 =E]", "[我 =S] [的 =S] [念 =B] [头 =E]"),
)
def swap_syn(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """A noun or verb becomes a word of the same meaning [TextFlint, SwapSyn of word segmentation].

    From the reviewed list of synonyms. Only words of two characters or more that are one word in gold; the synonym,
    which may be longer or shorter, is one word too. Verbs right before a noun of one character stay.
    """
    listed, found = entries(f"synonyms_{language}"), gold_words(sentence)
    sites = []
    for place, word in enumerate(found):
        after = texts_around(found, place)[1]
        kinds = ("NOUN",) if len(after) == 1 and after not in _BEHIND_VERBS and after.isalnum() else ("NOUN", "VERB")
        others = dict.fromkeys(
            other for entry in listed.get(word.text, ()) if entry.pos in kinds for other in entry.synonyms
        )
        fitting = [other for other in others if other != word.text and len(other) <= _LONGEST]
        if len(word.text) > 1 and fitting:
            sites.append([exchange(sentence, word.start, word.stop, (other,)) for other in fitting])
    return sites

"""Objects of one character that become nouns of two, by a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import CutWord, exchange, gold_words, texts_around
from perturbations.lexicons import pairs, words
from perturbations.resources import BUNDLED, Listed, Suggesting
from perturbations.text import Edit, Sentence

_EXAMPLES = Listed(BUNDLED, {"书": (("电", 0.4), ("影", 0.3)), "电": (("电", 0.4),), "影": (("影", 0.3),)})


@sentence_level(
    title="Objects by a language model",
    kind="lexis",
    cost="model",
    needs=("object_nouns", "repeated_verbs", "words"),
    aliases=("CnMLM",),
    labels="changes",
    scheme="words",
    meaning="loses",
    example=("[看 =S] [书 =S] [吧 =S]", "[看 =S] [电 =B] [影 =E] [吧 =S]"),
)
def segment_mlm(
    sentence: Sentence, *, model: Suggesting = _EXAMPLES, language: str = "zh", most: int = 5
) -> list[Callable[[], list[Edit]]]:
    """An object of one character becomes a noun of two that a language model suggests [TextFlint, name "CnMLM"].

    看书 becomes 看电影. Nouns of a reviewed list behind a verb of one character; the ``most`` likeliest words of our
    lists, character by character, the second with the first in its place. The model is a folder or an id on the hub, of
    a masked language model whose vocabulary has Chinese characters. Raises ValueError unless ``most`` is from 1.
    """
    if most < 1:
        raise ValueError(f"most is {most}; expected a whole number from 1")
    objects, verbs = words(f"object_nouns_{language}"), words(f"repeated_verbs_{language}")
    found = gold_words(sentence)
    return [
        partial(_nouns, sentence, word, model, most, language)
        for place, word in enumerate(found)
        if word.text in objects and texts_around(found, place)[0] in verbs
    ]


def _nouns(sentence: Sentence, word: CutWord, model: Suggesting, most: int, language: str) -> list[Edit]:
    """The edits for the likeliest nouns of two characters."""
    known = pairs(f"words_{language}")
    scored: dict[str, float] = {}
    for first, likely in model.suggestions(_with(sentence, word, word.text), word.start):
        for second, behind in model.suggestions(_with(sentence, word, first), word.start + 1) if first else ():
            if known.get(first + second) == "word":
                scored[first + second] = likely * behind
    best = sorted(scored, key=lambda each: (-scored[each], each))[:most]
    return [exchange(sentence, word.start, word.stop, (each,)) for each in best]


def _with(sentence: Sentence, word: CutWord, first: str) -> Sentence:
    """The sentence with two characters for the word, of which the second is the old one."""
    tokens = (*sentence.tokens[: word.start], first, word.text, *sentence.tokens[word.stop :])
    spaces = (*sentence.spaces[: word.start], "", *sentence.spaces[word.start :])
    return replace(sentence, tokens=tokens, tags=None, spaces=spaces, policy="bio", anchors=(), layers=())

"""Words of praise and blame in Chinese: the same said by denying the opposite, and said more strongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perturbations.languages.layout import Layout, TokenRange
from perturbations.languages.zh import borders
from perturbations.lexicons import entries, words
from perturbations.text import Edit, Sentence

_DENIES = "不"
_BEFORE = frozenset("不没别很太更最挺好真较越")
"""Last characters of what stands before a word and denies, compares or strengthens it."""


_SUBJECTS = frozenset("我你您他她它们")
_PARTICLES = frozenset("了吗呢吧啊呀")
_NEAR = 4
"""Characters before an adjective among which 得 may belong to another."""


def _ends(char: str) -> bool:
    """Whether a clause ends before the character."""
    return not char.isalnum() or char in _PARTICLES


def denied(sentence: Sentence, taken: Sequence[bool]) -> list[list[Edit]]:
    """For each word that nothing denies or strengthens the edits that deny its opposite.

    Adjectives are predicates, at the end of a clause, since before a noun nobody says so; verbs have a pronoun before.
    """
    found = entries("double_denials_zh")
    return [
        [
            layout.replacing(start, stop, (_DENIES, phrase.removeprefix(_DENIES)))
            for entry in found["".join(sentence.tokens[start:stop])]
            for phrase in entry.synonyms
        ]
        for layout, (start, stop) in _plain(sentence, taken)
    ]


def strengthened(sentence: Sentence, adverbs: Sequence[str], taken: Sequence[bool]) -> list[list[Edit]]:
    """For each adjective of praise or blame the edits that put one of the adverbs before it."""
    found = entries("double_denials_zh")
    return [
        [layout.inserting(start, (adverb,)) for adverb in adverbs]
        for layout, (start, stop) in _plain(sentence, taken)
        if found["".join(sentence.tokens[start:stop])][0].pos == "ADJ"
    ]


def _plain(sentence: Sentence, taken: Sequence[bool]) -> Iterator[tuple[Layout, TokenRange]]:
    """The words that stand by themselves, none of them ``taken``."""
    layout = borders.layout(sentence)
    if layout is None:
        return
    adverbs = tuple(words("degree_adverbs_zh"))
    for start, stop in borders.occurrences(layout, entries("double_denials_zh")):
        before = "".join(sentence.tokens[:start])
        kind = entries("double_denials_zh")["".join(sentence.tokens[start:stop])][0].pos
        behind = "".join(sentence.tokens[stop : stop + 1])[:1]
        fits = before[-1:] in _SUBJECTS if kind == "VERB" else _ends(behind) and "得" not in before[-_NEAR:-1]
        stands = fits and not any(taken[start:stop]) and before[-1:] not in _BEFORE
        if stands and not before.endswith(adverbs):
            yield layout, (start, stop)

"""Words of praise and blame in Portuguese: the same said by denying the opposite, and said more strongly."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.language import words_in
from perturbations.languages.pt.negation import is_negation
from perturbations.lexicons import entries, words
from perturbations.sites import begins_sentence, in_case_at, in_case_of
from perturbations.text import Edit, Sentence

_COPULAS = words_in(
    "continua continuam era eram está estão estava estavam esteve estiveram é ficou ficaram foi foram parece parecem "
    "pareceu pareciam são será serão seria seriam"
)
_LASTING = words_in("continua continuam")
"""With *não* these say that something has ended."""
_BEFORE_NOUNS = words_in(
    "a as à às ao aos com da das de do dos e em essa esse esta este meu minha na nas no nos nossa nosso o os ou pela "
    "pelo que sem seu sua um uma uns umas"
)
_STRENGTHENED = words_in("bastante bem extremamente incrivelmente muito realmente")
"""Adverbs that go with the word that they strengthen."""
_COMPARED = words_in("mais menos quão tanto tão")
_CLITICS = words_in("a as lhe lhes me nos o os se te vos")
"""Pronouns before a verb, which *não* would have to stand before."""
_SUBJECTS = words_in("ela ele eu nós")
_NEAR = 3


def denied(sentence: Sentence, taken: Sequence[bool]) -> list[list[Edit]]:
    """For each word that allows it the edits that deny its opposite; words that are ``taken`` stay.

    A predicate is denied by *não* before its verb, an adjective behind its noun by *nada*.
    """
    lowered = [token.lower() for token in sentence.tokens]
    sites = []
    for i, word in enumerate(lowered):
        for entry in entries("double_denials_pt").get(word, ()):
            kind = _verb if entry.pos == "VERB" else _adjective
            start, tokens = kind(sentence, lowered, i)
            if (
                tokens
                and not any(taken[start : i + 1])
                and not (_is_denied(lowered, start) or _is_set_off(lowered, start))
            ):
                sites.append([_edit(sentence, start, i, tokens, opposite) for opposite in entry.synonyms])
    return sites


def strengthened(sentence: Sentence, adverbs: Sequence[str], taken: Sequence[bool]) -> list[list[Edit]]:
    """For each adjective of praise or blame the edits that put one of the adverbs before it."""
    lowered = [token.lower() for token in sentence.tokens]
    sites = []
    for i, word in enumerate(lowered):
        of_quality = any(entry.pos == "ADJ" for entry in entries("double_denials_pt").get(word, ()))
        if of_quality and not taken[i] and not _is_denied(lowered, i) and _stands(lowered, i):
            sites.append([Edit(i, i, (in_case_at(sentence.tokens, i, adverb),)) for adverb in adverbs])
    return sites


def _stands(lowered: Sequence[str], place: int) -> bool:
    """Whether it is a predicate, or stands behind its noun."""
    return place > 0 and (lowered[place - 1] in _COPULAS or _is_noun(lowered, place - 1))


def _is_noun(lowered: Sequence[str], place: int) -> bool:
    """Whether the word there is taken for a noun: a content word behind an article, a preposition or the like."""
    word = lowered[place]
    return word.isalpha() and place > 0 and word not in words("stop_words_pt") and lowered[place - 1] in _BEFORE_NOUNS


def _adjective(sentence: Sentence, lowered: Sequence[str], place: int) -> tuple[int, tuple[str, ...]]:
    """Where what is replaced begins, and the words before the opposite; none where it cannot be denied."""
    start = place - 1 if place and lowered[place - 1] in _STRENGTHENED else place
    if start < 1:
        return place, ()
    if lowered[start - 1] in _LASTING:
        return place, ()
    if lowered[start - 1] in _COPULAS:
        clitic = start > 1 and lowered[start - 2] in _CLITICS
        return start - 1, () if clitic else ("não", sentence.tokens[start - 1].lower())
    return start, ("nada",) if start == place and _is_noun(lowered, start - 1) else ()


def _verb(_sentence: Sentence, lowered: Sequence[str], place: int) -> tuple[int, tuple[str, ...]]:
    """The same of a verb that begins a sentence or stands right behind a pronoun."""
    first = begins_sentence(lowered, place) or lowered[place - 1] in (",", "e", *_SUBJECTS)
    return place, ("não",) if first else ()


def _is_denied(lowered: Sequence[str], place: int) -> bool:
    near = lowered[max(0, place - _NEAR) : place]
    return any(map(is_negation, near)) or (place > 0 and lowered[place - 1] in _COMPARED)


def _is_set_off(lowered: Sequence[str], place: int) -> bool:
    """Whether *mas* sets it against something denied: *não é barata, mas é agradável*."""
    return "mas" in lowered[:place] and any(map(is_negation, lowered[:place]))


def _edit(sentence: Sentence, start: int, place: int, tokens: tuple[str, ...], opposite: str) -> Edit:
    """The edit that puts the words and the opposite in the place of tokens ``start`` to ``place``."""
    first, said = sentence.tokens[start], (*tokens, opposite)
    if first.isupper() and len(first) > 1:
        said = tuple(word.upper() for word in said)
    elif first[0].isupper():
        said = (in_case_of("Xx", said[0]), *said[1:])
    verb = 1 if len(tokens) > 1 else 0
    stands: list[tuple[int, ...]] = [(), *[(start,)] * verb, tuple(range(start + verb, place + 1))]
    return Edit(start, place + 1, said, origins=tuple(stands))

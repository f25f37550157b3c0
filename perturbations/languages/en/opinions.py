"""Words of praise and blame in English: the same said by denying the opposite, and said more strongly."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from perturbations.languages.en import LANGUAGE, articles
from perturbations.languages.en.negation import is_negation
from perturbations.languages.language import words_in
from perturbations.lexicons import entries, pairs
from perturbations.sites import in_case_each, in_case_of
from perturbations.text import Edit, Sentence

_COPULAS = words_in(
    "am are be been being feel feels felt is look looked looks remain remained remains seem seemed seems sound sounded "
    "sounds was were 'm 're 's ’m ’re ’s"
)
_ARTICLES = frozenset(["a", "an"])
_ENDS = words_in(". , ; : ! ? ... … ) ' \" and but or yet for in with to at by on when because as if while from")
"""Behind a predicate that ends there; a noun behind it would belong to the adjective."""
_STRENGTHENED = words_in("absolutely extremely incredibly quite really truly utterly very")
"""Adverbs that go with the word that they strengthen."""
_COMPARED = words_in("as how less least more most no rather so that this too")
_SUBJECTS = frozenset(["i", "we", "you", "they", "he", "she"])
_NEAR = 3
_PRONOUNS = words_in("everything he here how it nothing she something that there this what where who")
"""Words behind which *'s* is the verb; behind a noun it is mostly none."""
_SET = words_in("amount chance deal enough few many number part share while") | frozenset(LANGUAGE.number_words)
"""Behind *great*, *good* or *decent* these say how much, and not how good."""

_PAST = MappingProxyType({"he": ("did",), "she": ("did",)})
"""The first word of what such a subject can have as a verb in the place of its own."""


def denied(sentence: Sentence, taken: Sequence[bool]) -> list[list[Edit]]:
    """For each word that allows it the edits that deny its opposite; words that are ``taken`` stay."""
    known = entries("double_denials_en")
    lowered = [token.lower() for token in sentence.tokens]
    sites = []
    for i, word in enumerate(lowered):
        for entry in known.get(word, ()):
            phrases = [tuple(phrase.split()) for phrase in entry.synonyms]
            found = _verb(sentence, lowered, i, phrases) if entry.pos == "VERB" else _adjective(lowered, i)
            if isinstance(found, int) and not any(taken[found : i + 1]):
                sites.append([_with_article(sentence, found, i, phrase) for phrase in phrases])
            elif isinstance(found, list) and found and not taken[i]:
                sites.append(found)
    return sites


def strengthened(sentence: Sentence, adverbs: Sequence[str], taken: Sequence[bool]) -> list[list[Edit]]:
    """For each adjective of praise or blame the edits that put one of the adverbs before it."""
    known = entries("double_denials_en")
    lowered = [token.lower() for token in sentence.tokens]
    sites = []
    for i, word in enumerate(lowered):
        of_quality = any(entry.pos == "ADJ" for entry in known.get(word, ()))
        before = lowered[i - 1] if i else ""
        following = lowered[i + 1] if i + 1 < len(lowered) else ""
        judges = before in _COPULAS | _ARTICLES and not _is_owned(lowered, i) and following not in _SET | {"by"}
        if of_quality and judges and not following.endswith("ed") and not taken[i] and not _is_denied(lowered, i):
            sites.append([_with_article(sentence, i, i, (adverb, sentence.tokens[i])) for adverb in adverbs])
    return sites


def _adjective(lowered: Sequence[str], place: int) -> int | None:
    """Where the adjective begins, with an adverb that strengthens it; None where it cannot be denied.

    It is a predicate that ends there: before a noun *not bad* belongs to no good English.
    """
    start = place - 1 if place and lowered[place - 1] in _STRENGTHENED else place
    before = lowered[start - 1] if start else ""
    following = lowered[place + 1] if place + 1 < len(lowered) else "."
    further = lowered[place + 2] if place + 2 < len(lowered) else "."
    joins = following in _JOINS and pairs("word_classes_en").get(further, "ADJ").split("|") == ["ADJ"]
    stays = joins or lowered[max(0, start - 2) : start] == ["to", "be"] or _is_owned(lowered, start)
    if stays or before not in _COPULAS or following not in _ENDS:
        return None
    return None if _is_denied(lowered, start) else start


_JOINS = words_in("and or ,")
"""Behind an adjective these may join another, which the denial would reach."""


def _is_owned(lowered: Sequence[str], place: int) -> bool:
    """Whether *'s* stands before that may be no verb: *Holofcener's lovely and amazing*."""
    return place > 1 and lowered[place - 1] in ("'s", "’s") and lowered[place - 2] not in _PRONOUNS


def _is_denied(lowered: Sequence[str], place: int) -> bool:
    return any(map(is_negation, lowered[max(0, place - _NEAR) : place])) or lowered[place - 1] in _COMPARED


def _verb(sentence: Sentence, lowered: Sequence[str], place: int, phrases: Sequence[tuple[str, ...]]) -> list[Edit]:
    """The edits of a verb right behind its subject."""
    subject = lowered[place - 1] if place else ""
    if subject not in _SUBJECTS or any(map(is_negation, lowered[max(0, place - _NEAR) : place])):
        return []
    fitting = [phrase for phrase in phrases if phrase[0] in _PAST.get(subject, ("do", "did"))]
    return [Edit(place, place + 1, in_case_each(sentence, place, phrase)) for phrase in fitting]


def _with_article(sentence: Sentence, start: int, place: int, words: Sequence[str]) -> Edit:
    """The edit that puts the words in the place of tokens ``start`` to ``place``, and makes an article before fit."""
    cased = in_case_each(sentence, start, words)
    origins = (*((),) * (len(words) - 1), tuple(range(start, place + 1)))
    before = sentence.tokens[start - 1] if start else ""
    fitting = articles.article_for(before.lower(), words[0])
    if fitting is None or fitting == before.lower():
        return Edit(start, place + 1, cased, origins=origins)
    return Edit(start - 1, place + 1, (in_case_of(before, fitting), *cased), origins=((start - 1,), *origins))

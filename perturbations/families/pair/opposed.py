"""Which changes of one sentence contradict the sentence that it is read with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from perturbations.families.word.amounts import is_amount
from perturbations.languages import has, language_named
from perturbations.layers import Partner
from perturbations.lexicons import of_class, pairs
from perturbations.perturbation import Options
from perturbations.text import Edit, Sentence

NEEDS = ("open_words",)
"""The part of a language that these rules ask for."""

_MARKS = frozenset("?？")
_BEFORE_NUMBERS = 2
"""Words before a number among which one may make it a limit: *more than 12*."""


def partner_of(sentence: Sentence) -> Partner:
    """The sentence that this one is read with; alone it is read with itself, from which it follows."""
    return sentence.partner or Partner("", sentence.tokens, entails=True)


def contradicting(
    sentence: Sentence, sites: Callable[[], Iterable[Options]], language: str, fitting: str = ""
) -> list[Edit]:
    """Of edits of single words those that contradict the partner, if one sentence follows from the other.

    ``sites`` is called only where there can be one.

    The word, the last that an edit takes away, stands once in each sentence, so that both speak of the same thing. And
    both say plainly that something is so: nothing is denied, asked, allowed or held open, or said of all or some.
    Words of the class ``fitting`` may stand in both. Where words are no tokens, as in Chinese, what counts is the text.
    """
    if has(language, "borders"):
        return _contradicting_in_text(sentence, sites, language)
    own, other = _lower(sentence.tokens), _lower(partner_of(sentence).tokens)
    if not (_is_plain(own, language, fitting) and (own == other or _is_plain(other, language, fitting))):
        return []
    here, there = Counter(own), Counter(other)
    return [
        edit
        for site in sites()
        for edit in site
        if here[own[edit.stop - 1]] == there[own[edit.stop - 1]] == 1 and not there[edit.tokens[-1].lower()]
    ]


def _contradicting_in_text(sentence: Sentence, sites: Callable[[], Iterable[Options]], language: str) -> list[Edit]:
    """The same by the characters of both sentences, whatever their tokens; nor may the new word stand in either."""
    own, other = "".join(sentence.tokens), "".join(partner_of(sentence).tokens)
    if holds_any(own + other, language, "any"):
        return []
    found = []
    for edit in (edit for site in sites() for edit in site):
        old, new = text_of_edit(sentence, edit)
        if own.count(old) == other.count(old) == 1 and new not in own and new not in other:
            found.append(edit)
    return found


def text_of_edit(sentence: Sentence, edit: Edit) -> tuple[str, str]:
    """The text of the tokens that an edit touches, before and after."""
    old, new = "".join(sentence.tokens[edit.start : edit.stop]), "".join(edit.tokens)
    if edit.chars is None:
        return old, new
    start, stop = edit.chars
    return old, f"{old[:start]}{new}{old[stop:]}"


def holds_any(text: str, language: str, kind: str) -> bool:
    """Whether the characters of a word of the class stand in the text, also within another word."""
    return any(word in text for word in _of(language, kind))


def is_bound(sentence: Sentence, place: int, language: str) -> bool:
    """Whether the word there must be as it is: for a reason or gender told, or in comparisons such as *less cheap*."""
    lowered = _lower(sentence.tokens)
    beside = (*lowered[max(0, place - 1) : place], *lowered[place + 1 : place + 2])
    telling = _of(language, "reason") | _of(language, "gender")
    return not (telling.isdisjoint(lowered) and _of(language, "degree").isdisjoint(beside))


def is_one_of_several(sentence: Sentence, place: int, language: str) -> bool:
    """Whether the sentence has another amount, of which the one there may be a part or the sum."""
    counting = _of(language, "amount") | frozenset(language_named(language).number_words)
    words = _lower(sentence.tokens)
    return any(
        i != place
        and (word in counting or (word[0].isdigit() and is_amount(sentence, i, language)))
        and not _is_beside_others(words, place, i, language)
        for i, word in enumerate(words)
    )


def _is_beside_others(words: Sequence[str], place: int, other: int, language: str) -> bool:
    """Whether the numbers are of things that are together, as in *five people with three dogs*, so that none is a part.

    Behind each stands a word that no number is, and they count other things.
    """
    first, last = min(place, other), max(place, other)
    counted = words[first + 1 : first + 2], words[last + 1 : last + 2]
    return counted[0] != counted[1] and words[last - 1] in _of(language, "beside")


def is_limit(sentence: Sentence, place: int, language: str) -> bool:
    """Whether the number there is a limit, or not exact: *more than 12*, *about 12*."""
    before = _lower(sentence.tokens[max(0, place - _BEFORE_NUMBERS) : place])
    if before == ("close", "to") and sentence.tokens[max(0, place - 3)].endswith("ing"):
        return False  # who stands there, and not how many
    return not _of(language, "number").isdisjoint(before)


def _is_plain(words: Sequence[str], language: str, fitting: str) -> bool:
    text = f" {' '.join(words)} ".replace(" each other ", " ")
    if not _MARKS.isdisjoint(words) or not (_of(language, "any") - _of(language, fitting)).isdisjoint(text.split()):
        return False
    return _denials(language).search(text) is None and "n't" not in text


@cache
def _denials(language: str) -> re.Pattern[str]:
    """Phrases that deny, each with a space on both sides."""
    listed = pairs(f"phrases_{language}") if has(language, "phrases") else {}
    phrases = [phrase for phrase, kind in listed.items() if kind == "negates"]
    return re.compile(f" (?:{'|'.join(map(re.escape, phrases))}) " if phrases else "(?!)")


def _of(language: str, kind: str) -> frozenset[str]:
    return of_class(f"open_words_{language}", kind)


def _lower(tokens: Iterable[str]) -> tuple[str, ...]:
    return tuple(token.lower().replace("’", "'") for token in tokens)

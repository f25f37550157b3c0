"""Numbers that are amounts: of what can be counted or measured, and no part of a name, a date, a citation or a code."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from perturbations.languages import ANY, language_named, with_parts
from perturbations.lexicons import of_class, words
from perturbations.resources import sort_of
from perturbations.sites import begins_sentence
from perturbations.text import Sentence, entity_spans

_JOINING = frozenset("-–—/\\:#@=+*&_~<>^'’")
"""Marks that join a number to what stands beside it, as in a score, a time or an address."""

_ENDING = frozenset([".", ";", "!", "?", ")"])
_CLASSES = ("names", "ends", "joins", "per", "month", "numeral", "sounds", "within")

_LISTED_WITHIN = 6
"""Tokens between a number and the sign before what it counts."""
_OPEN_LISTS = frozenset([":", "(", "-", "--", "–", "—"])
_PRIMES = frozenset("′″‴'’")
"""Signs behind the number of an end, of feet or of minutes: *the 3′ end*."""
_QUOTES = frozenset(['"', "“", "”", "«", "»", "``", "''", "‘"])
_LONGEST_TITLE = 8
"""Tokens between quotation marks that may be a title."""
_SEPARATING = frozenset([",", ";", "、"])
_SET = frozenset(
    [
        *((turn, unit) for turn in ("180", "360") for unit in ("degree", "degrees", "graus")),
        *(("12", unit) for unit in ("step", "steps", "passos")),
        ("24", "hour"),
    ]
)
"""Numbers with their units that stand for something else: "turn 180 degrees", "a 24 hour service"."""
_AGES = range(16, 96)
_BEHIND_AGES = frozenset([",", ";"])
_LARGEST_COUNT = 12
"""The largest number that may count what the sentence lists."""

_NO_UNITS = ("ends", "joins", "per", "month", "numeral", "stop_words")

_LONGEST_JOINT = 3
"""Characters of the longest word that joins two numbers, in whatever language: *até*, *and*."""


def is_amount(sentence: Sentence, place: int, language: str) -> bool:
    """Whether the number at ``place`` is one: right before a unit in small letters or %, or behind a currency."""
    beside = _beside(language)
    lowered = [token.lower() for token in sentence.tokens]
    return (
        lowered.count(lowered[place]) == 1  # else the sentence would contradict itself
        and not _adds_up(lowered, place)
        and not _counts_list(lowered, place, language)
        and not _is_sum(lowered, place)
        and not _is_in_title(sentence.tokens, place)
        and _may_change_entity(sentence, place)
        and not _is_led(sentence.tokens, lowered, place, beside)
        and not _is_set(lowered, place)
        and (_counts(sentence.tokens, lowered, place, beside) or _is_age(sentence.tokens, place, beside))
    )


def _is_set(lowered: Sequence[str], place: int) -> bool:
    """Whether the number and its unit are a set phrase."""
    return (lowered[place], "".join(lowered[place + 1 : place + 2])) in _SET


def _is_age(tokens: Sequence[str], place: int, beside: Mapping[str, frozenset[str]]) -> bool:
    """Whether it stands between commas behind a name, as the age of a person does: "Ann Lee , 25 , Toronto"."""
    if place < 3 or tokens[place - 1] != "," or "".join(tokens[place + 1 : place + 2]) not in _BEHIND_AGES:
        return False
    names, further = tokens[place - 3 : place - 1], "".join(tokens[place + 2 : place + 3])
    if not all(name[0].isupper() and name.isalpha() and name.lower() not in beside["month"] for name in names):
        return False
    value = _whole(tokens[place])
    return value is not None and _AGES.start <= value < _AGES.stop and not further[:1].isdigit()


def _adds_up(lowered: Sequence[str], place: int) -> bool:
    """Whether it is one of several percentages or sums of money, or a small number of what may be listed behind it."""
    if place and _is_currency(lowered[place - 1]):
        return sum(map(_is_currency, lowered)) > 1
    if lowered[place][-1] == "%" or lowered[place + 1 : place + 2] == ["%"]:
        return sum(token[-1] == "%" for token in lowered) > 1
    is_small = lowered[place].isalpha() or len(lowered[place]) == 1
    return is_small and not _OPEN_LISTS.isdisjoint(lowered[place + 1 : place + 1 + _LISTED_WITHIN])


def _counts_list(lowered: Sequence[str], place: int, language: str) -> bool:
    """Whether the sentence lists as many things, before the number or behind it, as a small number counts."""
    value = _small(lowered[place], language)
    if value is None:
        return False
    joined = _joining_words(language)
    return any(_things(side, joined) >= value for side in (lowered[:place], lowered[place + 1 :]))


def _things(words: Sequence[str], joined: frozenset[str]) -> int:
    """The length of the longest list there: things with commas or the like between, the last two with *and*; else 0."""
    longest = separators = 0
    last = -1
    for i, word in enumerate(words):
        if word in _ENDING:
            separators = 0
        elif word in _SEPARATING:
            separators += 1
            last = i
        elif word in joined:
            separators += last != i - 1
            longest = max(longest, separators + 1)
    return longest


def _small(word: str, language: str) -> int | None:
    """The value of a number that could count a list; None for others."""
    if word.isdigit():
        return int(word) if int(word) <= _LARGEST_COUNT else None
    spoken = with_parts("number_words") if language == ANY else [language]
    told = (language_named(code).number_words for code in spoken)
    return next((_FIRST_WORD + each.index(word) for each in told if word in each), None)


_FIRST_WORD = 3
"""The first of a language's ``number_words``."""


@cache
def _joining_words(language: str) -> frozenset[str]:
    spoken = with_parts("joined_by") if language == ANY else [language]
    return frozenset({language_named(code).joined_by for code in spoken} | {"&", "and"})


def _is_sum(lowered: Sequence[str], place: int) -> bool:
    """Whether it is the sum of two other numbers in digits, or one of two whose sum is given."""
    own = _whole(lowered[place])
    others = {value for i, word in enumerate(lowered) if i != place and (value := _whole(word)) is not None}
    return own is not None and any(
        other != own and (own - other in others or own + other in others) for other in others
    )


def _whole(word: str) -> int | None:
    digits = word.replace(",", "").replace(".", "")
    return int(digits) if digits.isascii() and digits.isdigit() else None


def _is_in_title(tokens: Sequence[str], place: int) -> bool:
    """Whether it begins like a name within a sentence, or stands in a short quotation, which may be a title."""
    token = tokens[place]
    if token.istitle() and not begins_sentence(tokens, place):
        return True
    quotes = [i for i, each in enumerate(tokens) if each in _QUOTES]
    opening = max((i for i in quotes if i < place), default=None)
    closing = min((i for i in quotes if i > place), default=None)
    if opening is None or closing is None:
        return False
    return quotes.index(opening) % 2 == 0 and closing - opening - 1 <= _LONGEST_TITLE


def _may_change_entity(sentence: Sentence, place: int) -> bool:
    """Whether it is in no entity, or begins one that is no name, such as a percentage."""
    for span in entity_spans(sentence.entity_tags or ()):
        if span.start <= place < span.stop:
            begins = place == span.start or (place == span.start + 1 and _is_currency(sentence.tokens[place - 1]))
            return begins and sort_of(span.type) is None
    return True


def _is_led(tokens: Sequence[str], lowered: Sequence[str], place: int, beside: Mapping[str, frozenset[str]]) -> bool:
    """Whether the words before make the number a part of a name, a citation, a list or a longer number."""
    if place == 0:
        return False
    word, earlier = lowered[place - 1], lowered[place - 2] if place > 1 else ""
    if word in _JOINING or "&" in word or _is_number(word, beside) or word in beside["month"] | beside["names"]:
        return True
    if word.endswith((".", "º", "°", "ª")) and not word[0].isdigit():  # "art." and "art .", "n.º" and "n . º"
        return (word.rstrip(".º°ª") or earlier) in beside["names"]
    in_words = lowered[place].isalpha()
    if in_words and word in beside["within"]:  # of words that may stand far apart: "dez reais e três centavos"
        return True
    if _joins(word, beside) and _is_number(earlier, beside) and not (in_words and word == ","):
        return True
    if begins_sentence(tokens, place - 1) and word in beside["stop_words"]:
        return False
    return word.isalpha() and not tokens[place - 1].islower()


def _counts(tokens: Sequence[str], lowered: Sequence[str], place: int, beside: Mapping[str, frozenset[str]]) -> bool:
    """Whether the words behind say what there is so much of, and do not say how often, or give the end of a range."""
    following, further = (*lowered[place + 1 : place + 3], "", "")[:2]
    if following[:1] in _PRIMES or following == "prime":
        return False
    if _joins(following, beside) and _is_number(further, beside):
        return False
    if following in ("%", "‰") or lowered[place][-1] in "%‰":
        return further not in ("-", "–", "(")
    if place and _is_currency(lowered[place - 1]) and (following in _ENDING or following in ("", ",")):
        return True
    if lowered[place] in beside["sounds"] and not following.endswith("s"):
        return False
    return (
        len(following) > 1
        and following.replace("-", "").isalpha()
        and tokens[place + 1].islower()
        and following not in frozenset().union(*(beside[each] for each in _NO_UNITS))
        and further not in beside["per"]
    )


def _joins(word: str, beside: Mapping[str, frozenset[str]]) -> bool:
    if word in beside["joins"]:
        return True
    return word not in _ENDING and len(word) <= _LONGEST_JOINT and (not word.isalpha() or word in beside["stop_words"])


def _is_number(word: str, beside: Mapping[str, frozenset[str]]) -> bool:
    return any(map(str.isdigit, word)) or word in beside["numeral"]


def _is_currency(word: str) -> bool:
    return word != "" and unicodedata.category(word[-1]) == "Sc"


@cache
def _beside(language: str) -> Mapping[str, frozenset[str]]:
    """The words of each class of ``beside_numbers``, in the language or in all that have some; and its stop words.

    Words that make names of numbers are those of every language: texts quote others.
    """
    told = with_parts("beside_numbers")
    spoken = told if language == ANY else [language]
    found = {
        each: _joint(of_class(f"beside_numbers_{code}", each) for code in spoken if code in told) for each in _CLASSES
    }
    stop_words = _joint(words(f"stop_words_{code}") for code in spoken if code in with_parts("stop_words"))
    names = _joint(of_class(f"beside_numbers_{code}", "names") for code in told) - stop_words
    counted = _joint(frozenset(language_named(code).number_words) for code in spoken)
    return {
        **found,
        "names": found["names"] | names,
        "numeral": found["numeral"] | counted,
        "stop_words": stop_words,
    }


def _joint(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)

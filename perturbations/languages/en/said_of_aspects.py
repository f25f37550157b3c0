"""Where English words of praise and blame stand so that they are about an aspect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perturbations.languages.en.judging_words import (
    ADVERBS,
    COPULAS,
    DEGREE,
    DETERMINERS,
    NEGATED,
    Found,
    Word,
    of_kind,
    words_known,
)
from perturbations.languages.language import words_in
from perturbations.languages.opinion import POSITIVE
from perturbations.lexicons import pairs
from perturbations.text import Span

_NO_OBJECTS = words_in(
    "work works worked run runs ran perform performs performed function functions functioned operate operates operated "
    "load loads loaded respond responds responded charge charges charged boot boots booted play plays played"
)
"""Verbs that an adverb of praise or blame can follow, with the aspect as their subject."""
_PERSONS = words_in("i we he she they everyone everybody")
_AFTER = words_in(
    "and but for with when because while as to on at in by during too also . , ; : ! ? ) - -- ... … though although yet"
)
"""Words behind a predicate that ends there; a noun behind it would belong to the adjective."""
_PREPOSITIONS = words_in("with on in for from at by about to under over between")

Stretch = tuple[int, int, list[Found]]
"""The tokens of an opinion, and its words."""


def said_of(lowered: Sequence[str], aspects: Sequence[Span]) -> list[tuple[set[int], list[Stretch]]]:
    """The numbers of aspects with what is said of them; those of which one word speaks are together."""
    merged: list[tuple[set[int], list[Stretch]]] = []
    for group in _groups(lowered, aspects):
        numbers, several = _about(lowered, aspects, group)
        if not several:
            continue
        places = {word.place for *_, words in several for word in words}
        shared = [each for each in merged if places & {word.place for *_, words in each[1] for word in words}]
        for each in shared:
            numbers |= each[0]
            several += each[1]
            merged.remove(each)
        merged.append((numbers, several))
    return merged


def _groups(lowered: Sequence[str], aspects: Sequence[Span]) -> Iterator[list[int]]:
    """The numbers of aspects that stand together: *screen, keyboard and touchpad*."""
    group: list[int] = []
    for number in sorted(range(len(aspects)), key=lambda number: aspects[number].start):
        between = lowered[aspects[group[-1]].stop : aspects[number].start] if group else []
        if group and not (between and set(between) <= DETERMINERS | {",", "and", "&", "or", "/"}):
            yield group
            group = []
        group.append(number)
    if group:
        yield group


def _about(lowered: Sequence[str], aspects: Sequence[Span], group: Sequence[int]) -> tuple[set[int], list[Stretch]]:
    """The aspects of a group that opinions are about, and these.

    Of aspects that begin no clause only the last has a predicate behind it: *it has more speed and the screen is dim*.
    """
    span = Span(aspects[group[0]].start, aspects[group[-1]].stop, "")
    several = [*_before(lowered, span), *_of_person(lowered, span)]
    if several or _begins_clause(lowered, span.start):
        return set(group), [*several, *_behind(lowered, span)]
    return {group[-1]}, list(_behind(lowered, aspects[group[-1]]))


def _begins_clause(lowered: Sequence[str], start: int) -> bool:
    while start and lowered[start - 1] in DETERMINERS:
        start -= 1
    return not start or not lowered[start - 1][0].isalnum() or lowered[start - 1] in ("and", "but", "also")


def _before(lowered: Sequence[str], span: Span) -> Iterator[Stretch]:
    """Adjectives right before the group: *a bright, sharp screen*, *easy to use*."""
    words, place = [], span.start - 1
    if place > 0 and lowered[place] == "to" and (word := of_kind(lowered[place - 1], "ADJ", "PRED")) is not None:
        if lowered[place - 1] in ("easy", "simple", "difficult", "hard"):
            negation = _negation_before(lowered, place - 1)
            yield place - 1 if negation is None else negation, span.stop, [Found(place - 1, word, negation)]
        return
    while place >= 0 and (word := of_kind(lowered[place], "ADJ", "GAP")) is not None:
        words.append(Found(place, word))
        place -= 1
        if place > 0 and lowered[place] in (",", "and") and of_kind(lowered[place - 1], "ADJ", "GAP"):
            place -= 1
    if words and place > 0 and lowered[place] in (",", "and", "or") and _is_adjective(lowered[place - 1]):
        return  # *cluttered and dim*: the other would stay
    definite = place > 0 and lowered[place] == "the" and lowered[place - 1] in COPULAS
    if not words or (definite and not lowered[words[-1].place].endswith("st")):
        return  # "it is the perfect size": no other word of praise or blame fits there
    if place < 0 or lowered[place] not in ("too", "most", "more", "as"):
        start = words[-1].place
        if place >= 0 and lowered[place] in DEGREE:
            start -= 1
        yield start, span.stop, words


def _is_adjective(word: str) -> bool:
    kinds = pairs("word_classes_en").get(word, "").split("|")
    return "NOUN" not in kinds and ("ADJ" in kinds or word.endswith("ed"))


def _behind(lowered: Sequence[str], span: Span) -> Iterator[Stretch]:
    """Predicates and adverbs behind the group: *the screen is not very bright*, *the keyboard works well*."""
    if _is_governed(lowered, span.start):
        return
    place = span.stop
    if lowered[place : place + 1] == ["which"] or lowered[place : place + 2] == [",", "which"]:
        place += 1 + (lowered[place] == ",")
    verb = _word_at(lowered, place)
    if verb in NEGATED:
        yield from _predicate(lowered, span, place + 1, place)
    elif verb in COPULAS:
        denied = _word_at(lowered, place + 1) in ("not", "n't")
        yield from _predicate(lowered, span, place + 1 + denied, place + 1 if denied else None)
    elif verb in _NO_OBJECTS or lowered[span.stop - 1] in _NO_OBJECTS:
        words, stop = _row(lowered, place + (verb in _NO_OBJECTS), "ADV")
        if words and _ends(lowered, stop) and not _goes_on(lowered, stop):
            yield span.start, stop, words


def _predicate(lowered: Sequence[str], span: Span, place: int, negation: int | None) -> Iterator[Stretch]:
    """Adjectives behind a copula, or an article, one adjective and a noun that does not judge itself."""
    words, stop = _row(lowered, place, "ADJ", "PRED")
    if words and not _ends(lowered, stop):
        return
    if not words and negation is None and _is_described(lowered, place):
        yield span.start, place + 1, [Found(place, _PRAISE, can_be_denied=True)]
        return
    if not words and _word_at(lowered, place) in ("a", "an", "the"):
        word, noun = of_kind(_word_at(lowered, place + 1), "ADJ"), _word_at(lowered, place + 2)
        if word is not None and "NOUN" in pairs("word_classes_en").get(noun, "") and noun not in words_known():
            words, stop = [Found(place + 1, word)], place + 3
    if not words or (negation is not None and len(words) > 1) or _goes_on(lowered, stop):
        return
    alone = len(words) == 1 and stop == words[0].place + 1
    yield span.start, stop, [replace(words[0], negation=negation, can_be_denied=alone), *words[1:]]


def _is_described(lowered: Sequence[str], place: int) -> bool:
    """Whether one adjective stands there that is no word of praise or blame, and ends the predicate."""
    word = _word_at(lowered, place)
    is_adjective = pairs("word_classes_en").get(word) == "ADJ" and word not in words_known()
    return is_adjective and _word_at(lowered, place + 1) in ("", ".", "!", ",", ";", "but")


_PRAISE = Word("PRED", (POSITIVE,), ())
"""An adjective said of a praised aspect is praise, whatever the word, and its denial is none."""


def _row(lowered: Sequence[str], place: int, *kinds: str) -> tuple[list[Found], int]:
    """Words of these kinds in a row, with *and* or commas between, and where they end."""
    words, stop = list[Found](), place
    while True:
        while _word_at(lowered, place) in DEGREE | ADVERBS | {"too"}:
            place += 1
        word = of_kind(_word_at(lowered, place), *kinds)
        if word is None:
            return words, stop
        words.append(Found(place, word))
        stop = place + 1
        following = _word_at(lowered, stop + 1)
        if _word_at(lowered, stop) not in ("and", ",", "or") or not (following in DEGREE or of_kind(following, *kinds)):
            return words, stop
        place = stop + 1


def _ends(lowered: Sequence[str], stop: int) -> bool:
    """Whether a predicate that reaches up to there ends there."""
    return stop == len(lowered) or lowered[stop] in _AFTER


def _word_at(lowered: Sequence[str], place: int) -> str:
    """The word at the place; empty beyond the end."""
    return lowered[place] if place < len(lowered) else ""


def _goes_on(lowered: Sequence[str], stop: int) -> bool:
    """Whether a further predicate follows, with a verb or an adjective that is no word of praise or blame."""
    place = stop + (lowered[stop : stop + 1] == [","])
    if lowered[place : place + 1] not in (["and"], ["or"]):
        return False
    following = next((word for word in lowered[place + 1 : place + 4] if not word.endswith("ly")), "")
    kinds = pairs("word_classes_en").get(following, "").split("|")
    return following not in words_known() and ("ADJ" in kinds or "VERB" in kinds) and "NOUN" not in kinds


def _of_person(lowered: Sequence[str], span: Span) -> Iterator[Stretch]:
    """Verbs and feelings of a person: *I love the screen*, *we are happy with the service*."""
    place = span.start - 1
    while place >= 0 and of_kind(lowered[place], "ADJ", "GAP") is not None:
        place -= 1
    if place >= 0 and lowered[place] in DETERMINERS:
        place -= 1
    if place < 1:
        return
    if lowered[place] == "with" and (word := of_kind(lowered[place - 1], "FEEL")) is not None:
        negation = _negation_before(lowered, place - 1)
        yield place - 1 if negation is None else negation, span.stop, [Found(place - 1, word, negation)]
    elif (word := of_kind(lowered[place], "VERB")) is not None:
        verb, negation = place, None
        place -= 1
        while place > 0 and lowered[place] in ADVERBS:
            place -= 1
        if lowered[place] in ("not", "n't") and lowered[place - 1] in ("do", "did", "does") and place > 1:
            negation, place = place - 1, place - 2
        elif lowered[place] in ("don't", "didn't", "doesn't"):
            negation, place = place, place - 1
        if place >= 0 and lowered[place] in _PERSONS and not (negation is not None and verb - negation > 2):
            yield place, span.stop, [Found(verb, word, negation)]


def _is_governed(lowered: Sequence[str], start: int) -> bool:
    """Whether a preposition stands before the group, so that it is not the subject."""
    place = start - 1
    while place >= 0 and (lowered[place] in DETERMINERS or of_kind(lowered[place], "ADJ", "GAP")):
        place -= 1
    return place >= 0 and lowered[place] in _PREPOSITIONS


def _negation_before(lowered: Sequence[str], place: int) -> int | None:
    """The place of *not* or of *isn't* before an adjective, adverbs of degree left out; None without one."""
    place -= 1
    while place >= 0 and lowered[place] in DEGREE:
        place -= 1
    return place if place >= 0 and (lowered[place] in ("not", "n't") or lowered[place] in NEGATED) else None

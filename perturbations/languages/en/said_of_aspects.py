"""Where English words of praise and blame stand so that they are about an aspect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perturbations.languages.en.deeds_of_aspects import deed, having
from perturbations.languages.en.judging_words import (
    ADVERBS,
    COPULAS,
    DEGREE,
    DETERMINERS,
    MERGED,
    NEGATED,
    THINGS,
    PlacedWord,
    Word,
    WordStretch,
    of_kind,
    word_at,
    words_known,
)
from perturbations.languages.language import words_in
from perturbations.languages.opinion import NEGATIVE, POSITIVE
from perturbations.lexicons import pairs
from perturbations.text import Span

_NO_OBJECTS = words_in(
    "work works worked run runs ran perform performs performed function functions functioned operate operates operated "
    "load loads loaded respond responds responded charge charges charged boot boots booted play plays played "
    "start starts started open opens opened launch launches launched hold holds held type types typed print prints "
    "printed ship shipped arrive arrived up built priced designed made constructed preformed"
)
"""Verbs that an adverb of praise or blame can follow, with the aspect as their subject."""
_PERSONS = words_in("i we he she they everyone everybody")
_AFTER = words_in(
    "and but for with when because while as to on at in by during too also . , ; : ! ? ) - -- ... … though although "
    "yet compared without right from out now"
)
"""Words behind a predicate that ends there; a noun behind it would belong to the adjective."""
_PREPOSITIONS = words_in("with on in for from at by about to under over between")


def predicates_of(lowered: Sequence[str], aspects: Sequence[Span]) -> list[tuple[set[int], list[WordStretch]]]:
    """The numbers of aspects with what is said of them; those of which one word speaks are together."""
    merged: list[tuple[set[int], list[WordStretch]]] = []
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


def _about(lowered: Sequence[str], aspects: Sequence[Span], group: Sequence[int]) -> tuple[set[int], list[WordStretch]]:
    """The aspects of a group that opinions are about, and these.

    Of aspects that begin no clause only the last has a predicate behind it: *it has more speed and the screen is dim*.
    """
    span = Span(aspects[group[0]].start, aspects[group[-1]].stop, "")
    several = [*_before(lowered, span), *_of_person(lowered, span), *_well_made(lowered, span)]
    several = several or [*having(lowered, span), *_good_for(lowered, span)]
    if several or _begins_clause(lowered, span.start):
        return set(group), [*several, *_behind(lowered, span)]
    last = aspects[group[-1]]
    found = [each for each in _behind(lowered, last) if len(group) == 1 or each[2][0].word.kind not in ("DO", "DENIED")]
    return {group[-1]}, found


def _begins_clause(lowered: Sequence[str], start: int) -> bool:
    while start and lowered[start - 1] in DETERMINERS:
        start -= 1
    return not start or not lowered[start - 1][0].isalnum() or lowered[start - 1] in ("and", "but", "also")


def _before(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """Adjectives right before the group: *a bright, sharp screen*, *easy to use*."""
    words, place = [], span.start - 1
    if place > 0 and lowered[place] == "to" and (word := of_kind(lowered[place - 1], "ADJ", "PRED")) is not None:
        if lowered[place - 1] in _TO_DO:
            negation = _negation_before(lowered, place - 1)
            yield place - 1 if negation is None else negation, span.stop, [PlacedWord(place - 1, word, negation)]
        return
    place = _before_modifiers(lowered, place)
    while place >= 0 and (word := of_kind(lowered[place], "ADJ", "GAP" if place + 1 == span.start else "")) is not None:
        words.append(PlacedWord(place, word))
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


_TO_DO = words_in(
    "easy simple difficult hard fun esay easier harder quick slow horrible awful comfortable nice pleasant"
)


def _is_adjective(word: str) -> bool:
    kinds = pairs("word_classes_en").get(word, "").split("|")
    return "NOUN" not in kinds and ("ADJ" in kinds or word.endswith("ed"))


def _behind(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """Predicates and adverbs behind the group: *the screen is not very bright*, *the keyboard works well*."""
    if _is_governed(lowered, span.start):
        return
    span, place = _widen(lowered, span), span.stop
    if lowered[place : place + 1] == ["which"] or lowered[place : place + 2] == [",", "which"]:
        place += 1 + (lowered[place] == ",")
    place = _behind_owner(lowered, place)
    verb = word_at(lowered, place)
    if verb == ":" or (verb in ("has", "have") and word_at(lowered, place + 1) == "been"):
        yield from _predicate(lowered, span, place + 1 + (verb != ":"), None)
    elif verb in COPULAS and [*lowered[place + 1 : place + 3]] == ["to", "be"]:
        yield from _predicate(lowered, span, place + 3, None)
    elif verb in NEGATED:
        yield from [*_predicate(lowered, span, place + 1, place)] or deed(lowered, span, place)
    elif verb in COPULAS:
        denied = word_at(lowered, place + 1) in ("not", "n't")
        predicates = [*_predicate(lowered, span, place + 1 + denied, place + 1 if denied else None)]
        yield from predicates or deed(lowered, span, place)
    elif verb in _NO_OBJECTS or lowered[span.stop - 1] in _NO_OBJECTS:
        after = place + (verb in _NO_OBJECTS)
        words, stop = _row(lowered, after + (word_at(lowered, after) == "up"), "ADV")
        if words and _ends(lowered, stop) and not _goes_on(lowered, stop):
            yield span.start, stop, words
        elif not words and verb in _NO_OBJECTS:
            yield from deed(lowered, span, place)
    else:
        yield from deed(lowered, span, place)


def _behind_owner(lowered: Sequence[str], place: int) -> int:
    """The place behind the thing that the aspect is of, where a copula follows: *the layout of the laptop is ugly*."""
    stop = place
    if word_at(lowered, place) in ("of", "on") and word_at(lowered, place + 1) in DETERMINERS | {"it"}:
        stop = place + 2 if lowered[place + 1] == "it" else place + 3
    return stop if word_at(lowered, stop) in COPULAS else place


def _predicate(lowered: Sequence[str], span: Span, place: int, negation: int | None) -> Iterator[WordStretch]:
    """Adjectives behind a copula, or an article, one adjective and a noun that does not judge itself."""
    words, stop = _row(lowered, place, "ADJ", "PRED")
    if words and not _ends(lowered, stop):
        return
    if not words and negation is None and (described := _predicate_adjective(lowered, place)) is not None:
        yield span.start, described[1], [described[0]]
        return
    if not words and word_at(lowered, place) in ("a", "an", "the"):
        yield from _judging_noun(lowered, span, place + 1)
        word, noun = of_kind(word_at(lowered, place + 1), "ADJ"), word_at(lowered, place + 2)
        if word is not None and "NOUN" in pairs("word_classes_en").get(noun, "") and noun not in words_known():
            words, stop = [PlacedWord(place + 1, word)], place + 3
    if not words or (negation is not None and len(words) > 1) or _goes_on(lowered, stop):
        return
    alone = len(words) == 1 and stop == words[0].place + 1
    yield span.start, stop, [replace(words[0], negation=negation, can_be_denied=alone), *words[1:]]


def _predicate_adjective(lowered: Sequence[str], place: int) -> tuple[PlacedWord, int] | None:
    """One adjective that is no word of praise or blame, and ends the predicate, and where it ends."""
    too = word_at(lowered, place) == "too"
    while word_at(lowered, place) in _DENIABLE:
        place += 1
    word = word_at(lowered, place)
    is_adjective = pairs("word_classes_en").get(word, "ADJ" if word.endswith(_OF_ADJECTIVES) else "") == "ADJ"
    if not is_adjective or word in words_known() or word_at(lowered, place + 1) not in ("", ".", "!", ",", ";", "but"):
        return None
    return PlacedWord(place, _BLAME if too else _PRAISE, can_be_denied=True), place + 1


_PRAISE = Word("PRED", (POSITIVE,), ())
"""An adjective said of a praised aspect is praise, whatever the word, and its denial is none."""
_BLAME = Word("PRED", (NEGATIVE,), ())
"""So is one behind *too*, said of a blamed aspect, blame."""
_OF_ADJECTIVES = ("able", "ible")
_DENIABLE = words_in("very really that particularly especially also too")
"""Adverbs that *not* can stand before."""


def _judging_noun(lowered: Sequence[str], span: Span, place: int) -> Iterator[WordStretch]:
    """A noun behind an article that judges: *Vista is a nightmare*."""
    while word_at(lowered, place) in _MERE:
        place += 1
    word = of_kind(word_at(lowered, place), "NOUN")
    if word is not None and word_at(lowered, place + 1) in _AFTER - {"in"} | {"", "i"}:
        yield span.start, place + 1, [PlacedWord(place, word)]


_MERE = words_in("huge big definite real total complete great major minor absolute such")


def _widen(lowered: Sequence[str], span: Span) -> Span:
    """The group with *ease of* before it, or words such as *large*, of which the predicate behind speaks too."""
    start = span.start
    if [*lowered[max(0, start - 2) : start]] == ["ease", "of"]:
        start -= 2
    while start and (word := of_kind(lowered[start - 1], "PRED", "GAP")) is not None and len(word.polarities) > 1:
        start -= 1
    return Span(start, span.stop, span.type)


def _before_modifiers(lowered: Sequence[str], place: int) -> int:
    """The place before words that belong to the aspect and judge nothing: *an awesome new screen*."""
    for last in range(place, max(place - _MOST_MODIFIERS, -1), -1):
        word = lowered[last]
        if word in words_known() or not (word in _MODIFIERS or pairs("word_classes_en").get(word) == "ADJ"):
            return last if last < place and of_kind(word, "ADJ", "VERB") is not None else place
        if word in DETERMINERS or word in DEGREE:
            return place
    return place


_MOST_MODIFIERS = 3
_MODIFIERS = words_in("looking working sized build customer technical tech mac laptop computer dell toshiba apple")


def _well_made(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """An adverb before an aspect that is a participle: *well built*."""
    word = of_kind(lowered[span.start - 1], "ADV") if span.start else None
    if word is not None and lowered[span.start] in _MADE:
        yield span.start - 1, span.stop, [PlacedWord(span.start - 1, word)]


_MADE = words_in("built designed made priced constructed")


def _good_for(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """A thing that is good for the aspect: *it is great for gaming*."""
    place = span.start - 1
    while place > 0 and lowered[place] in ("general", "computer", "the", "my", "all", "basic"):
        place -= 1
    word = of_kind(lowered[place - 1], "ADJ") if place > 1 and lowered[place] == "for" else None
    before = place - 2
    while before > 0 and lowered[before] in DEGREE | ADVERBS:
        before -= 1
    if word is None or before < 0 or lowered[place - 1] not in _FITTING:
        return
    is_thing = lowered[before] in COPULAS and before > 0 and lowered[before - 1] in THINGS
    if is_thing or lowered[before] in ("it's", "its"):
        yield place - 1, span.stop, [PlacedWord(place - 1, word)]


_FITTING = words_in(
    "good great perfect excellent wonderful awesome amazing ideal fantastic terrible bad awful horrible"
)


def _row(lowered: Sequence[str], place: int, *kinds: str) -> tuple[list[PlacedWord], int]:
    """Words of these kinds in a row, with *and* or commas between, and where they end."""
    words, stop = list[PlacedWord](), place
    while True:
        place = _behind_degree(lowered, place)
        word = of_kind(word_at(lowered, place), *kinds)
        if word is None:
            return words, stop
        words.append(PlacedWord(place, word))
        stop = place + 1 + (word_at(lowered, place + 1) == "quality" and lowered[place] in _OF_QUALITY)
        following = word_at(lowered, stop + 1)
        if word_at(lowered, stop) not in ("and", ",", "or") or not (following in DEGREE or of_kind(following, *kinds)):
            return words, stop
        place = stop + 1


def _behind_degree(lowered: Sequence[str], place: int) -> int:
    """The place behind adverbs of degree, and behind *a bit*."""
    while True:
        if word_at(lowered, place) == "a" and word_at(lowered, place + 1) in ("bit", "little", "lot"):
            place += 2
        elif word_at(lowered, place) in DEGREE | ADVERBS | MERGED:
            place += 1
        else:
            return place


_OF_QUALITY = words_in("high low poor good great excellent bad")


def _ends(lowered: Sequence[str], stop: int) -> bool:
    """Whether a predicate that reaches up to there ends there."""
    return stop == len(lowered) or lowered[stop] in _AFTER


def _goes_on(lowered: Sequence[str], stop: int) -> bool:
    """Whether a further predicate follows, with a verb or an adjective that is no word of praise or blame."""
    place = stop + (lowered[stop : stop + 1] == [","])
    if lowered[place : place + 1] not in (["and"], ["or"]):
        return False
    following = next((word for word in lowered[place + 1 : place + 4] if not word.endswith("ly")), "")
    kinds = pairs("word_classes_en").get(following, "").split("|")
    return following not in words_known() and ("ADJ" in kinds or "VERB" in kinds) and "NOUN" not in kinds


def _of_person(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """Verbs and feelings of a person: *I love the screen*, *we are happy with the service*."""
    place = _before_modifiers(lowered, span.start - 1)
    while place >= 0 and of_kind(lowered[place], "ADJ", "GAP") is not None:
        place -= 1
    if place >= 0 and lowered[place] in DETERMINERS:
        place -= 1
    is_first = not place or (place == 1 and lowered[0] in ADVERBS)
    if is_first and lowered[place] in _WITHOUT_SUBJECT and (word := of_kind(lowered[place], "VERB")) is not None:
        yield place, span.stop, [PlacedWord(place, word)]
        return
    if place < 1:
        return
    if lowered[place] in ("with", "by") and (word := of_kind(lowered[place - 1], "FEEL")) is not None:
        negation = _negation_before(lowered, place - 1)
        yield place - 1 if negation is None else negation, span.stop, [PlacedWord(place - 1, word, negation)]
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
            yield place, span.stop, [PlacedWord(verb, word, negation)]


_WITHOUT_SUBJECT = words_in("love loved loves like hate hated enjoy")


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

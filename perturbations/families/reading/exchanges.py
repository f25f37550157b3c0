"""Exchanges of one thing in a sentence by another of its kind: numbers, names, and words for things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache

from perturbations.languages import has, language_named, optional_rules, rules
from perturbations.languages.exchange import Exchange, Pick, invented_names, invented_person
from perturbations.languages.parts import Borders, Exchangeable, OtherNames, Verbs
from perturbations.lexicons import pairs, words
from perturbations.sites import in_case_of
from perturbations.text import Sentence


def exchanges_in(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    """The exchanges of one thing that leave the sentence grammatical: numbers, then names, then listed words.

    What is part of a longer name, title, range or compound stays, and so does a number with its conversion behind it.
    A name becomes an invented one of as many persons, of the same gender where a list tells it. Words are exchanged in
    languages with rules that say where they stand alone, and in those whose words are no tokens.
    """
    yield from _numbers(tokens, language, pick)
    if has(language, "borders"):
        yield from _by_borders(tokens, language, pick)
        return
    yield from _names(tokens, language, pick)
    if has(language, "exchangeable", "other_things"):
        yield from _things(tokens, language, pick)


# Numbers --------------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(s|st|nd|rd|th|º|ª|%)?")
_YEAR = re.compile(r"1\d{3}|20[012]\d")
_JOINING = frozenset(["-", "/"])
"""Marks within numbers in words, and between two numbers."""

_ROMAN = re.compile(r"[IVXL]{2,}")
_ROMANS = ("IV", "VII", "IX", "XII", "XIV", "XVI", "XVIII", "XIX")
_ORDINALS = ("st", "nd", "rd", "th", "º", "ª")
_DAYS, _SMALL = 28, 100
"""The largest number of a day, and the least number of three digits."""


def other_number(written: str, pick: Pick) -> str:
    """Another number of the same length and marks, as round as the old one; neither 0 nor 1."""
    if written.isdigit() and int(written) < _SMALL:
        if int(written) < 10:
            return str(pick([each for each in (int(written) - 1, int(written) + 1) if each > 1]))
        near = range(max(2, 2 * int(written) // 3), min(3 * int(written) // 2 + 3, _SMALL))
        return str(pick([each for each in near if each != int(written)]))
    kept = len(written.rstrip("0.,")) or 1
    step = pick(range(1, 9))
    digits = [str((int(char) + step - 1) % 9 + 1) if char.isdigit() else char for char in written[:kept]]
    if digits[0] in ("1", written[0]):
        digits[0] = "3" if written[0] != "3" else "4"
    return "".join(digits) + written[kept:]


def _numbers(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    facts = language_named(language)
    spelled = facts.number_words if not has(language, "borders") else ()
    joining = _JOINING | facts.range_words
    for place, token in enumerate(tokens):
        found = _NUMBER.fullmatch(token)
        if _is_bound(tokens, place, joining):
            continue
        if found and found[1] not in ("0", "1", "100"):
            yield Exchange(place, place + 1, (_counted(tokens, place, found[1], found[2] or "", language, pick),))
        elif _ROMAN.fullmatch(token):
            yield Exchange(place, place + 1, (pick([each for each in _ROMANS if each != token]),))
        elif token.lower() in spelled and joining.isdisjoint(
            (*tokens[place - 1 : place], *tokens[place + 1 : place + 2])
        ):
            other = pick([word for word in spelled if word != token.lower()])
            yield Exchange(place, place + 1, (in_case_of(token, other),))


def _counted(tokens: Sequence[str], place: int, number: str, suffix: str, language: str, pick: Pick) -> str:
    """Another number that can stand there: the day of a month, a century, a year, a decade, or a count."""
    facts = language_named(language)
    beside = {token.lower() for token in (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 3])}
    told = {facts.date_words[word] for word in beside if word in facts.date_words}
    if suffix in _ORDINALS or (number.isdigit() and int(number) <= _DAYS and not beside.isdisjoint(facts.months)):
        near = range(12, 20) if "century" in told else range(4, 20)
        other = pick([each for each in near if str(each) != number])
        return f"{other}{'th' if suffix in _ORDINALS[:4] else suffix}"
    if _YEAR.fullmatch(number) and "unit" not in told:
        around = {*beside, *tokens[max(0, place - 2) : place]}
        step = 10 if suffix == "s" or any(facts.date_words.get(word) == "decade" for word in around) else 1
        years = [int(number) + step * k for k in ((-4, -3, -2, -1, 1, 2) if step > 1 else (-8, -6, -4, -3, 2, 3, 7))]
        others = [int(each) for k, each in enumerate(tokens) if k != place and _YEAR.fullmatch(each)]
        years = [year for year in years if year < _FUTURE and year not in others]
        ordered = [year for year in years if all((year < each) == (int(number) < each) for each in others)]
        return f"{pick(ordered or years)}{suffix}"
    return other_number(number, pick) + suffix


_FUTURE = 2020
"""The first year that texts do not speak of as gone."""


def _is_bound(tokens: Sequence[str], place: int, joining: Set[str]) -> bool:
    """Whether a number is part of another or of a range, stands between brackets, or has its conversion behind it."""
    before, after = tokens[max(0, place - 2) : place], tokens[place + 1 : place + 3]
    dashes = {"–", "-", "/", "—", "×", "°", "⁄", "+", "nº", "n", "No"}
    ranges = [pair for pair in (before[::-1], after) if len(pair) > 1 and pair[0] in joining and pair[1][0].isdigit()]
    opened = any(token in ("(", "[") for token in (*tokens[max(0, place - 6) : place], *after[:1]))
    behind = tokens[place + 1 : place + 6]
    converted = "(" in behind and any(token[0].isdigit() for token in tokens[place + 1 : place + 9])
    bound = bool(ranges) or not dashes.isdisjoint((*before[-1:], *after[:1])) or opened
    return bound or (converted and not _YEAR.fullmatch(tokens[place]))


# Words for things -----------------------------------------------------------------------------------------------------

_MARKED_BY_SHAPE = ("'s", "’s")


def _things(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    """A listed word becomes another, from right to left."""
    is_exchangeable = rules(language, "exchangeable", Exchangeable).is_exchangeable
    months = language_named(language).months
    known, lowered = pairs(f"other_things_{language}"), [token.lower() for token in tokens]
    for place in range(len(tokens) - 2, -1, -1):
        token = tokens[place]
        fresh = [word for word in known.get(lowered[place], "").split("|") if word and word not in lowered]
        in_name = lowered[place] in months and token[0].isupper() and not _is_dated(tokens, place)
        if fresh and not in_name and is_exchangeable(tokens, place):
            yield Exchange(place, place + 1, (in_case_of(token, pick(fresh)),))


def _is_dated(tokens: Sequence[str], place: int) -> bool:
    """Whether a month follows the number of a day: *5 de Outubro*, and not *Rio de Janeiro*."""
    return place > 1 and tokens[place - 2].rstrip("º").isdigit()


def _by_borders(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    """The exchanges of listed words in a language whose words are more or less than tokens."""
    listed = pairs(f"other_things_{language}").items() | pairs(f"cohyponyms_{language}").items()
    known = {**{word: others.split("|") for word, others in sorted(listed)}, **_places(language)}
    borders, bound = rules(language, "borders", Borders), language_named(language).things_counted_by
    layout = borders.layout(Sentence(tuple(tokens), spaces=("",) * len(tokens)))
    for start, stop in [] if layout is None else reversed(borders.occurrences(layout, known)):
        assert layout is not None
        others = [word for word in known["".join(tokens[start:stop])] if word not in "".join(tokens)]
        if others and not (start and tokens[start - 1][-1] in bound):
            yield Exchange(start, stop, tuple(layout.cut([pick(others)])))


@cache
def _places(language: str) -> Mapping[str, Sequence[str]]:
    """Places as a language calls them, each with invented ones that may take its place."""
    named = pairs(f"names_{language}") if has(language, "names") else {}
    return {name: invented_names("place", language) for name, kind in named.items() if kind == "place"}


# Names ----------------------------------------------------------------------------------------------------------------

_LONGEST = 2
"""Words, at most, between two words of one name."""

_INITIALS = 2
"""Capitals below which a word of them alone is a formula or a short form that nobody could exchange."""

_QUOTES = frozenset(['"', "“", "”", "«", "»", "‘"])

_GLUES = frozenset(["&", "/", "'", "’", "-", "–", "(", "[", "”", "“", '"', "‘", "+"])
"""Marks beside a name that make it part of something longer, or explain it."""


def names_in(tokens: Sequence[str], language: str) -> list[tuple[int, int]]:
    """The names that stand alone in a sentence: words in a row with capitals that its beginning does not explain."""
    joints = language_named(language).name_joints
    found: list[tuple[int, int]] = []
    for place, token in enumerate(tokens):
        if not token[0].isupper() or (not place and _is_explained(tokens, language)):
            continue
        between = tokens[found[-1][1] : place] if found else ("",)
        if found and len(between) <= _LONGEST and all(word in joints for word in between):
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return [part for part in found if not _is_within(tokens, *part)]


def _is_explained(tokens: Sequence[str], language: str) -> bool:
    """Whether the first word of a sentence may have its capital from there: it is listed, or a noun is behind it.

    Without a list of words nobody knows.
    """
    first, after = tokens[0].lower(), tokens[1] if len(tokens) > 1 else "."
    stops = words(f"stop_words_{language}") if has(language, "stop_words") else frozenset()
    if not has(language, "word_classes"):
        return True
    classes = pairs(f"word_classes_{language}")
    verbs = optional_rules(language, "verbs", Verbs)
    is_verb = verbs is None or verbs.could_be_finite(after) or tokens[0].endswith(_MARKED_BY_SHAPE)
    compound = after[0].islower() and after not in stops and not is_verb
    return first in stops or first in classes or compound or after == ":"


def _is_within(tokens: Sequence[str], start: int, stop: int) -> bool:
    """Whether a name is part of a longer one, such as *V&A*, *Tyne and Wear*, *Fog on the Tyne* and *Apollo 11*."""
    before, after = tokens[start - 1] if start else "", tokens[stop] if stop < len(tokens) else "."
    if not _GLUES.isdisjoint((before, after)) or not all(word[0].isalpha() for word in tokens[start:stop]):
        return True
    if sum(token in _QUOTES for token in tokens[:start]) % 2:
        return True
    behind = tokens[stop : stop + 3]
    longer = behind[:1] and behind[0] in _LINKS and any(word[0].isupper() for word in behind)
    led = before in _LINKS | {"the"} and any(word[0].isupper() for word in tokens[max(0, start - 3) : start - 1])
    return bool(longer or (led and before != "the") or after[0].isdigit() or after.startswith(("al-", "ibn")))


_LINKS = frozenset(
    [
        "on",
        "for",
        "and",
        "&",
        "e",
        "para",
        "em",
        "upon",
        "de",
        "da",
        "la",
        "le",
        "der",
        "den",
        "und",
        "y",
        "von",
        "van",
        "del",
        "di",
    ]
)
"""Words that may be within a name, or between two."""


def _names(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    for start, stop in names_in(tokens, language):
        found = _other_name(tokens, start, stop, language, pick)
        if found is not None:
            yield found


def _other_name(tokens: Sequence[str], start: int, stop: int, language: str, pick: Pick) -> Exchange | None:
    """Another name in the place of one, or of its first word before a common noun; None where grammar could break."""
    name, last = tokens[start:stop], tokens[stop - 1]
    facts = language_named(language)
    if any(word in facts.kept_names or word.lower() in facts.months or not _is_plain(word) for word in name):
        return None
    if len(name) == 1 and last.isupper() and last.isalpha():
        letters = [char for char in "BCDFGLMNPRSTV" if char not in last]
        return Exchange(start, stop, (last[:-1] + pick(letters),)) if _INITIALS < len(last) < 6 and letters else None
    if any(_is_listed_thing(word, language) for word in name) or _ROMAN.fullmatch(last):
        return None
    own = optional_rules(language, "other_names", OtherNames)
    if own is not None:
        return own.other_name(tokens, start, stop, pick)
    given = _given_name(name[0], language) if len(name) > 1 else None
    new = invented_person(given, language, pick) if given is not None else None
    return None if new is None else Exchange(start, stop, new)


def _given_name(name: str, language: str) -> str | None:
    """Whose given name it is, for a language with lists of given names and of invented persons."""
    listed = has(language, "given_names", "invented", "invented_given_names")
    return pairs(f"given_names_{language}").get(name.lower()) if listed else None


def _is_plain(word: str) -> bool:
    """Whether names and short forms are spelled so: *Souza-Lima* and *IBM* are, *German-language* and *OpenTV* not."""
    parts = word.removesuffix("'s").removesuffix("’s").split("-")
    return word.islower() or all(part.isalpha() and (part.istitle() or part.isupper()) for part in parts)


def _is_listed_thing(word: str, language: str) -> bool:
    """Whether a word is one that a list exchanges as it stands: a month, a language, or the word of a nation."""
    known = pairs(f"other_things_{language}") if has(language, "other_things") else {}
    return word in known or (has(language, "exchangeable") and len(word) > 1 and word.lower() in known)

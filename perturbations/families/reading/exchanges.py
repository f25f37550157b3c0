"""Exchanges of one thing in a sentence by another of its kind: numbers, names, and words for things."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from perturbations.languages import has, language_named, optional_rules, rules
from perturbations.languages.language import words_in
from perturbations.languages.parts import Borders, Verbs
from perturbations.lexicons import pairs, rows, words
from perturbations.sites import in_case_of
from perturbations.text import Sentence

Pick = Callable[[Sequence[Any]], Any]
"""Draws one of some things."""

Tokens = tuple[str, ...]


class Exchange(NamedTuple):
    """Tokens ``start`` up to but not including ``stop`` of a sentence, and what takes their place."""

    start: int
    stop: int
    new: Tokens


def exchanges_in(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    """The exchanges of one thing that leave the sentence grammatical: numbers, then names, then listed words.

    What is part of a longer name, title, range or compound stays, and so does a number with its conversion behind it.
    A name becomes an invented one of as many persons, of the same gender where a list tells it. Words are listed in
    Portuguese and Chinese alone.
    """
    yield from _numbers(tokens, language, pick)
    if has(language, "borders"):
        yield from _by_borders(tokens, language, pick)
        return
    yield from _names(tokens, language, pick)
    if language == "pt":
        yield from _things(tokens, pick)


# Numbers --------------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(s|st|nd|rd|th|º|ª|%)?")
_YEAR = re.compile(r"1\d{3}|20[012]\d")
_JOINING = frozenset(["-", "/", "e", "and", "to", "a", "or", "ou"])
"""Words and marks within numbers in words, and between two numbers."""

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
    spelled = language_named(language).number_words if not has(language, "borders") else ()
    for place, token in enumerate(tokens):
        found = _NUMBER.fullmatch(token)
        if _is_bound(tokens, place):
            continue
        if found and found[1] not in ("0", "1", "100"):
            yield Exchange(place, place + 1, (_counted(tokens, place, found[1], found[2] or "", pick),))
        elif _ROMAN.fullmatch(token):
            yield Exchange(place, place + 1, (pick([each for each in _ROMANS if each != token]),))
        elif token.lower() in spelled and _JOINING.isdisjoint(
            (*tokens[place - 1 : place], *tokens[place + 1 : place + 2])
        ):
            other = pick([word for word in spelled if word != token.lower()])
            yield Exchange(place, place + 1, (in_case_of(token, other),))


def _counted(tokens: Sequence[str], place: int, number: str, suffix: str, pick: Pick) -> str:
    """Another number that can stand there: the day of a month, a century, a year, a decade, or a count."""
    beside = {token.lower() for token in (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 3])}
    if suffix in _ORDINALS or (number.isdigit() and int(number) <= _DAYS and not _MONTHS.isdisjoint(beside)):
        near = range(12, 20) if "century" in beside else range(4, 20)
        other = pick([each for each in near if str(each) != number])
        return f"{other}{'th' if suffix in _ORDINALS[:4] else suffix}"
    if _YEAR.fullmatch(number) and not (beside & _UNITS):
        step = 10 if suffix == "s" or not _DECADES.isdisjoint({*beside, *tokens[max(0, place - 2) : place]}) else 1
        years = [int(number) + step * k for k in ((-4, -3, -2, -1, 1, 2) if step > 1 else (-8, -6, -4, -3, 2, 3, 7))]
        others = [int(each) for k, each in enumerate(tokens) if k != place and _YEAR.fullmatch(each)]
        years = [year for year in years if year < _FUTURE and year not in others]
        ordered = [year for year in years if all((year < each) == (int(number) < each) for each in others)]
        return f"{pick(ordered or years)}{suffix}"
    return other_number(number, pick) + suffix


_MONTHS = words_in(
    "january february march april may june july august september october november december "
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
)


_DECADES = frozenset(["década", "anos", "decade"])

_UNITS = words_in("people men women soldiers books songs students seats members miles metres meters feet km pessoas")
"""Words behind a number that is no year."""

_FUTURE = 2020
"""The first year that texts do not speak of as gone."""


def _is_bound(tokens: Sequence[str], place: int) -> bool:
    """Whether a number is part of another or of a range, stands between brackets, or has its conversion behind it."""
    before, after = tokens[max(0, place - 2) : place], tokens[place + 1 : place + 3]
    dashes = {"–", "-", "/", "—", "×", "°", "⁄", "+", "nº", "n", "No"}
    ranges = [pair for pair in (before[::-1], after) if len(pair) > 1 and pair[0] in _JOINING and pair[1][0].isdigit()]
    opened = any(token in ("(", "[") for token in (*tokens[max(0, place - 6) : place], *after[:1]))
    behind = tokens[place + 1 : place + 6]
    converted = "(" in behind and any(token[0].isdigit() for token in tokens[place + 1 : place + 9])
    bound = bool(ranges) or not dashes.isdisjoint((*before[-1:], *after[:1])) or opened
    return bound or (converted and not _YEAR.fullmatch(tokens[place]))


# Words for things -----------------------------------------------------------------------------------------------------

_COMPLEMENTS = frozenset(["de", "do", "da", "dos", "das"])
"""Words behind a noun with which it names one thing, such as *plan of studies*."""

_MARKED_BY_SHAPE = ("'s", "’s")


def _things(tokens: Sequence[str], pick: Pick) -> Iterator[Exchange]:
    """A listed Portuguese word becomes another, from right to left."""
    known, lowered = pairs("other_things_pt"), [token.lower() for token in tokens]
    for place in range(len(tokens) - 2, -1, -1):
        token = tokens[place]
        fresh = [word for word in known.get(lowered[place], "").split("|") if word and word not in lowered]
        in_name = lowered[place] in _MONTHS and token[0].isupper() and not _is_dated(tokens, place)
        if fresh and not in_name and _stands_alone(tokens, place):
            yield Exchange(place, place + 1, (in_case_of(token, pick(fresh)),))


def _is_dated(tokens: Sequence[str], place: int) -> bool:
    """Whether a month follows the number of a day: *5 de Outubro*, and not *Rio de Janeiro*."""
    return place > 1 and tokens[place - 2].rstrip("º").isdigit()


def _by_borders(tokens: Sequence[str], language: str, pick: Pick) -> Iterator[Exchange]:
    """The exchanges of listed words in a language whose words are more or less than tokens."""
    listed = pairs(f"other_things_{language}").items() | pairs(f"cohyponyms_{language}").items()
    known = {**{word: others.split("|") for word, others in sorted(listed)}, **_places(language)}
    borders = rules(language, "borders", Borders)
    layout = borders.layout(Sentence(tuple(tokens), spaces=("",) * len(tokens)))
    for start, stop in [] if layout is None else reversed(borders.occurrences(layout, known)):
        assert layout is not None
        others = [word for word in known["".join(tokens[start:stop])] if word not in "".join(tokens)]
        if others and not (start and tokens[start - 1][-1] in _MEASURES):
            yield Exchange(start, stop, tuple(layout.cut([pick(others)])))


_MEASURES = frozenset("条座部本只辆艘架首")
"""Chinese measure words that go with some things alone."""


@cache
def _places(language: str) -> Mapping[str, Sequence[str]]:
    """Places as a language calls them, each with invented ones that may take its place."""
    named = pairs(f"names_{language}") if has(language, "names") else {}
    return {name: invented_names("place", language) for name, kind in named.items() if kind == "place"}


def _stands_alone(tokens: Sequence[str], place: int) -> bool:
    """Whether the words around leave the word its meaning: no title, no compound, no set phrase.

    Before it is an article or the like; behind it the end of its phrase.
    """
    stops = words("stop_words_pt")
    token, after = tokens[place], tokens[place + 1]
    before = tokens[place - 1] if place else ""
    if before.lower() in _NOT_BEFORE or "-" in (before, after):
        return False
    if token in _HEADS and before in stops and after.islower():
        return True
    if after.lower() in _COMPLEMENTS or (after == "com" and tokens[place + 2 : place + 3] == ("que",)):
        return False
    if token in _RANKS:
        return before.lower() in stops
    could_be_verb = rules("pt", "verbs", Verbs).could_be_finite(after)
    if (after[0].isalnum() and after.lower() not in stops and not could_be_verb) or after[0].isupper():
        return False
    return not place or before in _RANKS or (before.lower() in stops and (place == 1 or not before.isupper()))


_HEADS = words_in(
    "coordenador professor professores diretor reitor aluno alunos acadêmico acadêmicos discente discentes docente "
    "docentes curso cursos disciplina disciplinas universidade universidades instituição instituições empresa empresas "
    "departamento instituto projeto projetos profissionais candidato candidatos"
)
"""Words that mean the same before a complement or an adjective."""

_NOT_BEFORE = frozenset(["não", "mesmo", "mesma", "mesmos", "mesmas"])
"""Words before which a listed word is no thing alone."""

_RANKS = words_in("primeiro primeira segundo segunda terceiro terceira primeiros primeiras maior menor")


# Names ----------------------------------------------------------------------------------------------------------------

_LONGEST = 2
"""Words of an invented name."""

_INITIALS = 2
"""Capitals below which a word of them alone is a formula or a short form that nobody could exchange."""

_JOINTS: Mapping[str, Sequence[str]] = {"pt": ("de", "da", "do", "das", "dos", "e"), "en": ("of", "the")}
"""Words within names."""

_QUOTES = frozenset(['"', "“", "”", "«", "»", "‘"])

_GLUES = frozenset(["&", "/", "'", "’", "-", "–", "(", "[", "”", "“", '"', "‘", "+"])
"""Marks beside a name that make it part of something longer, or explain it."""

_ARTICLES: Mapping[str, frozenset[str]] = {
    "pt": words_in("o a os as do da dos das no na nos nas ao à aos às pelo pela um uma"),
    "en": words_in("the a an"),
}


@cache
def invented_names(kind: str, language: str) -> Tokens:
    """Invented names of a kind alone; a name of anything can be that of a person, a place and an organisation."""
    wanted = {"person", "place", "organisation"} if kind == "name" else {kind}
    known = pairs(f"invented_{language}").items()
    return tuple(name for name, sorts in known if wanted == {*sorts.split("|")} and len(name.split()) <= _LONGEST)


def names_in(tokens: Sequence[str], language: str) -> list[tuple[int, int]]:
    """The names that stand alone in a sentence: words in a row with capitals that its beginning does not explain."""
    joints = _JOINTS.get(language, ())
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
    """Whether the first word of a sentence may have its capital from there: it is listed, or a noun is behind it."""
    first, after = tokens[0].lower(), tokens[1] if len(tokens) > 1 else "."
    stops, classes = words(f"stop_words_{language}"), pairs(f"word_classes_{language}")
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
    before = tokens[start - 1].lower() if start else ""
    if any(word in _NEVER or word.lower() in _MONTHS or not _is_plain(word) for word in name):
        return None
    if len(name) == 1 and last.isupper() and last.isalpha():
        letters = [char for char in "BCDFGLMNPRSTV" if char not in last]
        return Exchange(start, stop, (last[:-1] + pick(letters),)) if _INITIALS < len(last) < 6 and letters else None
    if any(_is_listed_thing(word, language) for word in name) or _ROMAN.fullmatch(last):
        return None
    if language == "pt":
        return _portuguese_name(tokens, start, stop, pick)
    possessive = last[-2:] if last.endswith(_MARKED_BY_SHAPE) else ""
    base = last.removesuffix(possessive) if possessive else last
    joints = [k for k in range(start + 1, stop - 1) if tokens[k] in _JOINTS["en"]]
    classes = pairs("word_classes_en")
    headed = len(name) > 1 and "NOUN" in classes.get(base.lower(), "").split("|")
    singles = [each for each in invented_names("name", "en") if " " not in each]
    if joints:
        new = pick(invented_names("place", "en")).split()
        bare = tokens[joints[-1]] != "the" and not headed
        return Exchange(joints[-1] + 1, stop, (*new[:-1], new[-1] + possessive)) if bare else None
    if headed:
        return None
    if len(name) == 1 and "NOUN" in classes.get(base.lower(), "") + classes.get(_singular(base.lower()), ""):
        return None
    if len(name) == 1 and not possessive and _is_plural(base):
        counted = before in _BEFORE_MANY or before[:1].isdigit()
        return Exchange(start, stop, (pick(singles) + "s",)) if counted else None
    if before in _ARTICLES["en"] or _is_adjective(base):
        return None
    given = pairs("given_names_en").get(name[0].lower()) if len(name) > 1 else None
    if given is not None:
        genders = pairs("invented_given_names_en")
        persons = [each for each in invented_names("person", "en") if genders.get(each.split()[0].lower()) == given]
        new = pick(persons).split() if persons else None
    else:
        new = pick(invented_names("name", "en")).split()
    return None if new is None else Exchange(start, stop, (*new[:-1], new[-1] + possessive))


_BEFORE_MANY = frozenset(["the", "some", "many", "most", "several"])


def _is_plain(word: str) -> bool:
    """Whether names and short forms are spelled so: *Souza-Lima* and *IBM* are, *German-language* and *OpenTV* not."""
    parts = word.removesuffix("'s").removesuffix("’s").split("-")
    return word.islower() or all(part.isalpha() and (part.istitle() or part.isupper()) for part in parts)


def _is_plural(name: str) -> bool:
    """Whether a name is that of several, such as *Normans*; no place and no given name is."""
    several = name.endswith("s") and not name.endswith(("ss", "us", "is"))
    return several and name not in pairs("places_en") and name.lower() not in pairs("given_names_en")


def _singular(word: str) -> str:
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def _portuguese_name(tokens: Sequence[str], start: int, stop: int, pick: Pick) -> Exchange | None:
    """Another Portuguese name; behind an article a country that takes the same, or an invented name of its gender."""
    name, last = tokens[start:stop], tokens[stop - 1]
    before = tokens[start - 1].lower() if start else ""
    article = {row[0]: row[2] for row in rows("places_pt") if len(row) > 2 and row[2]}
    known, own = {row[0] for row in rows("places_pt")}, article.get(" ".join(name))
    given = pairs("given_names_pt").get(name[0].lower()) if len(name) > 1 else None
    if own is not None:
        alike = [each for each, other in article.items() if other == own and each != name[0] and " " not in each]
        return (
            Exchange(start, stop, (pick(alike),))
            if alike and (own == "none") == (before not in _ARTICLES["pt"])
            else None
        )
    if " ".join(name) in known and before not in _ARTICLES["pt"]:
        return Exchange(start, stop, tuple(pick(invented_names("place", "pt")).split()))
    if given is not None:
        genders = pairs("invented_given_names_pt")
        persons = [each for each in invented_names("person", "pt") if genders.get(each.split()[0].lower()) == given]
        return Exchange(start, stop, tuple(pick(persons).split())) if persons else None
    if len(name) > 1 or before not in _NAMED or name[0].lower() in pairs("word_classes_pt") or last.endswith(_COMMON):
        return None
    return Exchange(start, stop, (pick(invented_names("name", "pt")),))


_NAMED = frozenset(["de", "em", "por", "com", "para"])
"""Words before a name that has no article."""

_COMMON = ("ndo", "ora", "ção", "são", "dade", "ismo", "ência", "mento", "ogia", "tica")
"""Ends of Portuguese words that are no names, whatever their first letter."""


def _is_listed_thing(word: str, language: str) -> bool:
    """Whether a word is one that a list exchanges as it stands: a month, a language, or the word of a nation."""
    known = pairs(f"other_things_{language}")
    return word in known or (language == "pt" and len(word) > 1 and word.lower() in known)


_NEVER = frozenset(
    [
        "None",
        "Most",
        "I",
        "EUA",
        "USA",
        "God",
        "Internet",
        "Earth",
        "Bible",
        "Church",
        "Parliament",
        "Christian",
        "Protestant",
        "Huguenot",
    ]
)


def _is_adjective(word: str) -> bool:
    """Whether a word with a capital can be an adjective, such as *German* and *Spanish*."""
    return word.endswith(("ish", "ese", "ian", "an", "ic", "ern", "utch", "reek", "rench", "elsh", "al", "ist", "ists"))

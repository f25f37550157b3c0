"""Kinds of names in English: women and men, towns and lands, companies."""

from collections.abc import Mapping
from functools import cache

from perturbations.languages.language import words_in
from perturbations.languages.parts import SURNAME
from perturbations.lexicons import pairs, words
from perturbations.resources import Entity, Sort
from perturbations.text import Sentence, Span

_ALONE = " alone"
"""Added to the gender of a given name without a surname."""

_DETERMINERS = words_in(
    "the a an this that these those my your his her its our their every each any some no another what which"
)
_GROUPS = words_in("brothers sisters boys girls family twins kids fans team gang")
"""Words that end the names of several persons."""

_BEFORE_TOWNS = words_in("in from near to at of around outside")
_NO_TOWNS = words_in(
    "earth planet universe world heaven hell moon mars europe africa asia america antarctica bollywood hollywood"
)
_SOCIETIES = words_in("of for and the")
"""Words in the names of organisations that take *the*."""


def kind_of(name: Entity, sort: Sort) -> str | None:
    """The kind of the name by itself; None where it does not tell.

    A person is a woman or a man by the given name in the lists, "alone" where nothing follows it; an invented name
    without one is a surname. A place is a town or a land by the lists. Of the organisations the invented ones that
    take no article are companies.
    """
    text = " ".join(name)
    if sort == "person":
        gender = _gender(name)
        if gender is None:
            return SURNAME if "|" in pairs("invented_en").get(text, "") else None
        return gender if len(name) > 1 else gender + _ALONE
    if sort == "place":
        return "land" if text.lower() in _lands() else "town" if text.lower() in _towns() else None
    is_invented = "organisation" in pairs("invented_en").get(text, "")
    return "company" if is_invented and _SOCIETIES.isdisjoint(text.lower().split()) else None


def kinds_at(sentence: Sentence, span: Span, sort: Sort) -> frozenset[str]:
    """The kinds that can stand in the place of the name there; none where that is not certain.

    None can stand behind an article or another determiner, for an abbreviation, or for a name with other signs than
    letters. For a person of whom no list has the given name any can stand, where no word tells a gender.
    """
    name = sentence.tokens[span.start : span.stop]
    before = sentence.tokens[span.start - 1].lower() if span.start else ""
    joined = "".join(word[:-1].replace("-", "").replace("'", "") + word[-1].rstrip(".") for word in name)
    is_short = joined.isupper() and len(joined) < 5 and not "".join(sentence.tokens).isupper()
    if before in _DETERMINERS or name[0].lower() in _DETERMINERS or not joined.isalpha() or is_short:
        return frozenset()
    if sort == "person":
        return _persons_at(sentence, name)
    if sort == "place":
        return _places_at(name, before)
    return frozenset(["company"])


def _persons_at(sentence: Sentence, name: Entity) -> frozenset[str]:
    if name[-1].lower() in _GROUPS:
        return frozenset()
    gender = _gender(name)
    if gender is None and not _gendered().isdisjoint(token.lower() for token in sentence.tokens):
        return frozenset()
    genders = ["woman", "man"] if gender is None else [gender]
    alone = [each + _ALONE for each in genders] if len(name) == 1 else []
    return frozenset([*genders, *alone])


def _places_at(name: Entity, before: str) -> frozenset[str]:
    kind = kind_of(name, "place")
    if kind is None and before in _BEFORE_TOWNS and len(name) < 3 and not _NO_TOWNS.intersection(map(str.lower, name)):
        kind = "town"
    return frozenset() if kind is None else frozenset([kind])


def _gender(name: Entity) -> str | None:
    return _genders().get(name[0].lower()) if "".join(name).replace("-", "").isalpha() else None


@cache
def _genders() -> Mapping[str, str]:
    return {**pairs("given_names_en"), **pairs("invented_given_names_en")}


@cache
def _gendered() -> frozenset[str]:
    """Words that tell the gender of somebody."""
    listed = pairs("gendered_words_en")
    return frozenset(listed) | frozenset(listed.values()) | words_in("hers")


@cache
def _lands() -> frozenset[str]:
    return frozenset(map(str.lower, words("lands_en")))


@cache
def _towns() -> frozenset[str]:
    invented = {name for name, sorts in pairs("invented_en").items() if "place" in sorts.split("|")}
    return frozenset(map(str.lower, {*pairs("places_en"), *invented})) - _lands()

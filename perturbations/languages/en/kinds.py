"""Kinds of names in English: women and men, towns and lands, companies."""

from collections.abc import Mapping
from functools import cache

from perturbations.languages.forms import is_lone, with_digits
from perturbations.languages.language import words_in
from perturbations.languages.parts import SURNAME
from perturbations.lexicons import pairs, words
from perturbations.resources import Entity, Sort
from perturbations.text import Sentence, Span, entity_spans

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


def kind_of(name: Entity, sort: Sort | None) -> str | None:
    """The kind of the name by itself; None where it does not tell.

    A person is a woman or a man by the given name in the lists, "alone" where nothing follows it; a listed name of
    several sorts without one is a surname. A place is a town or a land by the lists. Of the organisations the listed
    ones that take no article are companies. Other names are singular, plural, adjectives, short or with digits.
    """
    if sort is None:
        return _form_of(name)
    text = " ".join(name)
    if sort == "person":
        gender = _gender(name)
        if gender is None:
            return SURNAME if "|" in _listed_names().get(text, "") else None
        return gender if len(name) > 1 else gender + _ALONE
    if sort == "place":
        return "land" if text.lower() in _lands() else "town" if text.lower() in _towns() else None
    if "organisation" in pairs("names_en").get(text, ""):
        return "company"
    is_invented = "organisation" in pairs("invented_en").get(text, "")
    return "company" if is_invented and _SOCIETIES.isdisjoint(text.lower().split()) else None


def kinds_at(sentence: Sentence, span: Span, sort: Sort | None) -> frozenset[str]:
    """The kinds that can stand in the place of the name there; none where that is not certain.

    None can stand behind an article or another determiner, for an abbreviation, or for a name with other signs than
    letters. For a person of whom no list has the given name any can stand, where no word tells a gender.
    """
    name = sentence.tokens[span.start : span.stop]
    before = sentence.tokens[span.start - 1].lower() if span.start else ""
    if sort is None:
        form = _form_of(name) if _stands_alone(sentence, span) else None
        return frozenset() if form is None else frozenset([form])
    joined = "".join(word[:-1].replace("-", "").replace("'", "") + word[-1].rstrip(".") for word in name)
    is_short = joined.isupper() and len(joined) < 5 and not "".join(sentence.tokens).isupper()
    if before in _DETERMINERS or name[0].lower() in _DETERMINERS or not joined.isalpha() or is_short:
        return frozenset()
    if sort == "person":
        return _persons_at(sentence, name)
    if sort == "place":
        return _places_at(name, before)
    return frozenset(["company"])


def _stands_alone(sentence: Sentence, span: Span) -> bool:
    """Whether nothing beside the name belongs to it, and no article or other determiner tells that it is counted."""
    place = span.start - 1
    kinds = pairs("word_classes_en")
    while place >= 0 and "ADJ" in kinds.get(sentence.tokens[place].lower(), "").split("|"):
        place -= 1
    if place >= 0 and sentence.tokens[place].lower() in _DETERMINERS:
        return False
    return is_lone(sentence, entity_spans(sentence.entity_tags or ()), span)


def _form_of(name: Entity) -> str | None:
    """The form of a name of another type; None for what is counted, so that it needs an article: *tumor*."""
    found = with_digits(name)
    if found is not None:
        return found
    joined = "".join(name)
    if not joined.replace("-", "").replace("'", "").isalpha() or name[0].lower() in _DETERMINERS:
        return None
    if len(name) == 1 and sum(map(str.isupper, joined)) > 1:
        return None if joined.endswith("s") else "short"
    head = _head(name)
    if head in _COUNTED:
        return None
    if head.endswith(_OF_ADJECTIVES):
        return "adjective"
    plural = head.endswith("s") and not head.endswith(("ss", "us", "is")) and head not in _SINGULAR
    return f"{'title' if name[0][0].isupper() else 'plain'} {'plural' if plural else 'singular'}"


def _head(name: Entity) -> str:
    """The last word before a preposition, in small letters."""
    lowered = [*map(str.lower, name)]
    stop = next((i for i, word in enumerate(lowered) if i and word in _WITHIN), len(lowered))
    return lowered[stop - 1]


_WITHIN = words_in("of in with to due from after for at on and or secondary")
_OF_ADJECTIVES = ("ic", "al", "ive", "ous", "ary", "oid", "ed", "ing", "able", "ible", "ant", "ent")
_SINGULAR = words_in("diabetes measles mumps rabies herpes rickets scabies ascites caries aids series news")
_COUNTED = words_in(
    "tumor tumour neoplasm lesion seizure ulcer disorder syndrome defect abnormality injury stroke attack "
    "fracture cyst adenoma headache reaction deficit aneurysm polyp cataract convulsion spasm rash cold fever "
    "episode event wound abscess thrombus embolus infarct block malformation complication condition illness "
    "carcinoma disease allergy phobia game movie film song show book phone album laptop console car app"
)
"""Nouns that stand without an article as a part of others alone."""


def _persons_at(sentence: Sentence, name: Entity) -> frozenset[str]:
    if name[-1].lower() in _GROUPS:
        return frozenset()
    gender = _gender(name)
    if gender is None and not _gendered_words().isdisjoint(token.lower() for token in sentence.tokens):
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
def _gendered_words() -> frozenset[str]:
    """Words that tell the gender of somebody."""
    listed = pairs("gendered_words_en")
    return frozenset(listed) | frozenset(listed.values()) | words_in("hers")


@cache
def _lands() -> frozenset[str]:
    return frozenset(map(str.lower, words("lands_en")))


@cache
def _towns() -> frozenset[str]:
    listed = {name for name, sorts in _listed_names().items() if "place" in sorts.split("|")}
    return frozenset(map(str.lower, {*pairs("places_en"), *listed})) - _lands()


@cache
def _listed_names() -> Mapping[str, str]:
    """Invented and real names, with what they are names of."""
    return {**pairs("invented_en"), **pairs("names_en")}

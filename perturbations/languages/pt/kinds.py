"""Kinds of names in Portuguese: the gender of persons, towns and lands with their article, companies and courts."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from perturbations.languages.forms import is_lone, with_digits
from perturbations.languages.language import words_in
from perturbations.languages.parts import SURNAME
from perturbations.languages.pt import LANGUAGE
from perturbations.lexicons import pairs, rows, words
from perturbations.resources import Entity, Sort
from perturbations.text import Sentence, Span, entity_spans, lower_tokens

_ALONE = " alone"
"""Added to the gender of a given name without a surname."""

_BEFORE_TOWNS = words_in("em de para por entre até desde sobre")
"""Prepositions behind which a name that is in no list, without an article, is taken for a town."""

_DIVISIONS = words_in("estado município comarca cidade")
"""First words of places by which one is known for another of its kind."""

_NO_TOWNS = words_in(
    "aeroporto alameda av av. avenida bairro cachoeira colônia condomínio córrego distrito edifício escola estrada "
    "fazenda fórum hospital ilha lago lagoa largo loteamento morro palácio parque penitenciária ponte porto praça "
    "praia presídio quadra rio rodovia rua serra setor sítio terra travessa universidade vale via vila zona"
)

_COMPANY = re.compile(r"(.+ )?(ltda|s ?/ ?a|s ?\. ?a|eireli|epp|cia) ?\.?")
_BODIES = (
    ("high court", re.compile("supremo tribunal .*|superior tribunal .*|tribunal superior .*")),
    ("state court", re.compile("tribunal de justiça .*")),
    ("federal court", re.compile("tribunal regional .*")),
    ("court of accounts", re.compile("tribunal de contas .*")),
    ("ministry", re.compile("ministério d.*")),
    ("chamber", re.compile("[0-9]+ª turma .*")),
    ("state", re.compile("estado d.*")),
    ("high court in short", re.compile("stf|stj|stm|tst|tse")),
    ("state court in short", re.compile("tj[a-z]{2,3}")),
)
_REMEMBERED = 2**13
"""For how many names at most their kind is kept: a corpus has most of its names more than once."""

_MASCULINE = words_in("o do no ao pelo num dum")
_FEMININE = words_in("da na à pela numa duma")


def kind_of(name: Entity, sort: Sort | None) -> str | None:
    """The kind of the name by itself; None where it does not tell.

    A person is a woman or a man by the given name in the lists, "alone" where nothing follows it; an invented name
    without one is a surname. A place is a town, or a land with the article that it takes, or begins with what it is,
    such as *Estado*. An organisation is a company by its last word, or some court or other body by its first. Another
    name has the gender and number of its first word, or begins with the same word if it has digits.
    """
    if sort is None:
        return _form_of(name)
    if sort == "person":
        return _kind_of_person(name)
    return _kind_of_place(name) if sort == "place" else _kind_of_organisation(name)


def kinds_at(sentence: Sentence, span: Span, sort: Sort | None) -> frozenset[str]:
    """The kinds that can stand in the place of the name there; none where that is not certain.

    The gender of a person is also told by a title before or behind, or by an *o* at the end of the given name. A place
    takes the article that stands there.
    """
    name = sentence.tokens[span.start : span.stop]
    before = sentence.tokens[span.start - 1].lower() if span.start else ""
    if _goes_on(sentence, span.stop):
        return frozenset()
    if sort is None:
        lone = is_lone(sentence, entity_spans(sentence.entity_tags or ()), span)
        form = _form_of(name) if lone else None
        return frozenset() if form is None else frozenset([form])
    if sort == "person":
        return _persons_at(sentence, span, name)
    return _places_at(name, before) if sort == "place" else _organisations_at(name, before)


def _goes_on(sentence: Sentence, stop: int) -> bool:
    """Whether what follows may be the rest of a longer name: *dos Santos*, *e Territórios*."""
    if stop + 1 >= len(sentence) or (sentence.entity_tags is not None and sentence.entity_tags[stop + 1] != "O"):
        return False
    link, word = sentence.tokens[stop : stop + 2]
    return (link.lower() in _LINKS and word[0].isupper()) or (link.lower(), word.lower()) == ("e", "territórios")


_LINKS = words_in("de da do das dos")


@lru_cache(_REMEMBERED)
def _form_of(name: Entity) -> str | None:
    """The form of a name of another type; None if its gender is not known."""
    found = with_digits(name)
    if found is not None:
        return found
    if not "".join(name).replace("-", "").isalpha() or (len(name) == 1 and sum(map(str.isupper, name[0])) > 1):
        return None
    first = name[0].lower()
    number = "plural" if first.endswith("s") and not first.endswith(("is", "us", "es")) else "singular"
    stem = first.removesuffix("s") if number == "plural" else first
    gender = next((gender for gender, endings in _GENDERS if stem.endswith(endings)), None)
    return None if gender is None else f"{'title' if name[0][0].isupper() else 'plain'} {gender} {number}"


_GENDERS = (
    ("feminine", ("ção", "são", "dade", "ose", "ite", "gem")),
    ("masculine", ("ema", "oma", "o", "or")),
    ("feminine", ("a",)),
)


@lru_cache(_REMEMBERED)
def _kind_of_person(name: Entity) -> str | None:
    if not all(map(_is_part_of_name, name)):
        return None
    gender = _genders().get(_plain(name[0]))
    if gender is None:
        return SURNAME if "|" in _listed_names().get(" ".join(name), "") else None
    return gender if len(name) > 1 else gender + _ALONE


def _persons_at(sentence: Sentence, span: Span, name: Entity) -> frozenset[str]:
    if not all(map(_is_part_of_name, name)):
        return frozenset()
    gender = _genders().get(_plain(name[0])) or _gender_by_title(sentence, span)
    if gender is None and len(name) > 1 and name[0].lower().endswith("o"):
        gender = "man"
    if gender is None:
        return frozenset()
    return frozenset([gender, gender + _ALONE] if len(name) == 1 else [gender])


@lru_cache(_REMEMBERED)
def _is_part_of_name(word: str) -> bool:
    letters = word.replace(".", "").replace("'", "").replace("-", "")
    return letters.isalpha() and word.lower() not in _titles() and word.lower() != "presidente"


def _gender_by_title(sentence: Sentence, span: Span) -> str | None:
    """The gender of the words for persons at most five tokens before the name and two behind; None if not the same.

    So do participles before it, as in *Apelado : X*; words behind that begin a new entry, as *Relator :*, do not.
    """
    lower = lower_tokens(sentence.tokens)
    before, behind = lower[max(0, span.start - 5) : span.start], lower[span.stop : span.stop + 3]
    around = before if ":" in behind else before + behind[:2]
    found = {_titles()[word] for word in around if word in _titles()}
    found |= {gender for word in before for gender, endings in _PARTICIPLES if word.endswith(endings)}
    found |= {gender for gender, article in (("man", _MASCULINE), ("woman", _FEMININE)) if article & {*before[-1:]}}
    return found.pop() if len(found) == 1 else None


_PARTICIPLES = (("man", ("ado", "ido")), ("woman", ("ada", "ida")))


@cache
def _titles() -> Mapping[str, str]:
    """Words for persons, each with the gender."""
    listed = rows("gendered_words_pt")
    return {his: "man" for his, _ in listed} | {her: "woman" for _, her in listed}


@cache
def _genders() -> Mapping[str, str]:
    listed = {**pairs("given_names_pt"), **pairs("invented_given_names_pt")}
    return {_plain(name): gender for name, gender in listed.items()}


@lru_cache(_REMEMBERED)
def _kind_of_place(name: Entity) -> str | None:
    text, first = _plain(" ".join(name)), name[0].lower()
    if text in _lands():
        return f"land {_lands()[text]}"
    if text in _towns():
        return "town"
    return first if first in _DIVISIONS and len(name) > 2 else None


def _places_at(name: Entity, before: str) -> frozenset[str]:
    kind = _kind_of_place(name)
    article = LANGUAGE.place_articles.get(before, "none")
    if kind is None and article == "none" and before in _BEFORE_TOWNS and _may_be_town(name):
        kind = "town"
    wanted = {"town": "none", "land o": "o", "land a": "a", "land none": "none"}.get(kind or "", article)
    return frozenset([kind]) if kind is not None and article == wanted else frozenset()


def _may_be_town(name: Entity) -> bool:
    joined = "".join(name)
    return joined.isalpha() and len(joined) > 3 and len(name) < 5 and name[0].lower() not in _NO_TOWNS | _DIVISIONS


@cache
def _lands() -> Mapping[str, str]:
    """The article of each land, by its name in small letters without accents; invented ones take *o*."""
    articles = {place: article for place, _, article in rows("places_pt")}
    return {_plain(land): articles.get(land, "o") for land in words("lands_pt")}


@cache
def _towns() -> frozenset[str]:
    listed = {place for place, _, article in rows("places_pt") if article == "none"}
    named = {name for name, sorts in _listed_names().items() if "place" in sorts.split("|")}
    return frozenset(map(_plain, listed | named)) - _lands().keys()


@cache
def _listed_names() -> Mapping[str, str]:
    """Invented and real names, with what they are names of."""
    return {**pairs("invented_pt"), **pairs("names_pt")}


@lru_cache(_REMEMBERED)
def _kind_of_organisation(name: Entity) -> str | None:
    text = " ".join(name).lower()
    body = next((kind for kind, form in _BODIES if form.fullmatch(text)), None)
    is_company = _COMPANY.fullmatch(text) or "organisation" in _listed_names().get(" ".join(name), "")
    return "company" if body is None and is_company else body


def _organisations_at(name: Entity, before: str) -> frozenset[str]:
    kind = _kind_of_organisation(name)
    if kind is None or (kind == "company" and LANGUAGE.place_articles.get(before, "a") != "a"):
        return frozenset()
    return frozenset([kind])


def _plain(text: str) -> str:
    """In small letters, without accents."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))

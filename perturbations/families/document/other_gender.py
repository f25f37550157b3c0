"""Persons of another gender in a document: a given name, and every pronoun that stands for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perturbations.catalogue import sentence_level
from perturbations.documents import mentions_of, sentences_of
from perturbations.families.document.outline import pronouns_of
from perturbations.languages.parts import Gender
from perturbations.lexicons import pairs, words
from perturbations.numbered import OnDemand
from perturbations.sites import rewriting
from perturbations.text import Edit, Sentence, Span

_TURNED: Mapping[str, str] = {
    "he": "she",
    "him": "her",
    "his": "her",
    "himself": "herself",
    "she": "he",
    "her": "him",
    "hers": "his",
    "herself": "himself",
}
_OTHER: Mapping[Gender, Gender] = {"woman": "man", "man": "woman"}


@sentence_level(
    title="Names of another gender",
    kind="pragmatics",
    labels="keeps",
    scheme="documents",
    languages=("en",),
    renews=True,
    relation="loses",
    example=("[Ann a] said that [she a] saw [the dog b] .", "[Aaron a] said that [he a] saw [the dog b] ."),
)
def other_gender(sentence: Sentence) -> list[Sequence[Edit]]:
    """One person gets a given name of the other gender, and all pronouns follow.

    Only a person whose mentions are a listed given name, alone or with a surname, and pronouns. No word that tells a
    gender, *girl*, *Mr*, stands in a sentence with the person, and no pronoun of the new gender for anybody else in the
    document; otherwise the document stays.
    """
    known: Mapping[str, str] = pairs("given_names_en")
    options: list[tuple[Mapping[int, str], list[int], Gender]] = []
    clusters: dict[str, list[Span]] = {}
    for span in mentions_of(sentence):
        clusters.setdefault(span.type, []).append(span)
    for spans in clusters.values():
        found = _turned(sentence, spans, known)
        if found is not None:
            options.append(found)
    names = {gender: sorted(name for name, each in known.items() if each == gender) for gender in _OTHER}
    present = {token.lower() for token in sentence.tokens}
    rows = [
        (turned, places, name) for turned, places, gender in options for name in names[gender] if name not in present
    ]

    def made(number: int) -> Edit:
        turned, places, name = rows[number]
        return rewriting(sentence, {**turned, **dict.fromkeys(places, name)})

    return [OnDemand(len(rows), made)] if rows else []


def _turned(
    sentence: Sentence, spans: Sequence[Span], known: Mapping[str, str]
) -> tuple[Mapping[int, str], list[int], Gender] | None:
    """The pronouns of a person as they become, the places of the given name, and the new gender; None if not sure."""
    listed = pronouns_of("en")
    places: list[int] = []
    pronouns: list[int] = []
    surnames: set[str] = set()
    for span in spans:
        tokens = sentence.tokens[span.start : span.stop]
        if len(tokens) == 1 and tokens[0].lower() in listed:
            pronouns += [span.start]
        elif tokens[0].lower() in known and all(token.istitle() for token in tokens) and len(tokens) < 3:
            places.append(span.start)
            surnames.update(tokens[1:])
        elif len(tokens) > 1 or tokens[0] not in surnames:
            return None
    given = {sentence.tokens[place] for place in places}
    if len(given) != 1:
        return None
    old: Gender = "woman" if known[given.pop().lower()] == "woman" else "man"
    if not _is_clear(sentence, [*places, *pronouns], spans, places[0], old):
        return None
    turned = {}
    for place in pronouns:
        if listed[sentence.tokens[place].lower()][:1] == "3":
            word = _pronoun(sentence, place)
            if word is None:
                return None
            turned[place] = word
    return turned, places, _OTHER[old]


def _is_clear(sentence: Sentence, own: Sequence[int], spans: Sequence[Span], place: int, old: Gender) -> bool:
    """Whether all words of the name and all pronouns of either gender are known, and no other word tells a gender."""
    listed, genders = pronouns_of("en"), pairs("gender_words_en")
    name = sentence.tokens[place]
    for k, token in enumerate(sentence.tokens):
        gender = listed.get(token.lower(), "").rpartition("|")[2]
        if k not in own and (token == name or gender in (old, _OTHER[old])):
            return False
        if k in own and gender == _OTHER[old]:
            return False
    told = (genders.keys() | _TITLES) - listed.keys()
    near = [part for part in sentences_of(sentence) if any(part[0] <= each.start < part[1] for each in spans)]
    return all(token.lower() not in told for part in near for token in sentence.tokens[slice(*part)])


_TITLES = frozenset(("mr", "mr.", "mrs", "mrs.", "miss", "ms", "ms.", "sir", "madam", "lord", "lady", "dame"))


def _pronoun(sentence: Sentence, place: int) -> str | None:
    """The pronoun of the other gender; None for *her* and *his* where it is not sure what they are."""
    word = sentence.tokens[place].lower()
    if word not in ("her", "his"):
        return _TURNED.get(word)
    stops = words("stop_words_en")
    after = "".join(sentence.tokens[place + 1 : place + 2]).lower()
    nested = any(each.start == place and len(each) > 1 for each in mentions_of(sentence))
    ends = not after.isalpha() or after in stops
    if word == "his":
        return None if ends else "her"
    return "his" if nested else "him" if ends else None

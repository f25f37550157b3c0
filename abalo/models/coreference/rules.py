"""A rule-based baseline: equal names, equal heads, and the nearest agreeing mention of a pronoun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from abalo.models.coreference.protocol import Cluster, MentionPlace
from perturbations import Sentence
from perturbations.documents import sentences_of
from perturbations.function_words import language_of
from perturbations.languages import has, language_named, optional_rules, with_parts
from perturbations.languages.language import Determiner, words_in
from perturbations.languages.parts import Verbs
from perturbations.lexicons import pairs, words

_BETWEEN_NAMES = words_in("of de da do dos das van von")
_LONGEST = 5

_PERSONS: Mapping[str, str] = {"female": "woman", "male": "man", "woman": "woman", "man": "man"}


@dataclass(frozen=True, slots=True)
class _Found:
    place: MentionPlace
    kind: str
    words: tuple[str, ...]
    person: str = "3"
    number: str = ""
    gender: str = ""
    definite: bool = True


@dataclass(frozen=True, slots=True)
class _Lists:
    language: str
    pronouns: Mapping[str, tuple[str, str, str]]
    genders: Mapping[str, str]
    stops: frozenset[str]
    verbs: Verbs | None
    determiners: _Determiners


@dataclass(frozen=True, slots=True)
class _Determiners:
    """The determiners of all languages; ``own`` are those of the document's language, which win."""

    own: Mapping[str, Determiner]
    all: frozenset[str]
    fused: frozenset[str]
    indefinite: frozenset[str]
    simple: frozenset[str]

    def is_definite(self, word: str) -> bool:
        return self.own[word] != "indefinite" if word in self.own else word not in self.indefinite


@lru_cache(None)
def _determiners(language: str, known: tuple[str, ...]) -> _Determiners:
    found = [(word, kind) for code in known for word, kind in language_named(code).determiner_kinds.items()]
    of = {kind: frozenset(word for word, own in found if own == kind) for kind in get_args(Determiner)}
    return _Determiners(
        language_named(language).determiner_kinds,
        frozenset(word for word, _ in found),
        of["fused"],
        of["indefinite"],
        of["definite"],
    )


@lru_cache(None)
def _lists(language: str) -> _Lists:
    pronouns: dict[str, tuple[str, str, str]] = {}
    for word, said in (pairs(f"pronouns_{language}") if has(language, "pronouns") else {}).items():
        parts = said.split("|")
        number = next((each for each in parts if each in ("one", "many")), "")
        gender = next((each for each in parts if each in ("man", "woman", "thing")), "")
        pronouns[word] = (parts[0], number, gender)
    genders: dict[str, str] = {}
    for table in ("gender_words", "given_names"):
        genders |= pairs(f"{table}_{language}") if has(language, table) else {}
    stops = words(f"stop_words_{language}") if has(language, "stop_words") else frozenset()
    determiners = _determiners(language, with_parts("determiner_kinds"))
    return _Lists(
        language,
        pronouns,
        {word: _PERSONS[gender] for word, gender in genders.items() if gender in _PERSONS},
        stops - determiners.simple,
        optional_rules(language, "verbs", Verbs),
        determiners,
    )


def resolve(document: Sentence) -> list[Cluster]:
    """The clusters of a document, including single mentions."""
    lists = _lists(language_of([document]) or "en")
    clusters: list[list[_Found]] = []
    once = {each.place: each for each in reversed([*_mentions(document, lists)])}
    for found in sorted(once.values(), key=lambda each: (each.place[0], -each.place[1])):
        home = _cluster_of(found, clusters)
        if home is None:
            clusters.append([found])
        else:
            home.append(found)
    return [tuple(sorted(each.place for each in cluster)) for cluster in clusters]


def _mentions(document: Sentence, lists: _Lists) -> Iterator[_Found]:
    inner = {document.tokens[k] for start, stop in sentences_of(document) for k in range(start + 1, stop)}
    for start, stop in sentences_of(document):
        place = start
        while place < stop:
            token, low = document.tokens[place], document.tokens[place].lower()
            if low in lists.pronouns:
                yield _Found((place, place + 1), "pronoun", (low,), *lists.pronouns[low])
            if _begins_name(token, low, place == start, inner, lists):
                end = _name_end(document.tokens, place, stop)
                yield _named((place, end), document.tokens[place:end], lists)
                place = end
                continue
            if low in lists.determiners.all:
                begin = place + (low in lists.determiners.fused)
                end = _phrase_end(document.tokens, place + 1, stop, lists)
                if end > place + 1:
                    yield _phrase((begin, end), [each.lower() for each in document.tokens[begin:end]], low, lists)
            place += 1


def _begins_name(token: str, low: str, first: bool, inner: set[str], lists: _Lists) -> bool:
    simple = lists.determiners.all - lists.determiners.fused
    if not token[0].isupper() or low in lists.stops | lists.pronouns.keys() | simple:
        return False
    return len(token) > 1 and (not first or token in inner or low in lists.genders) and not token.isupper()


def _name_end(tokens: Sequence[str], place: int, stop: int) -> int:
    end = place + 1
    while end < stop and tokens[end][0].isupper():
        end += 1
    if end + 1 < stop and tokens[end] in _BETWEEN_NAMES and tokens[end + 1][0].isupper():
        return _name_end(tokens, end + 1, stop)
    return end


def _named(place: MentionPlace, tokens: Sequence[str], lists: _Lists) -> _Found:
    low = tuple(each.lower() for each in tokens)
    gender = next((lists.genders[each] for each in low if each in lists.genders), "")
    return _Found(place, "name", low, "3", "one", gender)


def _phrase_end(tokens: Sequence[str], place: int, stop: int, lists: _Lists) -> int:
    end = place
    while end < min(stop, place + _LONGEST):
        low = tokens[end].lower()
        if not low.replace("-", "").isalpha() or low in lists.stops | lists.determiners.fused | lists.pronouns.keys():
            break
        if end > place and (low.endswith("ed") or (lists.verbs is not None and lists.verbs.could_be_finite(low))):
            break
        end += 1
    return end


def _phrase(place: MentionPlace, low: Sequence[str], determiner: str, lists: _Lists) -> _Found:
    head = low[-1]
    number = "many" if head.endswith("s") and not head.endswith("ss") else "one"
    definite = lists.determiners.is_definite(determiner)
    gender = lists.genders.get(head, "thing" if definite and number == "one" else "")
    return _Found(place, "phrase", (head,), "3", number, gender, definite)


def _cluster_of(found: _Found, clusters: Sequence[list[_Found]]) -> list[_Found] | None:
    if found.kind == "pronoun" and found.person != "3":
        return next((each for each in clusters if each[0].kind == "pronoun" and _same_person(each[0], found)), None)
    if found.kind == "pronoun":
        earlier = sorted(
            ((each.place, cluster) for cluster in clusters for each in cluster if _agrees(each, found)),
            key=lambda pair: pair[0],
        )
        return earlier[-1][1] if earlier else None
    for cluster in reversed(clusters):
        for each in cluster:
            if each.kind == found.kind == "name" and _same_name(each, found):
                return cluster
            if each.kind == found.kind == "phrase" and found.definite and each.words == found.words:
                return cluster
    return None


def _same_person(one: _Found, other: _Found) -> bool:
    return (one.person, one.number) == (other.person, other.number)


def _same_name(one: _Found, other: _Found) -> bool:
    if one.gender and other.gender and one.gender != other.gender:
        return False
    return one.words == other.words or one.words[-1] == other.words[-1] or one.words[0] == other.words[0]


def _agrees(earlier: _Found, pronoun: _Found) -> bool:
    if earlier.person != "3" or earlier.place[1] > pronoun.place[0]:
        return False
    if pronoun.number and earlier.number and pronoun.number != earlier.number:
        return False
    if earlier.kind == "name" and not earlier.gender:
        return pronoun.gender != "thing"
    return not pronoun.gender or earlier.gender == pronoun.gender

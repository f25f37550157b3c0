"""Places in the place of others: those of a region, towns for towns and lands for lands, with the same article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Literal

from perturbations.languages import has, language_named, rules
from perturbations.languages.parts import Borders
from perturbations.levels import entity_edit
from perturbations.lexicons import pairs, rows, words
from perturbations.resources import Entity, sort_of
from perturbations.text import Edit, Sentence, Span, entity_spans

Region = Literal["africa", "america", "asia", "brazil", "europe", "latin_america", "north_america", "oceania"]

_WITHIN = {"brazil": "america", "latin_america": "america", "north_america": "america"}
"""Regions that are parts of others."""

NONE = "none"
"""The article of places that take none."""

_ADDRESS = ("rua", "r.", "av", "av.", "avenida", "alameda", "praça", "travessa", "rodovia", "estrada", "via", "largo")
"""First words of street names."""


def move_places(sentence: Sentence, region: Region, language: str) -> list[list[Edit]]:
    """For each place the edits that put one of the region there; none where no article fits."""
    tokens = sentence.tokens
    if has(language, "borders"):
        return _countries(sentence, region, language)
    if sentence.entity_tags is None:
        return _distinct(
            [
                [Edit(start, stop, place) for place in _fitting(tokens, start, stop, region, language)]
                for start, stop in listed_places(tokens, language)
                if not _is_in_name(tokens, start, stop)
            ]
        )
    sites = []
    for span in entity_spans(sentence.entity_tags):
        if sort_of(span.type) == "place":
            start, stop = _place_in(tokens, span, language)
            before, after = tokens[span.start : start], tokens[stop : span.stop]
            found = _fitting(tokens, start, stop, region, language) if start < stop else ()
            sites.append([entity_edit(span, (*before, *place, *after)) for place in found])
    return _distinct(sites)


_OF = ("of", "de", "do", "da")


def _is_in_name(tokens: Entity, start: int, stop: int) -> bool:
    """Whether a place seems part of a longer name: *Upper Egypt*, *Washington, D.C.*, *Mato Grosso do Sul*."""
    if start > 1 and _is_capital(tokens[start - 1]):
        return True
    after = [*tokens[stop : stop + 3], "", "", ""]
    if after[0] == ",":
        return after[1].isupper() and len(after[1]) < 5
    beyond = after[2] if after[1] in ("o", "a") else after[1]
    return _is_capital(after[0]) or (after[0].lower() in _OF and _is_capital(beyond))


def _is_capital(token: str) -> bool:
    return token[:1].isupper()


def _distinct(sites: Sequence[list[Edit]]) -> list[list[Edit]]:
    """The same with options that no other site has, so that two places never become one."""
    open_ = [site for site in sites if site]
    return [site[k :: len(open_)] for k, site in enumerate(open_)]


def _countries(sentence: Sentence, region: Region, language: str) -> list[list[Edit]]:
    """The same where words are no tokens, for countries that are whole entities or in none."""
    borders = rules(language, "borders", Borders)
    layout = borders.layout(sentence)
    if layout is None:
        return []
    countries = pairs(f"countries_{language}")
    wanted = [country for country, continent in countries.items() if continent == region]
    whole = {(span.start, span.stop) for span in entity_spans(sentence.entity_tags or ())}
    found = list(borders.occurrences(layout, countries))
    named = Counter("".join(layout.sentence.tokens[start:stop]) for start, stop in found)
    sites = []
    for start, stop in found:
        country = "".join(layout.sentence.tokens[start:stop])
        is_free = (start, stop) in whole or layout.is_outside(start, stop)
        if is_free and country not in wanted and named[country] == 1:
            sites.append([layout.replacing(start, stop, (each,)) for each in wanted if each not in named])
    return _distinct(sites)


def _place_in(tokens: Entity, span: Span, language: str) -> tuple[int, int]:
    """Where in its name the place stands: the last of the list, else the whole name; nowhere in other addresses."""
    name = tokens[span.start : span.stop]
    listed = listed_places(name, language)
    if listed:
        return span.start + listed[-1][0], span.start + listed[-1][1]
    is_address = name[0].lower() in _ADDRESS or any(char.isdigit() for word in name for char in word)
    is_noun = len(name) > 1 and name[0][0].isupper() and name[-1].islower()  # "Honor camp"
    on_it = span.start > 0 and tokens[span.start - 1].lower() == "on"  # "on Earth"
    return span.start, span.start if is_address or is_noun or on_it else span.stop


def _fitting(tokens: Entity, start: int, stop: int, region: str, language: str) -> tuple[Entity, ...]:
    """Places of the region, of the kind and with the article of the one there, in capitals where that is.

    None where the same place is named twice. Of places that are in no list those with an article are lands.
    """
    present = tokens[start:stop]
    lowered = _key(tokens)
    named = [i for i in range(len(tokens)) if lowered[i : i + stop - start] == lowered[start:stop]]
    if sum(tokens[i][0].isupper() for i in named) > 1:
        return ()  # it would be left there, or become another one
    if len("".join(present)) < 4 and "".join(present).isupper() and not "".join(tokens).isupper():
        return ()  # an abbreviation
    before = lowered[start - 1] if start else ""
    listed = _articles(language).get(_key(present))
    article = language_named(language).place_articles.get(before, NONE)
    if before == "a" and listed == "a":
        article = "a"  # else it is as often the preposition
    is_land = _key(present) in _lands(language) if listed else article != NONE
    return _of_region(language).get((region, article, is_land, "".join(present).isupper()), ())


@cache
def _lands(language: str) -> frozenset[Entity]:
    return frozenset(_key(tuple(land.split())) for land in words(f"lands_{language}"))


@cache
def _of_region(language: str) -> Mapping[tuple[str, str | None, bool, bool], tuple[Entity, ...]]:
    """Places by region, article, and whether they are lands, not towns, and in capitals."""
    found: dict[tuple[str, str | None, bool, bool], tuple[Entity, ...]] = {}
    for name, smallest, *article in rows(f"places_{language}"):
        regions = [smallest, _WITHIN[smallest]] if smallest in _WITHIN else [smallest]
        is_land = _key(tuple(name.split())) in _lands(language)
        for region, in_capitals in product(regions, (False, True)):
            key = region, article[0] if article else NONE, is_land, in_capitals
            found[key] = (*found.get(key, ()), tuple((name.upper() if in_capitals else name).split()))
    return found


@cache
def _articles(language: str) -> Mapping[Entity, str]:
    """The article of each place in the list, by its words in lower case."""
    return {_key(tuple(row[0].split())): row[2] if len(row) > 2 else NONE for row in rows(f"places_{language}")}


def _key(words: Entity) -> Entity:
    return tuple(map(str.lower, words))


def listed_places(tokens: Entity, language: str) -> list[tuple[int, int]]:
    """Where places of the list stand, the longest at each position, from left to right; they begin with a capital."""
    lengths = _lengths(language)
    found, free = [], 0
    for start, token in enumerate(tokens):
        if start < free or not token[0].isupper():
            continue
        for length in lengths.get(token.lower(), ()):
            if _key(tokens[start : start + length]) in _articles(language):
                free = min(start + length, len(tokens))
                found.append((start, free))
                break
    return found


@cache
def _lengths(language: str) -> Mapping[str, Sequence[int]]:
    """By the first word of places how many words these have, the largest number first."""
    found: dict[str, set[int]] = {}
    for place in _articles(language):
        found.setdefault(place[0], set()).add(len(place))
    return {first: sorted(lengths, reverse=True) for first, lengths in found.items()}

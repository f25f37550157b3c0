"""Persons of the other gender in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from perturbations.languages.layout import Layout
from perturbations.languages.parts import Gender
from perturbations.languages.zh.borders import occurrences
from perturbations.lexicons import pairs
from perturbations.resources import sort_of
from perturbations.text import Edit, Span, entity_spans

_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜"
    "戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


def turned(layout: Layout, to: Gender) -> list[list[Edit]]:
    """Edits that put words for the other gender, outside entities, and given names in persons that are entities.

    A person keeps the surname and gets a given name of as many characters, where the list says whose they mostly are.
    Where the name of one stays, words stay too: they may be about that person.
    """
    spans = entity_spans(layout.sentence.entity_tags or ())
    persons = [span for span in spans if sort_of(span.type) == "person"]
    names = [_given_names(layout, person, to) for person in persons]
    turning = [site for site in names if site]
    if any(not site and not _is_of(layout, person, to) for person, site in zip(persons, names, strict=True)):
        return turning
    words = _counterparts(to)
    sites = [
        [layout.replacing(start, stop, (words["".join(layout.sentence.tokens[start:stop])],))]
        for start, stop in occurrences(layout, words)
        if layout.is_outside(start, stop)
    ]
    return sites + turning


def _is_of(layout: Layout, person: Span, sex: str) -> bool:
    """Whether the name of the person is one of that sex already."""
    name = "".join(layout.sentence.tokens[person.start : person.stop])
    return name[0] in _SURNAMES and _sex_of(name[1:]) == sex


@cache
def _counterparts(sex: str) -> Mapping[str, str]:
    """Words for the other sex, and what they are for this one; where there are several, the first."""
    listed = pairs("gendered_words_zh")
    return listed if sex == "woman" else {woman: man for man, woman in reversed(tuple(listed.items()))}


def _given_names(found: Layout, person: Span, sex: str) -> list[Edit]:
    """Edits that give a person of the other sex a given name of as many characters, and keep the surname."""
    tokens = found.sentence.tokens[person.start : person.stop]
    name = "".join(tokens)
    if name[0] not in _SURNAMES or _sex_of(name[1:]) in (sex, None):
        return []
    others = [given for given, whose in pairs("given_names_zh").items() if whose == sex and len(given) == len(name) - 1]
    if len(tokens) == 1:
        return [Edit(person.start, person.stop, (given,), chars=(1, len(name))) for given in others]
    if len(tokens[0]) > 1 or not found.is_one_piece(person.start, person.stop):
        return []
    return [found.replacing(person.start + 1, person.stop, (given,)) for given in others]


@cache
def _sex_of(given: str) -> str | None:
    """The gender that mostly has the given name: woman, man, or None where the list does not tell.

    A name that is not in the list is judged by its characters that the list has for one gender only.
    """
    listed = pairs("given_names_zh")
    if given in listed:
        return listed[given]
    women, men = (
        {character for name, whose in listed.items() if whose == sex for character in name} for sex in ("woman", "man")
    )
    told = {"woman": not (women - men).isdisjoint(given), "man": not (men - women).isdisjoint(given)}
    return next((sex for sex in told if told[sex]), None) if sum(told.values()) == 1 else None

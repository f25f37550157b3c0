"""Countries of one continent, or people of one sex, in place of others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.entity_types import entity_kind
from perturbations.families.chinese.layout import Layout, layout
from perturbations.families.chinese.vocabulary import occurrences
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Edit, Sentence, Span, entity_spans

Towards = Literal["africa", "america", "asia", "europe", "oceania", "woman", "man"]

_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜"
    "戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


@sentence_level(
    kind="pragmatics",
    languages=("zh",),
    aliases=("CnPrejudice",),
    renews=True,
    example=("他 去 了 [日 本 LOC]", "他 去 了 [巴 西 LOC]"),
)
def zh_prejudice(sentence: Sentence, *, towards: Towards = "america") -> list[Options]:
    """Countries of that continent for others, or women for men, or men for women [TextFlint, catalogue "CnPrejudice"].

    A continent changes names of countries, outside entities or as whole ones. A sex changes words such as 父亲 and 他,
    outside entities, and the given names of entities that are persons, where the list says whose they mostly are.
    A model without prejudice finds the same entities, or the same sentiment, either way; facts change.
    """
    found = layout(sentence)
    if found is None:
        return []
    return _people(found, towards) if towards in ("woman", "man") else _countries(found, towards)


def _countries(found: Layout, continent: str) -> list[Options]:
    continents = pairs("countries_zh")
    wanted = [country for country, place in continents.items() if place == continent]
    whole = {(span.start, span.stop) for span in entity_spans(found.sentence.entity_tags or ())}
    return [
        [found.replacing(*stretch, (country,)) for country in wanted]
        for stretch in occurrences(found, continents.keys() - set(wanted))
        if stretch in whole or found.is_outside(*stretch)
    ]


def _people(found: Layout, sex: str) -> list[Options]:
    words = _counterparts(sex)
    sites: list[Options] = [
        [found.replacing(start, stop, (words["".join(found.sentence.tokens[start:stop])],))]
        for start, stop in occurrences(found, words)
        if found.is_outside(start, stop)
    ]
    spans = entity_spans(found.sentence.entity_tags or ())
    names = [_given_names(found, span, sex) for span in spans if entity_kind(span.type) == "person"]
    return sites + [site for site in names if site]


@cache
def _counterparts(sex: str) -> Mapping[str, str]:
    """Words for the other sex, and what they are for this one; where there are several, the first."""
    listed = pairs("gender_zh")
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

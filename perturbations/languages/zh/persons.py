"""Persons of the other gender in Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from perturbations.languages.layout import Layout
from perturbations.languages.parts import Gender
from perturbations.languages.zh.borders import occurrences
from perturbations.lexicons import pairs
from perturbations.resources import sort_of
from perturbations.text import Edit, Span, entity_spans

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜"
    "戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)

GOES_ON = re.compile("主义|思想|理论|回合|某|氏|家|式|杯|奖|队|族")
"""The text behind a name with which it is part of a longer one."""


def turned(layout: Layout, to: Gender) -> list[list[Edit]]:
    """Edits that put words for the other gender, outside entities, and given names in persons that are entities.

    A person keeps the surname and gets a given name of as many characters, where the list says whose they mostly are
    and the name stands there once. Where the name of one stays, words stay too: they may be about that person. Nothing
    changes where a word that tells the other gender would be left, as 男 in 作为男舞员.
    """
    if "兄弟姐妹" in "".join(layout.sentence.tokens):
        return []
    spans = entity_spans(layout.sentence.entity_tags or ())
    persons = [span for span in spans if sort_of(span.type) == "person"]
    names = [_given_names(layout, person, to) for person in persons]
    sites = [site for site in names if site]
    if all(site or _is_of(layout, person, to) for person, site in zip(persons, names, strict=True)):
        words = _counterparts(to)
        sites = [
            [layout.replacing(start, stop, (words["".join(layout.sentence.tokens[start:stop])],))]
            for start, stop in occurrences(layout, words)
            if layout.is_outside(start, stop)
        ] + sites
    return [] if _TELLING[to].search(_text_left(layout, sites)) else sites


def _text_left(layout: Layout, sites: list[list[Edit]]) -> str:
    """The text outside entities and these sites, with spaces in their places."""
    changing = {i for site in sites for i in range(site[0].start, site[0].stop)}
    tokens = layout.sentence.tokens
    return "".join(
        token if i not in changing and layout.is_outside(i, i + 1) else " " for i, token in enumerate(tokens)
    )


_TELLING: Mapping[Gender, re.Pattern[str]] = {
    "woman": re.compile(
        "[男父爸叔爷舅汉妻婿兄弟嫁娶]|之[子孙]|老婆|先生|胡子|新郎|媳妇|太太|夫人|(?<![其吉])他(?![人国乡山])"
    ),
    "man": re.compile("[女母妈姐妹嫂姑婆奶娘媳她孕嫁娶]|分娩|夫人|太太|寡妇|公主|皇后|丈夫|老公"),
}
"""Text that tells the gender of somebody, or of the spouse, and that does not fit this one."""


def _is_of(layout: Layout, person: Span, sex: str) -> bool:
    """Whether the name of the person is one of that sex already."""
    name = "".join(layout.sentence.tokens[person.start : person.stop])
    return name[0] in SURNAMES and _sex_of(name[1:]) == sex


@cache
def _counterparts(sex: str) -> Mapping[str, str]:
    """Words for the other sex, and what they are for this one; where there are several, the first."""
    listed = pairs("gendered_words_zh")
    return listed if sex == "woman" else {woman: man for man, woman in reversed(tuple(listed.items()))}


def _given_names(found: Layout, person: Span, sex: str) -> list[Edit]:
    """Edits that give a person of the other sex a given name of as many characters, and keep the surname."""
    tokens = found.sentence.tokens[person.start : person.stop]
    name = "".join(tokens)
    if name[0] not in SURNAMES or _sex_of(name[1:]) in (sex, None):
        return []
    behind = "".join(found.sentence.tokens[person.stop : person.stop + 2])
    if GOES_ON.match(behind) or "".join(found.sentence.tokens).count(name) > 1:
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

"""Kinds of names in Chinese: persons with Chinese names and others, countries, cities, counties, banks and so on."""

import re
from functools import cache

from perturbations.languages.forms import with_digits
from perturbations.languages.language import words_in
from perturbations.languages.zh.persons import GOES_ON, SURNAMES
from perturbations.lexicons import pairs
from perturbations.resources import Entity, Sort
from perturbations.text import Sentence, Span, entity_spans

_HAN = re.compile("[\u4e00-\u9fff]+")
_FOREIGN = re.compile(r"[\u4e00-\u9fff]{1,6}([·•][\u4e00-\u9fff]{1,6}){1,2}")
_TRANSCRIBING = frozenset(
    "阿埃艾安奥巴班贝本比波伯博布达戴丹德迪蒂多杜恩尔法菲费弗夫福盖格古哈海汉赫胡霍基吉加贾杰卡凯康科克肯库奎拉莱兰朗"
    "劳勒雷里利列林琳留隆卢鲁伦罗洛马玛麦曼梅门蒙米密明莫姆穆纳娜内尼涅努诺欧帕佩皮珀普奇恰乔切琴让日荣瑞若萨塞桑瑟森"
    "沙莎舍施史斯丝苏索塔泰坦汤特提廷图托瓦万威韦维温翁沃乌西希锡夏香谢辛休逊雅亚延扬耶叶伊因英尤于约泽扎詹兹佐"
    "东钦顿登敦勃豪墨默乃农潘佛柏珍朱祖哥埔扬赞崔齐歇姬贡坎考肖宾彼普宁思津娄纽隆波"
)
"""Characters that write the sounds of foreign names."""

_PROVINCES = words_in(
    "河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 "
    "台湾 内蒙古 广西 西藏 宁夏 新疆"
)
_MUNICIPALITIES = words_in("北京 上海 天津 重庆")
_FOR_MUNICIPALITIES = {"municipality": "city", "municipality市": "市"}
"""The kinds that can stand for one such as 北京, for which it cannot stand itself: it is in no province."""
_CONTINENTS = words_in("亚洲 非洲 欧洲 美洲 南美洲 北美洲 大洋洲")
_ENDINGS = "省市县镇乡村区路街岛山江河湖"
"""Characters that end the names of places and tell what they are."""
_NO_NAMES = re.compile(".*(特区|自治区|地区|开发区|[小灾库山社园校景辖城郊新]区|半岛|群岛|铁路|公路|大街)")
"""Places that these characters do not name one by one, such as 山区."""
_BODIES = re.compile(".{2,}(银行|公司|集团|大学|中学|医院|出版社|电视台|研究所)")
_NO_BODIES = re.compile(".*([总分子母支]公司|(中央|人民|世界|开发|储备|专业|商业|国家)银行|.*国家?集团|中央电视台)")
"""Bodies that are no bank or company like others."""

_OF_COUNTRIES = re.compile("海|洋|湾|语|文|籍|画|菜|餐|京剧|[唐宋元明清]|古代")
"""The text behind a country with which it means more than the place."""
_BEGUN = re.compile(".*([新旧老古]|一个“?)")
"""The text before a country with which it is part of a longer name, as in 新中国."""


def kind_of(name: Entity, sort: Sort | None) -> str | None:
    """The kind of the name by itself; None where it does not tell.

    A person has a Chinese name, a foreign one with a dot between its parts, or the transcription of a single one. A
    place is a country, a continent, a province or city without its ending, or has one that tells what it is, such as
    县. An organisation is what its last characters say.
    """
    text = "".join(name)
    if sort is None:
        return with_digits((text,)) or ("other" if len(text) > 1 and _HAN.fullmatch(text) else None)
    if sort == "person":
        return _kind_of_person(text)
    return _kind_of_place(text) if sort == "place" else _kind_of_organisation(text)


def kinds_at(sentence: Sentence, span: Span, sort: Sort | None) -> frozenset[str]:
    """The kinds that can stand in the place of the name there; none where that is not certain.

    None can stand for a part of a longer name, for a person where a word or the name itself may tell a woman, and where
    the sentence has a short form of the name, 拉 for 拉脱维亚.
    """
    tokens, tags = sentence.tokens, sentence.entity_tags or ()
    text, before, name = "".join(tokens), "".join(tokens[: span.start]), "".join(tokens[span.start : span.stop])
    behind = "".join(tokens[i] for i in range(span.stop, min(span.stop + 2, len(tags))) if tags[i] == "O")
    others = {"".join(tokens[each.start : each.stop]) for each in entity_spans(tags)} - {name}
    kind = kind_of((name,), sort)
    if kind is None or GOES_ON.match(behind) or any(each in name for each in others):
        return frozenset()
    if kind == "country" and (_BEGUN.fullmatch(before) or _OF_COUNTRIES.match(behind)):
        return frozenset()
    if sort == "person" and (_OF_WOMEN.search(text) or not _IN_NAMES_OF_WOMEN.isdisjoint(name)):
        return frozenset()
    return frozenset([kind, _FOR_MUNICIPALITIES.get(kind, kind)])


_OF_WOMEN = re.compile("[她女妻母姐妹]|夫人|小姐")
_IN_NAMES_OF_WOMEN = frozenset("娜莉丽娅妮琳莎雅娃蕾茜黛婷媛娟婵娥姣霞燕梅兰芳芬萍莲英珍玲花香秀凤淑慧洁")


def _kind_of_person(name: str) -> str | None:
    if _FOREIGN.fullmatch(name):
        return "foreign, in full"
    if not _HAN.fullmatch(name):
        return None
    if name[0] in SURNAMES and len(name) in (2, 3):
        return None if _TRANSCRIBING.issuperset(name[1:]) else "Chinese"  # else it may be either
    return "foreign" if len(name) > 1 and _TRANSCRIBING.issuperset(name) else None


def _kind_of_place(name: str) -> str | None:
    if name in pairs("countries_zh") or (name.endswith("国") and name in pairs("invented_zh")):
        return "country"
    if name in _PROVINCES or name in _CONTINENTS:
        return "province" if name in _PROVINCES else "continent"
    if name.removesuffix("市") in _MUNICIPALITIES:
        return f"municipality{name[2:]}"
    if name in _cities():
        return "city"
    is_told = len(name) > 2 and name[-1] in _ENDINGS and not _NO_NAMES.fullmatch(name)
    return name[-1] if is_told and not _TRANSCRIBING.issuperset(name[:-1]) else None


@cache
def _cities() -> frozenset[str]:
    """Names of cities without 市, real and invented."""
    listed = {name for name, kind in pairs("names_zh").items() if kind == "place"}
    invented = {name for name, kinds in pairs("invented_zh").items() if "place" in kinds.split("|")}
    bare = {name for name in invented if name[-1] not in f"{_ENDINGS}国"}
    return frozenset(bare | {name.replace(" ", "") for name in listed}) - _PROVINCES - pairs("countries_zh").keys()


def _kind_of_organisation(name: str) -> str | None:
    found = _BODIES.fullmatch(name)
    return found[1] if found and not _NO_BODIES.fullmatch(name) else None

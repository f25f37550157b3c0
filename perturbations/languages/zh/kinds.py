"""Kinds of places in Chinese: a country stands for a country, a county for a county, a short form for a short form."""

import re

from perturbations.lexicons import pairs

_ENDINGS = "省市县区镇乡村路街岛洲山峰岭江河湖海湾峡港"
"""Characters that end the names of places and tell what they are."""

_PART = re.compile("[东南西北中拉]{0,2}[亚欧非美太]{1,2}|[东南西北中华江][东南西北中]|.*洲")


def kind_of(name: str) -> str:
    """The kind of a place: country, part of the world, short form, one of the endings such as 县, or other.

    A country is in the list of countries or ends in 国. A part of the world or of a country is one like 亚洲 and 华北.
    The short form of a place is one character, as in 中美.
    """
    if name in pairs("countries_zh") or (len(name) > 2 and name.endswith("国")):
        return "country"
    if len(name) == 1:
        return "short form"
    if _PART.fullmatch(name):
        return "part of the world"
    return name[-1] if name[-1] in _ENDINGS else "other"

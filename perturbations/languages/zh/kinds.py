"""Kinds of places in Chinese: a country stands for a country, a short form for a short form."""

from typing import Literal

from perturbations.lexicons import pairs

Kind = Literal["country", "short form", "other"]


def kind_of(name: str) -> Kind:
    """A country is in the list of countries or ends in 国; the short form of a place is one character, as in 中美."""
    if name in pairs("countries_zh") or (len(name) > 2 and name.endswith("国")):
        return "country"
    return "short form" if len(name) == 1 else "other"

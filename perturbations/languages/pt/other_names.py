"""Portuguese names that can take the place of others."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.exchange import Exchange, Pick, invented_names, invented_person
from perturbations.languages.language import words_in
from perturbations.lexicons import pairs, rows

_ARTICLES = words_in("o a os as do da dos das no na nos nas ao à aos às pelo pela um uma")


def other_name(tokens: Sequence[str], start: int, stop: int, pick: Pick) -> Exchange | None:
    """Another name; behind an article a country that takes the same, or an invented name of its gender."""
    name, last = tokens[start:stop], tokens[stop - 1]
    before = tokens[start - 1].lower() if start else ""
    article = {row[0]: row[2] for row in rows("places_pt") if len(row) > 2 and row[2]}
    known, own = {row[0] for row in rows("places_pt")}, article.get(" ".join(name))
    given = pairs("given_names_pt").get(name[0].lower()) if len(name) > 1 else None
    if own is not None:
        alike = [each for each, other in article.items() if other == own and each != name[0] and " " not in each]
        return Exchange(start, stop, (pick(alike),)) if alike and (own == "none") == (before not in _ARTICLES) else None
    if " ".join(name) in known and before not in _ARTICLES:
        return Exchange(start, stop, tuple(pick(invented_names("place", "pt")).split()))
    if given is not None:
        person = invented_person(given, "pt", pick)
        return None if person is None else Exchange(start, stop, person)
    if len(name) > 1 or before not in _NAMED or name[0].lower() in pairs("word_classes_pt") or last.endswith(_COMMON):
        return None
    return Exchange(start, stop, (pick(invented_names("name", "pt")),))


_NAMED = frozenset(["de", "em", "por", "com", "para"])
"""Words before a name that has no article."""

_COMMON = ("ndo", "ora", "ção", "são", "dade", "ismo", "ência", "mento", "ogia", "tica")
"""Ends of Portuguese words that are no names, whatever their first letter."""

"""English names that can take the place of others."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.en import LANGUAGE
from perturbations.languages.exchange import Exchange, Pick, invented_names, invented_person
from perturbations.languages.language import words_in
from perturbations.lexicons import pairs

_ARTICLES = words_in("the a an")
_POSSESSIVE = ("'s", "’s")
_BEFORE_MANY = frozenset(["the", "some", "many", "most", "several"])


def other_name(tokens: Sequence[str], start: int, stop: int, pick: Pick) -> Exchange | None:
    """Another name in the place of one, or of its last words; None where grammar could break."""
    name, last = tokens[start:stop], tokens[stop - 1]
    before = tokens[start - 1].lower() if start else ""
    possessive = last[-2:] if last.endswith(_POSSESSIVE) else ""
    base = last.removesuffix(possessive) if possessive else last
    joints = [k for k in range(start + 1, stop - 1) if tokens[k] in LANGUAGE.name_joints]
    classes = pairs("word_classes_en")
    headed = len(name) > 1 and "NOUN" in classes.get(base.lower(), "").split("|")
    singles = [each for each in invented_names("name", "en") if " " not in each]
    if joints:
        new = pick(invented_names("place", "en")).split()
        bare = tokens[joints[-1]] != "the" and not headed
        return Exchange(joints[-1] + 1, stop, (*new[:-1], new[-1] + possessive)) if bare else None
    if headed:
        return None
    if len(name) == 1 and "NOUN" in classes.get(base.lower(), "") + classes.get(_singular(base.lower()), ""):
        return None
    if len(name) == 1 and not possessive and _is_plural(base):
        counted = before in _BEFORE_MANY or before[:1].isdigit()
        return Exchange(start, stop, (pick(singles) + "s",)) if counted else None
    if before in _ARTICLES or _is_adjective(base):
        return None
    given = pairs("given_names_en").get(name[0].lower()) if len(name) > 1 else None
    new = invented_person(given, "en", pick) if given else tuple(pick(invented_names("name", "en")).split())
    return None if new is None else Exchange(start, stop, (*new[:-1], new[-1] + possessive))


def _is_plural(name: str) -> bool:
    """Whether a name is that of several, such as *Normans*; no place and no given name is."""
    several = name.endswith("s") and not name.endswith(("ss", "us", "is"))
    return several and name not in pairs("places_en") and name.lower() not in pairs("given_names_en")


def _singular(word: str) -> str:
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def _is_adjective(word: str) -> bool:
    """Whether a word with a capital can be an adjective, such as *German* and *Spanish*."""
    return word.endswith(("ish", "ese", "ian", "an", "ic", "ern", "utch", "reek", "rench", "elsh", "al", "ist", "ists"))

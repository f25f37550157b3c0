"""What Portuguese tells of a person between commas: birth, age, a post."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender, Part
from perturbations.lexicons import pairs

_BORN: Mapping[Gender, str] = {"woman": "nascida", "man": "nascido"}
_ARTICLES: Mapping[Gender, str] = {"woman": "a", "man": "o"}
_IN = words_in("em no na nos nas a")
_OF = words_in("de do da dos das")
_PLAIN = words_in("e mas que onde ou quem")


def _is_age(word: str) -> bool:
    return word.isascii() and word.isdecimal() and 2 <= int(word) <= 110 and word[0] != "0"


def birth_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:
    """*Nascida em Lima* of *nascida em Lima* and *que nasceu em Lima*."""
    if tuple(words[:2]) == ("que", "nasceu"):
        is_birth = gender is not None and _tells_where(words[2:])
        return (_BORN[gender], *range(2, len(words))) if is_birth and gender is not None else None
    return birth_behind(words)


def birth_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """The same words."""
    return range(len(words)) if words[0] in _BORN.values() and _tells_where(words[1:]) else None


def _tells_where(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[0] in _IN and _PLAIN.isdisjoint(words)


def joined_birth(words: Sequence[str], gender: Gender | None) -> tuple[Sequence[Part], int] | None:
    """*Nascida em Lima* of *nasceu em Lima e*."""
    stop = next((i for i, word in enumerate(words) if word == "e"), 0)
    told = words[:1] == ["nasceu"] and stop > 0 and "," not in words[:stop] and _tells_where(words[1:stop])
    return ((_BORN[gender], *range(1, stop)), stop + 1) if told and gender is not None else None


def age_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:  # noqa: ARG001 - of the protocol
    """*Aos 46 anos* of *46*, *46 anos* and *de 46 anos*."""
    if len(words) == 1 and _is_age(words[0]):
        return ("aos", 0, "anos")
    skipped = int(words[0] in ("de", "com"))
    is_age = len(words) == skipped + 2 and _is_age(words[skipped]) and words[skipped + 1] == "anos"
    return ("aos", skipped, skipped + 1) if is_age else None


def age_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """*de 46 anos* of *aos 46 anos*."""
    is_age = len(words) == 3 and words[0] in ("aos", "com") and _is_age(words[1]) and words[2] == "anos"
    return ("de", 1, 2) if is_age else None


def post_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:
    """*A presidente da Acme* of *presidente da Acme*, with or without an article."""
    skipped = int(words[0] in _ARTICLES.values())
    own = _post_gender(words[skipped:], gender)
    return None if own is None else (_ARTICLES[own], *range(skipped, len(words)))


def post_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """*presidente da Acme* of *a presidente da Acme*."""
    gender: Gender = "woman" if words[0] == "a" else "man"
    return range(1, len(words)) if words[0] in ("a", "o") and _post_gender(words[1:], gender) else None


def _post_gender(words: Sequence[str], gender: Gender | None) -> Gender | None:
    """The gender of who has the post: that of its word, else of the person; None for what is no post."""
    if len(words) < 3 or words[1] not in _OF or not _PLAIN.isdisjoint(words):
        return None
    own = pairs("posts_pt").get(words[0])
    if own is None:
        return None
    told: Gender = "woman" if own == "woman" else "man"
    return gender if own == "both" else told if gender in (None, told) else None

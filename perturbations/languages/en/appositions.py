"""What English tells of a person between commas: birth, age, a post."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender, Part
from perturbations.lexicons import pairs

_BORN = words_in("in on near at")
_OF = words_in("of at for")
_BRED = words_in("brought bred taught sent")
_PLAIN = words_in("and but who which that or")


def _is_age(word: str) -> bool:
    return word.isascii() and word.isdecimal() and 2 <= int(word) <= 110 and word[0] != "0"


def birth_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:  # noqa: ARG001 - of the protocol
    """*Born in Lima* of *born in Lima* and *who was born in Lima*."""
    skipped = 2 if tuple(words[:2]) == ("who", "was") else 0
    return range(skipped, len(words)) if _is_birth(words[skipped:]) else None


def birth_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """The same words."""
    return range(len(words)) if _is_birth(words) else None


def _is_birth(words: Sequence[str]) -> bool:
    return len(words) > 2 and words[0] == "born" and words[1] in _BORN and _PLAIN.isdisjoint(words)


def joined_birth(words: Sequence[str], gender: Gender | None) -> tuple[Sequence[Part], int] | None:  # noqa: ARG001 - of the protocol
    """*Born in Lima* of *was born in Lima and*."""
    stop = next((i for i, word in enumerate(words) if word == "and"), 0)
    if words[:1] != ["was"] or not stop or "," in words[:stop] or not _is_birth(words[1:stop]):
        return None
    following = "".join(words[stop + 1 : stop + 2])
    if following.endswith("ed") or following in _BRED:  # *and raised in Cusco*
        return None
    return range(1, stop), stop + 1


def age_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:  # noqa: ARG001 - of the protocol
    """*Aged 46* of *46*, *aged 46*, *46 years old* and *who is 46*."""
    if words[:1] == ["aged"] and len(words) == 2 and _is_age(words[1]):
        return (0, 1)
    is_age = _is_age(words[0]) and tuple(words[1:]) in ((), ("years", "old"))
    return ("aged", 0) if is_age else None


def age_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """*46* of *aged 46*."""
    return (1,) if len(words) == 2 and words[0] == "aged" and _is_age(words[1]) else None


def post_in_front(words: Sequence[str], gender: Gender | None) -> Sequence[Part] | None:  # noqa: ARG001 - of the protocol
    """*The president of Acme* of *president of Acme*, with or without an article."""
    skipped = int(words[0] == "the")
    return ("the", *range(skipped, len(words))) if _is_post(words[skipped:]) else None


def post_behind(words: Sequence[str]) -> Sequence[Part] | None:
    """*president of Acme* of *the president of Acme*."""
    return range(1, len(words)) if words[0] == "the" and _is_post(words[1:]) else None


def _is_post(words: Sequence[str]) -> bool:
    return len(words) > 2 and words[0] in pairs("posts_en") and words[1] in _OF and _PLAIN.isdisjoint(words)

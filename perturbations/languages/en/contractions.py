"""Contractions in English: "is not" and "isn't"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.en.verbs import HAVE, is_participle, next_word, paradigms, participles
from perturbations.lexicons import pairs
from perturbations.sites import in_case_each, in_case_of, one_label
from perturbations.text import Edit, Sentence

_SUFFIXES = MappingProxyType({"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"})
_STEMS = MappingProxyType({"ca": "can", "wo": "will", "sha": "shall"})
"""The stems of words before ``n't``."""
_ONLY_AFTER_IS = frozenset(["a", "an", "not", "the", "this"])
_ONLY_AFTER_HAS = frozenset(["become", "been", "got", "gotten", "had"])


def contracted(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """Two words as one, where the second may be weak."""
    known = pairs("contractions_en")
    tokens = sentence.tokens
    for i, word in enumerate(lowered):
        if word in known:  # "cannot"
            yield Edit(i, i + 1, (in_case_of(tokens[i], known[word]),))
        short = known.get(f"{word} {lowered[i + 1]}") if i + 1 < len(lowered) else None
        if short is not None and one_label(sentence, i, i + 2) and _may_lean(lowered, i, short):
            yield Edit(i, i + 2, (in_case_of("".join(tokens[i : i + 2]), short),))


def expanded(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """One word, or two that were written as one, as the full words."""
    known = _fulls()
    for i in range(len(lowered)):
        full = _full(lowered, i, known)
        if full is not None:
            yield Edit(i, i + 1, in_case_each(sentence, i, full))
        elif i and (apart := _apart(lowered, i)) is not None:
            yield _both(sentence, i, apart)


@cache
def _fulls() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The full forms of each contraction."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for full, short in pairs("contractions_en").items():
        found[short] = (*found.get(short, ()), tuple(full.split()))
    return MappingProxyType(found)


def _may_lean(lowered: Sequence[str], place: int, short: str) -> bool:
    """Whether the second word may be weak: not at the end of a clause, and no full verb."""
    second, following = lowered[place + 1], next_word(lowered, place + 2)
    if short.endswith("n't"):
        return True
    if not (following and following[0].isalnum()):
        return False
    return second not in HAVE or is_participle(following)


def _full(
    lowered: Sequence[str], place: int, known: Mapping[str, tuple[tuple[str, ...], ...]]
) -> tuple[str, ...] | None:
    """The words that a contraction in one English token stands for; None where it is none, or where that is unclear."""
    word = lowered[place]
    if word in known and word[-2:] not in ("'s", "'d"):
        return known[word][0]
    if word == "let's":
        return ("let", "us")
    stem, suffix = word[:-2], word[-2:]
    if suffix in ("'s", "'d") and stem.isalpha():
        verb = _auxiliary(lowered, place + 1, suffix, pronoun=word in known)
        return None if verb is None else (stem, verb)
    return None


def _apart(lowered: Sequence[str], place: int) -> tuple[str, str] | None:
    """The full words for an English contraction in two tokens, of which this is the second; None where it is none."""
    stem, suffix = lowered[place - 1], lowered[place]
    if suffix == "n't":
        return None if stem == "ai" else (_STEMS.get(stem, stem), "not")
    if suffix in _SUFFIXES:
        return stem, _SUFFIXES[suffix]
    if suffix == "'s" and stem == "let":
        return stem, "us"
    if suffix in ("'s", "'d"):
        verb = _auxiliary(lowered, place + 1, suffix, pronoun=stem + suffix in _fulls())
        return None if verb is None else (stem, verb)
    return None


def _auxiliary(lowered: Sequence[str], place: int, suffix: str, *, pronoun: bool) -> str | None:
    """The verb that *'s* or *'d* stands for, by the words from ``place`` on; None where these leave it open.

    After other words than pronouns *'s* is mostly a possessive.
    """
    following = lowered[place] if place < len(lowered) else ""
    verb = next_word(lowered, place)
    if suffix == "'s":
        if verb in _ONLY_AFTER_HAS:
            return "has" if pronoun or verb == "been" else None
        if following in _ONLY_AFTER_IS:
            return "is"
        return "is" if pronoun and verb[:1].isalnum() and not is_participle(verb) else None
    if not pronoun:
        return None
    if verb == "better" or (is_participle(verb) and verb not in paradigms()):
        return "had"
    return "would" if verb in ("be", "rather") or (verb in paradigms() and verb not in participles()) else None


def _both(sentence: Sentence, place: int, words: tuple[str, str]) -> Edit:
    """The edit of two tokens that were written without white space between them, or of the second alone."""
    first, second = sentence.tokens[place - 1 : place + 1]
    full = in_case_of(first, words[0]) if words[0] != first.lower() else first
    last = words[1].upper() if second.isupper() else words[1]
    before, after = sentence.spaces[place - 1 : place + 1]
    if full == first and before:
        return Edit(place, place + 1, (last,))
    return Edit(place - 1, place + 1, (full, last), spaces=(before or " ", after), origins=((place - 1,), (place,)))

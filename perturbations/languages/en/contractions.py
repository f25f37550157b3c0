"""Contractions in English: "is not" and "isn't"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.en.verbs import HAVE, is_participle, next_word, paradigms, participles
from perturbations.languages.language import words_in
from perturbations.lexicons import pairs
from perturbations.sites import in_case_each, in_case_of, one_label
from perturbations.text import Edit, Sentence

_SUFFIXES = MappingProxyType({"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"})
_ENDS = frozenset([*_SUFFIXES, "'d", "'s", "'t", "n't"])
_STEMS = MappingProxyType({"ca": "can", "wo": "will", "sha": "shall"})
"""The stems of words before ``n't``."""
_ONLY_AFTER_IS = frozenset(["a", "an", "not", "the", "this"])
_ONLY_AFTER_HAS = frozenset(["become", "been", "got", "gotten", "had"])
_QUESTIONS = frozenset(
    ["as", "how", "however", "than", "that", "what", "whatever", "where", "wherever", "which", "who"]
)
"""Words that what follows a verb may have moved to, so that the verb is not weak: "how proud I am to be here"."""
_REACH = 4
_NOT_OF_CLAUSE = frozenset(
    ["and", "because", "but", "if", "n", "or", "so", "though", "today", "tomorrow", "tonight", "too", "when", "while"]
)
"""Words behind a clause, and what begins a negation in several tokens: a verb before them is not weak."""
_OTHERS_DO = frozenset(["alone", "down", "have", "in", "know", "off", "on", "out", "through", "up"])
"""Behind "let us" these ask others for something: "let us know" is not "let's know"."""
_BEFORE_NOT = words_in(
    "are ca could dare did do does had has have is might must need ought sha should was were wo would"
)
_SUBJECTS = frozenset(["he", "i", "it", "she", "that", "there", "they", "this", "u", "we", "you"])


def contracted(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """Two words as one, where the second may be weak."""
    known = pairs("contractions_en")
    tokens = sentence.tokens
    for i, word in enumerate(lowered):
        if word in known:  # "cannot"
            yield Edit(i, i + 1, (in_case_of(tokens[i], known[word]),))
        short = known.get(f"{word} {lowered[i + 1]}") if i + 1 < len(lowered) else None
        emphasised = i + 1 < len(lowered) and tokens[i + 1].isupper() and not tokens[i].isupper()
        if short is not None and not emphasised and one_label(sentence, i, i + 2) and _may_lean(lowered, i, short):
            yield Edit(i, i + 2, (in_case_of("".join(tokens[i : i + 2]), short),))


def expanded(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """A contraction in up to four tokens, such as "don ' t", as the full words."""
    known, reached = _fulls(), 0
    for i in range(len(lowered)):
        stop = _stop(lowered, i)
        if stop is None or i < reached or _is_question(lowered, i, stop):
            continue
        full = _full("".join(lowered[i:stop]), lowered, stop, known)
        if full is not None and one_label(sentence, i + 1, stop):
            reached = stop
            yield Edit(i, stop, in_case_each(sentence, i, full)) if stop == i + 1 else _apart(sentence, i, stop, full)


def _stop(lowered: Sequence[str], start: int) -> int | None:
    """The end of the contraction that begins with this token; None where none does."""
    first, second, third, fourth = (*lowered[start : start + 4], "", "", "")[:4]
    if not first[0].isalpha():
        return None
    if (second, third, fourth) == ("n", "'", "t"):
        return start + 4
    if second == "'" and f"'{third}" in _ENDS:
        return start + 3
    if second in _ENDS:
        return start + 2
    return start + 1 if "'" in first else None


def _is_question(lowered: Sequence[str], start: int, stop: int) -> bool:
    """Whether a verb with ``n't`` stands before its subject, where "not" cannot: "isn't it", "didn't John go"."""
    if not "".join(lowered[start:stop]).endswith("n't"):
        return False
    begins = start == 0 or not lowered[start - 1][:1].isalnum() or lowered[start - 1] == "why"
    orders = "".join(lowered[start:stop]) == "don't"
    return (lowered[stop] if stop < len(lowered) else "") in _SUBJECTS or (begins and not orders)


def _denies(lowered: Sequence[str], place: int) -> bool:
    """Whether ``n't`` stands there as a token of its own, or several: it leans on the verb already, *it is n't*."""
    behind = tuple(lowered[place : place + 3])
    return behind[:1] == ("n't",) or behind[:2] == ("'", "t") or behind[:1] == ("'t",) or behind == ("n", "'", "t")


@cache
def _fulls() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The full forms of each contraction."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for full, short in pairs("contractions_en").items():
        found[short] = (*found.get(short, ()), tuple(full.split()))
    return MappingProxyType(found)


def _may_lean(lowered: Sequence[str], place: int, short: str) -> bool:
    """Whether the second word may be weak: no full verb, not the last of its clause, and nothing is missing behind."""
    if _denies(lowered, place + 2):
        return False
    second, following = lowered[place + 1], next_word(lowered, place + 2)
    if short.endswith("n't"):
        return True
    if not (following and following[0].isalnum()) or following in _NOT_OF_CLAUSE:
        return False
    if second == "us":
        return (place == 0 or not lowered[place - 1][:1].isalnum()) and following not in _OTHERS_DO
    goes_on = following.endswith("ing") or following == "not" or is_participle(following)
    before = lowered[max(0, place - _REACH) : place]
    if not goes_on and second not in HAVE and not _QUESTIONS.isdisjoint(before):
        return False
    return second not in HAVE or is_participle(following)


def _full(
    word: str, lowered: Sequence[str], stop: int, known: Mapping[str, tuple[tuple[str, ...], ...]]
) -> tuple[str, ...] | None:
    """The words that a contraction which ends before ``stop`` stands for; None where it is none, or that is unclear."""
    if word == "let's":
        return ("let", "us")
    if word in known and word[-2:] not in ("'s", "'d"):
        return known[word][0]
    if word.endswith("n't"):
        stem = word.removesuffix("n't")
        return None if stem not in _BEFORE_NOT else (_STEMS.get(stem, stem), "not")
    stem, _, suffix = word.partition("'")
    if f"'{suffix}" in _SUFFIXES:
        return stem, _SUFFIXES[f"'{suffix}"]
    if suffix in ("s", "d") and stem.isalpha() and not (stem == "who" and lowered[stop : stop + 1] == ["who"]):
        verb = _auxiliary(lowered, stop, f"'{suffix}", pronoun=word in known)
        return None if verb is None else (stem, verb)
    return None


def _apart(sentence: Sentence, start: int, stop: int, full: tuple[str, ...]) -> Edit:
    """The edit of a contraction in several tokens, which may be written without white space between them."""
    first, rest = sentence.tokens[start], "".join(sentence.tokens[start + 1 : stop])
    stem, verb = full if len(full) == 2 else ("can", "not")  # "can not" keeps two tokens apart as they were
    stem = first if first.lower() == stem else in_case_of(first, stem)
    spaces = (sentence.spaces[start] or " ", sentence.spaces[stop - 1])
    origins = ((start,), tuple(range(start + 1, stop)))
    return Edit(start, stop, (stem, verb.upper() if rest.isupper() else verb), spaces=spaces, origins=origins)


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

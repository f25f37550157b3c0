"""Exact match and F1 of answers, as in the official scripts.

Sources: Rajpurkar et al. 2016, SQuAD, section 6.1; Rajpurkar et al. 2018, SQuAD 2.0; Lewis et al. 2020, MLQA, section
4.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from perturbations.languages import has, language_named, with_parts

Normalisation = str
"""One of `normalisations`: of a published script, or the code of a language with articles of its own."""

SQUAD: Normalisation = "squad"

_MLQA_ZH = "mlqa-zh"


_SIGNS: Mapping[Normalisation, Sequence[str]] = {
    "mlqa-es": ["y", "el", "la", "los", "las", "del", "que", "una", "un", "en", "con", "por", "se", "su"],
    "mlqa-de": ["und", "der", "die", "das", "den", "dem", "des", "ein", "eine", "ist", "nicht", "von", "mit", "im"],
}

_LEAST_SIGNS, _LEAST_OWN = 0.2, 0.01


def usual_normalisation(language: str, words: Sequence[str]) -> Normalisation:
    """By ISO 639-1 code; for "", detected from the words."""
    if language:
        return _MLQA_ZH if language == "zh" else language if has(language, "answer_articles") else SQUAD
    counts = Counter(word.lower() for word in words if word.isalpha())
    total = max(1, sum(counts.values()))
    for found, signs in _SIGNS.items():
        if counts[signs[0]] >= _LEAST_OWN * total and sum(counts[sign] for sign in signs) >= _LEAST_SIGNS * total:
            return found
    return SQUAD


_PUBLISHED: Mapping[Normalisation, str] = {
    SQUAD: "a an the",
    "mlqa-es": "un una unos unas el la los las",
    "mlqa-de": "ein eine einen einem eines einer der die das den dem des",
    _MLQA_ZH: "",
}

_MIXED = re.compile(r"[\u4e00-\u9fa5]|[^\s\u4e00-\u9fa5]+")


@dataclass(frozen=True, slots=True)
class Rules:
    """How the answers of a corpus are scored.

    ``impossible``: questions may be unanswerable, as in SQuAD 2.0. Then empty normalised gold answers are ignored.
    """

    normalisation: Normalisation = SQUAD
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class Scores:
    """The best scores over gold answers: ``exact`` is 0 or 1, ``f1`` 0 to 1."""

    exact: float
    f1: float


@lru_cache(2**16)
def normalise_answer(text: str, rules: Normalisation, *, articles: bool = True) -> str:
    """Lower-case text without marks and articles."""
    lower = text.lower()
    elided, whole = _articles(rules)
    if articles and elided:
        lower = elided.sub("", lower)
    plain = "".join(char for char in lower if not _is_mark(char, rules))
    if articles and whole:
        plain = whole.sub(" ", plain)
    return " ".join(plain.split())


@lru_cache
def _articles(rules: Normalisation) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Articles before an apostrophe, and others; None if there are none."""
    listed = _PUBLISHED[rules].split() if rules in _PUBLISHED else language_named(rules).answer_articles
    elided = "|".join(re.escape(each[:-1]) for each in listed if each.endswith("'"))
    whole = "|".join(re.escape(each) for each in listed if not each.endswith("'"))
    return (
        re.compile(rf"\b(?:{elided})['’]") if elided else None,
        re.compile(rf"\b({whole})\b") if whole else None,
    )


def normalisations() -> tuple[Normalisation, ...]:
    """Those of published scripts, then the languages with articles of their own."""
    return (*_PUBLISHED, *with_parts("answer_articles"))


_ASCII = frozenset(string.punctuation)
_UNSEEN = ("Cc", "Cf")


def _is_mark(char: str, rules: Normalisation) -> bool:
    return char in _ASCII or (rules != SQUAD and unicodedata.category(char).startswith("P"))


def is_empty(text: str, rules: Rules) -> bool:
    """True if normalisation leaves nothing."""
    own = rules.normalisation not in _PUBLISHED
    return not normalise_answer(text, rules.normalisation, articles=not own)


def is_blank(text: str) -> bool:
    """True if the text as written has no visible character."""
    return all(char.isspace() or unicodedata.category(char) in _UNSEEN for char in text)


def answers_of(golds: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The gold answers that count; empty if unanswerable."""
    return tuple(gold for gold in golds if not (is_blank(gold) or (rules.impossible and is_empty(gold, rules))))


def score_answer(answer: str, golds: Sequence[str], rules: Rules) -> Scores:
    """The best exact match and F1 over gold answers; "" is *no answer*."""
    counted = answers_of(golds, rules)
    if not counted:
        right = float(is_empty(answer, rules))
        return Scores(right, right)
    return Scores(
        max(_exact(answer, gold, rules) for gold in counted), max(_f1(answer, gold, rules) for gold in counted)
    )


def _pair(answer: str, gold: str, rules: Rules) -> tuple[str, str]:
    articles = not (rules.normalisation not in _PUBLISHED and not normalise_answer(gold, rules.normalisation))
    return (
        normalise_answer(answer, rules.normalisation, articles=articles),
        normalise_answer(gold, rules.normalisation, articles=articles),
    )


def _exact(answer: str, gold: str, rules: Rules) -> float:
    own, right = _pair(answer, gold, rules)
    return float(own == right)


def _f1(answer: str, gold: str, rules: Rules) -> float:
    own, right = (_words(each, rules.normalisation) for each in _pair(answer, gold, rules))
    if rules.impossible and not (own and right):
        return float(own == right)
    same = (Counter(own) & Counter(right)).total()
    return 2 * same / (len(own) + len(right)) if same else 0.0


def _words(text: str, rules: Normalisation) -> list[str]:
    cut: Callable[[str], list[str]] = _MIXED.findall if rules == "mlqa-zh" else str.split
    return cut(text)

"""Slice of negations or questions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice, check_language
from perturbations import Sentence
from perturbations.languages import language_named
from perturbations.lexicons import pairs

PARTS = ("phrases",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSettings(Ranged):
    """Which ``phrase``."""

    phrase: Literal["negation", "question"] = "negation"
    language: str = "pt"

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        check_language("phrase", self.language, PARTS)


def cut(_corpus: Corpus, settings: PhraseSettings) -> Cut:
    """Sentences with a negation, or questions.

    A negation is a word that denies (*não, nunca, ninguém; not, never, don't*), in any letter case, with either
    apostrophe, in one token or two. *sem* and *without* do not count, nor do affirming phrases: *não só*, *não
    obstante*; *not only*, *whether or not*, *No.* before a number.

    A question has a question mark outside an address or, if it lacks a final mark, begins like a question: *por que*,
    *será que*; *how many*, *do you*. [TextFlint, catalogue name "PhraseSubPopulation"]
    """
    test = {"negation": negates, "question": asks}[settings.phrase]
    words = {"negation": "sentences with a negation", "question": "questions"}[settings.phrase]
    language = language_named(settings.language).name
    return Cut(partial(test, language=settings.language), f"{words}, by {language} words")


def negates(sentence: Sentence, language: str) -> bool:
    """Whether the sentence has a negation."""
    return any(found["negates"] for found in _negations(language).finditer(_plain(sentence)))


def asks(sentence: Sentence, language: str) -> bool:
    """Whether the sentence is a question."""
    if any(_MARK.search(token) and not _ADDRESS.search(token) for token in sentence.tokens):
        return True
    text = _plain(sentence)
    return not text.endswith((".", "!", ":", ";", "…")) and _openers(language).match(text) is not None


_MARK = re.compile(r"[?？]")
_ADDRESS = re.compile(r"\w\.\w.*/|://|www\.", re.IGNORECASE)
_APOSTROPHES = str.maketrans("’ʼ‘`´", "'" * 5)
_AUXILIARIES = "ai|are|ca|could|did|do|does|had|has|have|is|might|must|need|sha|should|was|were|wo|would"
_TORN = (
    (re.compile(r"(?<=\w) n't\b"), "n't"),
    (re.compile(rf"\b({_AUXILIARIES}) ?n ?' ?t\b"), r"\1n't"),
    (re.compile(r"(?<=\w) 's\b"), "'s"),
)


def _plain(sentence: Sentence) -> str:
    text = " ".join(sentence.tokens).translate(_APOSTROPHES).lower()
    for parts, whole in _TORN:
        text = parts.sub(whole, text)
    return text


@cache
def _negations(language: str) -> re.Pattern[str]:
    known = pairs(f"phrases_{language}")
    affirms, negates = (_any(phrase for phrase, kind in known.items() if kind == own) for own in ("affirms", "negates"))
    contracted = r"|\w*n't" if language == "en" else ""
    return re.compile(
        rf"(?<!\w)(?<!\w['-])(?:no ?\. ?\d|(?:{affirms}|(?P<negates>{negates}{contracted}))(?!\w|['-]\w))"
    )


@cache
def _openers(language: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{_any(p for p, kind in pairs(f'phrases_{language}').items() if kind == 'asks')})(?!\w)")


def _any(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


SLICE = Slice("phrase", PhraseSettings, cut, parts=PARTS, title="Sentences with a {phrase}")

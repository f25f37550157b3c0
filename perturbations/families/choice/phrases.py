"""Rules that put one phrase of a question for another that means the same there, from lists of phrases.

The lexicons ``question_phrases_en`` and ``question_phrases_pt`` have a row per phrase: the phrase, the other one, the
rule, and the words that may stand right before and right after, with ``|`` between. Of these ``^`` is the beginning of
a sentence, ``$`` the end of the question, where the options go on; ``!`` in front says which words may not stand there;
``*`` is any word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple

from perturbations.languages.questions import (
    QuestionWord,
    Stretch,
    lower_tokens,
    question_of,
    quoted_places,
    rebuild,
)
from perturbations.lexicons import rows
from perturbations.text import Perturbed, Sentence


class _Neighbours(NamedTuple):
    """The words that may stand beside a phrase, or may not; none named for any."""

    words: frozenset[str]
    allowed: bool

    def fit(self, word: str) -> bool:
        return not self.words or (word in self.words) == self.allowed


class _Phrase(NamedTuple):
    said: tuple[str, ...]
    other: tuple[str, ...]
    before: _Neighbours
    after: _Neighbours


def phrase_rule(language: str, name: str) -> Callable[[Sentence], Perturbed | None]:
    """The rule of that name in the lexicon of the language."""
    return partial(_replace_phrase, language=language, name=name)


def _replace_phrase(question: Sentence, language: str, name: str) -> Perturbed | None:
    """The question with another phrase for the last one that the rule knows; None without any.

    The last, since what is asked stands at the end. Of two that begin at one place it is the longer one. Quotations are
    left as they are.
    """
    low, kept = lower_tokens(question), quoted_places(question)
    by_first = _phrases(language)[name]
    for start in reversed(range(len(low))):
        fitting = [each for each in by_first.get(low[start], ()) if _stands(question, low, each, start)]
        phrase = max(fitting, key=lambda each: len(each.said), default=None)
        if phrase is not None:
            places = tuple(range(start, start + len(phrase.said)))
            cases = {question.tokens[place].isupper() for place in places if len(low[place]) > 1}
            if kept.isdisjoint(places) and len(cases) == 1:  # NOT among small letters is there to be seen
                return rebuild(question, Stretch(start, places[-1] + 1), _words(question, phrase, places, *cases))
    return None


def _words(question: Sentence, phrase: _Phrase, places: tuple[int, ...], capitals: bool) -> list[QuestionWord]:
    first, *others = phrase.other
    if question.tokens[places[0]][0].isupper():
        first = first[0].upper() + first[1:]
    return [QuestionWord(word.upper() if capitals else word, places) for word in (first, *others)]


def _stands(question: Sentence, low: tuple[str, ...], phrase: _Phrase, start: int) -> bool:
    stop = start + len(phrase.said)
    return (
        low[start:stop] == phrase.said
        and phrase.before.fit(_before(question, low, start))
        and phrase.after.fit(_after(low, stop))
    )


def _before(question: Sentence, low: tuple[str, ...], start: int) -> str:
    """The word before; ``^`` where a sentence begins."""
    begins = start == 0 or (low[start - 1] in (".", "?", "!", ":", "|") and question.tokens[start][0].isupper())
    return "^" if begins else low[start - 1]


def _after(low: tuple[str, ...], stop: int) -> str:
    """The word after; ``$`` where only signs and gaps follow."""
    return low[stop] if any(char.isalnum() for word in low[stop:] for char in word) else "$"


@cache
def _phrases(language: str) -> Mapping[str, Mapping[str, tuple[_Phrase, ...]]]:
    """The phrases by rule and first word."""
    found: dict[str, dict[str, tuple[_Phrase, ...]]] = {}
    for said, other, rule, before, after in rows(f"question_phrases_{language}"):
        phrase = _Phrase(_tokens(said), _tokens(other), _neighbours(before), _neighbours(after))
        of_rule = found.setdefault(rule, {})
        of_rule[phrase.said[0]] = (*of_rule.get(phrase.said[0], ()), phrase)
    return MappingProxyType(found)


def _tokens(phrase: str) -> tuple[str, ...]:
    return question_of(phrase).tokens


def _neighbours(cell: str) -> _Neighbours:
    if cell == "*":
        return _Neighbours(frozenset(), allowed=True)
    return _Neighbours(frozenset(cell.removeprefix("!").split("|")), allowed=not cell.startswith("!"))

"""Finite verbs in Portuguese."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.languages.readings import VerbReading
from perturbations.lexicons import of_class, rows, words

ENCLITIC = re.compile(r"-(?:se|lhes?|me|nos)$")
"""Pronouns behind a verb, joined by a hyphen, that leave its form as it is."""

CLITICS = frozenset(["se", "me", "te", "lhe", "lhes"])
"""Pronouns before a verb that have no other part of speech."""

SUBJECTS = CLITICS | of_class("grammar_words_pt", "subject")
"""Right after these a word that could be a noun is a verb."""

_OPEN_TO_CLITICS = frozenset(["que", "não", "quem", "já", "nunca", "também", "onde", "quando"])
_AMBIGUOUS_CLITICS = frozenset(["o", "a", "os", "as", "nos"])
_SET_PHRASES = frozenset(
    [("ou", "seja"), ("ou", "sejam"), ("qual", "seja"), ("quais", "sejam"), ("isto", "é"), ("isto", "foi")]
)
_BEFORE_NO_SUBJECT = words_in("a ante ao até com como contra de desde do em entre para perante por sem sob sobre")
_ENDINGS = re.compile(
    r"\w{3,}ou$|\w{2,}(?:iu|[aei]ram|avam|[aei]rá|[aei]riam|[aei]ssem|[áêí]ssemos|ávamos|[aei]remos|[aei]ríamos)$"
)
_NO_VERBS = frozenset(["caribou", "guará", "psiu", "xará"])
_NON_FINITE = re.compile(r"(?:[aeiô]r|[aei]rem|ndo|[aií]d[oa]s?)$")


def read(tokens: Sequence[str]) -> list[str]:
    """The tokens in lower case."""
    return [token.lower() for token in tokens]


@cache
def forms() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The forms for eu, ele, nós, eles by infinitive and tense."""
    return MappingProxyType({(lemma, tense): tuple(row.split("|")) for lemma, tense, row in rows("verbs_pt")})


@cache
def readings() -> Mapping[str, tuple[VerbReading, ...]]:
    """The readings of each form in the table."""
    found: dict[str, tuple[VerbReading, ...]] = {}
    for (lemma, tense), row in forms().items():
        for person, form in enumerate(row):
            found[form] = (*found.get(form, ()), VerbReading(lemma, tense, person))
    return MappingProxyType(found)


def readings_of(word: str) -> Sequence[VerbReading]:
    """The readings of the word as a finite verb, without an attached pronoun."""
    return readings().get(word) or readings().get(base(word), ())


def base(word: str) -> str:
    """The verb without a pronoun that hangs on it."""
    return ENCLITIC.sub("", word) if "-" in word else word


@lru_cache(2**16)
def could_be_finite(word: str) -> bool:
    """Whether the word, in lower case, is in the table or ends as finite verbs do."""
    return bool(readings_of(word)) or (_ENDINGS.match(base(word)) is not None and word not in _NO_VERBS)


def stands_as_verb(
    lowered: Sequence[str],
    place: int,
    readings: Sequence[VerbReading],  # noqa: ARG001 - English asks for these
    in_entity: Sequence[bool],  # noqa: ARG001
) -> bool:
    """Whether a form that could be finite is so, by the words around it."""
    word = lowered[place]
    before = lowered[place - 1] if place else ""
    if (before, word) in _SET_PHRASES or (word == "haja" and lowered[place + 1 : place + 2] == ["vista"]):
        return False
    if before in words("not_before_verbs_pt"):
        return clitics_before(lowered, place) > 0 and word not in words("verb_homographs_pt")
    return word not in words("verb_homographs_pt") or before in SUBJECTS


def heads_group(lowered: Sequence[str], place: int, kinds: Sequence[str]) -> bool:
    """The same by universal parts of speech: a verb that is no infinitive, gerund or participle."""
    word = lowered[place]
    return kinds[place] in ("VERB", "AUX") and (bool(readings_of(word)) or _NON_FINITE.search(base(word)) is None)


def clitics_before(lowered: Sequence[str], place: int) -> int:
    """How many pronouns right before the verb belong to it: 0 or 1."""
    if not place:
        return 0
    before, farther = lowered[place - 1], lowered[place - 2] if place > 1 else ""
    if before == "se" and (farther in ("", ",", ";", ":", "(", "e", "ou") or _in_past_subjunctive(lowered[place])):
        return 0  # a conjunction: "if"
    return int(before in CLITICS or (before in _AMBIGUOUS_CLITICS and farther in _OPEN_TO_CLITICS))


def follows_subject(lowered: Sequence[str], place: int) -> bool:
    """Whether the word before can end a subject, or is a "que" that no preposition governs."""
    before = lowered[place - 1] if place else ""
    if before in ("que", "quem", "qual", "quais"):
        return place < 2 or lowered[place - 2] not in _BEFORE_NO_SUBJECT
    return before.isalpha() and before not in _BEFORE_NO_SUBJECT


def _in_past_subjunctive(word: str) -> bool:
    found = readings_of(word)
    return bool(found) and all(reading.tense == "past-subjunctive" for reading in found)

"""Whether the subject of an English verb is plural, as far as the words before the verb tell."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.en.verbs import AUXILIARIES, PLURAL_SUBJECTS, SUBJECTS, place_before
from perturbations.lexicons import of_class, words
from perturbations.text import Sentence

_PLURAL_WORDS = PLURAL_SUBJECTS | of_class("grammar_words_en", "plural")
_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "near", "of", "on", "outside", "to", "with"])
_RELATIVES = frozenset(["that", "which", "who"])


def is_plural_subject(sentence: Sentence, lowered: Sequence[str], verb: int) -> bool | None:
    """Whether the subject of the past form goes with *say* and not *says*; None where that is unclear.

    Unclear is what stands after a mark or conjunction, and what could belong to a preposition, as in "two people in
    Porto said".
    """
    at = place_before(lowered, verb)
    follows_subject = at >= 0 and lowered[at] in SUBJECTS
    if lowered[verb] in AUXILIARIES and "".join(lowered[verb + 1 : verb + 2]) in SUBJECTS and not follows_subject:
        return lowered[verb + 1] in PLURAL_SUBJECTS  # a question
    if at > 0 and lowered[at] in _RELATIVES:
        at = place_before(lowered, at)
    if at < 0 or not lowered[at][0].isalnum() or lowered[at] in ("and", "but", "or", "then"):
        return None
    subject = lowered[at]
    if subject in SUBJECTS:
        return subject in PLURAL_SUBJECTS
    first = _first_of_name(sentence, at)
    before = first - 1
    while before >= 0 and lowered[before] in words("not_before_verbs_en") - _PREPOSITIONS:
        before -= 1
    if before >= 0 and lowered[before] in _PREPOSITIONS:
        return None
    if before > 0 and lowered[before] == "and" and lowered[before - 1][:1].isalnum():
        return sentence.tokens[before - 1][0].isupper() == sentence.tokens[at][0].isupper()
    is_name = first < at or sentence.tokens[at][0].isupper()
    plural = subject.endswith("s") and not subject.endswith(("ss", "us", "is", "'s"))
    return subject in _PLURAL_WORDS or (plural and not (is_name and at > 0))


def _first_of_name(sentence: Sentence, place: int) -> int:
    """Where the words with a capital begin of which this is the last."""
    while place and sentence.tokens[place][0].isupper() and sentence.tokens[place - 1][0].isupper():
        place -= 1
    return place

"""Finite verbs in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.readings import VerbReading
from perturbations.lexicons import of_class, pairs, rows, words

PRESENT_OTHER, PRESENT_THIRD = 0, 1
"""Persons of the present: that of I, you, we and they, and that of he, she and it."""

BE = frozenset(["am", "is", "are", "was", "were"])
MODALS = frozenset(["can", "could", "may", "might", "must", "shall", "should", "will", "would"])
HAVE = frozenset(["has", "have", "had"])
DO = frozenset(["do", "does", "did"])
AUXILIARIES = BE | MODALS | HAVE | DO

_BEFORE_PARTICIPLES = BE | HAVE | of_class("grammar_words_en", "before-participle")
SUBJECTS = frozenset(["i", "you", "he", "she", "it", "we", "they", "who"])
"""Right after these a word that could be a noun is a verb."""
PLURAL_SUBJECTS = frozenset(["i", "you", "we", "they"])
ADVERBS = of_class("grammar_words_en", "adverb")


_ENDINGS = frozenset(["s", "ve", "re", "ll", "d", "m"])
_ASK = frozenset(["how", "what", "when", "where", "which", "whom", "whose", "why"])
_OPEN_SUBJECTS = of_class("grammar_words_en", "opens-subject")
"""A subject can begin with these, but an object too."""
_MARKS = frozenset([".", ",", ":", ";", "?", "!", "...", "…", "-", "--", "(", ")", '"', "to"])
_JOINING = frozenset(["and", "but", "or", "so"]) | (_MARKS - {"to"})


def read(tokens: Sequence[str]) -> list[str]:
    """The tokens in lower case; a contraction over several, as in "do n ' t", is in the first, the others empty."""
    found = [token.lower().replace("’", "'") for token in tokens]
    for i, word in enumerate(found):
        following = found[i + 1] if i + 1 < len(found) else ""
        if i and found[i - 1].endswith("n") and (word == "'t" or (word, following) == ("'", "t")):
            found[i - 1] += "'t"
            found[i : i + (1 if word == "'t" else 2)] = [""] * (1 if word == "'t" else 2)
        elif word == "'" and following in _ENDINGS:
            found[i : i + 2] = ["'" + following, ""]
    return found


@cache
def paradigms() -> Mapping[str, tuple[str, ...]]:
    """Third person, past, past participle and -ing form by base form."""
    return MappingProxyType({lemma: tuple(row.split("|")) for lemma, row in rows("verbs_en")})


@cache
def readings() -> Mapping[str, tuple[VerbReading, ...]]:
    """The readings of each finite form in the table; the past has one form for all persons."""
    found: dict[str, tuple[VerbReading, ...]] = {}
    for lemma, (third, past, _participle, _ing) in paradigms().items():
        found[lemma] = (*found.get(lemma, ()), VerbReading(lemma, "present", PRESENT_OTHER))
        found[third] = (*found.get(third, ()), VerbReading(lemma, "present", PRESENT_THIRD))
        found[past] = (*found.get(past, ()), VerbReading(lemma, "past", 0))
    return MappingProxyType(found)


@cache
def participles() -> frozenset[str]:
    """The past participles in the table."""
    return frozenset(["been", *(row[2] for row in paradigms().values())])


def readings_of(word: str) -> Sequence[VerbReading]:
    """The readings of the word as a finite verb other than an auxiliary."""
    return readings().get(word, ())


def could_be_finite(word: str) -> bool:
    """Whether the word, in lower case, is an auxiliary or in the table."""
    return word in AUXILIARIES or word in readings()


def stands_as_verb(
    lowered: Sequence[str], place: int, readings: Sequence[VerbReading], in_entity: Sequence[bool]
) -> bool:
    """Whether a form that could be finite is so, by the words around it."""
    word, subject = lowered[place], place_before(lowered, place)
    before = lowered[subject] if subject >= 0 else ""
    asked = lowered[subject - 1] if before in SUBJECTS and subject > 0 else ""
    if asked in AUXILIARIES - {word} or asked.endswith("n't"):
        return False  # the rest of a question: "did you get", "would n't you know"
    if word in AUXILIARIES and lowered[place + 1 : place + 2] and lowered[place + 1] in SUBJECTS:
        return True  # a question
    if word == "am":
        return before == "i"
    if word in MODALS or word in BE:
        return before not in words("not_before_verbs_en") - {
            "that",
            "this",
            "these",
            "those",
            "some",
            "most",
            "each",
            "few",
        }
    if before in MODALS or before in ("'ll", "'ve") or before.endswith("n't"):
        return False
    if any(reading.tense == "past" for reading in readings):
        return _is_past(lowered, place, before, named=subject >= 0 and in_entity[subject])
    if any(reading.person == PRESENT_OTHER for reading in readings):
        return before in PLURAL_SUBJECTS
    return before not in words("not_before_verbs_en") and (
        word not in words("verb_homographs_en") or before in SUBJECTS or (subject == 0 and _is_given_name(before))
    )


def _is_given_name(word: str) -> bool:
    return word in pairs("given_names_en") and word not in words("not_only_names")


def heads_group(lowered: Sequence[str], place: int, kinds: Sequence[str]) -> bool:
    """The same by universal parts of speech: the first verb after a word that is neither a verb nor *to*."""
    subject = place_before(lowered, place)
    return kinds[place] in ("VERB", "AUX") and not (
        subject >= 0 and (kinds[subject] in ("VERB", "AUX") or lowered[subject] == "to")
    )


def place_before(lowered: Sequence[str], place: int) -> int:
    """The place of the last word before, adverbs left out; -1 where there is none."""
    place -= 1
    while place >= 0 and _is_passed(lowered[place]):
        place -= 1
    return place


def next_word(lowered: Sequence[str], place: int) -> str:
    """The word at the place or, where that is an adverb, the first after it that is none; empty at the end."""
    while place < len(lowered) and _is_passed(lowered[place]):
        place += 1
    return lowered[place] if place < len(lowered) else ""


def _is_passed(word: str) -> bool:
    return not word or word in ADVERBS or word.endswith("ly")


def is_subject_like(word: str) -> bool:
    """Whether the word is a pronoun or determiner: no verb, and one that can begin a subject."""
    return word in SUBJECTS or word in _OPEN_SUBJECTS


def is_inverted(lowered: Sequence[str], place: int) -> bool:
    """Whether the subject stands behind this auxiliary, as in a question, as far as the words around it tell."""
    word, before_place, following = lowered[place], place_before(lowered, place), next_word(lowered, place + 1)
    before = lowered[before_place] if before_place >= 0 else ""
    if word not in AUXILIARIES or before in SUBJECTS - {"who"}:
        return False
    if following in SUBJECTS - {"it", "who"} or (word in MODALS and is_subject_like(following)):
        return True
    if word in BE and following == "it":
        return True
    if before in ("and", "but", "or", "so"):
        before = lowered[before_place - 1] if before_place else ""
    if not before or before in _MARKS - {",", "to"} or before in ("how", "when", "where", "why"):
        return True
    if before in _ASK and is_subject_like(following):
        return True
    return word in DO and _verb_comes(lowered, place)


def _verb_comes(lowered: Sequence[str], place: int) -> bool:
    """Whether a base form follows with one to three words between, as in "does X seem"."""
    for word in lowered[place + 2 : place + 5]:
        if word in _MARKS:
            return False
        if word in paradigms() and word not in words("verb_homographs_en"):
            return lowered[place + 1] not in paradigms()
    return False


def is_auxiliary(lowered: Sequence[str], place: int) -> bool:
    """Whether another verb, or what is said of the subject, follows this form of *be*, *have*, *do* or a modal verb."""
    word, following = lowered[place], next_word(lowered, place + 1)
    if word in HAVE:
        return is_participle(following) or following in ("to", "better")
    if word in DO:
        return following in paradigms() or is_inverted(lowered, place)
    return word in AUXILIARIES


def is_further(lowered: Sequence[str], verb: int, place: int) -> bool:
    """Whether the word could be finite beside the finite ``verb``, also one of no table in its past.

    What an auxiliary governs is not: "gone" in "has gone".
    """
    word = lowered[place]
    if verb < place and _governs(lowered, verb) and _JOINING.isdisjoint(lowered[verb:place]):
        return word in AUXILIARIES
    before = lowered[place - 1] if place else ""
    past = word.endswith("ed") and len(word) > len("need") and before not in BE | HAVE
    return past or could_be_finite(word) or word.endswith("n't")


def _governs(lowered: Sequence[str], place: int) -> bool:
    """Whether it is an auxiliary, also one that is contracted with *not*."""
    word = lowered[place]
    return word.endswith("n't") or word in ("ca", "wo", "sha", "cannot") or is_auxiliary(lowered, place)


def is_participle(word: str) -> bool:
    """Whether the word could be a past participle."""
    return word in participles() or (word.endswith("ed") and len(word) > len("need"))


def _is_past(lowered: Sequence[str], place: int, before: str, *, named: bool) -> bool:
    """Whether a past form is one, and no participle."""
    word = lowered[place]
    if before in SUBJECTS:
        return True
    if before in words("not_before_verbs_en") | _BEFORE_PARTICIPLES or before in MODALS | DO or not before:
        return False
    if is_participle(word):
        if lowered[place + 1 : place + 2] == ["by"]:
            return False
        return named or word not in words("verb_homographs_en")
    return True

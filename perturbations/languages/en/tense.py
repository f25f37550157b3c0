"""Tenses in English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import MappingProxyType

from perturbations.languages.en import verbs
from perturbations.languages.en.inflections import dictionary_form, dictionary_readings
from perturbations.languages.en.subjects import is_plural_subject
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.language import words_in
from perturbations.languages.lone_verbs import is_alone, tells_year
from perturbations.languages.readings import PartsOfSpeech, Verb
from perturbations.lexicons import of_class
from perturbations.sites import in_entities
from perturbations.text import Sentence

_AUXILIARIES = MappingProxyType(
    {
        "am": "was",
        "is": "was",
        "are": "were",
        "were": "are",
        "has": "had",
        "have": "had",
        "does": "did",
        "do": "did",
    }
)
_NOT_BESIDE = (
    of_class("grammar_words_en", "subordinator")
    | {"'s", "'re", "'m", "'ve", "'ll", "'d"}
    | words_in(
        "after ago already always anymore before case currently daily ever finally hope here later let lets month "
        "never next now once recently since so soon still than then till swear today tomorrow tonight until used week "
        "weekend what who wish yesterday yet"
    )
)
"""Words that are verbs, open another clause, or say when: another tense may contradict them."""


_JOINS_OR_DESCRIBES = frozenset(["and", "or", "but", "well"])
"""Behind these a verb may be joined to one that no list has, or be a participle: "a well made film"."""


def tensed(
    sentence: Sentence, parts_of_speech: PartsOfSpeech | None, inflections: str
) -> Iterator[tuple[Verb, Iterable[str]]]:
    """Each verb that is the only one of the text, with its form in the other tense: present turns to past and back.

    Not where a word says when, or opens another clause; nor modal verbs, of which the past is of no time.
    """
    lowered = verbs.read(sentence.tokens)
    if inflections == "table":
        found = finite_verbs(sentence, verbs, parts_of_speech)
    else:
        more = partial(dictionary_readings, only_verbs=parts_of_speech is None)
        found = finite_verbs(sentence, verbs, parts_of_speech, more)
    taken = in_entities(sentence)
    for verb in found:
        if "".join(lowered[verb.place - 1 : verb.place]) in _JOINS_OR_DESCRIBES:
            continue
        disturbs = partial(_disturbs, lowered, taken, verb.place)
        if is_alone(lowered, verb.place, disturbs, in_all_the_text=True):
            yield verb, _forms(sentence, lowered, verb)


def _disturbs(lowered: Sequence[str], in_entity: Sequence[bool], verb: int, place: int) -> bool:
    """Whether the word could be a finite verb beside the ``verb`` and its own, or says when."""
    word = lowered[place]
    if in_entity[place]:
        return False
    return word in _NOT_BESIDE or tells_year(word) or verbs.is_further(lowered, verb, place)


def _forms(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Iterable[str]:
    word, i = lowered[verb.place], verb.place
    if word in _AUXILIARIES:
        return [_AUXILIARIES[word]]
    if word == "know" and lowered[i - 1 : i] == ["you"] and not "".join(lowered[i + 1 : i + 2]).isalnum():
        return []
    if word == "used" and lowered[i + 1 : i + 2] == ["to"]:
        return []
    if word == "was":
        return ["am" if "i" in lowered[max(0, i - 2) : i + 2] else "is"]
    if any(tense == "present" for _, tense, _ in verb.readings):
        wanted, person = "past", 0
    else:
        plural = is_plural_subject(sentence, lowered, i)
        if plural is None:
            return []
        wanted, person = "present", verbs.PRESENT_OTHER if plural else verbs.PRESENT_THIRD
    forms = (_form(lemma, wanted, person) for lemma, _, _ in verb.readings)
    return [form for form in forms if form is not None]


def _form(lemma: str, wanted: str, person: int) -> str | None:
    row = verbs.paradigms().get(lemma)
    if row is None:
        return dictionary_form(lemma, wanted, person)
    if wanted == "past":
        return row[1]
    return row[0] if person == verbs.PRESENT_THIRD else lemma

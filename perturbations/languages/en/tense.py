"""Tenses in English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import MappingProxyType

from perturbations.languages.en import verbs
from perturbations.languages.en.inflections import dictionary_form, dictionary_readings
from perturbations.languages.en.subjects import is_plural_subject
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.readings import PartsOfSpeech, Verb
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
        "can": "could",
        "could": "can",
        "may": "might",
        "might": "may",
        "will": "would",
        "would": "will",
    }
)


def tensed(
    sentence: Sentence, parts_of_speech: PartsOfSpeech | None, inflections: str
) -> Iterator[tuple[Verb, Iterable[str]]]:
    """Each finite verb with its forms in the other tense: present turns to past and back."""
    lowered = verbs.read(sentence.tokens)
    if inflections == "table":
        found = finite_verbs(sentence, verbs, parts_of_speech)
    else:
        more = partial(dictionary_readings, only_verbs=parts_of_speech is None)
        found = finite_verbs(sentence, verbs, parts_of_speech, more)
    for verb in found:
        yield verb, _forms(sentence, lowered, verb)


def _forms(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Iterable[str]:
    word, i = lowered[verb.place], verb.place
    if word in _AUXILIARIES:
        return [_AUXILIARIES[word]]
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

"""Verbs in another tense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.grammar import verbs_en, verbs_pt
from perturbations.families.grammar.inflections_en import dictionary_form, dictionary_readings
from perturbations.families.grammar.readings import Reading
from perturbations.families.grammar.sites import begins_sentence, in_case_at
from perturbations.families.grammar.subjects_en import is_plural_subject
from perturbations.families.grammar.verbs import Language, PartsOfSpeech, Verb, finite_verbs, in_lower_case
from perturbations.text import Edit, Sentence

_INDICATIVE = ("present", "preterite", "imperfect", "future", "conditional")
_SUBJUNCTIVE = ("subjunctive", "past-subjunctive")
_TAKE_NO_PRONOUN_BEHIND = ("future", "conditional")
_OF_TWO_VERBS = frozenset(["fui", "foi", "fomos", "foram"])
"""Of *ser* and *ir*."""
_WHERE_TO = frozenset(["ao", "aos", "à", "às", "para", "embora"])
_BEFORE_THE_VERB = frozenset(["não", "nunca", "já", "também", "só", *verbs_pt.CLITICS])

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


@sentence_level(
    kind="morphology",
    rate=0.1,
    languages=("pt", "en"),
    aliases=("Tense",),
    renews=True,
    example=("[Ana Sá PESSOA] alega que pagou", "[Ana Sá PESSOA] alegou que pagará"),
)
def tense(
    sentence: Sentence,
    *,
    language: Language = "pt",
    inflections: Literal["table", "lemminflect"] = "table",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """A finite verb in another tense, in the same person and number [TextFlint, catalogue name "Tense"].

    In Portuguese an indicative stays one, and a subjunctive. In English present turns to past and back, "officials
    said" to "officials say", by the words before the verb; where these do not tell the person, a past form stays. Forms
    come from tables of verbs; with ``inflections="lemminflect"`` English ones that the table lacks from LemmInflect's
    dictionary. Verbs are found by their forms and the words around them, or by ``parts_of_speech``, where given.
    """
    if inflections == "lemminflect" and language != "en":
        raise ValueError(f"inflections is 'lemminflect' and language {language!r}; LemmInflect knows English alone")
    lowered = in_lower_case(sentence.tokens, language)
    if language == "pt":
        verbs = finite_verbs(sentence, language, parts_of_speech)
        return [_site(sentence, verb, _portuguese(lowered, verb)) for verb in verbs]
    if inflections == "table":
        verbs = finite_verbs(sentence, language, parts_of_speech)
    else:
        more = partial(dictionary_readings, only_verbs=parts_of_speech is None)
        verbs = finite_verbs(sentence, language, parts_of_speech, more)
    return [_site(sentence, verb, _english(sentence, lowered, verb)) for verb in verbs]


def _site(sentence: Sentence, verb: Verb, forms: Iterable[str]) -> list[Edit]:
    present = sentence.tokens[verb.place].lower()
    distinct = dict.fromkeys(form for form in forms if form != present)
    return [Edit(verb.place, verb.place + 1, (in_case_at(sentence.tokens, verb.place, form),)) for form in distinct]


def _portuguese(lowered: Sequence[str], verb: Verb) -> Iterable[str]:
    word = lowered[verb.place]
    begins = begins_sentence(lowered, verb.place)
    behind = word[len(verbs_pt.base(word)) :]
    goes = "".join(lowered[verb.place + 1 : verb.place + 2]) in _WHERE_TO
    for lemma, present, person in _likelier(lowered, verb):
        if word in _OF_TWO_VERBS and (lemma == "ir") != goes:
            continue
        if present == "subjunctive" and (behind or begins):
            continue  # a command: "faça-se"
        for other in _INDICATIVE if present in _INDICATIVE else _SUBJUNCTIVE:
            forms = verbs_pt.forms().get((lemma, other))
            if forms is not None and not (behind and other in _TAKE_NO_PRONOUN_BEHIND):
                yield forms[person] + behind


def _likelier(lowered: Sequence[str], verb: Verb) -> Sequence[Reading]:
    """The readings in the person of the subject: a form that *eu* and *ele* share is that of *ele* without *eu*."""
    place = verb.place - 1
    while place >= 0 and lowered[place] in _BEFORE_THE_VERB:
        place -= 1
    first = place >= 0 and lowered[place] == "eu"
    persons = {reading.person for reading in verb.readings}
    if not persons >= {0, 1}:
        return verb.readings
    return [reading for reading in verb.readings if reading.person != (1 if first else 0)]


def _english(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Iterable[str]:
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
        wanted, person = "present", verbs_en.PRESENT_OTHER if plural else verbs_en.PRESENT_THIRD
    forms = (_english_form(lemma, wanted, person) for lemma, _, _ in verb.readings)
    return [form for form in forms if form is not None]


def _english_form(lemma: str, wanted: str, person: int) -> str | None:
    row = verbs_en.paradigms().get(lemma)
    if row is None:
        return dictionary_form(lemma, wanted, person)
    if wanted == "past":
        return row[1]
    return row[0] if person == verbs_en.PRESENT_THIRD else lemma

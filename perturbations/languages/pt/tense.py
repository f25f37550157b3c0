"""Tenses in Portuguese."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.pt import verbs
from perturbations.languages.readings import PartsOfSpeech, Reading, Verb
from perturbations.sites import begins_sentence
from perturbations.text import Sentence

_INDICATIVE = ("present", "preterite", "imperfect", "future", "conditional")
_SUBJUNCTIVE = ("subjunctive", "past-subjunctive")
_TAKE_NO_PRONOUN_BEHIND = ("future", "conditional")
_OF_TWO_VERBS = frozenset(["fui", "foi", "fomos", "foram"])
"""Of *ser* and *ir*."""
_WHERE_TO = frozenset(["ao", "aos", "à", "às", "para", "embora"])
_BEFORE_THE_VERB = frozenset(["não", "nunca", "já", "também", "só", *verbs.CLITICS])


def tensed(
    sentence: Sentence, parts_of_speech: PartsOfSpeech | None, inflections: str
) -> Iterator[tuple[Verb, Iterable[str]]]:
    """Each finite verb with its forms in other tenses: an indicative stays one, and a subjunctive."""
    if inflections != "table":
        raise ValueError(f"inflections is {inflections!r} and language 'pt'; LemmInflect knows English alone")
    lowered = verbs.read(sentence.tokens)
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        yield verb, _forms(lowered, verb)


def _forms(lowered: Sequence[str], verb: Verb) -> Iterable[str]:
    word = lowered[verb.place]
    begins = begins_sentence(lowered, verb.place)
    behind = word[len(verbs.base(word)) :]
    goes = "".join(lowered[verb.place + 1 : verb.place + 2]) in _WHERE_TO
    for lemma, present, person in _likelier(lowered, verb):
        if word in _OF_TWO_VERBS and (lemma == "ir") != goes:
            continue
        if present == "subjunctive" and (behind or begins):
            continue  # a command: "faça-se"
        for other in _INDICATIVE if present in _INDICATIVE else _SUBJUNCTIVE:
            forms = verbs.forms().get((lemma, other))
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

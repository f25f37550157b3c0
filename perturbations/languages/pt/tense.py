"""Tenses in Portuguese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import MappingProxyType

from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.language import words_in
from perturbations.languages.lone_verbs import is_alone, tells_year
from perturbations.languages.pt import verbs
from perturbations.languages.readings import PartsOfSpeech, Verb, VerbReading
from perturbations.lexicons import of_class
from perturbations.sites import in_entities
from perturbations.text import Sentence

_OTHERS = MappingProxyType(
    {
        "present": ("preterite",),
        "preterite": ("present",),
        "imperfect": ("present", "preterite"),
        "future": ("present", "preterite"),
    }
)
"""The tenses that each may become. None becomes the future, of which there are no records, nor the imperfect."""
_SET = frozenset(["relatório", "voto", "votos"])
"""With these "é" is part of a set phrase: "é o relatório"."""
_REMARKS = frozenset(["destacar", "grifar"])
"""Verbs that a quotation is introduced with or remarked on."""
_OF_LAWS = frozenset(["caber", "competir", "cumprir", "dever", "entrar", "incumbir", "poder"])
"""In the present these say what is law, or can be."""
_NOT_BESIDE = of_class("grammar_words_pt", "subordinator") | words_in(
    "agora ainda amanhã anteriormente antes após atualmente até breve caso depois desde doravante durante então época "
    "eu hoje jamais já logo nunca ontem ora outrora posteriormente sempre talvez"
)
"""Words that open another clause, or say when: another tense may contradict them."""
_OF_TWO_VERBS = frozenset(["fui", "foi", "fomos", "foram"])
"""Of *ser* and *ir*."""
_HE_AND_THEY = (1, 3)
"""The persons that "se" goes with."""
_PARTICIPLE = re.compile(r"[ai]d[oa]s?$|(?:feit|dit|vist|post|escrit|abert)[oa]s?$")
"""With *ter* before it, another tense would be one of its own: "têm decidido"."""
_WHERE_TO = frozenset(["ao", "aos", "à", "às", "para", "embora"])
_BEFORE_THE_VERB = frozenset(["não", "nunca", "já", "também", "só", *verbs.CLITICS])


def tensed(
    sentence: Sentence, parts_of_speech: PartsOfSpeech | None, inflections: str
) -> Iterator[tuple[Verb, Iterable[str]]]:
    """Each verb that is the only one of its sentence, with its forms in other tenses of the indicative.

    Not where a word says when, or opens another clause; nor in the conditional, which is of no time.
    """
    if inflections != "table":
        raise ValueError(f"inflections is {inflections!r} and language 'pt'; LemmInflect knows English alone")
    lowered, taken = verbs.read(sentence.tokens), in_entities(sentence)
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        if is_alone(lowered, verb.place, partial(_disturbs, lowered, taken, verb.place)):
            yield verb, _forms(lowered, verb)


def _disturbs(lowered: Sequence[str], in_entity: Sequence[bool], verb: int, place: int) -> bool:
    """Whether the word could be a finite verb beside this one, or says when."""
    word = lowered[place]
    if in_entity[place] or verb - verbs.clitics_before(lowered, verb) <= place < verb:
        return False
    return word in _NOT_BESIDE or tells_year(word) or verbs.could_be_finite(word)


def _forms(lowered: Sequence[str], verb: Verb) -> Iterable[str]:
    word, start = lowered[verb.place], verb.place - verbs.clitics_before(lowered, verb.place)
    if lowered[max(0, start - 1)] in ("e", "ou"):
        return  # what stands before may be a verb of no table
    behind = word[len(verbs.base(word)) :]
    following = "".join(lowered[verb.place + 1 : verb.place + 2])
    goes = following in _WHERE_TO
    for lemma, present, person in _likelier(lowered, verb):
        if lemma in _OF_LAWS | _REMARKS or (lemma == "ser" and not _SET.isdisjoint(lowered[verb.place :])):
            continue
        if lemma == "ter" and _PARTICIPLE.search(following):
            continue
        if behind == "-se" and person not in _HE_AND_THEY:
            continue
        if word in _OF_TWO_VERBS and (lemma == "ir") != goes:
            continue
        for other in _OTHERS.get(present, ()):
            forms = verbs.forms().get((lemma, other))
            if forms is not None:
                yield forms[person] + behind


def _likelier(lowered: Sequence[str], verb: Verb) -> Sequence[VerbReading]:
    """The readings in the person of the subject: a form that *eu* and *ele* share is that of *ele* without *eu*."""
    place = verb.place - 1
    while place >= 0 and lowered[place] in _BEFORE_THE_VERB:
        place -= 1
    first = place >= 0 and lowered[place] == "eu"
    persons = {reading.person for reading in verb.readings}
    if not persons >= {0, 1}:
        return verb.readings
    return [reading for reading in verb.readings if reading.person != (1 if first else 0)]

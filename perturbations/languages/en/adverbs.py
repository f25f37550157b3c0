"""Where adverbs stand in English."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.en import verbs
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.sites import begins_sentence, put_before
from perturbations.text import Edit, Sentence


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """The edits that put an adverb before a finite verb, or behind an auxiliary, unless it stands there."""
    lowered = verbs.read(sentence.tokens)
    sites = []
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        place = _place(sentence, lowered, verb.place)
        if place is not None:
            around = lowered[max(0, place - 1) : verb.place + 2]
            sites.append([put_before(sentence, place, [adverb]) for adverb in adverbs if adverb not in around])
    return sites


def _place(sentence: Sentence, lowered: Sequence[str], verb: int) -> int | None:
    """Behind an auxiliary, if a verb or the like follows, else before it; None where the subject stands behind it."""
    if verbs.is_inverted(lowered, verb):
        return None
    if not verbs.is_auxiliary(lowered, verb):
        return verb
    if begins_sentence(sentence.tokens, verb):
        return None
    following = "".join(lowered[verb + 1 : verb + 2])
    name = not sentence.tokens[verb].isupper() and "".join(sentence.tokens[verb + 1 : verb + 2])[:1].isupper()
    if not following[:1].isalpha() or following == "n't" or name or verbs.is_subject_like(following):
        return verb
    return verb + 1

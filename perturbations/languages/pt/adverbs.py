"""Where adverbs stand in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.pt import verbs
from perturbations.languages.readings import PartsOfSpeech
from perturbations.sites import put_before
from perturbations.text import Edit, Sentence

_NEGATIONS = frozenset(["não", "nunca", "jamais"])


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """The edits that put an adverb before a finite verb, its pronouns and "não", unless it stands there."""
    lowered = verbs.read(sentence.tokens)
    sites = []
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        place = verb.place - verbs.clitics_before(lowered, verb.place)
        place -= place > 0 and lowered[place - 1] in _NEGATIONS
        around = lowered[max(0, place - 1) : verb.place + 2]
        sites.append([put_before(sentence, place, [adverb]) for adverb in adverbs if adverb not in around])
    return sites

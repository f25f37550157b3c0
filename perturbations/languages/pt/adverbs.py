"""Where adverbs stand in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.pt import verbs
from perturbations.languages.readings import PartsOfSpeech, Verb
from perturbations.sites import begins_sentence, put_before
from perturbations.text import Edit, Sentence

_NEGATIONS = frozenset(["não", "nunca", "jamais"])


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """The edits that put an adverb before a finite verb, its pronouns and "não", unless it stands there.

    Not before a verb that orders, wishes or supposes: what is no claim is not *really* so. Nor before one that has its
    pronoun behind it, which would have to come before, nor where the verb would no longer begin the sentence.
    """
    lowered = verbs.read(sentence.tokens)
    sites = []
    for verb in finite_verbs(sentence, verbs, parts_of_speech):
        if _is_no_claim(lowered, verb):
            continue
        place = verb.place - verbs.clitics_before(lowered, verb.place)
        place -= place > 0 and lowered[place - 1] in _NEGATIONS
        if begins_sentence(sentence.tokens, place):
            continue
        around = lowered[max(0, place - 1) : verb.place + 2]
        sites.append([put_before(sentence, place, [adverb]) for adverb in adverbs if adverb not in around])
    return sites


_OPENS_NO_CLAIM = frozenset(["se", "caso", "quando", "embora", "talvez", "enquanto", "como"])

_WITH_THAT = frozenset(["para", "sem", "desde", "ainda", "até", "antes", "de", "mesmo", "caso"])
"""Before "que" these open a clause of purpose, condition or the like; *de que* is as often one that only relates."""


def _is_no_claim(lowered: Sequence[str], verb: Verb) -> bool:
    """Whether the verb has a pronoun behind it, is a subjunctive or of "eu", or in a clause that supposes or asks."""
    word = lowered[verb.place]
    if "-" in word or word.endswith(("sse", "ssem")) or (verb.readings and {r.person for r in verb.readings} == {0}):
        return True
    if verb.readings and all(reading.tense in ("subjunctive", "past-subjunctive") for reading in verb.readings):
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

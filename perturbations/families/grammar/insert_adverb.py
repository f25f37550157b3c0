"""An adverb that says little, right before verbs."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.grammar.sites import begins_sentence, put_before
from perturbations.families.grammar.verbs import Language, PartsOfSpeech, finite_verbs, in_lower_case
from perturbations.families.grammar.verbs_en import is_auxiliary, is_inverted, is_subject_like
from perturbations.families.grammar.verbs_pt import clitics_before
from perturbations.lexicons import rows
from perturbations.text import Edit, Sentence

_NEGATIONS = frozenset(["não", "nunca", "jamais"])


@sentence_level(
    kind="syntax",
    rate=0.5,
    languages=("pt", "en"),
    aliases=("InsertAdv",),
    example=("[Ana Sá PESSOA] não se manifestou", "[Ana Sá PESSOA] certamente não se manifestou"),
)
def insert_adverb(
    sentence: Sentence, *, language: Language = "pt", parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """A neutral adverb before a finite verb, each of a list equally likely [TextFlint, catalogue name "InsertAdv"].

    Never inside an entity. In Portuguese it goes before "não" and before pronouns that belong to the verb, in
    English behind auxiliaries. Verbs are found by tables of forms and by endings, or by ``parts_of_speech``, where
    given.
    """
    adverbs = [adverb for (adverb,) in rows(f"neutral_adverbs_{language}")]
    lowered = in_lower_case(sentence.tokens, language)
    place_of = _portuguese if language == "pt" else _english
    sites = []
    for verb in finite_verbs(sentence, language, parts_of_speech):
        place = place_of(sentence, lowered, verb.place)
        if place is not None:
            around = lowered[max(0, place - 1) : verb.place + 2]
            sites.append([put_before(sentence, place, [adverb]) for adverb in adverbs if adverb not in around])
    return sites


def _portuguese(_sentence: Sentence, lowered: Sequence[str], verb: int) -> int:
    place = verb - clitics_before(lowered, verb)
    return place - (place > 0 and lowered[place - 1] in _NEGATIONS)


def _english(sentence: Sentence, lowered: Sequence[str], verb: int) -> int | None:
    """Behind an auxiliary, if a verb or the like follows, else before it; None where the subject stands behind it."""
    if is_inverted(lowered, verb):
        return None
    if not is_auxiliary(lowered, verb):
        return verb
    if begins_sentence(sentence.tokens, verb):
        return None
    following = "".join(lowered[verb + 1 : verb + 2])
    name = not sentence.tokens[verb].isupper() and "".join(sentence.tokens[verb + 1 : verb + 2])[:1].isupper()
    if not following[:1].isalpha() or following == "n't" or name or is_subject_like(following):
        return verb
    return verb + 1

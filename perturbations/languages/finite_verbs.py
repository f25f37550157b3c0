"""Finite verbs, found by tables of their forms and by the words around them; or by parts of speech, where given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perturbations.languages.parts import Verbs
from perturbations.languages.readings import PartsOfSpeech, Verb, VerbReading
from perturbations.sites import begins_sentence, in_capitals, in_entities
from perturbations.text import Sentence


def finite_verbs(
    sentence: Sentence,
    rules: Verbs,
    parts_of_speech: PartsOfSpeech | None = None,
    more_readings: Callable[[str], Sequence[VerbReading]] | None = None,
) -> list[Verb]:
    """The finite verbs of the sentence outside entities, from left to right, by the rules of its language.

    Without parts of speech only words that are in the tables, or have ``more_readings``, or in Portuguese end as only
    verbs do, and that do not stand where a noun or a participle would. Words with a capital are verbs only at the start
    of a sentence.
    """
    taken = in_entities(sentence)
    kinds = kinds_of(sentence, parts_of_speech)
    lowered = rules.read(sentence.tokens)
    verbs = []
    for i, word in enumerate(lowered):
        if taken[i]:
            continue
        if kinds is None and not rules.could_be_finite(word) and not (more_readings and more_readings(word)):
            continue
        readings = rules.readings_of(word) or (more_readings(word) if more_readings else ())
        if (
            rules.heads_group(lowered, i, kinds)
            if kinds is not None
            else _of_that_case(sentence.tokens, i) and rules.stands_as_verb(lowered, i, readings, taken)
        ):
            verbs.append(Verb(i, readings))
    return verbs


def _of_that_case(tokens: Sequence[str], place: int) -> bool:
    """Whether the token is in lower case, in capitals, or begins a sentence and no name."""
    token = tokens[place]
    if token.islower() or in_capitals(tokens, place):
        return True
    return begins_sentence(tokens, place) and not "".join(tokens[place + 1 : place + 2]).istitle()


def kinds_of(sentence: Sentence, parts_of_speech: PartsOfSpeech | None) -> Sequence[str] | None:
    """The tag of each token; None where nothing says it. Raises ValueError if some lack one."""
    if parts_of_speech is None:
        return None
    (kinds,) = parts_of_speech.of([sentence])
    if len(kinds) != len(sentence):
        raise ValueError(f"parts_of_speech gave {len(kinds)} tags for {len(sentence)} tokens; expected one for each")
    return kinds

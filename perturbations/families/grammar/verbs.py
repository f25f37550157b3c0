"""Finite verbs, found by tables of their forms and by the words around them; or by parts of speech, where given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from perturbations.families.grammar import verbs_en, verbs_pt
from perturbations.families.grammar.readings import Reading
from perturbations.families.grammar.sites import begins_sentence, in_capitals, in_entities
from perturbations.text import Sentence

Language = Literal["pt", "en"]
"""ISO 639-1 code."""


class PartsOfSpeech(Protocol):
    """A part-of-speech tagger."""

    def of(self, sentences: Sequence[Sentence]) -> Sequence[Sequence[str]]:
        """For each sentence one universal part-of-speech tag per token, such as ``VERB``."""
        ...


class _Rules(Protocol):
    """The rules of a language for its finite verbs; words are in lower case."""

    def readings_of(self, word: str) -> Sequence[Reading]:
        """The readings of the word as a finite verb, by the tables."""
        ...

    def could_be_finite(self, word: str) -> bool:
        """Whether a word could be a finite verb, by itself."""
        ...

    def stands_as_verb(
        self, lowered: Sequence[str], place: int, readings: Sequence[Reading], in_entity: Sequence[bool]
    ) -> bool:
        """Whether it is one, by the words around it."""
        ...

    def heads_group(self, lowered: Sequence[str], place: int, kinds: Sequence[str]) -> bool:
        """Whether it is one, by parts of speech."""
        ...


@dataclass(frozen=True, slots=True)
class Verb:
    """A finite verb and its place; ``readings`` is empty where its form is in no table."""

    place: int
    readings: Sequence[Reading]


def in_lower_case(tokens: Sequence[str], language: Language) -> list[str]:
    """The tokens as the rules of the language read them."""
    return [token.lower() for token in tokens] if language == "pt" else verbs_en.read(tokens)


def finite_verbs(
    sentence: Sentence,
    language: Language,
    parts_of_speech: PartsOfSpeech | None = None,
    more_readings: Callable[[str], Sequence[Reading]] = lambda _word: (),
) -> list[Verb]:
    """The finite verbs of the sentence outside entities, from left to right.

    Without parts of speech only words that are in the tables, or have ``more_readings``, or in Portuguese end as only
    verbs do, and that do not stand where a noun or a participle would. Words with a capital are verbs only at the start
    of a sentence.
    """
    rules: _Rules = verbs_pt if language == "pt" else verbs_en
    taken = in_entities(sentence)
    kinds = kinds_of(sentence, parts_of_speech)
    lowered = in_lower_case(sentence.tokens, language)
    verbs = []
    for i, word in enumerate(lowered):
        if taken[i]:
            continue
        readings = rules.readings_of(word) or more_readings(word)
        if kinds is not None:
            if rules.heads_group(lowered, i, kinds):
                verbs.append(Verb(i, readings))
        elif (
            (readings or rules.could_be_finite(word))
            and _of_that_case(sentence.tokens, i)
            and rules.stands_as_verb(lowered, i, readings, taken)
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
    """The tag of each token; None where nothing says it. Raises TypeError or ValueError for what gives no such tags."""
    if parts_of_speech is None:
        return None
    if not hasattr(parts_of_speech, "of"):
        raise TypeError(f"parts_of_speech is {parts_of_speech!r}; expected something with a method of(sentences)")
    (kinds,) = parts_of_speech.of([sentence])
    if len(kinds) != len(sentence):
        raise ValueError(f"parts_of_speech gave {len(kinds)} tags for {len(sentence)} tokens; expected one for each")
    return kinds

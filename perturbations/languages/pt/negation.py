"""Negation in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.pt import verbs
from perturbations.languages.readings import Verb
from perturbations.lexicons import of_class
from perturbations.sites import begins_sentence, in_case_of, in_main_clause, put_before
from perturbations.text import Edit, Sentence

_REMOVABLE = frozenset(["não", "nunca", "jamais"])
_DEPENDENT = frozenset(["nada", "nem", "nenhum", "nenhuma", "ninguém", "sequer", "tampouco"])
"""Words that want a negation before them, or are one."""
_NOT_ALONE = frozenset(["apenas", "mais", "mesmo", "obstante", "raro", "somente", "só"])
"""After "não" these make something else of it."""
_SUBORDINATORS = of_class("grammar_words_pt", "subordinator")
_TIME = of_class("grammar_words_pt", "time")


def is_negation(word: str) -> bool:
    """Whether the word, in lower case, negates."""
    return word in _REMOVABLE or word in _DEPENDENT


def removal(sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
    """The edit that takes the first negation out; None where none can go."""
    for i, word in enumerate(lowered):
        following = lowered[i + 1] if i + 1 < len(lowered) else ""
        if word not in _REMOVABLE or in_entity[i]:
            continue
        reads_on = following[:1].isalnum() and following not in _NOT_ALONE and following not in _DEPENDENT
        if not reads_on or lowered[i - 1 : i] in (["ou"], ["se"], ["senão"]) or _something_hangs_on(lowered, i):
            continue
        if following in verbs.CLITICS and "".join(lowered[i + 2 : i + 3]).endswith("ndo"):
            continue
        token, next_token = sentence.tokens[i : i + 2]
        if token.istitle() and begins_sentence(sentence.tokens, i) and not in_entity[i + 1]:
            if following in verbs.CLITICS and verbs.readings_of("".join(lowered[i + 2 : i + 3])):
                verb = f"{in_case_of(token, lowered[i + 2])}-{following}"  # no pronoun begins a sentence
                return Edit(i, i + 3, (verb,), origins=((i + 1, i + 2),))
            return Edit(i, i + 2, (in_case_of(token, next_token),), origins=((i + 1,),))
        return Edit(i, i + 1, ())
    return None


def addition(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Edit | None:
    """The edit that puts "não" before the verb and its pronoun; None in a subordinate clause."""
    place, word = verb.place, lowered[verb.place]
    start = place - verbs.clitics_before(lowered, place)
    if not in_main_clause(lowered, start, _SUBORDINATORS, verbs.could_be_finite) or _tells_the_time(lowered, place):
        return None
    bare = verbs.base(word)
    if bare == word:
        return put_before(sentence, start, ["não"])
    token = sentence.tokens[place]
    stem, pronoun = token[: len(bare)], token[len(bare) + 1 :]
    if begins_sentence(sentence.tokens, place) and token[0].isupper() and not token.isupper():
        stem = stem[0].lower() + stem[1:]
    no = in_case_of(token, "não")
    return Edit(place, place + 1, (no, pronoun, stem), origins=((), (place,), (place,)))


def _something_hangs_on(lowered: Sequence[str], place: int) -> bool:
    """Whether a word further on in the clause wants the negation."""
    for word in lowered[place + 1 :]:
        if word in (".", ";", ":", "mas"):
            return False
        if word in _DEPENDENT:
            return True
    return False


def _tells_the_time(lowered: Sequence[str], place: int) -> bool:
    """Whether this is "há" as in "há dois anos"."""
    return lowered[place] in ("há", "havia", "faz", "fazia") and any(
        word in _TIME or word.isdigit() for word in lowered[place + 1 : place + 3]
    )

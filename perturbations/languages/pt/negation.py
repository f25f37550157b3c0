"""Negation in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.language import words_in
from perturbations.languages.lone_verbs import is_alone
from perturbations.languages.pt import verbs
from perturbations.languages.readings import Verb
from perturbations.lexicons import of_class
from perturbations.sites import begins_sentence, in_case_of, in_entities, put_before
from perturbations.text import Edit, Sentence

_REMOVABLE = frozenset(["não", "nunca", "jamais"])
_DEPENDENT = frozenset(["nada", "nem", "nenhum", "nenhuma", "ninguém", "sequer", "tampouco"])
"""Words that want a negation before them, or are one."""
_NOT_ALONE = frozenset(["apenas", "mais", "mesmo", "obstante", "raro", "somente", "só"])
"""After "não" these make something else of it."""
_SUBORDINATORS = of_class("grammar_words_pt", "subordinator")
_NOT_BESIDE = _SUBORDINATORS | words_in(
    "ademais ainda além ambos apenas até bem cada coisa eletrônico fim final fl fls igualmente inclusive já logo mas "
    "mesmo outrossim pois porém portanto principalmente qualquer quaisquer seguinte seguintes seguir somente sobretudo "
    "só também tampouco todavia tão vez vigor"
)
"""Words that open another clause, go on from another claim or tell of records, which a negation may contradict."""
_SET = words_in("compete conhece consta cuida cumpre cabe deu diz fica há incumbe nega negou requer trata versa voto")
"""Verbs of set phrases, which nobody negates."""


def is_negation(word: str) -> bool:
    """Whether the word, in lower case, negates."""
    return word in _REMOVABLE or word in _DEPENDENT


def removal(sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
    """The edit that takes the first negation out; None where none can go."""
    for i, word in enumerate(lowered):
        if not _is_of_lone_verb(lowered, i, in_entity):
            continue
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
    """The edit that puts "não" before the verb and its pronoun; None where it is not the only one of its sentence."""
    place, word = verb.place, lowered[verb.place]
    start = place - verbs.clitics_before(lowered, place)
    bare = verbs.base(word)
    if bare in _SET or not verbs.follows_subject(lowered, start) or lowered[start - 1] == "e":
        return None
    if not _is_alone(lowered, place, in_entities(sentence)) or _announces(lowered, place):
        return None
    if bare == word:
        return put_before(sentence, start, ["não"])
    token = sentence.tokens[place]
    stem, pronoun = token[: len(bare)], token[len(bare) + 1 :]
    no = in_case_of(token, "não")
    return Edit(place, place + 1, (no, pronoun, stem), origins=((), (place,), (place,)))


def _is_of_lone_verb(lowered: Sequence[str], place: int, in_entity: Sequence[bool]) -> bool:
    """Whether the word stands right before a verb, its pronoun between, that is the only one of its sentence."""
    verb = place + 1 + ("".join(lowered[place + 1 : place + 2]) in verbs.CLITICS)
    return verb < len(lowered) and verbs.could_be_finite(lowered[verb]) and _is_alone(lowered, verb, in_entity)


def _is_alone(lowered: Sequence[str], verb: int, in_entity: Sequence[bool]) -> bool:
    """Whether its sentence has no other verb, no gerund, and no word that goes on from another claim."""
    own = verb - verbs.clitics_before(lowered, verb)

    def disturbs(place: int) -> bool:
        word = lowered[place]
        if in_entity[place] or own <= place < verb:
            return False
        return word in _NOT_BESIDE or word.endswith("ndo") or verbs.could_be_finite(word)

    return is_alone(lowered, verb, disturbs)


def _something_hangs_on(lowered: Sequence[str], place: int) -> bool:
    """Whether a word further on in the clause wants the negation."""
    for word in lowered[place + 1 :]:
        if word in (".", ";", ":", "mas"):
            return False
        if word in _DEPENDENT:
            return True
    return False


def _announces(lowered: Sequence[str], place: int) -> bool:
    """Whether what is said follows behind a colon, which a negation would contradict."""
    return next((word for word in lowered[place:] if word in (".", ";", ":")), "") == ":"

"""Negation in English."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from perturbations.languages.en import verbs
from perturbations.languages.language import words_in
from perturbations.languages.lone_verbs import is_alone
from perturbations.languages.readings import Verb
from perturbations.lexicons import of_class
from perturbations.sites import begins_sentence, in_case_of, in_entities
from perturbations.text import Edit, Sentence

_DEPENDENT = frozenset(
    ["neither", "never", "no", "nobody", "none", "nor", "nothing", "nowhere", "hardly", "scarcely", "without"]
)
"""Words that are negations themselves."""
_WANT_ONE = frozenset(["any", "anybody", "anyone", "anything", "anywhere", "either", "ever", "yet"])
"""Words that want a negation before them."""
_NOT_ALONE = frozenset(["even", "just", "least", "merely", "mind", "necessarily", "only", "simply", "so", "yet"])
"""After "not" or "never" these make something else of it."""
_NOT_AFTER = frozenset(["if", "or", "than", "whether", "why"])
_NOT_BESIDE = of_class("grammar_words_en", "subordinator") | words_in(
    "'d 'll 'm 're 's 've actually also although always anymore anyway both but certainly definitely especially even "
    "ever except finally hope indeed just let lets like literally maybe much only perhaps please really so still such "
    "than then though till too totally until very well what who whose wish wtf yet"
)
"""Words that open another clause or go on from another claim, which a negation may contradict."""
_IDIOMS = words_in("believe forget help imagine matter mind stand understand wait worry")
"""With "not" and *can* or *do* before them these are set phrases: "can't wait"."""
_STEMS = MappingProxyType({"ca": "can", "wo": "will", "sha": "shall"})
_WHOLE = MappingProxyType({"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"})


def is_negation(word: str) -> bool:
    """Whether the word, in lower case, negates."""
    return word in ("not", "cannot") or word.endswith("n't") or word in _DEPENDENT


def removal(sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
    """The edit that takes the first negation out; None where none can go."""
    for i, word in enumerate(lowered):
        if in_entity[i] or not (word in ("not", "cannot", "never") or word.endswith("n't")):
            continue
        if not _can_go(lowered, i) or not _is_of_lone_verb(lowered, i, in_entity):
            continue
        edit = _without(sentence, lowered, i)
        if edit is not None and not any(in_entity[edit.start : edit.stop]):
            return edit
    return None


def addition(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Edit | None:
    """The edit that puts "not" after an auxiliary, or "do not" before another verb; None in a subordinate clause."""
    place = verb.place
    if not _is_alone(lowered, place, in_entities(sentence)) or "?" in lowered:
        return None
    if lowered[place] in verbs.HAVE and lowered[place + 1 : place + 2] == ["to"]:
        return None
    if verbs.is_auxiliary(lowered, place) or verbs.is_inverted(lowered, place):
        return _not_after(sentence, lowered, place)
    for lemma, tense, person in verb.readings:
        help_verb = "did" if tense == "past" else "does" if person == verbs.PRESENT_THIRD else "do"
        token = sentence.tokens[place]
        words = (in_case_of(token, help_verb), "not", lemma)
        if token.isupper() and len(token) > 1:
            words = (words[0], "NOT", lemma.upper())
        return Edit(place, place + 1, words, origins=((), (), (place,)))
    return None


def _is_of_lone_verb(lowered: Sequence[str], place: int, in_entity: Sequence[bool]) -> bool:
    """Whether the negation belongs to the only verb of the text, and to no set phrase."""
    glued = lowered[place].endswith("n't") and lowered[place] != "n't"
    verb = place if glued or lowered[place] == "cannot" else place - 1
    if lowered[place] == "never" and not verbs.is_auxiliary(lowered, verb):
        verb = place + 1
    if verb < 0 or verb == len(lowered) or _IDIOMS.intersection(lowered[place + 1 : place + 4]):
        return False
    finite = glued or lowered[verb] in ("cannot", *_STEMS) or verbs.could_be_finite(lowered[verb])
    return finite and _is_alone(lowered, verb, in_entity)


def _is_alone(lowered: Sequence[str], verb: int, in_entity: Sequence[bool]) -> bool:
    """Whether the text has no other finite verb, and no word that goes on from another claim."""

    def disturbs(place: int) -> bool:
        word = lowered[place]
        if in_entity[place] or (word == "n't" and place == verb + 1):
            return False
        return word in _NOT_BESIDE or verbs.is_further(lowered, verb, place)

    return is_alone(lowered, verb, disturbs, in_all_the_text=True)


def _not_after(sentence: Sentence, lowered: Sequence[str], place: int) -> Edit | None:
    """The word *not* after an auxiliary, or after a pronoun behind it that begins a question; None in other ones."""
    token = sentence.tokens[place]
    no = "NOT" if token.isupper() and len(token) > 1 else "not"
    if begins_sentence(sentence.tokens, place):
        if "".join(lowered[place + 1 : place + 2]) in verbs.SUBJECTS - {"you", "who"}:  # "do you guys know"
            return Edit(place + 2, place + 2, (no,))
        return None
    if verbs.is_inverted(lowered, place):
        return None
    if lowered[place] == "can":
        return Edit(place, place + 1, (in_case_of(token, "cannot"),))
    return Edit(place + 1, place + 1, (no,))


def _can_go(lowered: Sequence[str], place: int) -> bool:
    """Whether the rest reads on without the negation."""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    before = lowered[place - 1] if place else ""
    if lowered[place] in ("not", "never"):
        if not place or before in _NOT_AFTER or following in _NOT_ALONE or not following[:1].isalnum():
            return False
    elif lowered[place] == "ain't" or (lowered[place] == "n't" and before in ("", "ai")):
        return False
    for word in lowered[place + 1 :]:
        if word in (".", ";", "but"):
            return True
        if word in _DEPENDENT or word in _WANT_ONE:
            return False
    return True


def _without(sentence: Sentence, lowered: Sequence[str], place: int) -> Edit | None:
    """The edit that removes the negation at the place, and *do* with it where the verb can do without."""
    word, token = lowered[place], sentence.tokens[place]
    if word == "never":
        return Edit(place, place + 1, ())
    glued = word not in ("not", "n't")
    start = place if glued else place - 1
    stop = place + 1
    while stop < len(lowered) and not lowered[stop]:
        stop += 1
    auxiliary = lowered[start] if not glued else _WHOLE.get(word, word[:-3])
    if not glued and word == "n't":
        auxiliary = _STEMS.get(auxiliary, auxiliary)
    following = lowered[stop] if stop < len(lowered) else ""
    if auxiliary in verbs.DO and following in verbs.paradigms():
        form = _finite(auxiliary, following)
        return Edit(start, stop + 1, (_in_case(sentence, start, stop, form),), origins=((stop,),))
    if glued and stop == place + 1:
        return Edit(place, stop, (in_case_of(token, auxiliary),))
    if glued:
        after = (sentence.spaces[stop - 1],)
        return Edit(place, stop, (in_case_of(token, auxiliary),), spaces=after, origins=((place,),))
    if auxiliary != lowered[start]:
        after = (sentence.spaces[stop - 1],)
        stem = (in_case_of(sentence.tokens[start], auxiliary),)
        return Edit(start, stop, stem, spaces=after, origins=((start,),))
    return Edit(place, stop, ())


def _finite(auxiliary: str, lemma: str) -> str:
    third, past, *_ = verbs.paradigms()[lemma]
    return {"does": third, "did": past}.get(auxiliary, lemma)


def _in_case(sentence: Sentence, start: int, verb: int, form: str) -> str:
    """The form in capitals as the verb was, or with the capital of the auxiliary that began the sentence."""
    if sentence.tokens[verb].isupper():
        return form.upper()
    return in_case_of(sentence.tokens[start], form) if begins_sentence(sentence.tokens, start) else form

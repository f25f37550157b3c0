"""Negation in English."""

from __future__ import annotations

import re
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
    "'d 'll 'm 're 's 've actually almost already also although always anymore anyway apparently barely both but case "
    "certainly definitely especially even ever except finally hardly hope indeed just let lets like literally maybe "
    "moment much nearly only perhaps please possibly practically probably really so still such than then though till "
    "too totally truly until very well what who whose wish wtf yet"
)
"""Words that open another clause or go on from another claim, which a negation may contradict."""
_GOES_ON = (
    _NOT_BESIDE - of_class("grammar_words_en", "subordinator") - words_in("'d 'll 'm 're 's 've very")
) | words_in("; . ! any because since unless while")
"""Words that tie the text to another claim, and marks behind which it makes one."""
_SUPERLATIVE = re.compile(r"\w{3,}est|best|most|worst|first|last")
_BIT = frozenset(["bit", "few", "little", "lot"])
_SHOWS = frozenset(["here", "below", "attached", "enclosed"])
_CONTRACTED = MappingProxyType(
    {"'m": words_in("i"), "'re": words_in("they we you"), "'s": words_in("he it she that there this")}
)
"""Forms of *be* that hang on one of these; *'s* before an article alone, since it is *has* as well."""
_ARTICLES = frozenset(["a", "an", "the"])
_POINTING = frozenset(["this", "that", "these", "those"])
_RELATIVES = frozenset(["that", "which", "who", "whose"])
_NO_OWNERS = verbs.SUBJECTS | _POINTING | words_in("everything here how let nothing something there what where")
"""Behind these *'s* is a verb."""
_TIED = _WANT_ONE | words_in(
    "; all anymore at because but especially even exactly much nearly neither only particularly quite really single so "
    "since still such than though too unless until very whether while why"
)
"""Words that hang on a negation, or tie the rest of the text to it."""
_LONGEST = 40
"""Words of a text that says what something is, and goes on about that in a clause of its own."""
_ELSEWHERE = frozenset([".", "!", ";", "..."])
"""Marks behind which another sentence may take up a negation that is gone."""
_PRAISES = words_in("adore enjoy love")
"""Verbs whose reasons follow in the same sentence."""
_IDIOMS = words_in("believe clue forget help imagine matter mind stand understand wait worry")
"""With "not" and *can* or *do* before them these are set phrases: "can't wait"."""
_STEMS = MappingProxyType({"ca": "can", "wo": "will", "sha": "shall"})
_WHOLE = MappingProxyType({"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"})


def is_negation(word: str) -> bool:
    """Whether the word, in lower case, negates."""
    return word in ("not", "cannot") or word.endswith("n't") or word in _DEPENDENT


def contracted(lowered: Sequence[str]) -> Sequence[Verb]:
    """The forms of *be* that are contracted with the pronoun before them and have a token of their own."""

    def following(place: int) -> str:
        return next((word for word in lowered[place + 1 : place + 3] if word), "")

    return [
        Verb(i, ())
        for i, word in enumerate(lowered)
        if i
        and lowered[i - 1] in _CONTRACTED.get(word, ())
        and (following(i) in _ARTICLES if word == "'s" else following(i).isalpha())
    ]


def removal(sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
    """The edit that takes the first negation out; None where none can go."""
    for i, word in enumerate(lowered):
        if in_entity[i] or not (word in ("not", "cannot", "never") or word.endswith("n't")):
            continue
        lone = _is_of_lone_verb(lowered, i, in_entity)
        if _is_taken_up(lowered, i) or not _can_go(lowered, i) or not (lone or _stands_free(lowered, i, in_entity)):
            continue
        edit = _without(sentence, lowered, i)
        if edit is not None and not any(in_entity[edit.start : edit.stop]):
            return edit
    return None


def addition(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Edit | None:
    """The edit that puts "not" after an auxiliary, or "do not" before another verb; None in a subordinate clause."""
    place = verb.place
    taken = in_entities(sentence)
    if not (_is_alone(lowered, place, taken) or _leads(lowered, place, taken)) or not {":", "?"}.isdisjoint(
        lowered[place:]
    ):
        return None
    if lowered[place] in verbs.HAVE and lowered[place + 1 : place + 2] == ["to"]:
        return None
    if "".join(lowered[place - 1 : place]) in ("here", "there") and lowered[place] not in verbs.BE:
        return None  # "here comes the train"
    if lowered[:1] == ["another"] or not _PRAISES.isdisjoint(reading.lemma for reading in verb.readings):
        return None
    if not {"-", "–", "--"}.isdisjoint(lowered[place:]) or _goes_on_with(lowered, place):
        return None
    if lowered[place - 1 : place] == ["there"] and lowered[place + 2 : place + 4] in (["kind", "of"], ["sort", "of"]):
        return None
    if not _WANT_ONE.isdisjoint(lowered[:place]) or lowered[place - 1 : place] == ["now"]:
        return None
    if lowered[place] in verbs.HAVE and any(map(_SUPERLATIVE.fullmatch, lowered[:place])):
        return None  # "the best film that he has made", without "that"
    if lowered[place] in verbs.BE and not _may_be_denied(lowered, place):
        return None
    if lowered[place] in _CONTRACTED:
        behind = place + 1 + (lowered[place + 1] == "")
        return Edit(behind, behind, ("not",))
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


def _is_taken_up(lowered: Sequence[str], place: int) -> bool:
    """Whether what stands around rests on the negation: another sentence, a choice, or an order never to do it."""
    others = any(word in _ELSEWHERE and any(map(str.isalpha, lowered[i + 1 :])) for i, word in enumerate(lowered))
    orders = lowered[place] == "never" and not "".join(lowered[place - 1 : place]).isalpha()
    return others or orders or not {"or", "otherwise"}.isdisjoint(lowered[:place])


def _goes_on_with(lowered: Sequence[str], place: int) -> bool:
    """Whether another clause of the same subject, joined by *and*, goes on from this one."""
    return any(
        word == "and" and "".join(lowered[i + 1 : i + 2]) in verbs.SUBJECTS
        for i, word in enumerate(lowered)
        if i > place
    )


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
        if in_entity[place] or (word == "n't" and place == verb + 1) or _is_possessive(lowered, place):
            return False
        if (
            word in ("have", "be")
            and lowered[verb] in verbs.MODALS
            and lowered[verb + 1 : place] in ([], ["n't"], ["not"])
        ):
            return False
        return word in _NOT_BESIDE or verbs.is_further(lowered, verb, place)

    return is_alone(lowered, verb, disturbs, in_all_the_text=True)


def _stands_free(lowered: Sequence[str], place: int, in_entity: Sequence[bool]) -> bool:
    """Whether the negation is that of one of several verbs, and no word of the text goes on from it or hangs on it."""
    glued = lowered[place] == "cannot" or (lowered[place].endswith("n't") and lowered[place] != "n't")
    auxiliary = "" if glued else lowered[place - 1]
    if not glued and auxiliary not in (*verbs.AUXILIARIES, *_STEMS):
        return False
    if "?" in lowered or _IDIOMS.intersection(lowered[place + 1 : place + 8]) or verbs.is_inverted(lowered, place - 1):
        return False
    return len(lowered) <= _LONGEST and not any(
        (word in _TIED or is_negation(word)) and not in_entity[i] for i, word in enumerate(lowered) if i != place
    )


def _is_possessive(lowered: Sequence[str], place: int) -> bool:
    """Whether the token is *'s* behind a noun and before one: "the film 's plot"."""
    before, following = lowered[place - 1 : place], lowered[place + 1 : place + 2]
    return lowered[place] == "'s" and "".join(before) not in _NO_OWNERS and "".join(following) not in ("", *_ARTICLES)


def _may_be_denied(lowered: Sequence[str], place: int) -> bool:
    """Whether this form of *be* says something of its subject: not "here is", "a little more" and "is this"."""
    following, further = (*lowered[place + 1 : place + 3], "", "")[:2]
    if not following or (following == "a" and further in _BIT) or lowered[max(0, place - 1)] in _SHOWS:
        return False
    if lowered[max(0, place - 1)] == "there" and following not in ("a", "an", "enough"):
        return False
    return not place or lowered[place - 1].isalnum() or following not in _POINTING


def _leads(lowered: Sequence[str], verb: int, in_entity: Sequence[bool]) -> bool:
    """Whether it says that something is "a film" or the like, and other verbs stand in a clause with "that" behind."""
    following = next((word for word in lowered[verb + 1 : verb + 3] if word), "")
    if lowered[verb] not in (*verbs.BE, *_CONTRACTED) or following not in ("a", "an"):
        return False
    opened = -1
    for place, word in enumerate(lowered):
        if place == verb or in_entity[place]:
            continue
        if opened < 0 and word in _RELATIVES and place > verb + 2 and lowered[place - 1].isalpha():
            opened = place
        elif word in _GOES_ON or (opened < 0 and (word in _NOT_BESIDE or verbs.is_further(lowered, verb, place))):
            return False
    return opened > 0 and len(lowered) <= _LONGEST


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
    following = next((word for word in lowered[place + 1 : place + 4] if word), "")
    before = lowered[place - 1] if place else ""
    if not following[:1].isalnum():
        return False
    if lowered[place] in ("not", "never"):
        if not place or before in _NOT_AFTER or following in _NOT_ALONE:
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

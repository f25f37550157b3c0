"""Rules that paraphrase English questions.

Each gives what becomes of a question, or None. They know closed lists of words and shapes of noun phrases, no grammar:
whatever could be something else than what they are about is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from perturbations.languages.en import clauses
from perturbations.languages.parts import QuestionRule
from perturbations.languages.question_classes import is_a
from perturbations.languages.questions import (
    QuestionPiece,
    QuestionWord,
    Stretch,
    begin_sentence,
    lower_tokens,
    match_case,
    plain,
    quoted_places,
    reason_first,
    rebuild,
    resume_sentence,
    stretches,
)
from perturbations.lexicons import pairs, words
from perturbations.text import Perturbed, Sentence

VerbNumber = Literal["singular", "plural"]

_is = partial(is_a, "en")


def these(question: Sentence) -> Perturbed | None:
    """``Which of the following`` ↔ ``Which of these``, where it first stands; also ``which one of the following``."""
    low, kept = lower_tokens(question), quoted_places(question)
    for place in range(len(low) - 2):
        of = place + 2 if low[place + 1] == "one" else place + 1
        if low[place] != "which" or low[of : of + 1] != ("of",) or place in kept:
            continue
        if low[of + 1 : of + 3] == ("the", "following"):
            new = [QuestionWord(match_case("these", question.tokens[of + 1]), (of + 1, of + 2))]
            return rebuild(question, Stretch(of + 1, of + 3), new)
        if low[of + 1 : of + 2] == ("these",) and low[of + 2 : of + 3] != ("following",):
            new = [QuestionWord(match_case(word, question.tokens[of + 1]), (of + 1,)) for word in ("the", "following")]
            return rebuild(question, Stretch(of + 1, of + 2), new)
    return None


def probable(question: Sentence) -> Perturbed | None:
    """``most likely`` → ``most probable``, ``least likely`` → ``least probable``, where ``likely`` is an adjective.

    That is before one of a few nouns, after a determiner, and at the end of a sentence, after a form of *be*.
    """
    low, kept = lower_tokens(question), quoted_places(question)
    for place in range(1, len(low) - 2):
        if low[place] not in ("most", "least") or low[place + 1] != "likely" or place in kept:
            continue
        before, after = low[place - 1], low[place + 2]
        noun = _is(before, "determiner") and _is(after, "likely")
        predicate = after in (".", "?") and (_is(before, "be") or (before == "the" and _is(low[place - 2], "be")))
        if noun or predicate:
            new = QuestionWord(match_case("probable", question.tokens[place + 1]), (place + 1,))
            return rebuild(question, Stretch(place + 1, place + 2), [new])
    return None


class _Verb(NamedTuple):
    """A causal phrase, "X causes Y", and its inverse, "Y is caused by X".

    The other way round, after the thing made: ``auxiliary`` by number in a question, ``statement`` by number.
    """

    words: tuple[str, ...]
    auxiliary: dict[VerbNumber, str]
    question: tuple[str, ...]
    statement: dict[VerbNumber, tuple[str, ...]]
    of_events: bool = False


_IS: dict[VerbNumber, str] = {"singular": "is", "plural": "are"}
_DOES: dict[VerbNumber, str] = {"singular": "does", "plural": "do"}

_VERBS = (
    _Verb(
        ("causes",),
        _IS,
        ("caused", "by"),
        {"singular": ("is", "caused", "by"), "plural": ("are", "caused", "by")},
    ),
    _Verb(
        ("results", "in"),
        _DOES,
        ("result", "from"),
        {"singular": ("results", "from"), "plural": ("result", "from")},
        of_events=True,  # "the test results in Peru fell" speaks of results
    ),
    _Verb(
        ("leads", "to"),
        _IS,
        ("brought", "about", "by"),
        {"singular": ("is", "brought", "about", "by"), "plural": ("are", "brought", "about", "by")},
        of_events=True,
    ),
)


def passive(question: Sentence) -> Perturbed | None:
    """One thing ``causes``, ``results in`` or ``leads to`` another → the other ``is caused by``, … the one.

    ``Which gas causes the haze?`` → ``Which gas is the haze caused by?``; ``The wind causes the waves.`` → ``The waves
    are caused by the wind.``; ``Smoking results in cancer.`` → ``Cancer results from smoking.`` Both things must be
    short noun phrases, the number of the second known, and a first one without a determiner a word of a list, so that
    it is no name; what something ``leads to`` or ``results in`` must be an event, so that no street is taken for a
    cause.
    """
    for stretch in stretches(question):
        pieces = _turn_claim(question, stretch)
        if pieces is not None:
            return rebuild(question, stretch, pieces)
    return None


def _turn_claim(question: Sentence, stretch: Stretch) -> list[QuestionPiece] | None:
    low = lower_tokens(question)
    found = [
        (verb, place)
        for verb in _VERBS
        for place in stretch.body
        if low[place : min(place + len(verb.words), stretch.stop)] == verb.words
    ]
    if len(found) != 1 or not plain(question, stretch.body):
        return None
    verb, place = found[0]
    makes = range(stretch.start, place)
    made = range(place + len(verb.words), stretch.stop)
    number = _number(question, made)
    if number is None or (verb.of_events and not _is_event(low, made)):
        return None
    if low[stretch.stop : stretch.stop + 1] == ("?",):
        if not _asks_for_one(question, makes):
            return None
        new = [QuestionWord(verb.auxiliary[number], (place,))]
        return [*makes, *new, *made, *_after(verb.question, place)]
    bare = len(makes) == 1 and _is(low[makes[0]], "bare")
    if not makes or not (bare or _is(low[makes[0]], "determiner")) or _is(low[makes[-1]], "of-causes"):
        return None
    if _number(question, makes, longest=2) != "singular":
        return None
    first = begin_sentence(question, made[0])
    if first is None:
        return None
    return [first, *made[1:], *_after(verb.statement[number], place), resume_sentence(question, makes[0]), *makes[1:]]


def _after(said: Sequence[str], place: int) -> list[QuestionPiece]:
    """These words, all standing for the verb."""
    return [QuestionWord(word, (place,)) for word in said]


def _asks_for_one(question: Sentence, places: range) -> bool:
    """Whether the words are ``what``, ``which`` or ``what`` with a noun in the singular, or like ``which of these``."""
    said = lower_tokens(question)[places.start : places.stop]
    if said == ("what",):
        return True
    for opening in ("which of the following", "which one of the following", "which of these", "which one of these"):
        head = tuple(opening.split())
        if said[: len(head)] == head:
            rest = said[len(head) :]
            return len(rest) <= 2 and all(_is_content(word) for word in rest)
    if said[:1] not in (("what",), ("which",)) or _is(said[-1], "of-causes"):
        return False
    return _number(question, places[1:], longest=2) == "singular"


def _is_event(low: tuple[str, ...], places: range) -> bool:
    head = low[_first_phrase(low, places)[-1]]
    ends = head.endswith(("tion", "tions", "sion", "sions", "ness", "ism", "osis"))
    return _is(head, "event") or (ends and not _is(head.removesuffix("s"), "place"))


def _first_phrase(low: tuple[str, ...], places: range) -> range:
    """The places before the first preposition."""
    stop = next((place for place in places if _is(low[place], "preposition")), places.stop)
    return range(places.start, stop)


def _number(question: Sentence, places: range, longest: int = 3) -> VerbNumber | None:
    """The number of the noun phrase that these words are; None where they are none, or do not tell.

    A noun phrase is a determiner, or none, and up to ``longest`` words; and again after each preposition.
    """
    low = lower_tokens(question)
    if not 0 < len(places) <= 10:
        return None
    start = places.start
    for place in [*(place for place in places if _is(low[place], "preposition")), places.stop]:
        if not _is_phrase(low[start:place], longest):
            return None
        start = place + 1
    first = _first_phrase(low, places)
    noun = _number_of_noun(question.tokens[first[-1]], alone=len(first) == 1)
    determiner = low[first[0]]
    said: VerbNumber | None = "singular" if _is(determiner, "one") else "plural" if _is(determiner, "several") else None
    return noun if said in (None, noun) else None


def _is_phrase(said: Sequence[str], longest: int) -> bool:
    determined = bool(said) and _is(said[0], "determiner")
    content = said[1:] if determined else said
    if not 0 < len(content) <= longest or not all(map(_is_content, content)) or _is(content[0], "predicate"):
        return False
    if len(content) == 1:
        return True
    # "causes the buyer harm" has two objects, "the disease called measles" its noun in front
    if any(_is(word, "person") for word in content[:-1]) or _is(content[-1], "suffered"):
        return False
    if any(word.endswith("ed") for word in content[1:]):
        return False
    return determined or not (content[0].endswith("ing") or _number_of_noun(content[0], alone=False) != "singular")


def _is_content(word: str) -> bool:
    return (
        word not in words("stop_words_en") and not _is(word, "adverb") and not word.endswith(("ly", "'s", "’s", "s'"))
    )


def _number_of_noun(noun: str, *, alone: bool) -> VerbNumber | None:
    """Its number; None where the lexicon or the ending does not tell, or a plural that is ``alone`` could be a verb."""
    known = pairs("nouns_en").get(noun.lower())
    if known is not None:
        return "singular" if known == "singular" else "plural" if known == "plural" else None
    if len(noun) > 1 and noun.isupper():
        return None
    if not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return "singular"
    unclear = alone or noun[0].isupper() or noun.endswith(("ics", "as", "os"))
    return None if unclear else "plural"


def because(question: Sentence) -> Perturbed | None:
    """``X because Y`` → ``Because Y, X``, in a statement or in a question that begins with ``which`` or ``what``.

    Only where nothing else joins or negates anything, so that what has the reason stays the same, and where the first
    word of X is surely no name. In a question Y must have no pronoun, which could stand for what is asked. ``because
    of`` is left alone.
    """
    return reason_first(question, "because", "Because", _can_be_reordered)


def _can_be_reordered(question: Sentence, main: range, reason: range, asked: bool) -> bool:
    return _can_be_main(question, main, asked) and _can_be_reason(question, main, reason)


def _can_be_main(question: Sentence, places: range, asked: bool) -> bool:
    low = lower_tokens(question)
    said = low[places.start : places.stop]
    if len(said) < 2 or not plain(question, places):
        return False
    if not (said[0] in ("which", "what") if asked else _is(said[0], "opener")):
        return False
    last = said[-1]
    if _is(last, "be", "adverb") or last.endswith("ly"):
        return False
    odd = ("negation", "connective", "saying")
    return not any(_is(word, *odd) or word.endswith(("n't", "n’t")) for word in said[1:])


def _can_be_reason(question: Sentence, main: range, places: range) -> bool:
    low = lower_tokens(question)
    said = low[places.start : places.stop]
    if len(said) < 2 or said[0] == "of" or not plain(question, places):
        return False
    if any(_is(word, "connective") for word in said):
        return False
    return low[main[0]] not in ("which", "what") or not any(_is(word, "pronoun") for word in said)


def determiner(question: Sentence) -> Perturbed | None:
    """``Which`` ↔ ``What`` before a noun of the lexicons in a question, persons excepted.

    Where the question begins, or after a comma or a preposition: ``in what year``.
    """
    low, kept = lower_tokens(question), quoted_places(question)
    for stretch in stretches(question):
        for place in stretch.body if low[stretch.stop] == "?" else ():
            if low[place] not in ("which", "what") or place + 2 >= stretch.stop or place in kept:
                continue
            begins = place == stretch.start or low[place - 1] == "," or _is(low[place - 1], "preposition")
            if begins and _is_asked_for(low[place + 1]):
                other = "what" if low[place] == "which" else "which"
                return rebuild(
                    question,
                    Stretch(place, place + 1),
                    [QuestionWord(match_case(other, question.tokens[place]), (place,))],
                )
    return None


def _is_asked_for(noun: str) -> bool:
    known = pairs("nouns_en").get(noun) in ("singular", "plural") or noun in words("asked_nouns_en")
    return known and not _is(noun, "person")


RULES: Mapping[str, QuestionRule] = {
    "these": these,
    "probable": probable,
    "passive": passive,
    "because": because,
    "condition": clauses.condition,
    "frame": clauses.frame,
    "meaning": clauses.meaning,
    "view": clauses.view,
    "stated": clauses.state_question,
    "determiner": determiner,
}

PHRASES = (
    "likely",
    "example",
    "best",
    "called",
    "task",
    "kind",
    "purpose",
    "verb",
    "about",
    "people",
    "quantity",
    "except",
    "connective",
    "adverb",
    "negation",
    "contraction",
)
"""The rules of the list of phrases, from those about what is asked to those about any word."""

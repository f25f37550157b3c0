"""Rules that move the opening of an English question to its end, or its end to its opening.

The lexicon ``clause_words_en`` says of words: ``asking`` begins what is asked, and so does an ``auxiliary``; ``frame``
begins an opening that is no clause, ``condition`` one that is; ``referring`` could mean something in the opening, which
would come after it; ``completing`` may follow a noun that it completes, ``gap`` ends a question that has a gap.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise

from perturbations.languages.question_classes import is_a
from perturbations.languages.questions import (
    QuestionPiece,
    QuestionWord,
    Stretch,
    begin_sentence,
    lower_tokens,
    match_case,
    quoted_places,
    rebuild,
    resume_sentence,
    stretches,
)
from perturbations.lexicons import of_class
from perturbations.text import Perturbed, Sentence

_is = partial(is_a, "en")

_LONGEST_FRAME = 9
"""Tokens of an opening that is no clause."""


def condition(question: Sentence) -> Perturbed | None:
    """``If X, what is Y?`` → ``What is Y if X?``; likewise ``when``. Only where Y has no word that could refer to X."""
    for stretch in stretches(question):
        low = lower_tokens(question)
        if low[stretch.stop] != "?" or low[stretch.start] not in _words("condition"):
            continue
        comma = _comma(question, stretch)
        if comma is None:
            continue
        first = comma + 2 if low[comma + 1] == "then" else comma + 1
        pieces = _move_opening(question, range(stretch.start, comma), range(first, stretch.stop), joined=[])
        if pieces is not None:
            return rebuild(question, stretch, pieces)
    return None


def frame(question: Sentence) -> Perturbed | None:
    """``In X, what is Y?`` → ``What is Y, in X?``, and ``What is Y, according to X?`` the other way round."""
    low = lower_tokens(question)
    for stretch in stretches(question):
        if low[stretch.stop] != "?":
            continue
        pieces = _frame_first(question, stretch) or _frame_last(question, stretch)
        if pieces is not None:
            return rebuild(question, stretch, pieces)
    return None


def _frame_last(question: Sentence, stretch: Stretch) -> list[QuestionPiece] | None:
    comma = _comma(question, stretch) if lower_tokens(question)[stretch.start] in _words("frame") else None
    if comma is None or comma - stretch.start > _LONGEST_FRAME:
        return None
    opening = range(stretch.start, comma)
    if not _words("asking").isdisjoint(lower_tokens(question)[opening.start : opening.stop]):
        return None
    return _move_opening(question, opening, range(comma + 1, stretch.stop), joined=[comma])


def _frame_first(question: Sentence, stretch: Stretch) -> list[QuestionPiece] | None:
    low = lower_tokens(question)
    found = [place for place in stretch.body if low[place : place + 3] == (",", "according", "to")]
    if len(found) != 1 or low[stretch.start] not in _words("asking", "frame"):
        return None
    (comma,) = found
    ending = range(comma + 1, stretch.stop)
    if "," in low[ending.start : ending.stop] or not _is_whole(question, ending):
        return None
    first = begin_sentence(question, ending[0])
    if first is None:
        return None
    return [first, *ending[1:], comma, resume_sentence(question, stretch.start), *range(stretch.start + 1, comma)]


@cache
def _words(*classes: str) -> frozenset[str]:
    return frozenset().union(*(of_class("clause_words_en", of) for of in classes))


def _comma(question: Sentence, stretch: Stretch) -> int | None:
    """The last comma that what is asked follows."""
    low = lower_tokens(question)
    commas = [place for place in stretch.body if low[place] == "," and place + 2 < stretch.stop]
    return next((place for place in reversed(commas) if _asks(low, place + 1)), None)


def _asks(low: tuple[str, ...], place: int) -> bool:
    if low[place] == "then":
        place += 1
    if _is(low[place], "preposition") or low[place] in _words("frame"):
        return low[place + 1] in ("what", "which", "whom", "whose")
    return low[place] in _words("asking", "auxiliary")


def _move_opening(
    question: Sentence, opening: range, main: range, joined: list[QuestionPiece]
) -> list[QuestionPiece] | None:
    low = lower_tokens(question)
    refers = any(low[place] in _words("referring") for place in main)
    if len(opening) < 2 or len(main) < 2 or refers or not (_is_whole(question, opening) and _is_whole(question, main)):
        return None
    first = begin_sentence(question, main[0])
    return None if first is None else [first, *main[1:], *joined, resume_sentence(question, opening[0]), *opening[1:]]


def _is_whole(question: Sentence, places: range) -> bool:
    """Whether every bracket and quotation that begins there also ends there."""
    tokens = question.tokens[places.start : places.stop]
    inside = quoted_places(question)
    cut = places.start in inside or places.stop in inside
    return not cut and all(tokens.count(opening) == tokens.count(closing) for opening, closing in ("()", "[]", "{}"))


def meaning(question: Sentence) -> Perturbed | None:
    """``What does X mean?`` → ``What is the meaning of X?``, where X is no pronoun."""
    low = lower_tokens(question)
    for stretch in stretches(question):
        said = low[stretch.start : stretch.stop]
        subject = range(stretch.start + 2, stretch.stop - 1)
        if low[stretch.stop] != "?" or said[:2] not in (("what", "does"), ("what", "do")) or said[-1] != "mean":
            continue
        if subject and said[2] not in _words("referring") | {"you", "we", "i"}:
            verb = (stretch.start + 1, stretch.stop - 1)
            asks = [QuestionWord(word, verb) for word in ("is", "the", "meaning", "of")]
            return rebuild(question, stretch, [stretch.start, *asks, *subject])
    return None


def view(question: Sentence) -> Perturbed | None:
    """``According to Kant, …`` → ``In the view of Kant, …``, where one name stands between."""
    low, kept = lower_tokens(question), quoted_places(question)
    for place in range(len(low) - 3):
        name = question.tokens[place + 2]
        whole = low[place : place + 2] == ("according", "to") and question.tokens[place][0].isupper()
        if whole and place not in kept and low[place + 3] == "," and name.istitle() and len(name) > 2:
            said = [QuestionWord(word, (place, place + 1)) for word in ("In", "the", "view", "of")]
            return rebuild(question, Stretch(place, place + 2), said)
    return None


def state_question(question: Sentence) -> Perturbed | None:
    """``What is the sum of X?`` → ``State the sum of X.``, ``Who wrote X?`` → ``State who wrote X.``, at the end.

    The first where the noun is followed by one of a few words that complete it, and nothing but that comes after; the
    second where ``who`` is the subject.
    """
    low, kept = lower_tokens(question), quoted_places(question)
    found = [stretch for stretch in stretches(question) if low[stretch.stop] == "?"]
    if not found or found[-1].stop + 1 != len(low) or kept:
        return None
    stretch = found[-1]
    asks = [place for place in stretch.body if place == stretch.start or low[place - 1] == ","]
    for place in asks:
        said = low[place : stretch.stop]
        command = QuestionWord(match_case("state", question.tokens[place]), (place,))
        end = QuestionWord(".", (stretch.stop,))
        if said[:3] in (("what", "is", "the"), ("what", "are", "the")) and _is_noun_phrase(said[2:]):
            pieces = [*range(stretch.start, place), command, *range(place + 2, stretch.stop), end]
            return rebuild(question, Stretch(stretch.start, stretch.stop + 1), pieces)
        if said[:1] == ("who",) and place == stretch.start and len(said) > 2 and said[1] not in _words("auxiliary"):
            who = QuestionWord("who", (place,))
            pieces = [command, who, *range(place + 1, stretch.stop), end]
            return rebuild(question, Stretch(stretch.start, stretch.stop + 1), pieces)
    return None


def _is_noun_phrase(said: tuple[str, ...]) -> bool:
    """Whether the words are *the*, up to three more, one that completes a noun, and an end that leaves no gap."""
    completed = any(word in _words("completing") for word in said[2:5])
    asks_more = any(pair[0] == "and" and pair[1] in _words("asking", "auxiliary") for pair in pairwise(said))
    return (
        completed
        and not asks_more
        and not _is(said[-1], "preposition")
        and said[-1] not in _words("gap")
        and "likely" not in said
    )

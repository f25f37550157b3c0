"""Changes of form: the final sign, spacing, an instruction in front, the order of the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from perturbations.application import apply, unchanged
from perturbations.families.choice.languages import check_language
from perturbations.families.choice.lettering import reorder_options
from perturbations.families.choice.references import moving
from perturbations.families.choice.rewording import ORIGINAL, QuestionRewording, check_count, check_options
from perturbations.languages import language_named
from perturbations.languages.questions import question_of
from perturbations.text import Edit, Sentence

FORMATTINGS: Mapping[str, str] = {
    "pert:punct": "punct",
    "pert:space": "space",
    "pert:preamble": "preamble",
    "pert:order_swap": "order:swap",
    "pert:order_rev": "order:reverse",
}
"""The changes in their order, by id, with the name of each kind [module 3, "Variant Generation"]."""


def formattings(
    question: str, options: Sequence[str], k: int = 3, language: str | None = None
) -> tuple[QuestionRewording, ...]:
    """The normalised question as ``orig``, then what the first ``k`` of `FORMATTINGS` make of it.

    One that would change nothing, or what an earlier one gives already, yields none; none takes its place, so that
    ``k = 3`` never touches the order. Options about all others or none stay last while the others move; no order is
    changed where options name others (`references.moving`). Options that begin with their own letters get those of
    their new places (`families.choice.lettering.reorder_options`). Without a language, the question's own words tell
    that of the instruction.
    Raises TypeError or ValueError for a question without a visible character, fewer than two options, a blank one, a
    negative ``k`` or a language without rules.
    """
    check_count(k)
    original = question_of(question)
    free = moving(check_options(options), original.text) or ()
    spoken = check_language(language, original)
    of_question: dict[str, Callable[[], Sequence[Edit]]] = {
        "pert:punct": lambda: _other_sign(original),
        "pert:space": lambda: _spacing(original),
        "pert:preamble": lambda: _instruction(language_named(spoken).preamble),
    }
    of_options: dict[str, Callable[[], tuple[int, ...]]] = {
        "pert:order_swap": lambda: (free[-1], *free[1:-1], free[0]),
        "pert:order_rev": lambda: free[::-1],
    }
    made = [QuestionRewording(ORIGINAL, ORIGINAL, unchanged(original))]
    for name, kind in list(FORMATTINGS.items())[:k]:
        if name in of_question:
            new = QuestionRewording(name, kind, apply(original, of_question[name]()))
        elif len(free) > 1:
            order = (*of_options[name](), *range(len(free), len(options)))
            new = QuestionRewording(name, kind, unchanged(original), _moves(options, order))
        else:
            continue
        if all((new.text, new.moves) != (each.text, each.moves) for each in made):
            made.append(new)
    return tuple(made)


def _other_sign(question: Sentence) -> list[Edit]:
    """A final ``?`` becomes ``.`` and the other way round; nothing where dots trail off or another character ends."""
    last = len(question) - 1
    other = {"?": ".", ".": "?"}.get(question.tokens[last])
    if other is None or (last and question.tokens[last - 1] in (".", "?", "!")):
        return []
    return [Edit(last, last + 1, (other,))]


def _spacing(question: Sentence) -> list[Edit]:
    """No white space before a sign that follows a word, one space after it where another word begins."""
    spaces = list(question.spaces)
    for place, (token, following) in enumerate(pairwise(question.tokens)):
        if _follows(question, place + 1):
            spaces[place] = ""
        if not spaces[place] and place and _parts(question.tokens[place - 1], token, following):
            spaces[place] = " "
    return [
        Edit(place, place + 1, (question.tokens[place],), spaces=(space,), origins=((place,),))
        for place, space in enumerate(spaces)
        if space != question.spaces[place]
    ]


def _follows(question: Sentence, place: int) -> bool:
    """Whether at this place is a sign that white space wrongly parts from the word before it.

    A point that begins a number or dots, and a colon between numbers, are none.
    """
    sign, before = question.tokens[place], question.tokens[place - 1]
    if sign not in (",", ";", "?", "!", ".", ":") or not before[-1].isalnum():
        return False
    following = question.tokens[place + 1] if place + 1 < len(question) else ""
    if sign == ":":
        return not (before.isdigit() and following.isdigit())
    joined = following and not question.spaces[place]
    return not (sign == "." and joined)


def _parts(before: str, sign: str, after: str) -> bool:
    """Whether the sign ends a word and another begins; those of abbreviations, addresses and ratios do not."""
    if sign in (",", ";"):
        return before[-1].isalnum() and after[0].isalpha()
    if sign in ("?", "!"):
        return before[-1].isalnum() and after[0].isupper()
    both = before.isalpha() and after.isalpha()
    if sign == ":":
        return both and min(len(before), len(after)) > 1
    return sign == "." and both and len(before) > 2 and before[1:].islower() and after[0].isupper()


def _instruction(text: str) -> list[Edit]:
    if not text:
        return []
    words = question_of(text)
    return [Edit(0, 0, words.tokens, spaces=(*words.spaces[:-1], " "))]


def _moves(options: Sequence[str], order: tuple[int, ...]) -> tuple[Edit, ...]:
    """One edit that puts the options in this order, ``order`` saying which one comes where."""
    return (Edit(0, len(order), reorder_options(options, order), origins=tuple((place,) for place in order)),)

"""Other aspects that are judged the other way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.aspect.opinions_on import target_of
from perturbations.languages import language_named
from perturbations.languages.opinion import NEGATIVE, OPPOSITE, POSITIVE
from perturbations.lexicons import rows
from perturbations.sites import ends_sentence, in_case_of, is_running_text
from perturbations.text import Edit, Sentence, Span

Domain = Literal["any", "device", "restaurant"]

_MOST = 3
_STEPS = (1, 3, 5)
"""How far apart clauses stand in the list that follow each other: so there are several ways to go on after each."""
_STOPS = (".", "!")
_LONGEST = 25
"""Words of a sentence that one more clause can be joined to."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause on one aspect: its tokens, the place of the aspect among them, its polarity, and words of the same."""

    tokens: tuple[str, ...]
    aspect: int
    polarity: str
    same: frozenset[str]


@sentence_level(
    title="Opposite opinions on other aspects added",
    kind="pragmatics",
    needs=("aspect_clauses", "contrasted_by"),
    aliases=("AddDiff",),
    labels="changes",
    scheme="aspects",
    example=(
        "the [screen positive] is bright",
        "the [screen positive] is bright , but the [packaging negative] was awful",
    ),
)
def add_diff(sentence: Sentence, *, clauses: int = 1, domain: Domain = "any", language: str = "en") -> list[list[Edit]]:
    """Appends clauses on other aspects, with the opposite opinion of the target [TextFlint, catalogue name "AddDiff"].

    Appends ``clauses`` shipped clauses, 1 to 3, on aspects that the text does not mention. Every ``domain`` has clauses
    on price, staff, delivery and the like; "device" and "restaurant" have further ones. *But* joins the clauses to a
    short sentence if all its aspects have the polarity of the target. After other sentences they form a separate
    sentence. For a neutral target, all clauses are positive or all are negative. The new aspects are labelled, and the
    target keeps its polarity. Raises ValueError for another number of clauses.
    """
    if not 1 <= clauses <= _MOST:
        raise ValueError(f"clauses is {clauses}; expected a number from 1 to {_MOST}")
    found = target_of(sentence)
    if found is None or not (sentence.tokens[-1][-1].isalnum() or sentence.tokens[-1] in (*_STOPS, ")", "...")):
        return []
    aspects, target = found
    own = aspects[target].type
    wanted = (POSITIVE, NEGATIVE) if own == "neutral" else (OPPOSITE[own],) if own in OPPOSITE else ()
    said = frozenset(part for token in sentence.tokens for part in token.lower().split("-"))
    joined = _can_be_joined(sentence, aspects, own, language)
    made = []
    for polarity in wanted:
        fitting = [each for each in _clauses(language, domain) if each.polarity == polarity and not each.same & said]
        made += [_append_clauses(sentence, each, joined, language) for each in _choose_clauses(fitting, clauses)]
    return [made] if made else []


@cache
def _clauses(language: str, domain: str) -> tuple[_Clause, ...]:
    found = []
    for clause, sign, of, same in rows(f"aspect_clauses_{language}"):
        if of in ("any", domain):
            words = clause.split()
            place = next(k for k, word in enumerate(words) if word[0] == "[")
            tokens = tuple(word.strip("[]") for word in words)
            polarity = POSITIVE if sign == "+" else NEGATIVE
            found.append(_Clause(tokens, place, polarity, frozenset(same.split("|"))))
    return tuple(found)


def _choose_clauses(clauses: Sequence[_Clause], count: int) -> Iterator[Sequence[_Clause]]:
    """Every clause first, followed by as many others as there have to be, on as many aspects."""
    for first, clause in enumerate(clauses):
        for step in _STEPS[: 1 if count == 1 else None]:
            chosen = [clause]
            for k in range(1, len(clauses)):
                other = clauses[(first + k * step) % len(clauses)]
                if len(chosen) < count and all(other.same != each.same for each in chosen):
                    chosen.append(other)
            if len(chosen) == count:
                yield chosen


def _can_be_joined(sentence: Sentence, aspects: Sequence[Span], own: str, language: str) -> bool:
    """Whether the text is one short sentence of one polarity, without the word of contrast."""
    inner = sentence.tokens[:-1] if sentence.tokens[-1] in _STOPS else sentence.tokens
    contrast = language_named(language).contrasted_by
    return (
        own in OPPOSITE
        and all(span.type == own for span in aspects)
        and len(inner) <= _LONGEST
        and all(any(map(str.isalnum, token)) or token in (",", "'", "-", '"') for token in inner)
        and contrast not in map(str.lower, inner)
    )


def _append_clauses(sentence: Sentence, clauses: Sequence[_Clause], joined: bool, language: str) -> Edit:
    """The edit that puts the clauses at the end: before a final mark with a contrast, or behind it."""
    known = language_named(language)
    count, is_text = len(sentence), is_running_text(sentence) or sentence.tokens[-1] not in _STOPS
    marks = sentence.tokens[-1] in _STOPS
    words, tags = list[str](), list[str]()
    for number, clause in enumerate(clauses):
        if number:
            joint = known.joined_by if number == len(clauses) - 1 else ","
            words.append(joint)
            tags.append("O")
        words += clause.tokens
        tags += [f"B-{clause.polarity}" if k == clause.aspect else "O" for k in range(len(clause.tokens))]
    if joined:
        before, after = [",", known.contrasted_by], []
        place = count - marks
    else:
        before, after = [] if ends_sentence(sentence.tokens) else ["."], ["."]
        words[0] = in_case_of("Xx", words[0])
        place = count
    new = [*before, *words, *after]
    labels = ["O"] * len(before) + tags + ["O"] * len(after)
    if _is_in_capitals(sentence):
        new = [word.upper() for word in new]
    glued = place == 0 or not is_text
    spaces = [" " if glued or following not in (",", ".") else "" for following in new[1:]]
    first = place - 1
    last = sentence.spaces[first]
    own_space = "" if is_text and new[0] in (",", ".") else " "
    own_tag = () if sentence.tags is None else (sentence.tags[first],)
    return Edit(
        first,
        place,
        (sentence.tokens[first], *new),
        tags=(*own_tag, *labels),
        spaces=(own_space, *spaces, last),
        origins=((first,), *((),) * len(new)),
    )


def _is_in_capitals(sentence: Sentence) -> bool:
    letters = [char for token in sentence.tokens for char in token if char.isalpha()]
    return len(letters) > 3 and all(map(str.isupper, letters))

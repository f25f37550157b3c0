"""The passage without the answer, after which the right reply is that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from perturbations.answers import answer_text, answers_in
from perturbations.catalogue import sentence_level
from perturbations.families.reading.passages import (
    PassagePart,
    holds,
    looks_back,
    parts_of,
    points_back,
    speaks_of,
    tells_first,
)
from perturbations.languages import has
from perturbations.lexicons import words
from perturbations.text import Edit, Sentence, Span

_STEM = 4
"""Letters by which words are compared."""


@sentence_level(
    title="The answer taken away",
    kind="pragmatics",
    labels="changes",
    scheme="reading",
    relation="loses",
    knows=("anaphors", "pointing_words", "stop_words"),
    example=(
        "[Lima answer] fica no Peru . O juiz saiu cedo .",
        "O juiz saiu cedo .",
    ),
)
def drop_answer(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """All sentences go in which the text of an answer stands, in any letter case, so that there is *no answer* now.

    One sentence at least has to be left. What is left has no content word of an answer, by its first letters, no
    sentence with most content words of the question, and none that looks back at one that went. The model must be one
    that can reply so: the corpus knows questions without an answer, or says ``?no_answer=true``, or the model scores
    there being none. For any other the case is not judged.
    """
    answers = answers_in(sentence)
    if not answers:
        return []
    wanted = {tuple(answer_text(sentence, span).lower().split()) for span in answers}
    tokens = [token.lower() for token in sentence.tokens]
    again = []
    for span in answers:
        text = tokens[span.start : span.stop]
        again += [k for k in range(len(tokens) - len(text) + 1) if tokens[k : k + len(text)] == text]
    held = [*answers, *(Span(place, place + 1, "") for place in again)]
    parts = parts_of(sentence, answers)
    gone = [part for part in parts if holds(part, held)]
    if not wanted or len(gone) == len(parts):
        return []
    left = [part for part in parts if part not in gone]
    stems = {_stem(token) for span in answers for token in tokens[span.start : span.stop] if len(token) >= _STEM}
    if any(_stem(token) in stems for part in left for token in tokens[slice(*part)]):
        return []
    if any(_could_answer(sentence, part, language) for part in left):
        return []
    for before, part in pairwise(parts):
        if before in gone and part not in gone and _misses(sentence, part, parts, gone, language):
            return []
    merged: list[tuple[int, int]] = []
    for start, stop in gone:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((start, stop))
    if len(merged) == 1:
        return [[Edit(start, stop, ()) for start, stop in merged]]
    kept = [place for part in parts if part not in gone for place in range(*part)]
    first, last = merged[0][0], merged[-1][1]
    inner = [place for place in kept if first <= place < last]
    tokens_left = tuple(sentence.tokens[place] for place in inner)
    spaces = tuple(sentence.spaces[place] for place in inner)
    return [[Edit(first, last, tokens_left, spaces=spaces, origins=tuple((place,) for place in inner))]]


def _could_answer(sentence: Sentence, part: PassagePart, language: str) -> bool:
    """Whether a sentence has so many content words of the question that it may say the answer in other words."""
    if sentence.partner is None:
        return False
    stops = words(f"stop_words_{language}") if has(language, "stop_words") else frozenset()
    asked = {
        _stem(token) for token in map(str.lower, sentence.partner.tokens) if token.isalnum() and token not in stops
    }
    told = {_stem(token.lower()) for token in sentence.tokens[slice(*part)]}
    return len(asked & told) >= max(_LEAST_SHARED, _MOST_SHARED * len(asked))


def _misses(
    sentence: Sentence, part: PassagePart, parts: Sequence[PassagePart], gone: Sequence[PassagePart], language: str
) -> bool:
    """Whether a sentence needs one that went before it."""
    if looks_back(sentence, part, language) or points_back(sentence, part, language):
        return True
    left = [each for each in parts if each < part and each not in gone]
    lost = [each for each in gone if each < part]
    return any(speaks_of(sentence, part, *tells_first(sentence, each, left)) for each in lost)


_LEAST_SHARED = 3
_MOST_SHARED = 0.6
"""The share of the content words of a question above which a sentence may answer it."""


def _stem(word: str) -> str:
    return word[:_STEM]

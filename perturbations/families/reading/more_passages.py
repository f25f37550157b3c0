"""Other passages of the corpus around the passage, as retrieval gives them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from perturbations.answers import answer_text, answers_in
from perturbations.catalogue import sentence_level
from perturbations.families.reading.passages import looks_back, parts_of, points_back
from perturbations.languages import ANY
from perturbations.numbered import OnDemand
from perturbations.resources import JUDGED, Passages, Texts
from perturbations.stops import ends_text
from perturbations.streams import sample, stream
from perturbations.text import Edit, Sentence, sentence_id

_EXAMPLES = Texts(JUDGED, (Sentence(("Nada", "mais", "foi", "dito", ".")),))
_DRAWS = 64
_REACH = 5
_REMEMBERED = 2**13
_BLANK_LINE = "\n\n"
_MOST = 50


@sentence_level(
    title="Other passages added",
    kind="pragmatics",
    knows=("anaphors", "pointing_words"),
    scheme="reading",
    relation="adds",
    example=(
        "[Lima answer] fica no Peru .",
        "[Lima answer] fica no Peru . Nada mais foi dito .",
    ),
)
def more_passages(
    sentence: Sentence,
    *,
    count: int = 5,
    place: Literal["either", "before", "behind", "around"] = "either",
    passages: Passages = _EXAMPLES,
    language: str = "pt",
) -> list[Sequence[Edit]]:
    """So many other passages of the corpus beside the passage, with a blank line between.

    All come before the passage or all behind it, as drawn, unless ``place`` names one of the two; *around*, the passage
    stands at any place among them. None of them has the text of an answer, whatever its letter case and marks, and none
    begins with a sentence that looks back, as far as the ``language`` has lists for it, has broken lines, or lacks a
    final mark. A corpus with fewer others gives all of them. Raises ValueError unless ``count`` is 1 to 50.
    """
    if not 1 <= count <= _MOST:
        raise ValueError(f"count is {count}; expected a number from 1 to {_MOST}")
    wanted = {plain(tuple(answer_text(sentence, span).split())) for span in answers_in(sentence)}
    held = [f" {answer} " for answer in wanted if answer]
    others = [
        each
        for each in passages.texts
        if each.tokens != sentence.tokens
        and not any(answer in f" {plain(each.tokens)} " for answer in held)
        and _stands_alone(each, language)
    ]
    if not others or not sentence.tokens:
        return []
    key = sentence_id(sentence)

    def made(number: int) -> Edit:
        draws = stream(number, "more_passages", key)
        chosen = sample(draws, others, count)
        drawn = draws.random()
        middle, end = int(drawn * (len(chosen) + 1)), len(chosen) if drawn < 1 / 2 else 0
        cut = {"either": end, "before": len(chosen), "behind": 0, "around": middle}[place]
        return _beside(sentence, chosen[:cut], chosen[cut:])

    return [OnDemand(1 if len(others) == 1 else _DRAWS, made)]


@lru_cache(_REMEMBERED)
def _stands_alone(passage: Sentence, language: str) -> bool:
    """Whether a passage is whole: it has a final mark and no broken line, and its first sentence does not look back."""
    first = next(iter(parts_of(passage, ())), (0, 0))
    back = language != ANY and (looks_back(passage, first, language) or points_back(passage, first, language, _REACH))
    broken = any("\n" in space for space in passage.spaces[:-1])
    return ends_text(passage) and not back and not broken


@lru_cache(_REMEMBERED)
def plain(tokens: tuple[str, ...]) -> str:
    """The words in lower case, without marks."""
    words = ("".join(char for char in token.lower() if char.isalnum()) for token in tokens)
    return " ".join(word for word in words if word)


def _beside(sentence: Sentence, before: Sequence[Sentence], behind: Sequence[Sentence]) -> Edit:
    tokens: list[str] = []
    spaces: list[str] = []
    origins: list[tuple[int, ...]] = []
    for each in (*before, sentence, *behind):
        if spaces:
            spaces[-1] = _BLANK_LINE
        tokens += each.tokens
        spaces += each.spaces
        origins += [(place,) if each is sentence else () for place in range(len(each))]
    return Edit(0, len(sentence), tuple(tokens), spaces=tuple(spaces), origins=tuple(origins))

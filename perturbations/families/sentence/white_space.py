"""White space as copying, typing and file formats leave it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.text import Edit, Sentence

SpaceChange = Literal["any", "double", "tab", "line_break", "no_break", "thin", "missing", "leading", "trailing"]

SPACES: Mapping[str, str] = {
    "double": "  ",
    "tab": "\t",
    "line_break": "\n",
    "no_break": "\u00a0",
    "thin": "\u2009",
}
"""What comes between two words, by the name of the change."""

_CLOSING = re.compile(r".*[,;:!?)\]»”。，！？；：、]")
_OPENING = re.compile(r"[(\[«“].*")
_WIDE = re.compile(r".*[。，！？；：、]")


@sentence_level(
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    example=("Ana saiu , e Rui ficou", "Ana saiu , e Rui ficou"),  # white space is not shown
)
def white_space(sentence: Sentence, *, change: SpaceChange = "any") -> list[list[Edit]]:
    """Doubles a space, leaves one out beside a mark, or puts other white space in its place.

    * double, tab, line_break, no_break, thin: what takes the place of a space;
    * missing: no space behind a comma or another mark, or before an opening one;
    * leading, trailing: a space before or behind the text; before it only if its tokens have no labels;
    * any: chooses uniformly among those that are possible.

    Text without spaces between words changes behind its marks and, if the borders of words are known, between words.
    Words and labels stay: a model that reads tokens alone sees no difference.
    """
    sites = (list(_edits(sentence, i, change)) for i in range(len(sentence)))
    return [site for site in sites if site]


def _edits(sentence: Sentence, place: int, change: SpaceChange) -> Iterator[Edit]:
    """The changes of the white space behind a token, and before the first."""
    if place == 0 and change in ("any", "leading") and not sentence.token_layers:
        yield Edit(0, 1, (f" {sentence.tokens[0]}",))
    if place < len(sentence) - 1:
        yield from (_space(sentence, place, new) for new in _others(sentence, place, change))
    elif change in ("any", "trailing"):
        yield _space(sentence, place, f"{sentence.spaces[-1]} ")


def _others(sentence: Sentence, place: int, change: SpaceChange) -> Iterator[str]:
    """The white space that can stand behind a token."""
    now, tokens = sentence.spaces[place], sentence.tokens
    if not now and not _is_border(sentence, place):
        return
    for name, space in SPACES.items():
        if change in ("any", name) and space != now:
            yield space
    beside_mark = _CLOSING.fullmatch(tokens[place]) or _OPENING.fullmatch(tokens[place + 1])
    if now and beside_mark and change in ("any", "missing"):
        yield ""


def _is_border(sentence: Sentence, place: int) -> bool:
    """Whether white space can come between two tokens that have none: words end there, or a wide mark."""
    words = [layer.labels[place] for layer in sentence.token_layers if layer.policy == "bmes"]
    return all(label in ("E", "S") for label in words) if words else bool(_WIDE.fullmatch(sentence.tokens[place]))


def _space(sentence: Sentence, place: int, space: str) -> Edit:
    return Edit(place, place + 1, (sentence.tokens[place],), spaces=(space,))

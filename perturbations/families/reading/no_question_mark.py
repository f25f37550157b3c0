"""Questions without their mark, as they are typed into a search box."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.text import Edit, Sentence

_MARKS = frozenset(["?", "？"])
_QUOTES = frozenset(['"', "”"])


@sentence_level(
    title="Question without its question mark",
    kind="pragmatics",
    scheme="reading",
    example=("Onde fica [Lima LOCAL] ?", "Onde fica [Lima LOCAL]"),
)
def no_question_mark(sentence: Sentence) -> list[list[Edit]]:
    """The question mark and the full stop at the end go; a closing quotation mark stays."""
    last = len(sentence)
    entities = sentence.entity_tags or ("O",) * last
    while last and entities[last - 1] == "O" and sentence.tokens[last - 1] in (*_MARKS, *_QUOTES, "."):
        last -= 1
    end = sentence.tokens[last:]
    if not last or not _MARKS.intersection(end):
        return []
    lost = [last + k for k, token in enumerate(end) if token not in _QUOTES]
    first, stop = lost[0], lost[-1] + 1
    return [[Edit(first, stop, tuple(token for token in sentence.tokens[first:stop] if token in _QUOTES))]]

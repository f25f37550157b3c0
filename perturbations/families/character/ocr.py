"""Characters misread, as by optical character recognition."""

from collections.abc import Mapping, Sequence
from functools import cache

from perturbations.catalogue import word_level
from perturbations.graphemes import exchanges
from perturbations.lexicons import pairs
from perturbations.numbered import one_put_in


@word_level(
    title="OCR errors",
    kind="morphology",
    rate=0.2,
    aliases=("Ocr",),
    alphabetic=True,
    scripts=("LATIN",),
    example=("[Olga PESSOA] comeu", "[0lga PESSOA] corneu"),
)
def ocr(word: str, *, min_length: int = 1) -> Sequence[str]:
    """Replaces a character of a word with one that looks alike in print [TextFlint, catalogue name "Ocr"].

    One character may be read as two, such as m as rn, or two as one, such as rn as m. In words that allow the second
    kind, it makes up half of the errors. Words shorter than ``min_length`` characters stay. Labels hold.
    """
    if len(word) < min_length:
        return ()
    look_alikes = _look_alikes()
    ones = exchanges(word, lambda char: look_alikes.get(char, ()))
    twos = [look_alikes.get(word[i : i + 2], ()) for i in range(len(word) - 1)]
    return one_put_in(word, ones, twos)


@cache
def _look_alikes() -> Mapping[str, tuple[str, ...]]:
    return {read: tuple(others.split("|")) for read, others in pairs("look_alikes").items()}

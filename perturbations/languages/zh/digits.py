"""Numbers in digits within a Chinese sentence, whatever its tokens."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from perturbations.languages.layout import Layout
from perturbations.resources import sort_of
from perturbations.text import Edit, entity_spans

_PLAIN = str.maketrans("０１２３４５６７８９．％", "0123456789.%")

_EXPRESSION = re.compile(r"[0-9A-Za-zＡ-Ｚａ-ｚ_.,:：∶·/／~～\-－–—―×*+=^@#$￥€£%‰°℃㎡]+")
"""Units of text with digits: a time, a date with slashes, a model, an address, an amount of money."""

_NUMBER = re.compile(r"(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?([%‰]?)")


@dataclass(frozen=True, slots=True)
class DigitNumber:
    """A number that stands for itself: no part of a time, a name or a code, and without a zero in front.

    ``start`` is its first character in the text that all tokens make, ``text`` its characters, narrow ones, with commas
    for thousands and a percent or per mille sign, if any. ``before`` and ``after`` are the text around it.
    """

    start: int
    text: str
    before: str
    after: str

    @property
    def parts(self) -> tuple[str, str, str]:
        """Its digits up to the decimal point, those behind it, and its sign; the last two may be empty."""
        found = _NUMBER.fullmatch(self.text)
        assert found is not None
        return found[1].replace(",", ""), found[2] or "", found[3]

    def follows(self, characters: str) -> bool:
        """Whether the next character of the text is one of these."""
        return self.after != "" and self.after[0] in characters


@dataclass(frozen=True, slots=True)
class Digits:
    """All the text of a sentence, and where in it every token ends."""

    layout: Layout
    text: str
    ends: tuple[int, ...]

    def numbers(self) -> list[DigitNumber]:
        """The numbers, from left to right, less those that only partly belong to an entity or to tokens."""
        plain, found = self.text.translate(_PLAIN), []
        for expression in _EXPRESSION.finditer(plain):
            text = expression[0].strip("：:,.—―")
            start = expression.start() + expression[0].find(text)
            if _NUMBER.fullmatch(text) and self._stands_alone(start, text):
                found.append(DigitNumber(start, text, plain[:start], plain[start + len(text) :]))
        return found

    def replacing(self, start: int, stop: int, text: str) -> Edit:
        """The edit that puts the text in place of characters [start, stop), which are whole tokens or within one."""
        first, offset = self._place(start)
        if stop - start < len(self.layout.sentence.tokens[first]):
            return Edit(first, first + 1, (text,), chars=(offset, offset + stop - start))
        return self.layout.replacing(first, self._place(stop - 1)[0] + 1, (text,))

    def in_name(self, number: DigitNumber) -> bool:
        """Whether it is part of an entity that is a person, a place or an organisation."""
        place, _ = self._place(number.start)
        spans = entity_spans(self.layout.sentence.entity_tags or ())
        return any(span.start <= place < span.stop and sort_of(span.type) is not None for span in spans)

    def _stands_alone(self, start: int, text: str) -> bool:
        """Whether it lies within one token, or is made of several that belong together."""
        (first, offset), (last, _) = self._place(start), self._place(start + len(text) - 1)
        if first == last:
            return True
        only_sign_apart = last == first + 1 and text[-1] in "%‰" and self.ends[first] == start + len(text) - 1
        aligned = offset == 0 and self.ends[last] == start + len(text)
        together = self.layout.by_character or only_sign_apart
        return aligned and together and self.layout.is_one_piece(first, last + 1)

    def _place(self, position: int) -> tuple[int, int]:
        """The token that has the character at this position, and which of its characters that is."""
        token = bisect_right(self.ends, position)
        return token, position - self.ends[token] + len(self.layout.sentence.tokens[token])


def digits_of(layout: Layout) -> Digits:
    """The text of the sentence, ready to find the numbers in it."""
    tokens = layout.sentence.tokens
    return Digits(layout, "".join(tokens), tuple(accumulate(map(len, tokens))))

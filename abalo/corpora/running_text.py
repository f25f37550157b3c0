"""Text as people write it, as a sentence of words and marks."""

from __future__ import annotations

import re
from itertools import accumulate

from perturbations import Sentence

_ALONE = "\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9d"
"""Chinese characters and Japanese syllables, each a token of its own: no white space shows where words end."""

_JOINED = "\u0300-\u036f\ufe0f\U0001f3fb-\U0001f3ff"
"""Signs that belong to the one before them: accents written apart, variants and skin colours of emoji."""

_LETTER = rf"(?:[^\W{_ALONE}][{_JOINED}]*)"

_WORD = rf"(?!https?://|www\.)[a-z]+(?![\w'’{_JOINED}-])"
"""A word of letters without accents. The general rule has it too, but takes longer, and most tokens are such words."""

_TOKEN_AND_SPACE = re.compile(
    "({})(\\s*)".format(
        "|".join(
            [
                _WORD,
                r"(?:https?://|www\.)\S*[\w/]",
                r"[@#]\w+",
                r"\d+(?:[.,:/]\d+)+",
                r"['’](?:s|t|d|m|re|ve|ll)\b",
                rf"{_LETTER}+(?:['’-]{_LETTER}+)*",
                r"[:;=]['’]?-?[()DP|\[\]](?!\w)",
                r"\.{2,}|-{2,}|`{2}|'{2}",
                rf"\S(?:[{_JOINED}]|\u200d\S)*",
            ]
        )
    ),
    re.IGNORECASE,
)


def running_text(text: str) -> Sentence:
    """The text, without white space at its ends, as words and marks; the ``text`` of the sentence is the same again.

    Addresses, handles, numbers such as *3.5*, words with a hyphen or an apostrophe and dots in a row are one token.
    Raises ValueError where nothing can be seen.
    """
    found = _TOKEN_AND_SPACE.findall(text.strip())
    if not found:
        raise ValueError(f"{text!r} holds nothing that can be seen")
    tokens, spaces = zip(*found, strict=True)
    return Sentence(tokens, spaces=spaces)


def borders(sentence: Sentence) -> list[tuple[int, int]]:
    """Where each token begins and ends in the text of the sentence, in characters from 0."""
    lengths = (len(token) + len(space) for token, space in zip(sentence.tokens, sentence.spaces or (), strict=True))
    starts = accumulate(lengths, initial=0)
    return [(start, start + len(token)) for start, token in zip(starts, sentence.tokens, strict=False)]


def replaced(text: str, old: str, new: str) -> str | None:
    """The text with ``new`` wherever ``old`` stands; None where it stands nowhere, or where nothing would be left.

    It stands where it begins and ends with tokens of `running_text`: *art* does not stand in *party*. Of the spaces
    around one that goes without another, one stays.
    """
    starts, ends = map(set, zip(*borders(running_text(text)), strict=True))
    text = text.strip()
    found = [each.span() for each in re.finditer(re.escape(old), text)] if old else []
    kept, made = 0, ""
    for start, stop in found:
        if start in starts and stop in ends:
            made += text[kept:start] + new
            kept = stop
    made += text[kept:]
    made = made if new else re.sub(" {2,}", " ", made).strip()
    return made if kept and made.strip() else None

"""Text as people write it, as a sentence of words and marks."""

from __future__ import annotations

import re

from perturbations import Sentence

_ALONE = "\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9d"
"""Chinese characters and Japanese syllables, each a token of its own: no white space shows where words end."""

_JOINED = "\u0300-\u036f\ufe0f\U0001f3fb-\U0001f3ff"
"""Signs that belong to the one before them: accents written apart, variants and skin colours of emoji."""

_LETTER = rf"(?:(?![{_ALONE}])\w[{_JOINED}]*)"

_TOKEN = re.compile(
    "|".join(
        [
            r"(?:https?://|www\.)\S*[\w/]",
            r"[@#]\w+",
            r"\d+(?:[.,:/]\d+)+",
            r"['’](?:s|t|d|m|re|ve|ll)\b",
            rf"{_LETTER}+(?:['’-]{_LETTER}+)*",
            r"[:;=]['’]?-?[()DP|\[\]](?!\w)",
            r"\.{2,}|-{2,}|`{2}|'{2}",
            rf"\S(?:[{_JOINED}]|\u200d\S)*",
        ]
    ),
    re.IGNORECASE,
)


def running_text(text: str) -> Sentence:
    """The text, without white space at its ends, as words and marks; the ``text`` of the sentence is the same again.

    Addresses, handles, numbers such as *3.5*, words with a hyphen or an apostrophe and dots in a row are one token.
    Raises ValueError where nothing can be seen.
    """
    found = list(_TOKEN.finditer(text.strip()))
    if not found:
        raise ValueError(f"{text!r} holds nothing that can be seen")
    ends = [*(match.start() for match in found[1:]), found[-1].end()]
    spaces = tuple(text.strip()[match.end() : end] for match, end in zip(found, ends, strict=True))
    return Sentence(tuple(match[0] for match in found), spaces=spaces)

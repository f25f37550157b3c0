"""Splits text into words and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

import regex

from perturbations import Sentence

_ALONE = r"\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
"""Chinese and Japanese: a token per character."""

_JOINED = r"[\p{Grapheme_Extend}\p{M}\u0e33\u0eb3\u200d\U0001f3fb-\U0001f3ff]"

_LETTER = rf"(?:[[\p{{L}}\p{{N}}_]--[{_ALONE}\p{{Line_Break=SA}}]]{_JOINED}*+)"

_UNSPACED = rf"(?:[\p{{L}}&&\p{{Line_Break=SA}}]{_JOINED}*+)"
"""Thai, Lao, Khmer, Burmese."""

_WITHIN = "['’\u00b7\u055a-\u055c\u055e\u05be\u05f3\u05f4\u2010\u2011-]"
"""Apostrophes, hyphens and marks of Catalan, Armenian, Hebrew."""

_GERSHAYIM = r"(?:(?<=\p{Hebrew}\p{M}*)\"(?=\p{Hebrew}))"
"""Hebrew keyboards type a quotation mark instead."""

_WORD = rf"(?!(?i:https?://|www\.))[A-Za-z]++(?![\p{{L}}\p{{N}}_\u00ad@+]|\.[\p{{L}}\p{{N}}_]|{_WITHIN}|{_JOINED})"

_MAIL = rf"{_LETTER}(?:{_LETTER}|[.+-])*+@(?:{_LETTER}|-)++(?:\.(?:{_LETTER}|-)+)+"

_TOKEN_AND_SPACE = regex.compile(
    "((?:{})(?!{})|\\X{}*)([\\s\\x1c-\\x1f]*)".format(
        "|".join(
            [
                _WORD,
                r"(?i:https?://|www\.)\S*[\p{L}\p{M}\p{N}_/]",
                _MAIL,
                r"[@#](?:(?=[\p{L}\p{N}_])\X)+",
                r"\d+(?:[.,:/\u066b\u066c]\d+)+",
                r"['’](?i:s|t|d|m|re|ve|ll)(?![\p{L}\p{N}_])",
                rf"{_LETTER}+(?:(?:{_WITHIN}|\u00ad|{_GERSHAYIM}){_LETTER}+)*",
                rf"{_UNSPACED}+",
                r"[:;=]['’]?-?[()DP|\[\]](?![\p{L}\p{N}_])",
                r"\.{2,}|-{2,}|`{2}|'{2}",
            ]
        ),
        _JOINED,
        _JOINED,
    ),
    regex.VERSION1,
)


_SHOWN = 20

_RUN = regex.compile(rf"{_UNSPACED}{{2,}}", regex.VERSION1)


def running_text(text: str) -> Sentence:
    """Splits a text into words and marks; ``Sentence.text`` restores it, stripped.

    Addresses, handles, numbers, words with a hyphen or apostrophe and runs of dots are single tokens. Grapheme clusters
    stay whole. Raises ValueError for blank text.
    """
    found = _TOKEN_AND_SPACE.findall(text.strip())
    if not found:
        raise ValueError(f"{text!r} holds nothing that can be seen")
    tokens, spaces = zip(*found, strict=True)
    return Sentence(tokens, spaces=spaces)


def cut_into(text: str, words: Sequence[str]) -> Sentence:
    """Splits a text into given ``words``, as for Thai; raises ValueError on mismatch."""
    text, at = text.strip(), 0
    tokens: list[str] = []
    spaces: list[str] = []
    for number, word in enumerate((each.strip() for each in words), start=1):
        if not word or not text.startswith(word, at):
            rest = text[at : at + _SHOWN]
            raise ValueError(f"word {number}, {word!r}, does not come next in the text, which goes on {rest!r}")
        at += len(word)
        space = len(text[at:]) - len(text[at:].lstrip())
        tokens.append(word)
        spaces.append(text[at : at + space])
        at += space
    if at < len(text):
        raise ValueError(f"after the last word the text goes on {text[at : at + _SHOWN]!r}")
    return Sentence(tuple(tokens), spaces=tuple(spaces))


def is_unspaced(text: str) -> bool:
    """Whether the text has a script without spaces."""
    return not text.isascii() and _RUN.search(text) is not None


def borders(sentence: Sentence) -> list[tuple[int, int]]:
    """Start and end of each token, in characters."""
    lengths = (len(token) + len(space) for token, space in zip(sentence.tokens, sentence.spaces or (), strict=True))
    starts = accumulate(lengths, initial=0)
    return [(start, start + len(token)) for start, token in zip(starts, sentence.tokens, strict=False)]


def replace_all(text: str, old: str, new: str) -> str | None:
    """Replaces whole tokens only: *art* does not match *party*.

    Returns None if nothing matches or remains.
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

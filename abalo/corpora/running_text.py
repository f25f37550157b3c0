"""Text as people write it, as a sentence of words and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

import regex

from perturbations import Sentence

_ALONE = r"\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
"""Chinese characters and Japanese syllables, each a token of its own: no white space shows where words end."""

_JOINED = r"[\p{Grapheme_Extend}\p{M}\u0e33\u0eb3\u200d\U0001f3fb-\U0001f3ff]"
"""Signs that belong to the letter before them: vowels and accents written apart, joiners, skin colours of emoji."""

_LETTER = rf"(?:[[\p{{L}}\p{{N}}_]--[{_ALONE}\p{{Line_Break=SA}}]]{_JOINED}*+)"
"""A letter or digit with its marks."""

_UNSPACED = rf"(?:[\p{{L}}&&\p{{Line_Break=SA}}]{_JOINED}*+)"
"""The same in a script without spaces that show where words end: Thai, Lao, Khmer, Burmese and their kin."""

_WITHIN = "['’\u00b7\u055a-\u055c\u055e\u05be\u05f3\u05f4\u2010\u2011-]"
"""Marks between two letters of a word: apostrophes, the middle dot of Catalan, the stress, question and exclamation
marks of Armenian, the geresh and the hyphen of Hebrew, other hyphens."""

_GERSHAYIM = r"(?:(?<=\p{Hebrew}\p{M}*)\"(?=\p{Hebrew}))"
"""The quotation mark that Hebrew keyboards have for the sign before the last letter of an abbreviation."""

_WORD = rf"(?!(?i:https?://|www\.))[A-Za-z]++(?![\p{{L}}\p{{N}}_\u00ad@+]|\.[\p{{L}}\p{{N}}_]|{_WITHIN}|{_JOINED})"
"""A word of letters without accents. The general rule has it too, but takes longer, and most tokens are such words."""

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
"""Characters of a text that a message shows."""

_RUN = regex.compile(rf"{_UNSPACED}{{2,}}", regex.VERSION1)


def running_text(text: str) -> Sentence:
    """The text, without white space at its ends, as words and marks; the ``text`` of the sentence is the same again.

    Addresses, handles, numbers such as *3.5*, words with a hyphen or an apostrophe and dots in a row are one token. No
    grapheme cluster is cut: a letter keeps its vowel signs and accents, an emoji its parts.
    Raises ValueError where nothing can be seen.
    """
    found = _TOKEN_AND_SPACE.findall(text.strip())
    if not found:
        raise ValueError(f"{text!r} holds nothing that can be seen")
    tokens, spaces = zip(*found, strict=True)
    return Sentence(tokens, spaces=spaces)


def cut_into(text: str, words: Sequence[str]) -> Sentence:
    """The same where the ``words`` of the text are known, in their order, as for Thai, whose words touch each other.

    Raises ValueError, with the word and its place, for one that does not come next in the text, and for a text that
    goes on after the last.
    """
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
    """Whether it holds two or more letters in a row of a script that does not show where words end, such as Thai."""
    return not text.isascii() and _RUN.search(text) is not None


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

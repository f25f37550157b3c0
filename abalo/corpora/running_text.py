"""Splits text into words and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import regex

from perturbations import Sentence

_ALONE = r"\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
"""Chinese and Japanese: a token per character."""

_JOINED = r"[\p{Grapheme_Extend}\p{M}\u0e33\u0eb3\u200d\U0001f3fb-\U0001f3ff]"

_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
"""Matched by itself, since a search for clusters goes through a row of flags from its beginning, for each of them."""

_LETTER = rf"(?:[[\p{{L}}\p{{N}}_]--[{_ALONE}\p{{Line_Break=SA}}]]{_JOINED}*+)"

_UNSPACED = rf"(?:[\p{{L}}&&\p{{Line_Break=SA}}]{_JOINED}*+)"
"""Thai, Lao, Khmer, Burmese."""

_WITHIN = "['’\u00b7\u055a-\u055c\u055e\u05be\u05f3\u05f4\u2010\u2011-]"
"""Apostrophes, hyphens and marks of Catalan, Armenian, Hebrew."""

_GERSHAYIM = r"(?:(?<=\p{Hebrew}\p{M}*)\"(?=\p{Hebrew}))"
"""Hebrew keyboards type a quotation mark instead."""


def _token_and_space(letter: str, cluster: str, word: str, joined: str, unspaced: str, gershayim: str) -> str:
    """``word`` is a character of words without the marks ``joined`` to it, ``letter`` one with them."""
    tokens = [
        rf"(?!(?i:https?://|www\.))[A-Za-z]++(?!{word}|[\u00ad@+]|\.{word}|{_WITHIN}|{joined})",
        rf"(?i:https?://|www\.)\S*(?:{word}{joined}*|/)",
        rf"{letter}(?:{letter}|[.+-]){{0,63}}+@(?:{letter}|-)++(?:\.(?:{letter}|-)+)+",
        rf"[@#](?:(?={word}){cluster})+",
        r"\d+(?:[.,:/\u066b\u066c]\d+)+",
        rf"['’](?i:s|t|d|m|re|ve|ll)(?!{word})",
        rf"{letter}+(?:(?:{_WITHIN}|\u00ad|{gershayim}){letter}+)*",
        rf"{unspaced}+",
        rf"[:;=]['’]?-?[()DP|\[\]](?!{word})",
        r"\.{2,}|-{2,}|`{2}|'{2}",
    ]
    return rf"((?:{'|'.join(tokens)})(?!{joined})|{cluster})([\s\x1c-\x1f]*)"


_TOKEN_AND_SPACE = regex.compile(
    _token_and_space(_LETTER, rf"(?:{_FLAG}|\X){_JOINED}*", r"[\p{L}\p{N}_]", _JOINED, _UNSPACED, _GERSHAYIM),
    regex.VERSION1,
)

_NONE = "(?:(?!))"

_SIMPLE_TOKEN_AND_SPACE = re.compile(_token_and_space(r"\w", ".", r"\w", _NONE, _NONE, _NONE), re.DOTALL)
"""The same, two to three times as fast, for `_SIMPLE` texts."""

_SIMPLE = re.compile("[\x00-\x1b -\u02ff\u2010-\u2027€]*")
"""Latin letters of one character, and usual marks."""

_SHOWN = 20

_RUN = regex.compile(rf"{_UNSPACED}{{2,}}", regex.VERSION1)


def running_text(text: str) -> Sentence:
    """Splits a text into words and marks; ``Sentence.text`` restores it, stripped.

    Addresses, handles, numbers, words with a hyphen or apostrophe and runs of dots are single tokens. Grapheme clusters
    stay whole. Raises ValueError for blank text.
    """
    pattern = _SIMPLE_TOKEN_AND_SPACE if _SIMPLE.fullmatch(text) else _TOKEN_AND_SPACE
    found = pattern.findall(text.strip())
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
    found, at = [], 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        stop = at + len(token)
        found.append((at, stop))
        at = stop + len(space)
    return found


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

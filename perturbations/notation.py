r"""The bracket notation: ``[Ann Smith PER] left [Paris LOC]``.

Tokens are separated by spaces; an entity stands in brackets, its type last. A backslash makes the next character
literal: ``\[MASK\]`` is a token, ``10\ 000`` is one token with a space in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perturbations.text import Sentence, entity_spans

_WORD = re.compile(r"(?P<open>\[?)(?P<word>(?:\\.|[^\\\[\] ])+)(?P<close>\]?)(?: +|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"([\\\[\] ])")


def parse(text: str) -> Sentence:
    """The sentence written as ``text``, with BIO tags; raises ValueError where a bracket does not fit."""
    tokens: list[str] = []
    tags: list[str] = []
    entity: list[str] | None = None
    for opens, word, closes in _words(text):
        if opens and entity is not None:
            raise ValueError(f"{text!r}: an entity opens inside another at {word!r}")
        if opens:
            entity = []
        if entity is not None:
            entity.append(word)
        elif closes:
            raise ValueError(f"{text!r}: ']' after {word!r} closes nothing; write \\] for a literal bracket")
        else:
            tokens.append(word)
            tags.append("O")
        if closes and entity is not None:
            *words, kind = entity
            if not words:
                raise ValueError(f"{text!r}: [{kind}] is an entity without a word; write [word {kind}]")
            tokens += words
            tags += [f"B-{kind}"] + [f"I-{kind}"] * (len(words) - 1)
            entity = None
    if entity is not None:
        raise ValueError(f"{text!r}: '[' is never closed; write \\[ for a literal bracket")
    return Sentence(tuple(tokens), tuple(tags))


def render(sentence: Sentence, *, spaces: bool = False) -> str:
    """The sentence in bracket notation, showing tokens and entities; an ``I-`` without its ``B-`` opens one.

    `parse` gives tokens and BIO tags back. Anchors and labels of other schemes are not shown, nor is white space; with
    ``spaces`` white space that is not one space follows its token as ``␣`` signs, and `parse` reads these as letters.
    """
    words = [_escaped(token) for token in sentence.tokens]
    if spaces:
        words = [word + "␣" * len(space) * (len(space) > 1) for word, space in zip(words, sentence.spaces, strict=True)]
    for span in entity_spans(sentence.entity_tags or ()):
        words[span.start] = "[" + words[span.start]
        words[span.stop - 1] += f" {_escaped(span.type)}]"
    return " ".join(words)


def _words(text: str) -> Iterator[tuple[bool, str, bool]]:
    """Each word, with whether a bracket opens before it and one closes behind it."""
    position = len(text) - len(text.lstrip(" "))
    while position < len(text):
        found = _WORD.match(text, position)
        if found is None:
            raise ValueError(
                f"{text!r}: cannot read {text[position:]!r}; '[' opens and ']' closes an entity next to a space, "
                "and a backslash makes the next character literal"
            )
        yield bool(found["open"]), _ESCAPED.sub(r"\1", found["word"]), bool(found["close"])
        position = found.end()


def _escaped(word: str) -> str:
    return _SPECIAL.sub(r"\\\1", word)

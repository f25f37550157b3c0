r"""The bracket notation: ``[Ann Smith PER] left [Paris LOC]``.

Tokens are separated by spaces; an entity stands in brackets, its type last. A backslash makes the next character
literal: ``\[MASK\]`` is a token, ``10\ 000`` is one token with a space in it.

A label of one word that is no part of an entity, such as a part of speech, has ``=`` before it: ``o [canto =NOUN]``
has the tags ``O NOUN``.

In a tree each word has its tag, the number of its head, from 1, or 0 for the root, and its relation:
``[Ana =PROPN/2/nsubj] [saiu =VERB/0/root]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perturbations.layers import HEADS, ROOT, Arcs
from perturbations.text import Sentence, entity_spans

_WORD = re.compile(r"(?P<open>\[?)(?P<word>(?:\\.|[^\\\[\] ])+)(?P<close>\]?)(?: +|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"([\\\[\] ])")
_TREE = re.compile(r"(?P<tag>[^/]*)/(?P<head>[0-9]+)/(?P<relation>[^/]+)")
_LABEL = "="
"""The sign before a label in brackets, which tells it from the type of an entity."""


def parse(text: str) -> Sentence:
    """The sentence written as ``text``, with BIO tags or labels; raises ValueError where a bracket does not fit."""
    tokens: list[str] = []
    tags: list[str] = []
    entity: list[str] | None = None
    for opens, raw, closes in _words(text):
        word = _ESCAPED.sub(r"\1", raw)
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
            tags += _labels(text, words, kind) if _is_label(raw) else _bio(kind, len(words))
            entity = None
    if entity is not None:
        raise ValueError(f"{text!r}: '[' is never closed; write \\[ for a literal bracket")
    return _as_tree(tokens, tags) or Sentence(tuple(tokens), tuple(tags))


def _as_tree(tokens: list[str], tags: list[str]) -> Sentence | None:
    """The sentence with its tree, if each label tells a tag, a head and a relation."""
    found = [_TREE.fullmatch(tag) for tag in tags]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    heads = tuple(int(each["head"]) - 1 if each["head"] != "0" else ROOT for each in known)
    arcs = Arcs(HEADS, heads, tuple(each["relation"] for each in known))
    return Sentence(tuple(tokens), tuple(each["tag"] for each in known), policy="each", layers=(arcs,))


def render(sentence: Sentence, *, spaces: bool = False) -> str:
    """The sentence in bracket notation, showing tokens and entities; an ``I-`` without its ``B-`` opens one.

    `parse` gives tokens and tags back: BIO tags and, in brackets of their own, other labels that hold more than ``O``.
    Anchors are not shown, nor is white space; with ``spaces`` white space that is not one space follows its token as
    ``␣`` signs, and `parse` reads these as letters.
    """
    words = [_escape(token) for token in sentence.tokens]
    if spaces:
        words = [word + "␣" * len(space) * (len(space) > 1) for word, space in zip(words, sentence.spaces, strict=True)]
    for span in entity_spans(sentence.entity_tags or ()):
        words[span.start] = "[" + words[span.start]
        words[span.stop - 1] += f" {_escape_type(span.type)}]"
    arcs = next((each for each in sentence.layers if isinstance(each, Arcs) and each.name == HEADS), None)
    for i, tag in enumerate(sentence.tags or ()):
        head = None if arcs is None else arcs.heads[i]
        if arcs is not None and head is not None:
            words[i] = f"[{words[i]} {_LABEL}{_escape(tag)}/{head + 1}/{_escape(arcs.relations[i])}]"
        elif tag not in ("", "O") and tag[:2] not in ("B-", "I-"):
            words[i] = f"[{words[i]} {_LABEL}{_escape(tag)}]"
    return " ".join(words)


def _bio(kind: str, length: int) -> list[str]:
    return [f"B-{kind}"] + [f"I-{kind}"] * (length - 1)


def _is_label(raw: str) -> bool:
    return raw[0] == _LABEL and len(raw) > len(_LABEL)


def _labels(text: str, words: list[str], kind: str) -> list[str]:
    """The label of the only word."""
    label = kind.removeprefix(_LABEL)
    if len(words) > 1:
        raise ValueError(f"{text!r}: {kind} labels {' '.join(words)!r}; a label is of one word: write [word {kind}]")
    if label == "O" or label[:2] in ("B-", "I-"):
        raise ValueError(f"{text!r}: {kind} is no label of its own; write entities as [words TYPE], other words bare")
    return [label]


def _words(text: str) -> Iterator[tuple[bool, str, bool]]:
    """Each word as it is written, with whether a bracket opens before it and one closes behind it."""
    position = len(text) - len(text.lstrip(" "))
    while position < len(text):
        found = _WORD.match(text, position)
        if found is None:
            raise ValueError(
                f"{text!r}: cannot read {text[position:]!r}; '[' opens and ']' closes an entity next to a space, "
                "and a backslash makes the next character literal"
            )
        yield bool(found["open"]), found["word"], bool(found["close"])
        position = found.end()


def _escape(word: str) -> str:
    return _SPECIAL.sub(r"\\\1", word)


def _escape_type(kind: str) -> str:
    return "\\" * _is_label(kind or " ") + _escape(kind)

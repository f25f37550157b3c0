"""Marked sentences in plain text: entities in the bracket notation, edits between signs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.core.blocks import Example, Line, Mark, Piece

SIGNS = ("«", "»")
"""Around edited words."""

_LEFT_OUT = " …"

_LABEL_AT_END = re.compile(r" \[[^][]*[✓✗][^][]*\]$")


def lines(example: Example) -> list[tuple[str, str]]:
    """Each sentence of an example, which one it is first; edited words stand between « and ».

    Where the text has such signs itself, several of them stand there.
    """
    around = signs(example)
    return [(sentence.which, _text(sentence.pieces, around)) for sentence in example.sentences]


def signs(example: Example) -> tuple[str, str]:
    """The signs around edited words of an example, as often as tells them from those in its text."""
    words = " ".join(_text(sentence.pieces, ("", "")) for sentence in example.sentences)
    first, last = SIGNS
    times = next(n for n in range(1, len(words) + 2) if first * n not in words and last * n not in words)
    return first * times, last * times


def edited_at(sentences: Sequence[tuple[str, str]]) -> float:
    """Where the first edited word stands in the sentences of an example, as a share of their length; 0 without one."""
    return max((text.find(SIGNS[0]) / len(text) for _, text in sentences if SIGNS[0] in text), default=0.0)


def cut(text: str, width: int | None, at: float = 0.0) -> str:
    """A sentence of at most ``width`` characters around its first edited word, with the label at its end.

    All of it for None. In a sentence without edits, ``at`` is the place to show, as a share of its length.
    """
    if width is None or len(text) <= width:
        return text
    label = _LABEL_AT_END.search(text)
    if label is not None and len(label[0]) <= width // 3:
        return _around_edit(text[: label.start()], width - len(label[0]), at) + label[0]
    return _around_edit(text, width, at)


def _around_edit(text: str, width: int, at: float) -> str:
    if len(text) <= width:
        return text
    found, room = text.find(SIGNS[0]), width - len(_LEFT_OUT)
    first = int(at * len(text)) if found < 0 else found
    start = 0 if first < width // 2 else text.rfind(" ", 0, first - width // 4) + 1
    room -= len(_LEFT_OUT) if start else 0
    if text.find(SIGNS[1], first) >= start + room:
        room -= len(_LEFT_OUT) if first and not start else 0
        start = first
    lead = "… " if start else ""
    if len(text) - start <= room + len(_LEFT_OUT):
        return lead + text[start:]
    end = text.rfind(" ", first, start + room + 1)
    return lead + text[start : end if end > first else start + room].rstrip() + _LEFT_OUT


def said(line: Line) -> str:
    """A line with what it is about in front."""
    if isinstance(line, str):
        return line
    return f"{line.term}: {line.text}" if line.term and line.text else line.term or line.text


def _text(pieces: Sequence[Piece], signs: tuple[str, str]) -> str:
    return " ".join(piece if isinstance(piece, str) else _marked(piece, signs) for piece in pieces)


def _marked(mark: Mark, signs: tuple[str, str]) -> str:
    inside = _text(mark.parts, signs)
    if mark.kind == "edited":
        return f"{signs[0]}{inside}{signs[1]}"
    return f"[{inside} {mark.label}]" if mark.label else inside

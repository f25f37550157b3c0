"""Marked sentences in plain text: entities in brackets, edits between «»."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

from abalo.core.documents.blocks import Line, Mark, Piece, ShownExample
from abalo.core.records import words as wording

SIGNS = ("«", "»")

OUTER, INNER = "[]", "{}"
"""Brackets of a mark with a label, and of one inside it."""

_LEFT_OUT = " …"

WHOLE = 1000
"""Most characters of a sentence on the page and in ``abalo show``."""

DOTS = len("… … ")
"""Columns by which a sentence cut `around` its edits may be wider."""

_LABEL_AT_END = re.compile(r" \[[^][]*[✓✗][^][]*\]$")


def around(example: ShownExample, width: int) -> ShownExample:
    """Cuts each sentence to about ``width`` characters around its first edit, or its first loss if that is far away.

    Keeps its final label.
    """
    every = [_words(sentence.pieces) for sentence in example.sentences]
    spots = [(words, spot) for words in every if (spot := _spot(words, width)) is not None]
    lost = [(words, spot) for words, spot in spots if _is_lost(words[spot])]
    at = min((_share(words, spot) for words, spot in lost or spots), default=0.0)
    shared = _count_shared(spots)
    place = _Cut(at, bool(lost), next(filter(None, (_around_edits(words, width) for words in every)), ()))
    cut_ones = tuple(
        sentence
        if _length(words) <= width + 1
        else replace(sentence, pieces=tuple(_window(words, width, place, shared)))
        for sentence, words in zip(example.sentences, every, strict=True)
    )
    caption = example.caption
    if isinstance(caption, str):
        return ShownExample(wording.shorten(caption, wording.QUOTED), cut_ones)
    return ShownExample(replace(caption, text=wording.shorten(caption.text, wording.QUOTED)), cut_ones)


def is_edited_beyond(example: ShownExample, width: int) -> bool:
    """Whether a labelled text has more edits than ``width`` characters show."""
    every = [_words(sentence.pieces) for sentence in example.sentences]
    return any(_is_edited_often(words, width) and not _around_edits(words, width) for words in every)


def _words(pieces: Sequence[Piece]) -> list[Piece]:
    return [word for piece in pieces for word in (piece.split(" ") if isinstance(piece, str) else [piece])]


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(_text([piece], SIGNS)) + 1 for piece in pieces)


def _letters(pieces: Sequence[Piece]) -> int:
    """The length without labels, which a sentence and its variant share."""
    return sum(_letters(piece.parts) if isinstance(piece, Mark) else len(piece) + 1 for piece in pieces)


def _share(pieces: Sequence[Piece], place: int) -> float:
    return _letters(pieces[:place]) / max(1, _letters(pieces))


def _spot(pieces: Sequence[Piece], width: int) -> int | None:
    """The place of the first edit, or of the first loss if the edit is missing or far away."""
    edited = next((place for place, piece in enumerate(pieces) if _is_edited(piece)), None)
    lost = next((place for place, piece in enumerate(pieces[: -1 if _ends(pieces) else None]) if _is_lost(piece)), None)
    if edited is None or lost is None:
        return lost if edited is None else edited
    first, last = sorted((edited, lost))
    return first if _length(pieces[first : last + 1]) <= width // 2 else lost


def _is_lost(piece: Piece) -> bool:
    return isinstance(piece, Mark) and (piece.kind == "lost" or any(map(_is_lost, piece.parts)))


def _ends(pieces: Sequence[Piece]) -> bool:
    """Whether the last piece is the label of the whole text."""
    last = pieces[-1] if pieces else ""
    return isinstance(last, Mark) and last.label[:1] in ("✓", "✗", "↑")


def _is_edited(piece: Piece) -> bool:
    return isinstance(piece, Mark) and (piece.kind in ("edited", "removed") or any(map(_is_edited, piece.parts)))


def _count_shared(spots: Sequence[tuple[Sequence[Piece], int]]) -> int:
    firsts = [_text([words[spot]], ("", "")) for words, spot in spots]
    pairs = zip(*firsts, strict=False) if len(firsts) > 1 else ()
    return sum(1 for _ in takewhile(lambda letters: len({*letters}) == 1, pairs))


class _Cut(NamedTuple):
    at: float
    """Share of the letters of a sentence."""
    lost: bool
    """Whether the variant loses a mark there."""
    chosen: Sequence[bool]
    """Which words of a text with several edits to show."""


def _window(pieces: Sequence[Piece], width: int, place: _Cut, shared: int) -> list[Piece]:
    tail: list[Piece] = []
    first = _spot(pieces, width)
    if _ends(pieces):
        pieces, tail = pieces[:-1], [_label_for(pieces, width)]
        if len(place.chosen) == len(pieces):
            return [*_with_gaps(pieces, place.chosen), *tail]
    room = width - _length(tail)
    if first is None or abs(_share(pieces, first) - place.at) * _letters(pieces) > width // 4:
        first = _piece_at(pieces, place, width // 4)
    whole = _length([pieces[first]]) <= room
    shown = [pieces[first] if whole else _short(pieces[first], room // 2, shared)]
    edited = _length(shown)
    before = _fitting(pieces[:first][::-1], room // 4)
    after = _fitting(pieces[first + 1 :], room - edited - _length(before))
    before = _fitting(pieces[:first][::-1], room - edited - _length(after))
    lead, rest = ["…"] * (len(before) < first), ["…"] * (first + 1 + len(after) < len(pieces))
    return [*lead, *before[::-1], *shown, *after, *rest, *tail]


def _piece_at(pieces: Sequence[Piece], place: _Cut, near: int) -> int:
    """The piece at a place; the mark that begins nearest, at most ``near`` letters away, if one is lost there."""
    ends = [*accumulate(_letters([piece]) for piece in pieces)]
    letter = place.at * ends[-1]
    away = {k: abs(ends[k] - _letters([piece]) - letter) for k, piece in enumerate(pieces) if isinstance(piece, Mark)}
    mark = min(away, key=away.__getitem__, default=None)
    if place.lost and mark is not None and away[mark] <= near:
        return mark
    return min(bisect_right(ends, letter), len(pieces) - 1)


def _is_edited_often(pieces: Sequence[Piece], width: int) -> bool:
    """Whether a labelled text with two edits or more is too long."""
    return sum(map(_is_edited, pieces)) > 1 and _ends(pieces) and _length(pieces) > width + 1


def _around_edits(pieces: Sequence[Piece], width: int) -> Sequence[bool]:
    """Which words of a labelled text to show: each edit and the nearest words; none if the edits do not fit."""
    if not _is_edited_often(pieces, width):
        return ()
    edits = [k for k, piece in enumerate(pieces) if _is_edited(piece)]
    text, room = pieces[:-1], width + DOTS + 1 - _length([_label_for(pieces, width)])
    chosen = [k in edits for k in range(len(text))]
    if _length(_with_gaps(text, chosen)) > room:
        return ()
    for k in sorted(range(len(text)), key=lambda k: min(abs(k - edit) for edit in edits)):
        more = [*chosen[:k], True, *chosen[k + 1 :]]
        chosen = more if _length(_with_gaps(text, more)) <= room else chosen
    return chosen


def _with_gaps(pieces: Sequence[Piece], chosen: Sequence[bool]) -> list[Piece]:
    """The chosen pieces, with one … for those left out between them."""
    found: list[Piece] = []
    for is_chosen, group in groupby(zip(chosen, pieces, strict=True), key=itemgetter(0)):
        found += [piece for _, piece in group] if is_chosen else ["…"]
    return found


def _label_for(pieces: Sequence[Piece], width: int) -> Piece:
    return _short_label(pieces[-1], width * 2 // 3)


def _short_label(piece: Piece, width: int) -> Piece:
    if _length([piece]) <= width or not isinstance(piece, Mark):
        return piece
    said, right = wording.shorten(_text(piece.parts, ("", "")), width // 2), piece.label.partition(" → ")[0]
    return replace(piece, parts=(said,), label=wording.shorten(right, max(1, width - len(said) - _BRACKETS)))


_BRACKETS = len("[ ] ")


def _fitting(pieces: Sequence[Piece], width: int) -> Sequence[Piece]:
    lengths = accumulate(_length([piece]) for piece in pieces)
    return pieces[: sum(1 for _ in takewhile(lambda length: length <= width, lengths))]


def _short(piece: Piece, width: int, shared: int) -> Piece:
    if _length([piece]) <= width:
        return piece
    if isinstance(piece, str):
        start = max(0, shared - width // 2) if shared < len(piece) else 0
        return ("…" if start else "") + wording.shorten(piece[start:], width)
    inside = _short(_text(piece.parts, ("", "")), width, shared)
    return replace(piece, parts=(inside,), hint=wording.shorten(piece.hint, width))


def columns(text: str) -> int:
    """Returns the columns on a terminal: 2 for a wide letter, 0 for a combining mark."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def pad(text: str, width: int) -> str:
    """Adds spaces up to ``width`` columns."""
    return text + " " * (width - columns(text))


def lines(example: ShownExample) -> list[tuple[str, str]]:
    """Returns the name and text of each sentence, with edits between `signs`."""
    around = signs(example)
    return [(sentence.which, _text(sentence.pieces, around)) for sentence in example.sentences]


def signs(example: ShownExample) -> tuple[str, str]:
    """Returns « and », repeated if the text contains them."""
    words = " ".join(_text(sentence.pieces, ("", "")) for sentence in example.sentences)
    first, last = SIGNS
    times = next(n for n in range(1, len(words) + 2) if first * n not in words and last * n not in words)
    return first * times, last * times


def edit_position(sentences: Sequence[tuple[str, str]]) -> float:
    """Returns the first edit's position as a share of sentence length."""
    return max((text.find(SIGNS[0]) / len(text) for _, text in sentences if SIGNS[0] in text), default=0.0)


def cut(text: str, width: int | None, at: float = 0.0) -> str:
    """Cuts a sentence to ``width`` characters around its first edit, or the share ``at`` of its length; keeps its
    label.
    """
    if width is None or columns(text) <= width:
        return text
    width = width * len(text) // columns(text)
    label = _LABEL_AT_END.search(text)
    if label is not None and len(label[0]) <= width // 2:
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


def legend_text(legend: Sequence[tuple[Mark, str]]) -> str:
    """Explains the marks in plain text."""
    shown = [(mark, meaning) for mark, meaning in legend if mark.label or mark.kind == "edited"]
    return "; ".join(f"{_mark_text(mark, SIGNS)} {meaning}" for mark, meaning in shown)


def line_text(line: Line) -> str:
    """Formats a line after its term."""
    if isinstance(line, str):
        return line
    return f"{line.term}: {line.text}" if line.term and line.text else line.term or line.text


def _text(pieces: Sequence[Piece], signs: tuple[str, str], brackets: str = OUTER) -> str:
    return " ".join(piece if isinstance(piece, str) else _mark_text(piece, signs, brackets) for piece in pieces)


def _mark_text(mark: Mark, signs: tuple[str, str], brackets: str = OUTER) -> str:
    inside = _text(mark.parts, signs, INNER if mark.label else brackets)
    if mark.kind == "edited":
        return f"{signs[0]}{inside}{signs[1]}"
    return f"{brackets[0]}{inside} {mark.label}{brackets[1]}" if mark.label else inside

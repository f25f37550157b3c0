"""Fragments of HTML as data: a tree of elements in JSON, in which whatever occurs twice is written once.

A text is a string. An element is a list of its name with its classes as in a style sheet (``td.abalo-number``), an
object with its other attributes where it has any, and its children. A whole number stands for a node of the shared
ones. A page that holds hundreds of tables of the same shape is a fifth as long as their markup, and a script can draw
them without reading markup, so that no text can become any.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from xml.parsers import expat

Node = str | int | list[Any]

_Key = str | tuple[str, tuple[tuple[str, str], ...], tuple[int, ...]]
"""A text, or an element with its attributes and the places of its children."""

_SHORT = 8
"""Texts of so many characters are not worth a number in their place."""


class Elements:
    """The elements of several fragments; `node` gives each as JSON once all have been added."""

    def __init__(self) -> None:
        self._places: dict[_Key, int] = {}
        self._keys: list[_Key] = []
        self._uses: list[int] = []
        self._numbers: dict[int, int] = {}

    def add(self, markup: str) -> list[int]:
        """The places of the nodes of a fragment, which must be well-formed XML: every tag closed, attributes quoted."""
        reader = _Reader(self)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = reader.start
        parser.EndElementHandler = reader.end
        parser.CharacterDataHandler = reader.text
        parser.Parse(f"<all>{markup}</all>".encode(), True)
        for place in reader.found:
            self._uses[place] += 1
        return reader.found

    def place(self, key: _Key) -> int:
        """The place of a node, which is the same for equal ones."""
        if key not in self._places:
            self._places[key] = len(self._keys)
            self._keys.append(key)
            self._uses.append(0)
            if not isinstance(key, str):
                for child in key[2]:
                    self._uses[child] += 1
        return self._places[key]

    def shared(self) -> list[Node]:
        """The nodes that are used more than once and are worth it; a number in a node is a place in this list."""
        worth = [place for place, used in enumerate(self._uses) if used > 1 and self._is_long(place)]
        self._numbers = {place: number for number, place in enumerate(worth)}
        return [self._written(place) for place in worth]

    def node(self, place: int) -> Node:
        """A node as JSON; for a shared one its number, so that `shared` must have been called."""
        return self._numbers[place] if place in self._numbers else self._written(place)

    def _is_long(self, place: int) -> bool:
        key = self._keys[place]
        return not isinstance(key, str) or len(key) > _SHORT

    def _written(self, place: int) -> Node:
        key = self._keys[place]
        if isinstance(key, str):
            return key
        name, attributes, children = key
        return [name, *([dict(attributes)] if attributes else []), *map(self.node, children)]


class _Reader:
    """Takes what the parser finds; ``found`` are the places of the nodes at the top."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._open: list[tuple[str, tuple[tuple[str, str], ...], list[int]]] = []
        self.found: list[int] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        classes = attributes.pop("class", "").split()
        self._open.append((".".join([name, *classes]), tuple(attributes.items()), []))

    def text(self, text: str) -> None:
        self._open[-1][2].append(self._elements.place(text))

    def end(self, _name: str) -> None:
        name, attributes, children = self._open.pop()
        if self._open:
            self._open[-1][2].append(self._elements.place((name, attributes, tuple(children))))
        else:
            self.found = children


def in_script(data: object) -> str:
    """The data as JSON that no browser takes for the end of a script, for markup or for the end of a line."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def all_of(elements: Elements, places: Sequence[int]) -> list[Node]:
    """Several nodes as JSON."""
    return [elements.node(place) for place in places]

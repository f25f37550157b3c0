"""HTML fragments as JSON trees that store repeated parts once.

A text is a string. An element is a list: its name with classes (``td.abalo-number``), an object with other attributes
if it has any, and its children. A whole number refers to a shared node. A script builds elements without parsing
markup, so text stays text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from xml.parsers import expat

Node = str | int | list[Any]

_ElementKey = str | tuple[str, tuple[tuple[str, str], ...], tuple[int, ...]]

_SHORT = 8
"""Only longer texts are shared."""


class Elements:
    """The elements of several fragments; add all before calling `node`."""

    def __init__(self) -> None:
        self._places: dict[_ElementKey, int] = {}
        self._keys: list[_ElementKey] = []
        self._uses: list[int] = []
        self._numbers: dict[int, int] = {}

    def add(self, markup: str) -> list[int]:
        """Returns the places of nodes in a fragment of well-formed XML."""
        reader = _FragmentReader(self)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = reader.start
        parser.EndElementHandler = reader.end
        parser.CharacterDataHandler = reader.text
        parser.Parse(f"<all>{markup}</all>".encode(), True)
        for place in reader.found:
            self._uses[place] += 1
        return reader.found

    def place(self, key: _ElementKey) -> int:
        """Returns the place of a node, shared by equal nodes."""
        if key not in self._places:
            self._places[key] = len(self._keys)
            self._keys.append(key)
            self._uses.append(0)
            if not isinstance(key, str):
                for child in key[2]:
                    self._uses[child] += 1
        return self._places[key]

    def shared(self) -> list[Node]:
        """Returns the shared nodes; numbers in nodes refer to this list."""
        worth = [place for place, used in enumerate(self._uses) if used > 1 and self._is_long(place)]
        self._numbers = {place: number for number, place in enumerate(worth)}
        return [self._written(place) for place in worth]

    def node(self, place: int) -> Node:
        """Returns a node, or its number if shared; call `shared` first."""
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


class _FragmentReader:
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
    """Formats JSON that is safe inside an HTML script."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def all_of(elements: Elements, places: Sequence[int]) -> list[Node]:
    """Returns several nodes as JSON."""
    return [elements.node(place) for place in places]

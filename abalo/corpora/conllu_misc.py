"""Entities in CoNLL-U's last column, as in NorNE: ``name=B-PER``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from abalo.corpora.schemes import are_about_entities, looks_like_tag

_WIDTH = 10
_WORD = re.compile(r"\d+")
_GLUED = "SpaceAfter=No"


def key_of_entities(text: str) -> str | None:
    """The last column's key with only entity tags."""
    values: dict[str, set[str]] = {}
    for cells in _rows(text.split("\n")):
        if cells is None:
            continue
        for part in cells[-1].split("|"):
            key, sign, value = part.partition("=")
            if sign:
                values.setdefault(key, set()).add(value)
    found = (key for key, own in values.items() if all(map(looks_like_tag, own)) and are_about_entities(own))
    return next(found, None)


def as_columns(text: str, key: str) -> str:
    """Converts lines to word, tag (or O) and spacing.

    Multiword tokens and empty nodes become comments.
    """
    lines = text.split("\n")
    return "\n".join(
        line if cells is None and (not line.strip() or line.startswith("#")) else _line(cells, key)
        for line, cells in zip(lines, _rows(lines), strict=True)
    )


def _rows(lines: Sequence[str]) -> Iterator[list[str] | None]:
    for line in lines:
        cells = line.rstrip("\r").split("\t")
        yield cells if len(cells) == _WIDTH and _WORD.fullmatch(cells[0]) else None


def _line(cells: Sequence[str] | None, key: str) -> str:
    if cells is None:
        return "# no = word"
    parts = cells[-1].split("|")
    tag = next((part.partition("=")[2] for part in parts if part.startswith(f"{key}=")), "O")
    return "\t".join((cells[1], tag, _GLUED if _GLUED in parts else "_"))

"""Word lists as data: one .tsv file each, its source and licence in the first lines."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Entry:
    """Synonyms of a word of one kind, ``pos`` being its universal part-of-speech tag."""

    pos: str
    synonyms: tuple[str, ...]


@cache
def pairs(name: str) -> Mapping[str, str]:
    """A two-column lexicon, the first column as key; raises ValueError for a lexicon that is not there."""
    return MappingProxyType({row[0]: row[1] for row in _rows(name)})


@cache
def of_class(name: str, of: str) -> frozenset[str]:
    """The words of a class in a lexicon of words and their classes, which have ``|`` between."""
    return frozenset(word for word, classes in pairs(name).items() if of in classes.split("|"))


@cache
def entries(name: str) -> Mapping[str, tuple[Entry, ...]]:
    """A lexicon of words, kinds and synonyms with ``|`` between; raises ValueError for one that is not there."""
    found: dict[str, tuple[Entry, ...]] = {}
    for word, pos, synonyms in _rows(name):
        found[word] = (*found.get(word, ()), Entry(pos, tuple(synonyms.split("|"))))
    return MappingProxyType(found)


@cache
def words(name: str) -> frozenset[str]:
    """A list of words; raises ValueError for one that is not there, and for a lexicon that says more of them."""
    rows = _rows(name)
    if any(len(row) > 1 for row in rows):
        raise ValueError(f"lexicon {name!r} is no list of words: it has {len(rows[0])} columns")
    return frozenset(row[0] for row in rows)


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of any lexicon, in its order; raises ValueError for one that is not there."""
    return tuple(map(tuple, _rows(name)))


@cache
def names() -> tuple[str, ...]:
    """The names of all lexicons, in alphabetical order."""
    return tuple(sorted(entry.name[:-4] for entry in files(__name__).iterdir() if entry.name.endswith(".tsv")))


def _rows(name: str) -> list[list[str]]:
    table = files(__name__) / f"{name}.tsv"
    if not table.is_file():
        raise ValueError(f"no lexicon {name!r}; there are: {', '.join(names())}")
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]

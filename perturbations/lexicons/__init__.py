"""Word lists as data: one .tsv file each, its source and licence in the first lines.

Those of a language stand in its folder and are named with its code: ``stop_words_pt`` is ``stop_words.tsv`` of ``pt``.
Those of no language stand here, and the published ``seed``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

PLACES = [str(Path(__file__).parents[1] / "languages")]
"""Folders that hold a folder for each language; the ``__path__`` of `perturbations.languages`."""


@dataclass(frozen=True, slots=True)
class SynonymEntry:
    """Synonyms of a word of one kind, ``pos`` being its universal part-of-speech tag."""

    pos: str
    synonyms: tuple[str, ...]


@cache
def pairs(name: str) -> Mapping[str, str]:
    """A two-column lexicon, the first column as key; raises ValueError for a lexicon that is not there."""
    return MappingProxyType({row[0]: row[1] for row in read_rows(name)})


@cache
def of_class(name: str, of: str) -> frozenset[str]:
    """The words of a class in a lexicon of words and their classes, which have ``|`` between."""
    return frozenset(word for word, classes in pairs(name).items() if of in classes.split("|"))


@cache
def entries(name: str) -> Mapping[str, tuple[SynonymEntry, ...]]:
    """A lexicon of words, kinds and synonyms with ``|`` between; raises ValueError for one that is not there."""
    found: dict[str, tuple[SynonymEntry, ...]] = {}
    for word, pos, synonyms in read_rows(name):
        found[word] = (*found.get(word, ()), SynonymEntry(pos, tuple(synonyms.split("|"))))
    return MappingProxyType(found)


@cache
def words(name: str) -> frozenset[str]:
    """A list of words; raises ValueError for one that is not there, and for a lexicon that says more of them."""
    rows = read_rows(name)
    if any(len(row) > 1 for row in rows):
        raise ValueError(f"lexicon {name!r} is no list of words: it has {len(rows[0])} columns")
    return frozenset(row[0] for row in rows)


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of any lexicon, in its order; raises ValueError for one that is not there."""
    return tuple(map(tuple, read_rows(name)))


def names() -> tuple[str, ...]:
    """The names of all lexicons, in alphabetical order."""
    return tuple(sorted(paths()))


def paths() -> Mapping[str, Path]:
    """The file of each lexicon by its name."""
    return _paths(tuple(PLACES))


@cache
def _paths(places: tuple[str, ...]) -> Mapping[str, Path]:
    found = {path.stem: path for path in Path(__file__).parent.glob("*.tsv")}
    for code, folder in _folders(places).items():
        found |= {f"{path.stem}_{code}": path for path in folder.glob("*.tsv")}
    return MappingProxyType(found)


def folders() -> Mapping[str, Path]:
    """The folder of each language by its ISO 639-1 code, in alphabetical order; of two for one language the first."""
    return _folders(tuple(PLACES))


@cache
def _folders(places: tuple[str, ...]) -> Mapping[str, Path]:
    found = {path.parent.name: path.parent for place in reversed(places) for path in Path(place).glob("??/__init__.py")}
    return MappingProxyType(dict(sorted(found.items())))


def read_rows(name: str) -> list[list[str]]:
    """The rows of any lexicon, read anew; raises ValueError for one that is not there."""
    table = paths().get(name)
    if table is None:
        raise ValueError(f"no lexicon {name!r}; there are: {', '.join(names())}")
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]

"""Fillers: the values that a slot can have, written in the file or taken from a source.

A source is a string: ``lexicon:NAME``, ``pool:TYPE``, ``pool:TYPE:SOURCE``, ``faker:METHOD``, ``faker:METHOD:LOCALE``,
``masked-lm:N`` or ``masked-lm:N:MODEL``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError
from abalo.files import is_file, read_text
from abalo.sources import faker_names
from perturbations import Sentence, lexicons
from perturbations.languages import codes, language_named
from perturbations.notation import parse
from perturbations.resources import JUDGED, REVIEWED, Pool, Suggesting
from perturbations.suggestions import did_you_mean

TO = "to"
"""The name under which a value says what it changes to, where it is the one that changes."""

_BY_WORD = (REVIEWED.name, "wordnet", "wn")
"""Sources of synonyms that have no words by themselves."""

_SOURCES = ("lexicon", "pool", "faker", "masked-lm")
_DRAWN = 200
"""How many values Faker is asked for; some may be the same."""
_SPECIAL = re.compile(r"([\\\[\]])")

WANTED = (
    'a list of texts, a list of tables such as {key = "…", other = "…"}, or a source: "lexicon:NAME", "pool:TYPE", '
    '"faker:METHOD" or "masked-lm:N"'
)
"""The kinds of filler, in words."""


@dataclass(frozen=True)
class Row:
    """A value, with ``more`` that belongs to it by name, and the row that it changes ``to``, if it says so."""

    value: str
    more: Mapping[str, str] = field(default_factory=dict)
    to: Row | None = None

    def __hash__(self) -> int:
        return hash((self.value, *sorted(self.more.items()), self.to))


@dataclass(frozen=True, slots=True)
class Listed:
    """Values that stand in the file."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Values that are found when a run begins; ``arguments`` are the parts behind the colons."""

    kind: str
    arguments: tuple[str, ...]

    @property
    def spec(self) -> str:
        """As it stands in the file."""
        return ":".join((self.kind, *self.arguments))


Filler = Listed | Source


def filler_of(key: str, given: Any) -> Filler:
    """The filler that stands in the file under a key; raises ValueError, saying what is expected, for anything else."""
    if isinstance(given, str):
        return _source(given)
    if not isinstance(given, list | tuple) or not given:
        raise ValueError(f"{given!r}; expected {WANTED}")
    found = tuple(_row(key, each) for each in given)
    if len(set(found)) < len(found):
        twice = next(row.value for k, row in enumerate(found) if row in found[:k])
        raise ValueError(f"{twice!r} stands there twice; leave one out")
    return Listed(found)


def _row(key: str, given: Any) -> Row:
    if isinstance(given, str):
        return Row(_checked(given))
    if not isinstance(given, Mapping) or key not in given:
        raise ValueError(f'{given!r}; expected a text, or a table with the text under {key}, as in {{{key} = "…"}}')
    more = {name: value for name, value in given.items() if name not in (key, TO)}
    wrong = next((name for name, value in more.items() if not isinstance(value, str)), None)
    if not isinstance(given[key], str) or wrong is not None:
        raise ValueError(f"{given!r}: {wrong or key} is no text; write it in quotation marks")
    return Row(_checked(given[key]), more, _row(key, given[TO]) if TO in given else None)


def _checked(value: str) -> str:
    """The value; raises ValueError where it is not in the notation of templates by itself."""
    if value != " ".join(value.split()):
        raise ValueError(f"{value!r}; expected words with one space between, and none around them")
    if value:
        parse(value)
    return value


def _source(spec: str) -> Source:
    kind, _, rest = spec.partition(":")
    if kind in _BY_WORD:
        raise ValueError(f"{spec!r}: has words for other words, and a slot has none to ask for; expected {WANTED}")
    if kind not in _SOURCES:
        raise ValueError(f"{spec!r}: no such source{did_you_mean(kind, _SOURCES)}; expected {WANTED}")
    arguments = (rest,) if kind == "lexicon" else tuple(rest.split(":", 1))
    if not arguments[0]:
        raise ValueError(f"{spec!r}: nothing behind the colon; expected {WANTED}")
    if kind == "masked-lm" and not (arguments[0].isdecimal() and 0 < int(arguments[0]) <= 100):
        raise ValueError(f"{spec!r}: {arguments[0]!r}; expected how many words, from 1 to 100, such as masked-lm:5")
    if kind == "faker" and find_spec("faker") is None:
        raise ValueError(f"{spec!r} needs Faker: pip install 'abalo[faker]'")
    return Source(kind, arguments)


# Sources --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Means:
    """The means by which sources are found: the ``language``, and the finders of pools and language models by name."""

    language: str
    pool: Callable[[str], Pool]
    suggesting: Callable[[str], Suggesting]
    folder: Path = Path()
    """The folder that paths of files are relative to."""

    @classmethod
    def of(cls, language: str, called: Callable[[str, type], Any], folder: Path) -> Means:
        """Those of resources, where ``called`` gives the one of a name and a kind."""
        return cls(language, lambda name: called(name, Pool), lambda name: called(name, Suggesting), folder)


def rows_of(source: Source, means: Means) -> tuple[Row, ...]:
    """The values of a source other than a language model, in an order that stays; raises `AbaloError` without any."""
    first, *rest = source.arguments
    if source.kind == "lexicon":
        values = _words(first, means)
    elif source.kind == "pool":
        pool = means.pool(rest[0] if rest else JUDGED)
        shared = {*pool.shared(first)}
        values = [" ".join(map(escaped, entity)) for entity in pool.entities(first) if entity not in shared]
    else:
        values = [" ".join(map(escaped, value.split())) for value in _made_up(source, means.language)]
    found = tuple(map(Row, dict.fromkeys(values)))
    if not found:
        raise AbaloError(f"{source.spec}: has no values here; name another source, or list the values")
    return found


def escaped(word: str) -> str:
    """A word as the notation of templates has it."""
    return _SPECIAL.sub(r"\\\1", word).replace(" ", "\\ ")


def missing(source: Source, folder: Path, language: str = "") -> str | None:
    """Why there is no such list, of the language where one is known; None where there is, or it is another source.

    A list is a file in the ``folder``, or ships, under its own name or with the code of a language behind it.
    """
    if source.kind != "lexicon":
        return None
    (name,) = source.arguments
    spoken = [language] if language in codes() else codes()
    if is_file(folder / name) or any(
        each in lexicons.names() for each in (name, *(f"{name}_{code}" for code in spoken))
    ):
        return None
    of = f" for {language}" if any(f"{name}_{code}" in lexicons.names() for code in codes()) else ""
    near = did_you_mean(name, lexicons.names())
    return f"lexicon:{name}: no such file, and no list of this name ships{of}{near}; expected a file or a list"


def _words(name: str, means: Means) -> list[str]:
    """The first column of a list that ships, or of a file beside the one that names it; a comment begins with #.

    Of a list that ships, such as ``given_names``, the one of the language.
    """
    path = means.folder / name
    if not is_file(path):
        problem = missing(Source("lexicon", (name,)), means.folder, means.language)
        if problem is not None:
            raise AbaloError(problem)
        found = [row[0] for row in lexicons.rows(name if name in lexicons.names() else f"{name}_{means.language}")]
    else:
        try:
            lines = read_text(path, "utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise AbaloError(f"lexicon:{name}: cannot be read as UTF-8 text: {error}") from error
        found = [line.split("\t")[0].strip() for line in lines if line.strip() and not line.startswith("#")]
    return [" ".join(map(escaped, value.split())) for value in found]


def _made_up(source: Source, language: str) -> Iterable[str]:
    """Values by Faker, the same each time; in the locale of the language where none is said."""
    method, *rest = source.arguments
    usual = language_named(language).faker if language in codes() else ""
    return faker_names.values(method, rest[0] if rest else usual or "en_US", _DRAWN)


def suggested(source: Source, words: Sequence[str], place: int, means: Means) -> tuple[Row, ...]:
    """The likeliest words of a masked language model in a place of a sentence; raises `AbaloError` without any."""
    most, *rest = source.arguments
    model = means.suggesting(rest[0] if rest else "bundled")
    ranked = model.suggestions(Sentence(tuple(words)), place)
    found = tuple(dict.fromkeys(Row(escaped(word)) for word, _ in ranked if word.split() == [word]))
    if not found:
        raise AbaloError(f"{source.spec}: the model has no word for {' '.join(words)!r}; list the values")
    return found[: int(most)]

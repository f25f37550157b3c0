"""Fillers: the values of a slot, listed in the file or taken from a source.

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
"""Key under which a value names its replacement."""

_BY_WORD = (REVIEWED.name, "wordnet", "wn")

_SOURCES = ("lexicon", "pool", "faker", "masked-lm")
_DRAWN = 200
_SPECIAL = re.compile(r"([\\\[\]])")

WANTED = (
    'a list of texts, a list of tables such as {key = "…", other = "…"}, or a source: "lexicon:NAME", "pool:TYPE", '
    '"faker:METHOD" or "masked-lm:N"'
)


@dataclass(frozen=True)
class FillerRow:
    """A value with its forms in ``more``, and its replacement ``to``, if any."""

    value: str
    more: Mapping[str, str] = field(default_factory=dict)
    to: FillerRow | None = None

    def __hash__(self) -> int:
        return hash((self.value, *sorted(self.more.items()), self.to))


@dataclass(frozen=True, slots=True)
class ListedValues:
    """Values listed in the file."""

    rows: tuple[FillerRow, ...]


@dataclass(frozen=True, slots=True)
class ValueSource:
    """Values found when a run begins; ``arguments`` follow the first colon."""

    kind: str
    arguments: tuple[str, ...]

    @property
    def spec(self) -> str:
        """The source as written in the file."""
        return ":".join((self.kind, *self.arguments))


Filler = ListedValues | ValueSource


def filler_of(key: str, given: object) -> Filler:
    """Parses a filler; raises ValueError if it is invalid."""
    if isinstance(given, str):
        return _source(given)
    if not isinstance(given, list | tuple) or not given:
        raise ValueError(f"{given!r}; expected {WANTED}")
    found = tuple(_row(key, each) for each in given)
    if len(set(found)) < len(found):
        twice = next(row.value for k, row in enumerate(found) if row in found[:k])
        raise ValueError(f"{twice!r} stands there twice; leave one out")
    return ListedValues(found)


def _row(key: str, given: object) -> FillerRow:
    if isinstance(given, str):
        return FillerRow(_check_value(given))
    if not isinstance(given, Mapping) or key not in given:
        raise ValueError(f'{given!r}; expected a text, or a table with the text under {key}, as in {{{key} = "…"}}')
    more = {name: value for name, value in given.items() if name not in (key, TO)}
    wrong = next((name for name, value in more.items() if not isinstance(value, str)), None)
    if not isinstance(given[key], str) or wrong is not None:
        raise ValueError(f"{given!r}: {wrong or key} is no text; write it in quotation marks")
    return FillerRow(_check_value(given[key]), more, _row(key, given[TO]) if TO in given else None)


def _check_value(value: str) -> str:
    if value != " ".join(value.split()):
        raise ValueError(f"{value!r}; expected words with one space between, and none around them")
    if value:
        parse(value)
    return value


def _source(spec: str) -> ValueSource:
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
    return ValueSource(kind, arguments)


# Sources --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Means:
    """What sources need: the language, and finders of pools and language models."""

    language: str
    pool: Callable[[str], Pool]
    suggesting: Callable[[str], Suggesting]
    folder: Path = Path()

    @classmethod
    def of(cls, language: str, called: Callable[[str, type], Any], folder: Path) -> Means:
        """Takes the finders from ``called(name, kind)``."""
        return cls(language, lambda name: called(name, Pool), lambda name: called(name, Suggesting), folder)


def rows_of(source: ValueSource, means: Means) -> tuple[FillerRow, ...]:
    """Returns a source's values in stable order, except for language models; raises `AbaloError` if it has none."""
    first, *rest = source.arguments
    if source.kind == "lexicon":
        values = _words(first, means)
    elif source.kind == "pool":
        pool = means.pool(rest[0] if rest else JUDGED)
        shared = {*pool.shared(first)}
        values = [" ".join(map(escape_word, entity)) for entity in pool.entities(first) if entity not in shared]
    else:
        values = [" ".join(map(escape_word, value.split())) for value in _invent_values(source, means.language)]
    found = tuple(map(FillerRow, dict.fromkeys(values)))
    if not found:
        raise AbaloError(f"{source.spec}: has no values here; name another source, or list the values")
    return found


def escape_word(word: str) -> str:
    """Escapes a word for the notation of templates."""
    return _SPECIAL.sub(r"\\\1", word).replace(" ", "\\ ")


def missing(source: ValueSource, folder: Path, language: str = "") -> str | None:
    """Explains why a lexicon, a file or bundled list, is missing; None if nothing is missing."""
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
    path = means.folder / name
    if not is_file(path):
        problem = missing(ValueSource("lexicon", (name,)), means.folder, means.language)
        if problem is not None:
            raise AbaloError(problem)
        found = [row[0] for row in lexicons.rows(name if name in lexicons.names() else f"{name}_{means.language}")]
    else:
        try:
            lines = read_text(path, "utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise AbaloError(f"lexicon:{name}: cannot be read as UTF-8 text: {error}") from error
        found = [line.split("\t")[0].strip() for line in lines if line.strip() and not line.startswith("#")]
    return [" ".join(map(escape_word, value.split())) for value in found]


def _invent_values(source: ValueSource, language: str) -> Iterable[str]:
    method, *rest = source.arguments
    usual = language_named(language).faker if language in codes() else ""
    return faker_names.values(method, rest[0] if rest else usual or "en_US", _DRAWN)


def suggest_rows(source: ValueSource, words: Sequence[str], place: int, means: Means) -> tuple[FillerRow, ...]:
    """Returns a masked language model's likeliest words; raises `AbaloError` if it suggests none."""
    most, *rest = source.arguments
    model = means.suggesting(rest[0] if rest else "bundled")
    ranked = model.suggestions(Sentence(tuple(words)), place)
    found = tuple(dict.fromkeys(FillerRow(escape_word(word)) for word, _ in ranked if word.split() == [word]))
    if not found:
        raise AbaloError(f"{source.spec}: the model has no word for {' '.join(words)!r}; list the values")
    return found[: int(most)]

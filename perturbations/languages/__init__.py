"""Languages, as perturbations have to know them: a folder for each, found by itself.

A folder is called by the ISO 639-1 code of its language. Its ``__init__.py`` has ``LANGUAGE``, a `Language` with the
facts; tables are .tsv files and rules are modules beside it. `parts.PARTS` lists what there can be, and all of it is
optional: a perturbation that needs a part is for the languages that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from perturbations.languages.language import Called, Keyboard, Language
from perturbations.languages.layout import Layout
from perturbations.languages.parts import PARTS, Borders, Facts, WordTable
from perturbations.lexicons import PLACES, folders
from perturbations.suggestions import did_you_mean
from perturbations.text import Sentence

__path__ = PLACES

__all__ = [
    "ANY",
    "Called",
    "Keyboard",
    "Language",
    "add_languages",
    "check_parts",
    "codes",
    "enumerate_names",
    "further_names",
    "has",
    "lack",
    "language_named",
    "layout_of",
    "optional_rules",
    "rules",
    "with_parts",
]

ANY = "any"
"""The value of a parameter ``language`` where no language is meant."""

P = TypeVar("P")


def add_languages(folder: Path) -> None:
    """Finds further languages in this folder from now on, in a folder each; raises ValueError if there are none."""
    if not any(folder.glob("??/__init__.py")):
        missing = "has no language" if folder.is_dir() else "is no folder"
        raise ValueError(
            f"add_languages({str(folder)!r}): {missing}; expected a folder with one for each language, called by its "
            "ISO 639-1 code, such as eo/__init__.py; a relative path starts where the command runs: write "
            "Path(__file__).parent / 'languages'"
        )
    if str(folder) not in PLACES:
        PLACES.append(str(folder))


def codes() -> tuple[str, ...]:
    """The codes of all languages that have a folder, in alphabetical order."""
    return tuple(folders())


def language_named(code: str) -> Language:
    """The facts of a language; raises ValueError for one without a folder, TypeError for a folder that has none."""
    return _language(tuple(PLACES), code)


@cache
def _language(_places: tuple[str, ...], code: str) -> Language:
    if code not in folders():
        raise ValueError(f"no language {code!r}{did_you_mean(code, codes())}; there are {enumerate_names(codes())}")
    found = getattr(import_module(f"{__name__}.{code}"), "LANGUAGE", None)
    if not isinstance(found, Language):
        place = folders()[code] / "__init__.py"
        raise TypeError(f"{place}: LANGUAGE is {found!r}; write LANGUAGE = Language(name=…) of perturbations.languages")
    return found


def has(code: str, *parts: str) -> bool:
    """Whether the language has a folder with all of these parts."""
    return _has_all(tuple(PLACES), code, parts)


@cache
def _has_all(_places: tuple[str, ...], code: str, parts: tuple[str, ...]) -> bool:
    return code in folders() and not _missing(code, parts)


def with_parts(*parts: str) -> tuple[str, ...]:
    """The languages that have all of these parts, in alphabetical order."""
    return _with_parts(tuple(PLACES), parts)


@cache
def _with_parts(_places: tuple[str, ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code for code in codes() if has(code, *parts))


def lack(name: str, code: str, parts: Iterable[str]) -> str:
    """Why the perturbation ``name``, which needs these parts, has nothing to say in a language, as a sentence."""
    if code not in folders():
        return f"{name} is for {enumerate_names(with_parts(*parts))}; there is no language {code!r}"
    part, *_ = _missing(code, parts)
    data = part.replace("_", " ")
    there = enumerate_names(with_parts(part))
    return f"{name} needs the language data '{data}', which Abalo does not have for {code}; it has them for {there}"


def rules(code: str, part: str, kind: Callable[..., P]) -> P:  # noqa: ARG001 - tells the type checker what comes out
    """The module of a language that has these rules; raises ValueError where it has none."""
    return cast(P, _module(tuple(PLACES), code, part))


@cache
def _module(_places: tuple[str, ...], code: str, part: str) -> ModuleType:
    if not has(code, part):
        raise ValueError(lack("what is asked for", code, [part]))
    return import_module(f"{__name__}.{code}.{part}")


def optional_rules(code: str, part: str, kind: Callable[..., P]) -> P | None:
    """The same; None where the language has no such rules."""
    return rules(code, part, kind) if has(code, part) else None


def layout_of(words: Sequence[str], sentence: Sentence) -> Layout | None:
    """How ``sentence`` is cut, if the words are of a language whose words are no tokens, and it is too."""
    code = _cut_language(tuple(PLACES), tuple(words))
    return None if code is None else rules(code, "borders", Borders).layout(sentence)


@lru_cache(2**12)
def _cut_language(_places: tuple[str, ...], words: tuple[str, ...]) -> str | None:
    """The language without spaces between words that these are of."""
    alone = Sentence(words)
    return next((code for code in with_parts("borders") if rules(code, "borders", Borders).layout(alone)), None)


def check_parts(name: str, parts: Iterable[str]) -> None:
    """Raises ValueError for what is no part of a language."""
    for part in parts:
        if part not in PARTS:
            raise ValueError(f"{name}: no part {part!r} of a language{did_you_mean(part, PARTS)}")


def enumerate_names(names: Iterable[str]) -> str:
    """The names with commas and *and* between, such as "en, fr and pt"."""
    *first, last = list(names) or ["no language"]
    return f"{', '.join(first)} and {last}" if first else last


def further_names() -> Mapping[str, tuple[str, Called]]:
    """The further names of perturbations that languages have, each with the language."""
    return {name: (code, known) for code in codes() for name, known in language_named(code).called.items()}


def _missing(code: str, parts: Iterable[str]) -> list[str]:
    return [part for part in parts if not _has(str(folders()[code]), code, part)]


@cache
def _has(folder: str, code: str, part: str) -> bool:
    kind: Any = PARTS[part]
    if isinstance(kind, Facts):
        return bool(getattr(language_named(code), part))
    return (Path(folder) / f"{part}{'.tsv' if isinstance(kind, WordTable) else '.py'}").is_file()

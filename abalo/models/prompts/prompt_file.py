"""Prompt files: a plain template, or TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.models.prompts.template import REPLIES
from perturbations.suggestions import did_you_mean

_MOST_RETRIES = 10

_TYPES: Mapping[str, tuple[type, str]] = {
    "prompt": (str, "text"),
    "system": (str, "text"),
    "labels": (dict, 'a table with a description for each label, such as PER = "names of people"'),
    "names": (dict, 'a table with another name for each label, such as PER = "person"'),
    "examples": (str, "the name of a corpus, such as train.conll"),
    "shown": (int, "a whole number from 1"),
    "retries": (int, f"a whole number from 0 to {_MOST_RETRIES}"),
    "reply": (str, f"one of {', '.join(REPLIES)}"),
}


def read(spec: str, name: str) -> Mapping[str, Any]:
    """The fields of a `PromptTemplate` that a file gives: TOML by extension, else a template; "" gives none.

    Paths are relative to the file.
    """
    if not name:
        return {}
    path = Path(name)
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise AbaloError(f"model {spec}: its prompt file cannot be read: {visible(error)}") from error
    if path.suffix != ".toml":
        return {"prompt": text}
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise AbaloError(f"model {spec}: {path} is no TOML: {visible(error)}") from error
    return checked(values, f"model {spec}: {path}", path.parent)


def read_alternatives(name: str) -> Mapping[str, Mapping[str, Any]]:
    """The fields of variants by their names, from TOML tables."""
    path = Path(name)
    try:
        tables = tomllib.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise AbaloError(f"alternatives {visible(name)}: cannot be read: {visible(error)}") from error
    if wrong := [key for key, value in tables.items() if not isinstance(value, dict)]:
        raise AbaloError(
            f"alternatives {visible(name)} {visible(wrong[0])}: expected a table for each prompt, such as [short] with "
            'prompt = "…"'
        )
    return {
        key: checked(values, f"alternatives {visible(name)} [{visible(key)}]", path.parent)
        for key, values in tables.items()
    }


def checked(values: Mapping[str, Any], place: str, folder: Path) -> Mapping[str, Any]:
    """The checked keys of a prompt file, called ``place`` in errors."""
    problems = [problem for key, value in values.items() if (problem := _problem(key, value))]
    if problems:
        raise AbaloError("\n".join(f"{place} {each}" for each in problems))
    found = dict(values)
    if "examples" in found and ":" not in found["examples"]:
        found["examples"] = str(folder / found["examples"])
    return found


def _problem(key: str, value: Any) -> str:
    if key not in _TYPES:
        return f"{key}: no such key{did_you_mean(key, _TYPES)}; there are {', '.join(_TYPES)}"
    kind, wanted = _TYPES[key]
    fits = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    if fits and key in ("labels", "names"):
        fits = all(isinstance(each, str) for each in value.values())
    if fits and key == "examples":
        fits = bool(value.strip())
    if fits and key == "reply":
        fits = value in REPLIES
    if fits and key in ("shown", "retries"):
        fits = value >= 1 if key == "shown" else 0 <= value <= _MOST_RETRIES
    return "" if fits else f"{key}: {value!r:.80}; expected {wanted}"

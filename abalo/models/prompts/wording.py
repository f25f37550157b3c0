"""Prompt files: a plain template, or TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.models.prompts.protocol import Message, PromptForm
from perturbations.suggestions import did_you_mean

LABELS, FORMAT = "{labels}", "{format}"

RETRIES = 1

ReplyForm = Literal["usual", "json", "marked"]

_MOST_RETRIES = 10

_LONGEST_CUE, _BEHIND_CUE = 40, " \t\n*_`"


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of a prompt.

    * ``prompt``, ``system``: templates; "" for the defaults.
    * ``labels``: descriptions; ``names``: shown in place of labels.
    * ``examples``: corpus for the first ``shown`` examples.
    * ``retries``: calls after an unreadable reply.
    """

    prompt: str = ""
    system: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    examples: str = ""
    shown: int = 5
    retries: int = RETRIES
    reply: ReplyForm = "usual"


_TYPES: Mapping[str, tuple[type, str]] = {
    "prompt": (str, "text"),
    "system": (str, "text"),
    "labels": (dict, 'a table with a description for each label, such as PER = "names of people"'),
    "names": (dict, 'a table with another name for each label, such as PER = "person"'),
    "examples": (str, "the name of a corpus, such as train.conll"),
    "shown": (int, "a whole number from 1"),
    "retries": (int, f"a whole number from 0 to {_MOST_RETRIES}"),
    "reply": (str, f"one of {', '.join(get_args(ReplyForm))}"),
}


def read(spec: str, name: str) -> Wording:
    """Reads TOML by extension, else a template; "" for the default.

    Paths are relative to the file.
    """
    if not name:
        return Wording()
    path = Path(name)
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise AbaloError(f"model {spec}: its prompt file cannot be read: {visible(error)}") from error
    if path.suffix != ".toml":
        return Wording(prompt=text)
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise AbaloError(f"model {spec}: {path} is no TOML: {visible(error)}") from error
    return Wording(**checked(values, f"model {spec}: {path}", path.parent))


def read_alternatives(name: str, usual: Wording) -> Mapping[str, Wording]:
    """Reads named variants of the usual prompt from TOML tables."""
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
        key: replace(usual, **checked(values, f"alternatives {visible(name)} [{visible(key)}]", path.parent))
        for key, values in tables.items()
    }


def checked(values: Mapping[str, Any], place: str, folder: Path) -> dict[str, Any]:
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
    if fits and key == "reply":
        fits = value in get_args(ReplyForm)
    if fits and key in ("shown", "retries"):
        fits = value >= 1 if key == "shown" else 0 <= value <= _MOST_RETRIES
    return "" if fits else f"{key}: {value!r:.80}; expected {wanted}"


@dataclass(frozen=True, slots=True)
class Shot:
    """An example in a prompt."""

    given: Any
    gold: Any


class Worded:
    """A wording with its examples, checked against a form."""

    def __init__(self, spec: str, wording: Wording, form: PromptForm[Any, Any], shots: Sequence[Shot] = ()) -> None:
        self.spec, self.wording, self.form, self.shots = spec, wording, form, tuple(shots)
        self._places = (*form.places, LABELS, FORMAT)
        template = wording.prompt or form.usual()
        missing = [place for place in form.places if place not in template]
        missing += [LABELS] * (bool(form.labels) and LABELS not in template + wording.system)
        if missing:
            raise AbaloError(f"model {spec}: its template lacks {' and '.join(missing)}; put them where they belong")
        if unknown := sorted({*wording.labels, *wording.names} - {*form.labels}):
            does = "describes" if unknown[0] in wording.labels else "names"
            raise AbaloError(
                f"model {spec}: its prompt {does} {unknown[0]!r}, which is no label of the corpus"
                f"{did_you_mean(unknown[0], form.labels)}; there are {', '.join(form.labels)}"
            )
        shown = [*map(self._name, form.labels)]
        if len({each.casefold() for each in shown}) < len(shown):
            raise AbaloError(f"model {spec}: its prompt gives two labels one name; there are {', '.join(shown)}")
        self._template = template
        self.messages = [Message("system", self._filled(wording.system, {}))] if wording.system else []
        for shot in shots:
            self.messages += [self._asked(shot.given), Message("assistant", form.said(shot.given, shot.gold))]

    @property
    def template(self) -> str:
        """The file's template, else the default."""
        return self._template

    @property
    def cue(self) -> str:
        """The words before the colon that the template ends in, such as "Label"; "" without one."""
        last = self._template.rstrip(_BEHIND_CUE).rpartition("\n")[2]
        found = re.split(r"[.?!。？！{}]", last)[-1].strip(_BEHIND_CUE + "#")
        return found[:-1].strip(_BEHIND_CUE) if found.endswith((":", "：")) and len(found) <= _LONGEST_CUE else ""

    def conversation(self, given: object) -> tuple[Message, ...]:
        """System prompt, examples and question."""
        return (*self.messages, self._asked(given))

    def _asked(self, given: object) -> Message:
        return Message("user", self._filled(self._template, self.form.parts(given)))

    def _filled(self, template: str, parts: Mapping[str, str]) -> str:
        said = {LABELS: ", ".join(map(self._described, self.form.labels)), FORMAT: self.form.format(), **parts}
        pieces = re.split(f"({'|'.join(map(re.escape, self._places))})", template)
        return "".join(said.get(piece, piece) for piece in pieces)

    def _described(self, label: str) -> str:
        name, description = self._name(label), self.wording.labels.get(label)
        return name if description is None else f"{name} ({description})"

    def _name(self, label: str) -> str:
        return self.wording.names.get(label, label)

"""The grammar of corpora: ``SOURCE?name=value&name=value``; what is true or false needs no ``=true``.

An existing file is the source even if its name has a ``?``. Otherwise the last ``?`` begins the settings. ``%3F`` and
``%26`` stand for ``?`` and ``&`` elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from abalo.errors import AbaloError, visible
from abalo.files import is_file
from perturbations.suggestions import did_you_mean

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class CorpusSetting:
    """A setting of a corpus.

    Values are the ``choices``, or what ``read`` makes of the text, None if unusable; ``kind`` stands for a value in
    help, and ``expected`` describes values in errors. ``empty`` allows a value without characters.
    """

    name: str
    meaning: str
    kind: str = "COLUMN"
    choices: Mapping[str, object] = field(default_factory=dict)
    read: Callable[[str], object] = str
    expected: str = ""
    empty: bool = False

    @property
    def form(self) -> str:
        """How it is written, such as ``text=COLUMN``."""
        return f"{self.name}={'|'.join(self.choices) or self.kind}"

    def value(self, text: str, spec: str) -> object:
        """The value of a text; raises `AbaloError`."""
        found = self.choices.get(text) if self.choices else self.read(text)
        if found is None:
            expected = self.expected or f"one of {', '.join(self.choices)}"
            _refuse(spec, f"{self.name}={text}", expected, did_you_mean(text, self.choices))
        return found

    def within(self, spec: str) -> Any:
        """Its value in a spec that `CorpusSpec.read` has taken, None if absent."""
        for part in (_cut(spec)[1] or "").split("&"):
            name, sign, text = part.partition("=")
            if name == self.name:
                return self.value(_plain(text) if sign else "true", spec)
        return None


def chosen(name: str, meaning: str, choices: Iterable[str]) -> CorpusSetting:
    """A setting with fixed values."""
    return CorpusSetting(name, meaning, choices={each: each for each in choices})


def switch(name: str, meaning: str) -> CorpusSetting:
    """A setting that is true or false, and true without a value."""
    return CorpusSetting(name, meaning, choices={"true": True, "false": False})


@dataclass(frozen=True, slots=True)
class CorpusKind:
    """The corpora that a task reads: their ``files`` in words, such as ``JSON lines with a text``, and settings."""

    files: str = ""
    settings: Sequence[CorpusSetting] = ()


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """A corpus as named by a user: its source, such as a file, and the values of its settings by name."""

    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, spec: str, known: Sequence[CorpusSetting]) -> CorpusSpec:
        """Parses a spec; raises `AbaloError` unless each setting is ``known``, given once and has a usable value."""
        source, asked = _cut(spec)
        by_name, found = {each.name: each for each in known}, dict[str, object]()
        all_forms = ", ".join(each.form for each in known[:_SHOWN]) + (", …" if known[_SHOWN:] else "")
        for part in [] if asked is None else asked.split("&"):
            name, sign, text = part.partition("=")
            if (setting := by_name.get(name)) is None:
                near = did_you_mean(name, by_name) or _near_value(name, known)
                literal = "" if sign else "; write a ? in a name as %3F"
                problem = f"no setting {name!r}" if part else "no setting after the ?"
                _refuse(spec, problem, all_forms or "a name without settings", near + literal)
            if not sign and True in setting.choices.values():
                sign, text = "=", "true"
            if not sign or not (text or setting.empty):
                _refuse(spec, f"the setting {name} has no value", setting.form)
            if name in found:
                _refuse(spec, f"the setting {name} is there twice", f"it once; leave out {part}")
            found[name] = setting.value(_plain(text), spec)
        return cls(source, found)

    @classmethod
    def guess(cls, spec: str, known: Sequence[CorpusSetting]) -> CorpusSpec:
        """Like `read`, without settings if `read` refuses them."""
        try:
            return cls.read(spec, known)
        except AbaloError:
            return cls(source_in(spec))

    def among(self, names: Iterable[str]) -> dict[str, Any]:
        """The given settings with these names."""
        return {name: self.settings[name] for name in names if name in self.settings}


def source_in(spec: str) -> str:
    """The source of a spec with any settings."""
    return _cut(spec)[0]


def with_source(spec: str, place: Callable[[str], str]) -> str:
    """The spec with its source at another place, such as in another folder."""
    source, asked = _cut(spec)
    return place(source) if asked is None else f"{place(source)}?{asked}"


def names_in(spec: str) -> set[str]:
    """The names of the settings in a spec, known or not."""
    asked = _cut(spec)[1]
    return set() if asked is None else {part.partition("=")[0] for part in asked.split("&")}


def _cut(spec: str) -> tuple[str, str | None]:
    source, mark, asked = spec.rpartition("?")
    return (_plain(source), asked) if mark and not is_file(Path(spec)) else (_plain(spec), None)


def _plain(text: str) -> str:
    return text if is_file(Path(text)) else text.replace("%3F", "?").replace("%26", "&")


def _near_value(name: str, known: Sequence[CorpusSetting]) -> str:
    forms = {each: f"{setting.name}={each}" for setting in known for each in setting.choices}
    return f"; did you mean {forms[name]!r}?" if name in forms else ""


def _refuse(spec: str, problem: str, expected: str, near: str = "") -> NoReturn:
    raise AbaloError(f"{visible(spec)}: {visible(problem)}; expected {expected}{near}")

"""The grammar of corpora: ``SOURCE?name=value&name=value``; what is true or false needs no ``=true``.

An existing file is the source even if its name has a ``?``. Otherwise the last ``?`` begins the settings. ``%3F`` and
``%26`` stand for ``?`` and ``&`` elsewhere. ``READER:SOURCE`` names a reader; the suffix of a file can choose one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from abalo.core.protocols.registry import Registry
from abalo.core.records.json_records import Json
from abalo.core.records.tally import Tally
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


TAKEN = (
    *(".conll", ".conllu", ".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".tsv", ".txt", ".xml"),
    *("", ".", ".gz", ".sgm", ".spacy", ".tmx", ".xlf", ".xliff"),
)
"""Suffixes that no reader can have."""


@dataclass(frozen=True, slots=True)
class Omitted:
    """Stands for a record that is not read, such as because of ``no annotation``."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Makes records in the JSON forms that tasks read from files of another form.

    Args:
        name: the scheme in ``name:PATH``.
        meaning: one line about the files.
        read: makes records from an existing file or folder and the reader's settings. Each record has a place in words,
            such as ``line 3``. The function counts lost gold in the tally and raises `AbaloError` for unusable files.
        suffixes: such as ``.ann``; a file with this suffix, or a folder with such a file, needs no scheme.
        settings: may follow the ``?``, as the settings of the task may.
        claims: True for JSON records of this reader; decides by the first record of a file. None: never.
        convert: makes records that tasks read, or `Omitted`, from JSON records with places.
    """

    name: str
    meaning: str
    read: Callable[[Path, Mapping[str, Any], Tally], Iterable[tuple[str, Json]]]
    suffixes: tuple[str, ...] = ()
    settings: tuple[CorpusSetting, ...] = ()
    claims: Callable[[Json], bool] | None = None
    convert: Callable[[Iterable[tuple[int, Any]], Tally], Iterable[tuple[int, Any]]] | None = None

    def __post_init__(self) -> None:
        if self.name in ("hub", "bundled"):
            raise AbaloError(f"a reader cannot be called {self.name!r}, which begins other names; choose another")
        for suffix in self.suffixes:
            if suffix in TAKEN or not suffix.startswith(".") or suffix != suffix.lower():
                expected = "a dot and small letters, no suffix that is read already"
                raise AbaloError(f"the suffix {suffix!r} of the reader {self.name!r}; expected {expected}")


readers: Registry[Reader] = Registry("reader", "abalo.corpora.readers", "READER", group="abalo.readers")


def reader_of(source: str) -> tuple[Reader, str] | None:
    """The reader that a source without settings needs, and its path.

    An existing file or folder is the path even if its name begins with a scheme.
    """
    known, path = readers(), Path(source)
    scheme, mark, rest = source.partition(":")
    if mark and scheme in known and not _exists(path):
        return known[scheme], _unescaped(rest)
    names = [source, *_names_in(path)]
    found = (each for each in known.values() if each.suffixes and any(n.lower().endswith(each.suffixes) for n in names))
    return next(((each, source) for each in found), None)


def reader_of_record(value: object) -> Reader | None:
    """The reader that claims a value of JSON, if any."""
    if not isinstance(value, Mapping):
        return None
    return next((each for each in readers().values() if each.claims is not None and each.claims(value)), None)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _names_in(path: Path) -> list[str]:
    try:
        return sorted(child.name for child in path.iterdir()) if path.is_dir() else []
    except (OSError, ValueError):
        return []


@dataclass(frozen=True, slots=True)
class CorpusKind:
    """The corpora that a task reads: their ``files`` in words, such as ``JSON lines with a text``, and settings."""

    files: str = ""
    settings: Sequence[CorpusSetting] = ()


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """A corpus as named by a user: its source, such as a file, and the values of its settings by name.

    The source keeps the settings of its reader.
    """

    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, spec: str, known: Sequence[CorpusSetting]) -> CorpusSpec:
        """Parses a spec; raises `AbaloError` unless each setting is ``known``, given once and has a usable value.

        The settings of a reader are known, too.
        """
        source, asked = _cut(spec)
        own = _settings_of(source)
        found = _parsed(spec, asked, [*known, *own])
        if not source:
            _refuse(spec or "corpus", "names no corpus", "a file, such as dev.conll, bundled:NAME or hub:DATASET:SPLIT")
        kept = [found[each.name][0] for each in own if each.name in found]
        values = {name: value for name, (_, value) in found.items() if found[name][0] not in kept}
        return cls(f"{source}?{'&'.join(kept)}" if kept else source, values)

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


def asked_reader(source: str) -> tuple[Reader, str, dict[str, Any]] | None:
    """The reader that `CorpusSpec.source` needs, its path and its settings."""
    plain, asked = _cut(source)
    if (found := reader_of(plain)) is None:
        return None
    return *found, {name: value for name, (_, value) in _parsed(source, asked, found[0].settings).items()}


def source_in(spec: str) -> str:
    """The source of a spec with any settings."""
    return _cut(spec)[0]


def with_source(spec: str, place: Callable[[str], str]) -> str:
    """The spec with its source at another place, such as in another folder."""
    source, asked = _cut(spec)
    found = reader_of(source)
    scheme = "" if found is None or found[1] == source else f"{found[0].name}:"
    placed = scheme + place(source.removeprefix(scheme))
    return placed if asked is None else f"{placed}?{asked}"


def names_in(spec: str) -> set[str]:
    """The names of the settings in a spec, known or not."""
    asked = _cut(spec)[1]
    return set() if asked is None else {part.partition("=")[0] for part in asked.split("&")}


def _settings_of(source: str) -> tuple[CorpusSetting, ...]:
    found = reader_of(source)
    return () if found is None else found[0].settings


def _parsed(spec: str, asked: str | None, known: Sequence[CorpusSetting]) -> dict[str, tuple[str, object]]:
    """Each setting as written, and its value."""
    by_name, found = {each.name: each for each in known}, dict[str, tuple[str, object]]()
    all_forms = ", ".join(each.form for each in known[:_SHOWN]) + (", …" if known[_SHOWN:] else "")
    if asked is not None and is_file(Path(spec.rpartition("?")[0].rpartition("?")[0])):
        _refuse(spec, "two ?", f"one; write & between settings, as in {'&'.join(spec.rsplit('?', 1))}")
    for part in [] if asked is None else asked.split("&"):
        name, sign, text = part.partition("=")
        if (setting := by_name.get(name)) is None:
            near = did_you_mean(name, by_name) or _near_value(name, known)
            literal = "" if sign else "; write a ? in a name as %3F"
            problem = f"no setting {name!r}" if part else f"no setting after the {'&' if '&' in spec else '?'}"
            _refuse(spec, problem, all_forms or "a name without settings", near + literal)
        if not sign and True in setting.choices.values():
            sign, text = "=", "true"
        if not sign or not (text or setting.empty):
            _refuse(spec, f"the setting {name} has no value", setting.form)
        if name in found:
            _refuse(spec, f"the setting {name} is there twice", f"it once; leave out {part}")
        found[name] = part, setting.value(_plain(text), spec)
    return found


def _cut(spec: str) -> tuple[str, str | None]:
    source, mark, asked = spec.rpartition("?")
    return (_plain(source), asked) if mark and not is_file(Path(spec)) else (_plain(spec), None)


def _plain(text: str) -> str:
    is_read_later = text.partition(":")[0] in readers() if ":" in text else False
    return text if is_read_later or is_file(Path(text)) else _unescaped(text)


def _unescaped(text: str) -> str:
    return text.replace("%3F", "?").replace("%26", "&")


def _near_value(name: str, known: Sequence[CorpusSetting]) -> str:
    forms = {each: f"{setting.name}={each}" for setting in known for each in setting.choices}
    return f"; did you mean {forms[name]!r}?" if name in forms else ""


def _refuse(spec: str, problem: str, expected: str, near: str = "") -> NoReturn:
    raise AbaloError(f"{visible(spec)}: {visible(problem)}; expected {expected}{near}")

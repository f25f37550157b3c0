"""The manifest of a run in chunks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from abalo.core.documents.parts import Part, Source
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Json
from abalo.corpora.json_text import json_written
from abalo.errors import AbaloError, visible
from abalo.files import read_bytes, write_bytes
from abalo.models.tokens.scores import FITTED
from abalo.reporting.documents.origin import COMMIT, DATE, DIRTY

NAME = "manifest.json"

FORMAT = "abalo-scale/3"

_MOST = 2**28
"""Bytes; enough for a million chunks."""

_MADE = {DATE: str, COMMIT: str, DIRTY: bool}

_SAID = {
    "recorded": "options",
    "source": "corpus",
    "parts": "cuts",
    "fingerprint": "model",
    "thresholds_sha256": "thresholds",
}


@dataclass(frozen=True)
class Manifest:
    """A run in chunks.

    Attributes:
        parts: parts of ``chunk_size`` examples; no batch crosses a part.
        recorded: options that can change results.
        left_out: reasons by case id.
        examples: examples with text per case.
        fingerprint: identifies the model.
        made: when the run began.
    """

    task: str
    source: Source
    language: str
    chunk_size: int
    parts: tuple[Part, ...]
    recorded: Json
    thresholds: str
    thresholds_sha256: str
    cases: tuple[str, ...]
    left_out: Mapping[str, str]
    examples: int
    fingerprint: str
    labels: tuple[str, ...]
    made: Json
    versions: Mapping[str, str]

    def write(self, folder: Path) -> None:
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False)
        write_bytes(folder / NAME, text.encode("utf-8", "backslashreplace"))

    @property
    def fitting(self) -> range:
        """The parts that fit the score scale."""
        seen = 0
        for number, part in enumerate(self.parts):
            seen += part.examples
            if seen >= FITTED:
                return range(number + 1)
        return range(len(self.parts))

    @cached_property
    def sha256(self) -> str:
        """Digest of all fields except ``made``."""
        said = {name: value for name, value in asdict(self).items() if name != "made"}
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    def chunk(self, number: int) -> JsonObject:
        """Facts that identify a chunk."""
        return {
            "number": number,
            "part": asdict(self.parts[number]),
            "corpus": self.source.sha256,
            "model": self.fingerprint,
            "run": self.sha256,
        }


def is_manifest(folder: Path) -> bool:
    """Whether a manifest exists, even if damaged."""
    try:
        return (folder / NAME).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest."""
    path = folder / NAME
    try:
        found = json_of(path)
        if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
            raise AbaloError(
                f"{path}: is not the manifest of a run in chunks in the format {FORMAT}; run abalo scale again with "
                "another --out"
            )
        manifest: Manifest = _read(Manifest, found, "")
        _check(manifest)
    except (OSError, ValueError, RecursionError) as error:
        raise AbaloError(
            f"{path}: is not the manifest of a run in chunks: {visible(error)[:300]}; remove it, and run abalo scale "
            "again"
        ) from error
    return manifest


def json_of(path: Path) -> Any:
    """Reads JSON; raises OSError, ValueError or RecursionError if unreadable."""
    return json_written(read_bytes(path, _MOST).decode("utf-8"))


def refuse_other(folder: Path, asked: Mapping[str, object]) -> None:
    """Raises `AbaloError` if the folder's run differs in ``asked`` fields."""
    if not is_manifest(folder):
        return
    old = read_manifest(folder)
    if unlike := [name for name, value in asked.items() if getattr(old, name) != value]:
        others = ", ".join(_SAID.get(each, each) for each in unlike)
        first = _first_difference(getattr(old, unlike[0]), asked[unlike[0]], unlike[0])
        raise AbaloError(
            f"--out {folder}: holds the chunks of another run, with other {others} ({first}); give another folder, or "
            "remove it"
        )


def _first_difference(old: object, new: object, place: str) -> str:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        name = next(each for each in sorted({*old, *new}) if old.get(each, ...) != new.get(each, ...))
        return _first_difference(old.get(name), new.get(name), f"{place}.{name}")
    return f"{place} in {NAME} is {_short(old)}, asked for is {_short(new)}"


def _short(value: object) -> str:
    text = visible(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _check(manifest: Manifest) -> None:
    if not manifest.parts:
        raise ValueError("parts is empty; expected a chunk or more")
    for name, kind in _MADE.items():
        if not isinstance(value := manifest.made.get(name, kind()), kind):
            raise ValueError(  # noqa: TRY004 - of a file, as for its other fields
                f"made.{name} is {_short(value)}; expected when the run began"
            )


def _read(kind: Any, value: Any, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        names = [each.name for each in fields(kind)]
        if not isinstance(value, dict) or set(value) != set(names):
            raise ValueError(f"{place or 'it'} has other fields than {', '.join(names)}")
        hints = get_type_hints(kind)
        made: Any = kind
        return made(**{name: _read(hints[name], value[name], f"{place}.{name}".lstrip(".")) for name in names})
    if origin is tuple and isinstance(value, list):
        return tuple(_read(arguments[0], each, f"{place}[{k}]") for k, each in enumerate(value))
    if origin is Mapping and isinstance(value, dict):
        return {name: _read(arguments[1], each, f"{place}.{name}") for name, each in value.items()}
    if kind is Any or (kind is str and isinstance(value, str)):
        return value
    if kind is int and type(value) is int and 0 <= value < 2**63:
        return value
    wanted = {str: "a string", int: "a whole number from 0", tuple: "a list", Mapping: "an object"}
    raise ValueError(f"{place} is {_short(value)}; expected {wanted[origin or kind]}")

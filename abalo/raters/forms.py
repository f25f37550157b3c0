"""Rating sheets in a folder: a CSV file per rater, README.txt, and key.json, which raters do not get."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from abalo.core.records.example import JsonObject
from abalo.core.statistics.numbers import plain_fields
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError, in_words
from abalo.files import check_writable, read_text, write_text
from abalo.reporting.formats.cells import read_csv, to_csv
from abalo.version import __version__
from perturbations.streams import pick, sample

T = TypeVar("T")

README = "README.txt"
KEY = "key.json"

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Ids must look neither like numbers nor like words."""

_ELSEWHERE = "choose another folder with --out FOLDER"
_AS_WRITTEN = "take the key as it was written"


@dataclass(frozen=True, slots=True)
class SheetForm:
    """Columns to read, and columns to fill in with their scales, from best to worst.

    ``told`` names the key's strings for each item, ``facts`` for all items. With ``blank``, rows may stay empty.
    """

    name: str
    instructions: str
    read: tuple[str, ...]
    scales: Mapping[str, tuple[str, ...]]
    told: tuple[str, ...]
    facts: tuple[str, ...] = ()
    blank: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", *self.read, *self.scales)


SENTENCES = SheetForm(
    "sentences", "instructions.txt", ("sentence",), {"rating": ("5", "4", "3", "2", "1")}, ("pair", "kind"), blank=True
)
VARIANTS = SheetForm(
    "variants",
    "instructions_variants.txt",
    ("original", "variant"),
    {"text": ("right", "acceptable", "wrong")},
    ("perturbation", "family", "digest", "sentence_id"),
    ("corpus", "language"),
)
LABELLED = replace(VARIANTS, name="labelled variants", scales={**VARIANTS.scales, "labels": ("right", "wrong")})
_FORMS = {form.name: form for form in (SENTENCES, VARIANTS, LABELLED)}


@dataclass(frozen=True, slots=True)
class Key:
    """Form, facts about all items, items by id, and the ids of each rater."""

    form: SheetForm
    facts: JsonObject
    items: Mapping[str, JsonObject]
    raters: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class FilledSheet:
    """A rater's texts and answers by id; None for a missing answer."""

    rater: str
    texts: Mapping[str, tuple[str, ...]]
    said: Mapping[str, tuple[str | None, ...]]


def write(
    form: SheetForm,
    facts: JsonObject,
    items: Mapping[str, JsonObject],
    sheets: Mapping[str, Mapping[str, Sequence[str]]],
    folder: Path,
) -> None:
    """Writes the folder, completely or not at all; raises `AbaloError` if a file exists."""
    empty = ("",) * len(form.scales)
    texts = {README: files(__package__).joinpath(form.instructions).read_text(encoding="utf-8")}
    for rater, rows in sheets.items():
        texts[f"{rater}.csv"] = to_csv(form.columns, [(name, *shown_to, *empty) for name, shown_to in rows.items()])
    raters = {rater: sorted(rows) for rater, rows in sheets.items()}
    key = {"abalo": __version__, "form": form.name, **facts, "raters": raters, "items": items}
    texts[KEY] = f"{json.dumps(key, ensure_ascii=False, indent=1)}\n"
    check_writable(folder, _ELSEWHERE)
    if there := [name for name in texts if (folder / name).exists()]:
        raise AbaloError(f"{folder}: already holds {', '.join(there)}; {_ELSEWHERE}")
    try:
        for name, text in texts.items():
            write_text(folder / name, text, _ELSEWHERE)
    except AbaloError:
        for name in texts:
            (folder / name).unlink(missing_ok=True)
        raise


def read(folder: Path) -> tuple[Key, list[FilledSheet]]:
    """Reads the key and all filled sheets of a folder; raises `AbaloError` with file, line and value."""
    key = read_key(folder)
    return key, [_read_filled(folder / f"{rater}.csv", rater, ids, key.form) for rater, ids in key.raters.items()]


def read_key(folder: Path) -> Key:
    """Reads the key of a folder; raises `AbaloError` if it was changed."""
    path = folder / KEY
    try:
        read = strict_json(read_text(path))
        form, items, raters = _FORMS[read["form"]], read["items"], read["raters"]
        told = all(isinstance(item[name], str) for item in items.values() for name in form.told)
        safe = all("/" not in rater and "\\" not in rater for rater in raters)
        given = all(len({*ids}) == len(ids) and {*ids} <= items.keys() for ids in raters.values())
        facts = {name: read[name] for name in form.facts}
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AbaloError(f"{path}: {in_words(error)}; {_AS_WRITTEN}") from error
    named = all(isinstance(each, str) for each in facts.values())
    if not (told and safe and given and named and items and raters):
        raise AbaloError(f"{path}: not a key of abalo sheet; {_AS_WRITTEN}")
    return Key(form, facts, items, raters)


def _read_filled(path: Path, rater: str, ids: Sequence[str], form: SheetForm) -> FilledSheet:
    findings = Findings(str(path), lenient=False)
    texts: dict[str, tuple[str, ...]] = {}
    said: dict[str, tuple[str | None, ...]] = {}
    line = 1
    for row in read_csv(path, form.columns):
        line = row.line
        name, *cells = map(str.strip, row.cells)
        words = [word.casefold() for word in cells[len(form.read) :]]
        if name not in ids:
            findings.error(line, f"id {show_value(name)}; expected one that {KEY} has for {rater}; put it right")
        if name in said:
            findings.error(line, f"id {show_value(name)} for the second time; remove one of its rows")
        for (column, scale), word in zip(form.scales.items(), words, strict=True):
            if word not in scale and (word or not form.blank):
                expected = f"{', '.join(scale[:-1])} or {scale[-1]}{', or nothing' if form.blank else ''}"
                findings.error(line, f"{column} {show_value(word) if word else 'is empty'}; expected {expected}")
        texts[name], said[name] = tuple(cells[: len(form.read)]), tuple(word or None for word in words)
    missing = [name for name in ids if name not in said]
    if missing and not form.blank:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        findings.error(line, f"no row after this one for id {show_value(missing[0])}{more}; put it back")
    findings.raise_any()
    return FilledSheet(rater, texts, {name: said.get(name, (None,) * len(form.scales)) for name in ids})


def as_json(result: Any) -> JsonObject:
    """A report as plain JSON values; NaN becomes None."""
    return asdict(result, dict_factory=plain_fields)


def write_json(result: object, path: Path) -> None:
    """Writes a report as JSON; raises `AbaloError` on failure."""
    write_text(path, f"{json.dumps(as_json(result), ensure_ascii=False, allow_nan=False, indent=1)}\n")


def shuffle(values: Sequence[T], draws: Random) -> list[T]:
    """The values in random order."""
    return sample(draws, values, len(values))


def new_ids(count: int, draws: Random) -> list[str]:
    """Distinct ids that reveal nothing about their items."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(pick(draws, _LETTERS) for _ in range(6))] = None
    return list(ids)

"""One format of sheets for raters, of adversarial sentences and of variants: how they are written and read again.

A folder has a CSV file for each rater, README.txt for all of them, and key.json, which they do not get. Each row of a
sheet has an id, texts to read, and empty columns, in each of which the rater writes a word of its scale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from abalo.core.example import Json
from abalo.core.numbers import plain_fields
from abalo.corpora.findings import Findings, shown
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import check_writable, read_text, write_text
from abalo.reporting.cells import read_csv, to_csv
from abalo.version import __version__
from perturbations.streams import pick, sample

T = TypeVar("T")

README = "README.txt"
KEY = "key.json"

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Of ids: one with digits may be taken for a number by a spreadsheet program, one with vowels for a word by a rater."""

_ELSEWHERE = "choose another folder with --out FOLDER"
_AS_WRITTEN = "take the key as it was written"


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of sheet: the columns to read, and for each column to fill in the words of its scale, from best to worst.

    ``told`` are the strings that the key has of each item, ``facts`` those about all items. Rows may stay ``blank``, or
    be gone.
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
        """The columns of a sheet."""
        return ("id", *self.read, *self.scales)


SENTENCES = Form(
    "sentences", "instructions.txt", ("sentence",), {"rating": ("5", "4", "3", "2", "1")}, ("pair", "kind"), blank=True
)
VARIANTS = Form(
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
    """The key of a folder: the form of its sheets, facts about all items, items by id, and the ids of each rater."""

    form: Form
    facts: Json
    items: Mapping[str, Json]
    raters: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Filled:
    """The sheet of a rater: by id the texts of each row, and the words that the rater wrote, None for one left out."""

    rater: str
    texts: Mapping[str, tuple[str, ...]]
    said: Mapping[str, tuple[str | None, ...]]


def write(
    form: Form, facts: Json, items: Mapping[str, Json], sheets: Mapping[str, Mapping[str, Sequence[str]]], folder: Path
) -> None:
    """The folder: ``items`` are those of the key by id, ``sheets`` by rater and id the texts to read, in this order.

    All files are there or none. Raises `AbaloError` where one is there already, since it may hold ratings, and where
    the folder cannot be written.
    """
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


def read(folder: Path) -> tuple[Key, list[Filled]]:
    """The key of a folder and the sheets that it names, filled in.

    Raises `AbaloError`, with file, line and value, for a row with other words than those of the scale; for one that was
    not given or is there twice; for one that is gone or blank, unless the form allows it; and for a file that is
    missing.
    """
    key = read_key(folder)
    return key, [_filled(folder / f"{rater}.csv", rater, ids, key.form) for rater, ids in key.raters.items()]


def read_key(folder: Path) -> Key:
    """The key of a folder; raises `AbaloError` for one that was changed."""
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
        raise AbaloError(f"{path}: {type(error).__name__}: {error}; {_AS_WRITTEN}") from error
    named = all(isinstance(each, str) for each in facts.values())
    if not (told and safe and given and named and items and raters):
        raise AbaloError(f"{path}: not a key of abalo sheet; {_AS_WRITTEN}")
    return Key(form, facts, items, raters)


def _filled(path: Path, rater: str, ids: Sequence[str], form: Form) -> Filled:
    findings = Findings(str(path), lenient=False)
    texts: dict[str, tuple[str, ...]] = {}
    said: dict[str, tuple[str | None, ...]] = {}
    line = 1
    for row in read_csv(path, form.columns):
        line = row.line
        name, *cells = map(str.strip, row.cells)
        words = [word.casefold() for word in cells[len(form.read) :]]
        if name not in ids:
            findings.error(line, f"id {shown(name)}; expected one that {KEY} has for {rater}; put it right")
        if name in said:
            findings.error(line, f"id {shown(name)} for the second time; remove one of its rows")
        for (column, scale), word in zip(form.scales.items(), words, strict=True):
            if word not in scale and (word or not form.blank):
                expected = f"{', '.join(scale[:-1])} or {scale[-1]}{', or nothing' if form.blank else ''}"
                findings.error(line, f"{column} {shown(word) if word else 'is empty'}; expected {expected}")
        texts[name], said[name] = tuple(cells[: len(form.read)]), tuple(word or None for word in words)
    missing = [name for name in ids if name not in said]
    if missing and not form.blank:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        findings.error(line, f"no row after this one for id {shown(missing[0])}{more}; put it back")
    findings.raise_any()
    return Filled(rater, texts, {name: said.get(name, (None,) * len(form.scales)) for name in ids})


def as_json(result: Any) -> Json:
    """A report as plain JSON values, None for NaN."""
    return asdict(result, dict_factory=plain_fields)


def write_json(result: Any, path: Path) -> None:
    """A report as a file of JSON; raises `AbaloError` where it cannot be written."""
    write_text(path, f"{json.dumps(as_json(result), ensure_ascii=False, allow_nan=False, indent=1)}\n")


def shuffled(values: Sequence[T], draws: Random) -> list[T]:
    """The values in random order, each order equally likely."""
    return sample(draws, values, len(values))


def new_ids(count: int, draws: Random) -> list[str]:
    """As many different ids, which say nothing of what they stand for."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids["".join(pick(draws, _LETTERS) for _ in range(6))] = None
    return list(ids)
